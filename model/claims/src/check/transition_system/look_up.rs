//! The look-up of actions once the search is over, which keeps the numbers of states only.

use deathwatch_model::action::Action;

use super::{TransitionSystem, Worker};

impl TransitionSystem<'_> {
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

    /// The first action that leads from one packed state to another.
    pub(in crate::check) fn between(
        &self,
        worker: &mut Worker<'_>,
        from: &[u64],
        to: &[u64],
    ) -> Option<Action> {
        self.go_to(worker, from);
        self.list_enabled(worker);
        for position in 0..worker.actions.len() {
            let action = self.advance(worker, from, position);
            let leads_there = worker.words == to;
            Self::undo(worker);
            if leads_there {
                return Some(action);
            }
        }
        None
    }
}
