//! The reachable graph of a world, with the action behind each transition.
//!
//! It is the graph on which claims are decided: every interleaving, nothing reduced. Its states are
//! those reachable from the start; a transition is an enabled action that changes something.

use deathwatch_checker::{
    Stop,
    explore::{Space as _, StateGraph},
    graph::Label,
};
use deathwatch_model::action::Action;

use super::{
    CheckQuestion, SearchSettings, TooLarge,
    decide::explore_all,
    transition_system::{FaultSteps, TransitionSystem, Worker},
};

/// The reachable graph of a world. State 0 is the start.
pub struct LabelledGraph<'a> {
    pub(super) question: &'a CheckQuestion<'a>,
    pub(super) protocol: TransitionSystem<'a>,
    pub(super) graph: StateGraph,
    transitions: u64,
}

impl<'a> LabelledGraph<'a> {
    /// Explores the world of `question`, whatever it asks.
    ///
    /// # Errors
    /// If the world is too large to be explored exhaustively; as inner error, if the search gives
    /// up.
    pub fn of(
        question: &'a CheckQuestion<'a>,
        settings: &SearchSettings<'_>,
    ) -> Result<Result<Self, Stop>, TooLarge> {
        let protocol = TransitionSystem::new(question, FaultSteps::Alike, settings)?;
        let mut explored = explore_all(&protocol, settings, true);
        explored.graph.forget_index();
        let (graph, transitions) = (explored.graph, explored.transitions);
        Ok(match explored.stopped {
            Some(stop) => Err(stop),
            None => Ok(Self { question, protocol, graph, transitions }),
        })
    }

    pub fn states(&self) -> u32 {
        self.graph.states()
    }

    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// Calls `see` with each transition: its source, its action, and its target, in the order of
    /// the states, then of the actions. Stops when a call returns `false`.
    ///
    /// # Panics
    /// Never: a transition is an action that changes something.
    pub fn each(&self, mut see: impl FnMut(u32, Action, u32) -> bool) {
        let mut worker = self.protocol.worker();
        for from in 0..self.graph.states() {
            for (action, to, _) in self.steps(&mut worker, from) {
                if !see(from, action, to) {
                    return;
                }
            }
        }
    }

    /// The steps out of a state: each with its target and its mover.
    pub(super) fn steps(
        &self,
        worker: &mut Worker<'_>,
        from: u32,
    ) -> impl Iterator<Item = (Action, u32, Label)> + '_ {
        let actions = self.protocol.actions_of(worker, &self.graph.state(from));
        let targets = self.graph.out_edges(from);
        assert_eq!(
            actions.len(),
            targets.len(),
            "a transition is an action that changes something"
        );
        actions.into_iter().zip(targets).map(|(action, (to, label))| (action, to, label))
    }
}
