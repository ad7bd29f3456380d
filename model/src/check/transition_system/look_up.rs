//! The look-up of actions once the search is over, which keeps the numbers of states only.

use super::{TransitionSystem, Worker};
use crate::action::Action;

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

    /// The action of an edge of the graph, by its index among those that change something.
    pub(in crate::check) fn action_of(
        &self,
        worker: &mut Worker<'_>,
        state: &[u64],
        edge: usize,
    ) -> Action {
        self.go_to(worker, state);
        self.list_enabled(worker);
        let mut left = edge;
        for position in 0..worker.actions.len() {
            let action = self.advance(worker, state, position);
            let moves = worker.words != state;
            Self::undo(worker);
            match (moves, left) {
                (true, 0) => return action,
                (true, _) => left -= 1,
                (false, _) => {}
            }
        }
        unreachable!("the graph has an edge for each action that changes something")
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
