//! Breadth-first search of a whole state space.
//!
//! States are numbered in the order in which a search with a single thread, taking one state after
//! the other, would first meet them: by the number of the state they were found from, then by
//! their place among its successors. The numbers are the same for any number of threads, so that
//! reports, shortest paths and state counts are too.
//!
//! The unexplored states are taken in batches whose size has nothing to do with the number of
//! threads. A batch is cut into chunks. Threads expand chunks side by side (`chunk`) and only
//! look at what was known before the batch; what seems new becomes a candidate. Then the chunks
//! are settled one after the other, in order: candidates that are still new get their numbers.
//! Nine of ten successors are old news, so little is left for the part that cannot be shared.
//!
//! A search that stops at a limit ends at the same state whatever the number of threads, and says
//! that it has not seen everything. Only a stop from outside (time, a user) comes at any moment.

mod candidates;
mod chunk;
mod edges;
mod index;
mod limits;
mod segmented;
mod state_graph;
mod store;
mod workers;

pub use chunk::Successors;
pub use edges::OutEdges;
pub use limits::{Ended, Limits, Stop};
pub use state_graph::StateGraph;
pub use store::hash_words;

use chunk::Chunk;
use limits::Budget;
use workers::Crew;

/// A batch has up to this many chunks: enough that no thread waits long for another's last one, and
/// not more, since chunks that lie far apart often find the same states.
const CHUNKS: u32 = 16;
/// A smaller chunk is not worth handing to a thread.
const SMALL_CHUNK: u32 = 16;

/// What can be explored: packed states and their successors.
pub trait Space: Sync {
    /// Scratch memory and findings of one worker thread.
    type Worker: Send;

    /// A packed state is this many words, at least one.
    fn words(&self) -> usize;

    /// A worker that has found nothing yet.
    fn worker(&self) -> Self::Worker;

    /// The packed states in which runs begin.
    fn starts(&self) -> Vec<Vec<u64>>;

    /// Lists the successors of `state`, whose number is `id`, always in the same order.
    ///
    /// Called once for every explored state, in no particular order. At a limit it may also have
    /// been called for a few states behind the last one that counts as explored.
    ///
    /// # Errors
    /// Completes "failed to explore: …" when the space cannot go on. The search then ends at the
    /// first state, in the order of numbers, that was refused.
    fn expand(
        &self,
        worker: &mut Self::Worker,
        id: u32,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) -> Result<(), String>;

    /// Adds the findings of one worker to those of another. Which worker saw which state is up to
    /// chance, so this must not depend on it: keep the finding with the smallest number.
    fn merge(&self, into: &mut Self::Worker, from: Self::Worker);
}

/// How to explore. None of this changes what is found in a search that runs to its end.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many threads expand states, at least one.
    pub threads: usize,
    /// How many states are expanded before the new ones are numbered. The default was measured: in
    /// smaller batches threads wait for each other, in larger ones more new states are found twice.
    pub batch: u32,
    /// Whether the graph remembers its edges. They take more memory than the states.
    pub store_edges: bool,
    /// How a packed state is hashed; only a test has reason to choose another function.
    pub hash: fn(&[u64]) -> u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: 1, batch: 1 << 13, store_edges: true, hash: hash_words }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// States met so far.
    pub states: u32,
    /// Edges followed so far.
    pub transitions: u64,
    /// The largest distance from a start so far.
    pub depth: u32,
    /// States met but not expanded.
    pub frontier: u32,
    /// Memory in use.
    pub bytes: u64,
}

/// What a search has found.
#[derive(Debug)]
pub struct Explored<W> {
    /// The states, how they were reached and, if asked for, their edges.
    pub graph: StateGraph,
    /// The findings of all workers.
    pub findings: W,
    /// Whether this is everything there is.
    pub ended: Ended,
    /// How many states were met.
    pub states: u32,
    /// How many edges leave the expanded states.
    pub transitions: u64,
    /// The largest distance of a state from the nearest start.
    pub depth: u32,
    /// How many states were expanded: those with smaller numbers than this.
    pub expanded: u32,
    /// The most memory that was in use at any time, not counting the workers' own.
    pub bytes: u64,
}

