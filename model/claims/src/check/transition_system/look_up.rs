//! The look-up of actions after a search, as the graph has only the numbers of states.

use deathwatch_checker::graph::Label;
use deathwatch_model::{action::Action, clause::Clause, rows::Row};

use super::{TransitionSystem, Worker};
use crate::claims::Claim;

impl TransitionSystem<'_> {
    /// The first action in a packed state that carries out a clause.
    pub(in crate::check) fn carrying_out(
        &self,
        worker: &mut Worker<'_>,
        state: &[u64],
        clause: Clause,
    ) -> Option<Action> {
        let found = self.first_step(worker, state, |worker, _| {
            worker.words != state && worker.effects.clauses.as_slice().contains(&clause)
        });
        found.map(|(action, _)| action)
    }

    /// The first action in a packed state that violates a claim, and the subject at which it does.
    pub(in crate::check) fn violating(
        &self,
        worker: &mut Worker<'_>,
        state: &[u64],
        claim: &Claim,
    ) -> Option<(Action, Row)> {
        let mut subject = None;
        let found = self.first_step(worker, state, |worker, _| {
            let Worker { base, next, effects, .. } = worker;
            subject = claim.at_fault(self.question.world, base, next, &effects.touched);
            subject.is_some()
        });
        found.map(|(action, _)| action).zip(subject)
    }

    /// The action at `position` among those enabled in a packed state.
    pub(in crate::check) fn action_at(
        &self,
        worker: &mut Worker<'_>,
        state: &[u64],
        position: u32,
    ) -> Action {
        self.go_to(worker, state);
        self.list_enabled(worker);
        worker.actions[position as usize]
    }

    /// The actions that change something in a packed state: those of the edges of the graph, in
    /// their order.
    pub(in crate::check) fn actions_of(
        &self,
        worker: &mut Worker<'_>,
        state: &[u64],
    ) -> Vec<Action> {
        self.go_to(worker, state);
        self.list_enabled(worker);
        let mut actions = Vec::with_capacity(worker.actions.len());
        for position in 0..worker.actions.len() {
            let action = self.advance(worker, state, position);
            if worker.words != state {
                actions.push(action);
            }
            Self::undo(worker);
        }
        actions
    }

    /// The action of an edge of the graph, by its index among those that change something.
    pub(in crate::check) fn action_of(
        &self,
        worker: &mut Worker<'_>,
        state: &[u64],
        edge: usize,
    ) -> Action {
        self.actions_of(worker, state)[edge]
    }

    /// The first action from a packed state to `to`, or to a state that `to` represents, and the
    /// state that it leads to.
    pub(in crate::check) fn towards(
        &self,
        worker: &mut Worker<'_>,
        from: &[u64],
        to: &[u64],
    ) -> Option<(Action, Vec<u64>)> {
        self.first_step(worker, from, |worker, _| self.representative(worker) == to)
    }

    /// The first action that leads from one packed state to another along an edge with this label.
    pub(in crate::check) fn along(
        &self,
        worker: &mut Worker<'_>,
        from: &[u64],
        to: &[u64],
        label: Label,
    ) -> Option<Action> {
        let found = self.first_step(worker, from, |worker, action| {
            worker.words == to && self.label(&worker.base, action) == label
        });
        found.map(|(action, _)| action)
    }

    /// The first step from a packed state that `is_wanted`, and the state that it leads to.
    pub(in crate::check) fn first_step(
        &self,
        worker: &mut Worker<'_>,
        from: &[u64],
        mut is_wanted: impl FnMut(&mut Worker<'_>, &Action) -> bool,
    ) -> Option<(Action, Vec<u64>)> {
        self.go_to(worker, from);
        self.list_enabled(worker);
        for position in 0..worker.actions.len() {
            let action = self.advance(worker, from, position);
            let is_it = is_wanted(worker, &action);
            Self::undo(worker);
            if is_it {
                return Some((action, worker.words.clone()));
            }
        }
        None
    }
}
