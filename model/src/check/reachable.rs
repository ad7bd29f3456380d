//! The states that exist: what another explorer of the same world is held against.

use crate::{
    check::{
        Question, Settings, TooLarge,
        answer::explore_all,
        explore::{Ended, StateGraph},
        pack::Flights,
        space::Protocol,
    },
    state::State,
};

/// All states that a world can be in.
pub struct Reachable<'a> {
    protocol: Protocol<'a>,
    graph: StateGraph,
    flights: Flights,
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
    let protocol = Protocol::new(question)?;
    let explored = explore_all(&protocol, settings, false);
    Ok(match explored.ended {
        Ended::Exhausted => {
            let (graph, flights) = (explored.graph, explored.findings.flights);
            Some(Reachable { protocol, graph, flights })
        }
        Ended::Stopped(_) => None,
    })
}

impl Reachable<'_> {
    /// How many states there are.
    pub fn states(&self) -> u32 {
        self.graph.states()
    }

    /// The number of `state`, if it can be reached.
    pub fn number(&mut self, state: &State) -> Option<u32> {
        self.graph.find(&self.protocol.codec.pack(state, &mut self.flights))
    }
}
