//! Breadth-first search of a whole state space.
//!
//! States are numbered in the order in which a search with a single thread, taking one state after
//! the other, would find them: by the number of the state they were found from, then by their place
//! among its successors. The numbers are the same for any number of threads, so that reports,
//! shortest paths and state counts are too.
//!
//! The unexplored states are taken in batches whose size has nothing to do with the number of
//! threads. All of it but what is in brackets is done by all threads side by side:
//!
//! ```text
//! states = the starts, numbered in order
//! while a state is not expanded:
//!     batch = the next states in order, at most `options.batch`, cut into chunks
//!     for each chunk:                                              // `chunk`
//!         for each successor of each of its states, in order:
//!             a known state if the table has it, or else a candidate of the owner of its hash
//!     [the space numbers words that were never met]                // `Space::commit`
//!     for each owner:                                              // `numbering`
//!         drop each candidate that equals an earlier one
//!     [first(chunk) = known states + new states of all earlier chunks; reserve the memory]
//!     for each chunk:
//!         number its new states from first(chunk) on, and write their rows
//!         encode its edges
//!     for each owner:
//!         add its new states to its part of the table; [meanwhile keep the edges]
//! ```
//!
//! Where memory does not suffice to number or to write new states, nothing of the batch counts.
//!
//! A search may leave [checkpoints](Checkpoint), from which another process goes on and finds the
//! same ([`explore_resumable`]).
//!
//! A search that stops at a limit ends at the same state whatever the number of threads, and says
//! that it has not seen everything. Only a stop from outside (time, a user) comes at any moment.

mod candidates;
mod checkpoint;
mod chunk;
mod distributed;
mod edges;
mod generated;
mod label_sequences;
mod limits;
mod numbering;
mod out_edges;
mod parents;
mod rows;
mod search;
mod segmented;
mod space;
mod spill;
mod state_graph;
mod state_table;
mod store;

pub use checkpoint::{Checkpoint, CheckpointError, CheckpointOptions};
pub use chunk::Successors;
pub use distributed::{
    Distributed, Exchange, ExploredPart, GraphPart, KnownPaths, PartOfGraph, PeerLost,
    explore_distributed, open_together, said_by_first,
};
pub(crate) use distributed::{MessageReader, MessageWriter, round, to_all};
pub use generated::NewStates;
pub use limits::SearchLimits;
pub use out_edges::{OutEdges, PackedEdges};
pub use search::{explore, explore_resumable};
pub use space::{PackedStates, Refused, Resumable, Space};
pub use spill::SpillFolder;
pub use state_graph::StateGraph;
pub use store::hash_words;

use crate::Stop;

/// A batch has up to this many chunks: enough that none of 16 threads waits long for another's last
/// one, and not more, since chunks that lie far apart often find the same states.
const CHUNKS: u32 = 64;

/// Options of a search. None of them changes what a search that runs to its end finds.
#[derive(Clone, Copy, Debug)]
pub struct ExploreOptions {
    /// The greatest number of threads that expand states. More than 64 have nothing to do, and
    /// where the system does not start as many, fewer do it.
    pub threads: usize,
    /// The number of states that are expanded before the new ones are numbered. The default was
    /// measured: in smaller batches threads wait for each other, in larger ones more new states are
    /// found twice.
    pub batch: u32,
    /// Whether the graph remembers its edges. They take more memory than the states.
    pub store_edges: bool,
    /// The hash of a packed state; only a test has reason to choose another function.
    pub hash: fn(&[u64]) -> u32,
    /// The number of the first state where several processes search; only a test has reason to
    /// choose another than 0.
    pub first: u64,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self { threads: 1, batch: 1 << 13, store_edges: true, hash: hash_words, first: 0 }
    }
}

/// The result of a search: its graph and its counts.
#[derive(Debug)]
pub struct ExploredSpace<W> {
    /// The states, how they were reached and, if asked for, their edges.
    pub graph: StateGraph,
    pub findings: W,
    /// Why the search stopped early, or `None` if every reachable state was expanded.
    pub stopped: Option<Stop>,
    pub states: u32,
    /// The number of edges that leave the expanded states.
    pub transitions: u64,
    /// The largest distance of a state from the nearest start.
    pub depth: u32,
    /// The number of states that were expanded: those with smaller numbers than this.
    pub expanded: u32,
    /// The most memory that was in use at any time, in bytes, as [`SearchLimits::max_bytes`] counts
    /// it.
    pub bytes: u64,
}
