//! Claims about states, checked in one state after the other.
//!
//! An explorer goes from state to state, and mostly the next one differs from the last one in a few
//! rows. A claim that held there can be violated here only by a subject that these rows affect, so
//! only these are judged. A claim that did not hold there is judged from the beginning.

use deathwatch_model::{
    agents::WatchedStep,
    rows::{Row, RowKind},
    state::State,
    world::World,
};

use super::{
    AlwaysClaim, ClaimView, Recount, RowEvent, affected::Affected,
    dependency_index::DependencyIndex,
};

/// Claims about states, and what is known of them in the last state.
pub(crate) struct StateClaims {
    /// The claims, each with its number among all claims, and whether it held in the last state;
    /// unknown before the first, which counts as violated.
    claims: Vec<(usize, AlwaysClaim, bool)>,
    /// For each kind of subjects the indices of their claims.
    by_kind: [Vec<usize>; RowKind::ALL.len()],
    ways: DependencyIndex,
    /// The recount of the last state.
    recount: Recount,
    /// Scratch memory: the affected subjects.
    subjects: Vec<Row>,
}

impl StateClaims {
    /// Claims with their numbers, before the first state. `state` is the one that it is compared
    /// with.
    pub(crate) fn new(world: &World, state: &State, claims: Vec<(usize, AlwaysClaim)>) -> Self {
        let claims: Vec<_> =
            claims.into_iter().map(|(number, always)| (number, always, false)).collect();
        let mut by_kind: [Vec<usize>; RowKind::ALL.len()] = Default::default();
        for (index, (_, always, _)) in claims.iter().enumerate() {
            for subjects in always.of {
                by_kind[subjects.kind as usize].push(index);
            }
        }
        let ways = DependencyIndex::of(claims.iter().flat_map(|(_, always, _)| always.of));
        let recount = Recount::of(world, state);
        Self { claims, by_kind, ways, recount, subjects: Vec::new() }
    }

    /// Goes from the last state, `mirror`, to `state`, which differs in these rows at most, and
    /// makes `mirror` equal to it. Reports the claims that are violated there, each with the first
    /// subject that violates it.
    pub(crate) fn go_to(
        &mut self,
        world: &World,
        mirror: &mut State,
        state: &State,
        touched: &[Row],
        violated: &mut dyn FnMut(usize, Row),
    ) {
        if self.claims.is_empty() {
            for row in touched {
                mirror.restore(*row, state);
            }
            return;
        }
        self.find_affected(world, mirror, state, touched);
        for row in touched {
            self.recount.catch_up(world, mirror, state, *row);
        }
        let view = ClaimView { world, state, recount: &self.recount };
        for subject in &self.subjects {
            for index in &self.by_kind[subject.kind() as usize] {
                let (_, always, held) = &mut self.claims[*index];
                *held = *held && !(always.at_fault)(&view, *subject);
            }
        }
        for (number, always, held) in self.claims.iter_mut().filter(|(_, _, held)| !held) {
            let first = (always.first)(&view);
            *held = first.is_none();
            if let Some(subject) = first {
                violated(*number, subject);
            }
        }
    }

    /// Finds the subjects whose verdicts may differ between two states. One may occur twice.
    fn find_affected(&mut self, world: &World, before: &State, after: &State, touched: &[Row]) {
        self.subjects.clear();
        let change = WatchedStep { world, before, after };
        let before = ClaimView { world, state: before, recount: &self.recount };
        let mut affected = Affected { before, after, subjects: &mut self.subjects };
        for row in touched {
            for event in RowEvent::of(&change, *row).into_iter().flatten() {
                self.ways.follow(event, *row, &mut affected);
            }
            if !self.by_kind[row.kind() as usize].is_empty() {
                affected.add(*row);
            }
        }
    }

    /// Whether the recount, and what is known of the claims, are what a check of everything finds.
    pub(crate) fn is_true_to(&self, world: &World, state: &State) -> bool {
        let recount = Recount::of(world, state);
        let view = ClaimView { world, state, recount: &recount };
        let is_known =
            |(_, always, held): &(_, AlwaysClaim, bool)| *held == (always.first)(&view).is_none();
        self.claims.is_empty() || recount == self.recount && self.claims.iter().all(is_known)
    }
}
