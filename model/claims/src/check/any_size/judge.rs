//! What views say of claims.
//!
//! A claim is asked about what is shared and one process: its subject is a row of the process, or a
//! shared one, and all that it reads is of the two. So it is a question about pairs of a shared
//! part and a local state, and about the moves that lead from one to another.

use std::collections::BTreeSet;

use deathwatch_checker::views::{Closure, LocalId, OpenPairs, Rest, SharedId};
use deathwatch_model::rows::{Read, Row, recorded};

use super::{
    NoTemplate,
    certificate::{ClaimProof, PairsProof},
    family::rows,
    named,
    protocol::Protocol,
};
use crate::claims::{Claim, ClaimKind, OwnClaim, OwnFormula};

/// Why no claim is answered that something can be reached.
const MORE: &str = "views have more than what can be reached";

/// What views say of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ViewsSay {
    /// It holds in every instance.
    Holds,
    /// It holds in every instance, and what it is about happens in none.
    Vacuous,
    /// It may be violated: no view rules it out.
    MayBeViolated,
    /// Views do not say anything of it, for this reason.
    Nothing(String),
}

/// Somebody who may be asked about: what is shared, or a process of a type.
type AskedOf = Option<usize>;

/// What views say of claims.
pub(super) struct Judge<'a> {
    pub(super) protocol: &'a mut Protocol,
    pub(super) rest: &'a Rest,
    /// Whether runs end, so that what rests is what is left to follow.
    pub(super) ends: Result<(), String>,
    /// For what is shared, and for each type, the graph of its pairs.
    pairs: Vec<(AskedOf, OpenPairs)>,
    /// Why claims hold.
    proofs: Vec<ClaimProof>,
}

impl<'a> Judge<'a> {
    /// Of a closure.
    ///
    /// # Errors
    /// If a broadcast is not as it has to be.
    pub(super) fn new(
        protocol: &'a mut Protocol,
        closure: &'a Closure,
        rest: &'a Rest,
        ends: Result<(), String>,
    ) -> Result<Self, NoTemplate> {
        let types = protocol.sizes().1.len();
        let subjects = std::iter::once(None).chain((0..types).map(Some));
        let pairs: Result<Vec<(AskedOf, OpenPairs)>, NoTemplate> =
            subjects.map(|of| Ok((of, OpenPairs::of(protocol, closure, of)?))).collect();
        Ok(Self { pairs: pairs?, protocol, rest, ends, proofs: Vec::new() })
    }

    /// Why claims hold that were asked.
    pub(super) fn into_proofs(self) -> Vec<ClaimProof> {
        self.proofs
    }

    /// What they say of a claim.
    pub(super) fn says(&mut self, claim: &'static Claim) -> ViewsSay {
        let known = self.proofs.len();
        let said = self.says_of_all(claim);
        if !matches!(said, ViewsSay::Holds | ViewsSay::Vacuous) {
            self.proofs.truncate(known);
        }
        said
    }

    fn says_of_all(&mut self, claim: &'static Claim) -> ViewsSay {
        // Of a claim about states or steps that has no subjects nothing is violated.
        let mut said = match claim.kind() {
            ClaimKind::Leads => ViewsSay::Vacuous,
            ClaimKind::Always | ClaimKind::Step => ViewsSay::Holds,
            ClaimKind::Reachable => return ViewsSay::Nothing(MORE.to_owned()),
        };
        for own in claim.texts() {
            let subjects: Vec<Row> = own.subject_kind().rows(self.protocol.world()).collect();
            for subject in subjects {
                let of = match self.protocol.owner(subject) {
                    // The others are as these are.
                    Some((_, slot)) if slot > 0 => continue,
                    owner => owner.map(|(of, _)| of),
                };
                let (says, proof) = self.says_of(own, subject, of);
                self.proofs.extend(proof.map(|proof| ClaimProof { claim, subject, of, proof }));
                match says {
                    ViewsSay::Holds => said = ViewsSay::Holds,
                    ViewsSay::Vacuous => {}
                    other => return other,
                }
            }
        }
        said
    }

    /// What they say of a claim about a subject, with the reason if that does not violate it.
    fn says_of(&self, own: &OwnClaim, subject: Row, of: AskedOf) -> (ViewsSay, Option<PairsProof>) {
        let of_states = |says: ViewsSay| {
            let proof = (says == ViewsSay::Holds).then_some(PairsProof::NoneViolates);
            (says, proof)
        };
        let result = match &own.says {
            OwnFormula::Leads(_) => self.leads(own, subject, of),
            OwnFormula::Always(_) => self.always(own, subject, of).map(of_states),
            OwnFormula::Step(_) => self.steps(own, subject, of).map(of_states),
            OwnFormula::Reachable(_) => Err(MORE.to_owned()),
        };
        result.unwrap_or_else(|why| (ViewsSay::Nothing(why), None))
    }

