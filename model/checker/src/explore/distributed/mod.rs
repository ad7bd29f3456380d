//! Breadth-first search of a state space by several processes, which share no memory.
//!
//! The numbers of states are those of [`explore`](super::explore), for any number of processes and
//! threads. A process has two parts. Numbers are dealt in blocks (`layout`), and a process *keeps*
//! the states of its blocks, with their parents and edges, and expands them. And it *owns* the
//! states whose hashes fall to it: it alone knows which of these have a number.
//!
//! States are expanded in batches, each of which lies in one round of blocks, so that the processes
//! in order have its states in order. A batch goes in rounds, in each of which every process sends
//! every other one message (`search`):
//!
//! 1. each process expands its states of the batch. Values that the space numbers when they are
//!    first met get the same numbers everywhere: all processes make those states again whose
//!    successors have new ones ([`Distributed::settle`]);
//! 2. it asks the owners of the successors for their numbers, once for each;
//! 3. an owner says which it knows, and which of the others the asker is the first to have: the
//!    messages of processes are read in order, so that is the one that `explore` takes;
//! 4. all know how many each process is the first to have, so it numbers its own; it tells the
//!    owners, and sends each state to the process that keeps it;
//! 5. the owners tell the numbers to those that were not the first.
//!
//! Whatever makes one process stop, it tells in its next message, and all stop in the same round.
//! Who cannot read a message leaves the others, and so all stop.

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

/// How a process sends messages to others, and to itself.
///
/// Processes are numbered from 0. All of them call [`Self::exchange`] equally often.
pub trait Exchange: Sync {
    fn process(&self) -> usize;

    fn processes(&self) -> usize;

    /// Sends a message to each process, and returns those of all processes, both in order.
    ///
    /// # Errors
    /// If one of them was lost.
    fn exchange(&self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, PeerLost>;

    /// Ends the rounds: this process is lost to all, itself included, and none waits for it.
    fn leave(&self);
}

/// Another process was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerLost;

/// A space that several processes can explore together.
pub trait Distributed: Resumable {
    /// The states of which a successor has a value that has no final number and that no new state
    /// before it has, in order, as [`NewStates::visit`] has them. A space that numbers no values
    /// has none.
    fn unsettled(&self, new: &NewStates<'_>) -> Vec<u32>;

    /// Does what [`commit`](super::Space::commit) does, with the new states of all processes: of
    /// `new` are those of this one, and `sources` are the states of all that are
    /// [unsettled](Self::unsettled). All processes call it with the same sources.
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
    /// If these are not findings of this space.
    fn add_findings(&self, worker: &mut Self::Worker, findings: &[u8]) -> Result<(), Refused>;
}

/// What several processes have found, as one of them has it.
#[derive(Debug)]
pub struct ExploredPart<W> {
    /// The states that this process keeps.
    pub part: GraphPart,
    pub findings: W,
    /// Why the search stopped early, or `None` if every reachable state was expanded.
    pub stopped: Option<Stop>,
    /// How many states all processes have found.
    pub states: u64,
    /// How many edges leave the expanded states.
    pub transitions: u64,
    /// The largest distance of a state from the nearest start.
    pub depth: u32,
    /// The most memory that a process used at any time, in bytes.
    pub bytes: u64,
}
