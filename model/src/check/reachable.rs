//! The states that exist: what another explorer of the same world is held against.

use deathwatch_checker::explore::StateGraph;

use crate::{
    check::{
        Question, Settings, TooLarge, decide::explore_all, pack::PendingTxns,
        transition_system::TransitionSystem,
    },
    state::State,
};

/// All states that a world can be in.
pub struct Reachable<'a> {
    protocol: TransitionSystem<'a>,
    graph: StateGraph,
    pending_txns: PendingTxns,
}

/// Finds all states that can be reached in the world of `question`; `None` if a limit is reached
/// first.
///
/// # Errors
/// If the world is too large to be explored exhaustively.
pub fn reachable<'a>(
    question: &'a Question<'a>,
    settings: &Settings<'_>,
) -> Result<Option<Reachable<'a>>, TooLarge> {
    let protocol = TransitionSystem::new(question)?;
    let explored = explore_all(&protocol, settings, false);
    Ok(explored.stopped.is_none().then(|| {
        let (graph, pending_txns) = (explored.graph, explored.findings.pending_txns);
        Reachable { protocol, graph, pending_txns }
    }))
}

impl Reachable<'_> {
    /// How many states there are.
    pub fn states(&self) -> u32 {
        self.graph.states()
    }

    /// The number of `state`, if it can be reached.
    pub fn number(&mut self, state: &State) -> Option<u32> {
        self.graph.find(&self.protocol.codec.pack(state, &mut self.pending_txns))
    }
}