/// Explores all of `space`, within `limits`, and reports to `progress` after every batch.
pub fn explore<S: Space>(
    space: &S,
    options: &Options,
    limits: &Limits<'_>,
    progress: &dyn Fn(Progress),
) -> Explored<S::Worker> {
    let mut search = Search {
        crew: Crew::new(space, options.threads),
        graph: StateGraph::new(space.words(), options),
        budget: Budget::new(limits),
        chunks: Vec::new(),
        expanded: 0,
        transitions: 0,
        options,
        limits,
    };
    let ended = search.run(progress).map_or_else(Ended::Stopped, |()| Ended::Exhausted);
    let Search { crew, graph, budget, expanded, transitions, .. } = search;
    Explored {
        findings: crew.findings(),
        ended,
        states: graph.states(),
        transitions,
        depth: graph.depth(),
        expanded,
        bytes: budget.peak(),
        graph,
    }
}

struct Search<'s, S: Space> {
    crew: Crew<'s, S>,
    graph: StateGraph,
    budget: Budget,
    /// Kept from batch to batch for their memory.
    chunks: Vec<Chunk>,
    expanded: u32,
    transitions: u64,
    options: &'s Options,
    limits: &'s Limits<'s>,
}

impl<S: Space> Search<'_, S> {
    fn run(&mut self, progress: &dyn Fn(Progress)) -> Result<(), Stop> {
        for start in self.crew.space.starts() {
            self.graph.add_start(&start, &mut self.budget)?;
        }
        while self.expanded < self.graph.states() {
            (self.limits.stop)().map_or(Ok(()), Err)?;
            let chunks = self.cut_batch();
            self.expand(chunks);
            let settled = (0..chunks).try_for_each(|chunk| self.settle(chunk));
            progress(self.progress());
            settled?;
        }
        Ok(())
    }

    /// Cuts the next batch into chunks, and says into how many.
    fn cut_batch(&mut self) -> usize {
        let end = self.graph.states().min(self.expanded.saturating_add(self.options.batch.max(1)));
        let size = (end - self.expanded).div_ceil(CHUNKS).max(SMALL_CHUNK);
        let firsts = (self.expanded..end).step_by(size as usize);
        let chunks = firsts.len();
        while self.chunks.len() < chunks {
            self.chunks.push(Chunk::new(self.crew.space.words(), self.options));
        }
        // Every chunk may grow by the same share of what is left: which of them runs out of memory
        // must not depend on which of them runs first.
        let share = self.budget.left() / chunks as u64;
        for (chunk, first) in self.chunks.iter_mut().zip(firsts) {
            chunk.begin(first..end.min(first.saturating_add(size)), share);
        }
        chunks
    }

    fn expand(&mut self, chunks: usize) {
        let (graph, limits) = (&self.graph, self.limits);
        self.crew.run(&mut self.chunks[..chunks], |space, worker, chunk| {
            chunk.expand(space, worker, graph, limits);
        });
        self.budget.absorb(self.chunks[..chunks].iter().map(Chunk::budget));
    }

    /// Numbers what `chunk` found and remembers its edges.
    fn settle(&mut self, chunk: usize) -> Result<(), Stop> {
        let chunk = &mut self.chunks[chunk];
        let numbered = chunk.number(&mut self.graph, &mut self.budget);
        for source in 0..chunk.complete() {
            let edges = chunk.edges_of(source);
            let transitions = edges.len() as u64;
            if self.options.store_edges {
                let (targets, codes) = chunk.edges(edges);
                self.graph.add_edges(targets, codes, &mut self.budget)?;
            }
            self.transitions += transitions;
            self.expanded += 1;
        }
        numbered?;
        chunk.ended()
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.graph.states(),
            transitions: self.transitions,
            depth: self.graph.depth(),
            frontier: self.graph.states() - self.expanded,
            bytes: self.budget.used(),
        }
    }
}
