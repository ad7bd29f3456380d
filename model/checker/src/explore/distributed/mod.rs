//! Breadth-first search of a state space by several processes, which share no memory.
//!
//! The numbers of states are those of [`explore`](super::explore), for any number of processes and
//! threads. A process has two roles. It *keeps* the states of its blocks of numbers (`layout`) with
//! their parents and edges, and expands them. And it *owns* the states whose hashes fall to it:
//! only the owner knows whether such a state has a number.
//!
//! States are expanded in batches. A batch lies in one round of blocks, so its states are in the
//! order of the processes that keep them. It takes five rounds of messages (`search`), in each of
//! which every process sends every other one message:
//!
//! 1. Each process expands its states of the batch. A state with a successor that has a value
//!    without a number is sent to all processes, and all expand it, so that the value gets the same
//!    number everywhere ([`Distributed::settle`]).
//! 2. It asks the owners of the successors for their numbers, once for each successor.
//! 3. An owner answers with the number, or that the state is new, and whether the asker is the
//!    first to have it. Messages are read in the order of their senders, so the first is the one
//!    that `explore` would take.
//! 4. Now all know for how many states each process is the first, so each numbers its own. It sends
//!    the numbers to the owners, and each state to the process that keeps it.
//! 5. The owners send the numbers to the processes that were not the first.
//!
//! A process that has to stop says so in its next message, and all stop in the same round. A
//! process that cannot read a message leaves the others, which stops all of them.

mod findings;
mod gather;
mod layout;
mod message;
mod numbers;
mod owned;
mod part;
mod rounds;
mod search;
mod walk;

pub(crate) use self::{
    message::{MessageReader, MessageWriter},
    rounds::{round, to_all},
};
pub use self::{
    part::{GraphPart, PartOfGraph},
    rounds::said_by_first,
    search::{explore_distributed, open_together},
    walk::KnownPaths,
};

use super::{NewStates, Refused, Resumable};
use crate::Stop;

/// The connection of a process to all processes, itself included.
///
/// Processes are numbered from 0. All of them call [`Self::exchange`] equally often.
pub trait Exchange: Sync {
    fn process(&self) -> usize;

    fn processes(&self) -> usize;

    /// Sends one message to each process, and returns one from each, both in order.
    ///
    /// # Errors
    /// If a process was lost.
    fn exchange(&self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, PeerLost>;

    /// Ends the rounds: this process is lost to all, itself included, and none waits for it.
    fn leave(&self);
}

/// The error that another process was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerLost;

/// A space that several processes can explore together.
pub trait Distributed: Resumable {
    /// The places of the states with a successor that has a value without a final number, which no
    /// new state before it has; in the order of [`NewStates::visit`]. A space that numbers no
    /// values returns none.
    fn unsettled(&self, new: &NewStates<'_>) -> Vec<u32>;

    /// Does the work of [`commit`](super::Space::commit) for the new states of all processes. `new`
    /// are those of this process; `sources` are the [unsettled](Self::unsettled) states of all. All
    /// processes call it with the same sources.
    ///
    /// # Errors
    /// As `commit`.
    fn settle(
        &self,
        worker: &mut Self::Worker,
        sources: &[Vec<u64>],
        new: &mut NewStates<'_>,
    ) -> Result<(), Refused>;

    /// Adds the findings of another process, which [`Resumable::save`] wrote.
    ///
    /// # Errors
    /// If they are not findings of this space.
    fn add_findings(&self, worker: &mut Self::Worker, findings: &[u8]) -> Result<(), Refused>;
}

/// The result of a search by several processes, as one of them has it.
#[derive(Debug)]
pub struct ExploredPart<W> {
    /// The states that this process keeps.
    pub part: GraphPart,
    pub findings: W,
    /// Why the search stopped early, or `None` if every reachable state was expanded.
    pub stopped: Option<Stop>,
    /// The number of states that all processes have found.
    pub states: u64,
    /// The number of edges that leave the expanded states of all processes.
    pub transitions: u64,
    /// The largest distance of a state from the nearest start.
    pub depth: u32,
    /// The most memory that any process used at any time, in bytes.
    pub bytes: u64,
}
