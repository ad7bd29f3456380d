//! Obligations: what each claim owes, since when, and the state or step that decides it.

use deathwatch_claims::{Claim, Monitor};
use deathwatch_documents::run::{ClaimStrip, Decided, End, Owed, OwedIs};
use deathwatch_model::{agents::Effects, rows::Row, state::State, world::World};

use super::{slice::Slice, tables::document_name};

/// Obligations of claims, noted while a run is carried out.
pub(super) struct RunObligations<'a> {
    /// The part of the run that is written down; all, if there is none.
    slice: Option<&'a Slice>,
    claims: Vec<&'static Claim>,
    monitor: Monitor,
    decided: Vec<(usize, &'static Claim, Row)>,
    /// Each obligation with the state since which it is open, and the one from which on it is not.
    owed: Vec<(&'static Claim, Row, usize, Option<usize>)>,
}

impl<'a> RunObligations<'a> {
    /// Begins in `state`.
    pub(super) fn begin(
        world: &World,
        state: &State,
        claims: Vec<&'static Claim>,
        slice: Option<&'a Slice>,
    ) -> Self {
        let mut decided = Vec::new();
        let monitor = Monitor::new(world, state, claims.iter().copied(), &mut |claim, subject| {
            decided.push((0, claim, subject));
        });
        let mut this = Self { claims, monitor, decided, owed: Vec::new(), slice };
        this.update(world, 0);
        this
    }

    /// Adds the state with this number, to which a step led.
    pub(super) fn add(&mut self, world: &World, state: &State, effects: &Effects, number: usize) {
        self.pass(world, state, effects, number);
        self.update(world, number);
    }

    /// Adds a state that is not told of, before the one with this number.
    pub(super) fn pass(&mut self, world: &World, state: &State, effects: &Effects, number: usize) {
        let decided = &mut self.decided;
        self.monitor.check_step(world, state, &effects.touched, &mut |claim, subject| {
            decided.push((number, claim, subject));
        });
    }

    fn update(&mut self, world: &World, number: usize) {
        let mut open = self.monitor.owed(world);
        open.retain(|(_, subject)| self.slice.is_none_or(|it| it.is_about(*subject)));
        let is_one = |one: &(&'static Claim, Row), claim: &Claim, subject: Row| {
            std::ptr::eq(one.0, claim) && one.1 == subject
        };
        for (claim, subject, _, until) in self.owed.iter_mut().filter(|it| it.3.is_none()) {
            if !open.iter().any(|one| is_one(one, claim, *subject)) {
                *until = Some(number);
            }
        }
        for one in open {
            let mut known = self.owed.iter().filter(|it| it.3.is_none());
            if !known.any(|(claim, subject, ..)| is_one(&one, claim, *subject)) {
                self.owed.push((one.0, one.1, number, None));
            }
        }
    }

    /// The strip of each claim, for a run with this end.
    pub(super) fn finish(self, world: &World, end: End) -> Vec<ClaimStrip> {
        let Self { claims, decided, owed, .. } = self;
        let strip = |claim: &&'static Claim| {
            let mine = owed.iter().filter(|it| std::ptr::eq(it.0, *claim));
            let owed = mine.map(|(claim, subject, since, until)| Owed {
                subject: claim.subject(*subject).map(|row| document_name(world, row)),
                since: *since,
                until: *until,
                is: became(end, *since, *until),
            });
            let mut decided = decided.iter().filter(|it| std::ptr::eq(it.1, *claim));
            let decided = decided.next().map(|(state, claim, subject)| Decided {
                state: *state,
                subject: claim.subject(*subject).map(|row| document_name(world, row)),
            });
            ClaimStrip {
                claim: claim.name.to_owned(),
                kind: claim.kind().name().to_owned(),
                source: claim.source.to_owned(),
                owed: owed.collect(),
                decided,
            }
        };
        claims.iter().map(strip).collect()
    }
}

/// The fate of an obligation of a run with this end. On a cycle it is never met if it is open all
/// the way round.
fn became(end: End, since: usize, until: Option<usize>) -> OwedIs {
    match (until, end) {
        (Some(_), _) => OwedIs::Done,
        (None, End::Quiescent) => OwedIs::Violated,
        (None, End::Cycle { from, .. }) if since <= from => OwedIs::Violated,
        (None, End::Cycle { .. } | End::Open) => OwedIs::Open,
    }
}
