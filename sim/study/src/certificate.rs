//! Certificates of answers for every number of units, as text.

use deathwatch_claims::check::{
    self, Certificate, ClaimProof, PairsProof,
    views::{Amounts, Measure, MoverKind, Ranked, StateView, ViewMove, Whose},
};
use deathwatch_documents::{
    certificate::{
        CertificateHead, CertificateLine, CountedThing, HoldingClaim, LeadsPairs, LocalState,
        MoveKind, MovesThere, OneMove, RankOf, SharedPart, ShownRun, ToldLocal, ToldThing, ViewIds,
        WhomCounted,
    },
    to_json,
};
use deathwatch_scenario::{describe, scenario::Scenario};

use crate::recording;

/// Writes a certificate, line by line. A call of `write` says whether to go on.
pub fn write(
    scenario: &Scenario,
    certificate: &Certificate<'_>,
    write: &mut dyn FnMut(&str) -> bool,
) {
    for line in lines(scenario, certificate) {
        if !write(&format!("{}\n", to_json(&line))) {
            return;
        }
    }
}

/// The lines, as they are asked for.
fn lines<'a>(
    scenario: &'a Scenario,
    certificate: &'a Certificate<'_>,
) -> impl Iterator<Item = CertificateLine> + 'a {
    let lengths =
        ArrayLengths { types: certificate.types().len(), counts: certificate.counts().len() };
    let view = move |view: &StateView| lengths.view(view);
    let moves = certificate.closure.moves().map(move |((whose, shared, others), moves)| {
        let by = match whose {
            Whose::Shared => None,
            Whose::Process(of, local) => Some((of, local)),
        };
        let one = |it: &ViewMove| OneMove {
            is: match it.mover {
                MoverKind::Fault => MoveKind::Fault,
                MoverKind::Free | MoverKind::Command => MoveKind::Free,
                MoverKind::Owed => MoveKind::Owed,
            },
            shared: it.shared,
            local: by.map(|_| it.local),
            tells: it.broadcast.map(|id| {
                let clears = lengths.counts(certificate.clears(id));
                ToldThing { id, clears: clears.into_iter().map(|it| it > 0).collect() }
            }),
        };
        let moves = moves.iter().map(one).collect();
        MovesThere { by, shared, others: lengths.counts(others), moves }
    });
    let told = certificate.told.iter().map(|it| ToldLocal {
        tells: it.broadcast,
        of: it.of,
        local: it.local,
        becomes: it.becomes,
    });
    let ranks = certificate.measure.into_iter().flat_map(Measure::ranks);
    let ranks = ranks.map(move |(ranked, rank)| lengths.rank(ranked, rank));
    let claims = certificate.claims.iter().map(move |it| holding(certificate, it));
    let shown = certificate.shown.iter().map(move |it| ShownRun {
        asked: it.asked.clone(),
        is_reached: it.is_reached,
        units: it.units.clone(),
        views: it.views.as_ref().map(|views| views.iter().map(view).collect()),
    });
    std::iter::once(CertificateLine::Certificate(head(scenario, certificate)))
        .chain(shared(certificate).map(CertificateLine::Shared))
        .chain((0..lengths.types).flat_map(move |of| locals(certificate, of, lengths)))
        .chain(certificate.first.iter().map(view).map(CertificateLine::First))
        .chain(certificate.closure.views().map(view).map(CertificateLine::View))
        .chain(moves.map(CertificateLine::Moves))
        .chain(told.map(CertificateLine::Told))
        .chain(ranks.map(CertificateLine::Rank))
        .chain(certificate.rest.views.iter().map(view).map(CertificateLine::Rest))
        .chain(claims.map(CertificateLine::Holds))
        .chain(shown.map(CertificateLine::Shown))
}

/// The number of types and of counts in use; entries of arrays beyond them have no meaning.
#[derive(Clone, Copy)]
struct ArrayLengths {
    types: usize,
    counts: usize,
}

impl ArrayLengths {
    fn counts(self, amounts: Amounts) -> Vec<u8> {
        amounts[..self.counts].to_vec()
    }

    fn view(self, view: &StateView) -> ViewIds {
        let StateView { shared, locals, hidden } = *view;
        ViewIds { shared, locals: locals[..self.types].to_vec(), hidden: self.counts(hidden) }
    }

    fn rank(self, ranked: Ranked, rank: u32) -> RankOf {
        let of = |settled_shared| RankOf {
            settled_shared,
            settled_local: None,
            others: None,
            pending: None,
            rank,
        };
        match ranked {
            Ranked::Shared(at) => of(at),
            Ranked::Local(at, kind, local) => {
                RankOf { settled_local: Some((kind, local)), ..of(at) }
            }
            Ranked::Pending(at, kind, local, others, pending) => RankOf {
                settled_local: Some((kind, local)),
                others: Some(self.counts(others)),
                pending: Some(pending.into()),
                ..of(at)
            },
            Ranked::SharedPending(at, others, pending) => {
                RankOf { others: Some(self.counts(others)), pending: Some(pending), ..of(at) }
            }
        }
    }
}

fn head(scenario: &Scenario, certificate: &Certificate<'_>) -> CertificateHead {
    let world = certificate.world();
    let counts = certificate
        .counts()
        .map(|(row, it)| CountedThing { of: describe::subject(world, row), counts: counted(it) });
    let applications = certificate.types().map(str::to_owned).collect();
    let (counts, bound) = (counts.collect(), certificate.bound());
    CertificateHead::by("check --any-size", &scenario.name, applications, counts, bound)
}

fn counted(it: check::CountKind) -> WhomCounted {
    match it {
        check::CountKind::Units => WhomCounted::Units,
        check::CountKind::InScope => WhomCounted::InScope,
        check::CountKind::Alive => WhomCounted::Alive,
        check::CountKind::Pending => WhomCounted::Pending,
    }
}

fn shared<'a>(certificate: &'a Certificate<'_>) -> impl Iterator<Item = SharedPart> + 'a {
    let all = certificate.shared().zip(&certificate.settled_shared).zip(0..);
    all.map(|((state, settled), id)| SharedPart {
        id,
        settled: *settled,
        rows: recording::tables_of(certificate.world(), state, certificate.rows(state)),
    })
}

fn locals<'a>(
    certificate: &'a Certificate<'_>,
    of: usize,
    lengths: ArrayLengths,
) -> impl Iterator<Item = CertificateLine> + 'a {
    let all = certificate.locals(of).zip(&certificate.settled_locals[of]).zip(0..);
    all.map(move |(((state, adds), settled), id)| {
        CertificateLine::Local(LocalState {
            of,
            id,
            settled: *settled,
            adds: lengths.counts(adds),
            rows: recording::tables_of(certificate.world(), state, certificate.rows(state)),
        })
    })
}

fn holding(certificate: &Certificate<'_>, proof: &ClaimProof) -> HoldingClaim {
    HoldingClaim {
        claim: proof.claim.name.to_owned(),
        subject: match proof.subject {
            Some(row) => describe::subject(certificate.world(), row),
            None => "the whole state".to_owned(),
        },
        of: proof.of,
        leads: match &proof.proof {
            PairsProof::NoneViolates | PairsProof::NoneReaches => None,
            PairsProof::NoneRestsOpen { from, to, open } => {
                Some(LeadsPairs { from: from.clone(), to: to.clone(), open: open.clone() })
            }
        },
        never_reached: matches!(proof.proof, PairsProof::NoneReaches),
    }
}