    fn pairs(&self, of: AskedOf) -> &OpenPairs {
        let mut all = self.pairs.iter();
        &all.find(|(other, _)| *other == of).expect("each has its graph").1
    }

    /// A condition of a pair. What it reads has to be shared or the subject's.
    fn ask<T>(&self, of: AskedOf, why: &mut Option<String>, condition: impl FnOnce() -> T) -> T {
        let mut reads = Vec::new();
        let result = recorded(&mut reads, condition);
        for read in reads {
            let foreign = match read {
                Read::Row(row) => match self.protocol.owner(row) {
                    None => None,
                    Some(owner) if of.is_some_and(|of| owner == (of, 0)) => None,
                    Some(_) => Some(named(self.protocol.world(), row)),
                },
                Read::Deployers => None,
                Read::Relation(kind, _) | Read::All(kind) => {
                    let is_shared = rows(self.protocol.world())
                        .filter(|row| row.kind() == kind)
                        .all(|row| self.protocol.owner(row).is_none());
                    (!is_shared).then(|| format!("`{}` of all units", kind.name()))
                }
                Read::Pending => Some("all pending transactions".to_owned()),
                Read::Count(_) => Some("a number of units".to_owned()),
                Read::Broadcast(_) => unreachable!("a condition changes nothing"),
            };
            if let Some(foreign) = foreign {
                why.get_or_insert(format!("it reads {foreign}"));
            }
        }
        result
    }

    fn pair(
        &self,
        of: AskedOf,
        (shared, local): (SharedId, LocalId),
    ) -> deathwatch_model::state::State {
        self.protocol.pair(shared, of.map(|of| (of, local)))
    }

    fn leads(
        &self,
        own: &OwnClaim,
        subject: Row,
        of: AskedOf,
    ) -> Result<(ViewsSay, Option<PairsProof>), String> {
        let (mut why, mut all_from, mut all_to) = (None, Vec::new(), Vec::new());
        let pairs = self.pairs(of);
        let open = pairs.open(|shared, local| {
            let state = self.pair(of, (shared, local));
            let world = self.protocol.world();
            let [from, to] = self.ask(of, &mut why, || own.obligation(world, &state, subject));
            all_from.extend(from.then_some((shared, local)));
            all_to.extend(to.then_some((shared, local)));
            [from, to]
        });
        if let Some(why) = why {
            return Err(why);
        }
        let (is_asked, listed) = (!all_from.is_empty(), open.iter().copied().collect());
        let proof = PairsProof::NoneRestsOpen { from: all_from, to: all_to, open: listed };
        if !is_asked {
            return Ok((ViewsSay::Vacuous, Some(proof)));
        }
        self.ends.clone()?;
        let is_open = self.rest.views.iter().any(|view| {
            let local = of.map_or(0, |of| view.locals[of]);
            open.contains(&(view.shared, local))
        });
        let holds = (ViewsSay::Holds, Some(proof));
        Ok(if is_open { (ViewsSay::MayBeViolated, None) } else { holds })
    }

    fn always(&self, own: &OwnClaim, subject: Row, of: AskedOf) -> Result<ViewsSay, String> {
        let (mut why, mut is_decided) = (None, false);
        for pair in self.pairs(of).all() {
            let state = self.pair(of, *pair);
            let world = self.protocol.world();
            is_decided |= self.ask(of, &mut why, || own.is_decided(world, &state, subject));
        }
        match why {
            Some(why) => Err(why),
            None => Ok(if is_decided { ViewsSay::MayBeViolated } else { ViewsSay::Holds }),
        }
    }

    fn steps(&self, own: &OwnClaim, subject: Row, of: AskedOf) -> Result<ViewsSay, String> {
        let (mut why, mut is_violated) = (None, false);
        let world = self.protocol.world();
        for (before, after) in self.pairs(of).steps() {
            let [before, after] = [before, after].map(|pair| self.pair(of, pair));
            let touched: BTreeSet<Row> =
                rows(world).filter(|row| !after.is_same(*row, &before)).collect();
            if touched.is_empty() {
                continue;
            }
            // A claim about transitions is about those that change what it reads.
            is_violated |=
                self.ask(of, &mut why, || own.is_violated(world, [&before, &after], subject));
        }
        match why {
            Some(why) => Err(why),
            None => Ok(if is_violated { ViewsSay::MayBeViolated } else { ViewsSay::Holds }),
        }
    }
}
