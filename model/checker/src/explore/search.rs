//! The search itself: batch after batch, until every state is expanded.

use super::{
    CHUNKS, Checkpoint, CheckpointError, ExploreOptions, ExploredSpace, NewStates, Resumable,
    SearchLimits, Space, StateGraph,
    checkpoint::SavedSearch,
    chunk::Chunk,
    edges::Edges,
    generated::{Generated, GeneratedStates},
    numbering::{Numbered, Numbering},
};
use crate::{
    Phase, SearchProgress, Stop, budget::MemoryBudget, graph::MOST_STATES, threads::Workers,
};

/// A smaller chunk is not worth handing to a thread.
const SMALL_CHUNK: u32 = 16;

/// Explores all of `space`, within `limits`, and reports to `progress` after every batch.
///
/// # Panics
/// If a state does not have as many words as the space says, or a worker panics.
pub fn explore<S: Space>(
    space: &S,
    options: &ExploreOptions,
    limits: &SearchLimits<'_>,
    progress: &(dyn Fn(SearchProgress) + Sync),
) -> ExploredSpace<S::Worker> {
    let mut search = Exploration::new(space, options, limits);
    let stopped = search.begin().and_then(|()| search.run(progress, &mut |_| ())).err();
    search.end(stopped)
}

/// Explores as [`explore`] does, from `checkpoint` on if there is one, and leaves others there. It
/// finds the same as if it had never stopped. If it cannot go on from there it is interrupted, and
/// [`Checkpoint::take_error`] says why.
///
/// # Panics
/// As [`explore`] does.
pub fn explore_resumable<S: Resumable>(
    space: &S,
    options: &ExploreOptions,
    limits: &SearchLimits<'_>,
    checkpoint: &Checkpoint,
    progress: &(dyn Fn(SearchProgress) + Sync),
) -> ExploredSpace<S::Worker> {
    let mut search = Exploration::new(space, options, limits);
    let begun = match checkpoint.take_saved() {
        None => {
            checkpoint.begin();
            search.begin()
        }
        Some(saved) => search.resume(checkpoint, &saved).map_err(|error| {
            checkpoint.refuse(error);
            Stop::Interrupted
        }),
    };
    let save = &mut |search: &mut Exploration<'_, S>| search.save(checkpoint);
    let stopped = begun.and_then(|()| search.run(progress, save)).err();
    search.end(stopped)
}

struct Exploration<'s, S: Space> {
    space: &'s S,
    workers: Workers<S::Worker>,
    graph: StateGraph,
    budget: MemoryBudget,
    /// The chunks of the last batch, kept for their memory.
    chunks: Vec<Chunk>,
    numbering: Numbering,
    expanded: u32,
    transitions: u64,
    options: &'s ExploreOptions,
    limits: &'s SearchLimits<'s>,
}

impl<'s, S: Space> Exploration<'s, S> {
    fn new(space: &'s S, options: &'s ExploreOptions, limits: &'s SearchLimits<'s>) -> Self {
        Self {
            space,
            // A thread beyond the chunks of a batch would have nothing to do.
            workers: Workers::new(options.threads.min(CHUNKS as usize), || space.worker()),
            graph: StateGraph::new(space.words(), options, limits.spill),
            budget: limits.budget(MOST_STATES.into()),
            chunks: Vec::new(),
            numbering: Numbering::new(),
            expanded: 0,
            transitions: 0,
            options,
            limits,
        }
    }

    /// Expands all states, and calls `between` after each batch.
    fn run(
        &mut self,
        progress: &(dyn Fn(SearchProgress) + Sync),
        between: &mut (dyn FnMut(&mut Self) + Send),
    ) -> Result<(), Stop> {
        let pool = self.workers.pool();
        pool.install(|| {
            while self.expanded < self.graph.states() {
                let expanded = self.expand_batch();
                progress(self.progress());
                expanded?;
                between(self);
            }
            Ok(())
        })
    }

    /// Expands the next batch, and numbers and keeps what it finds.
    fn expand_batch(&mut self) -> Result<(), Stop> {
        let chunks = self.cut_batch();
        self.expand(chunks);
        // To number what a batch has found takes a while where states are large.
        (self.limits.stop)().map_or(Ok(()), Err)?;
        let candidates = self.chunks[..chunks].iter_mut().map(Chunk::candidates_mut);
        let mut new = NewStates { lists: candidates.collect(), hash: self.options.hash };
        self.space.commit(&mut new).map_err(|_| Stop::Space)?;
        self.commit(chunks)
    }

    fn end(self, stopped: Option<Stop>) -> ExploredSpace<S::Worker> {
        let Self { space, workers, graph, budget, expanded, transitions, .. } = self;
        let findings = workers.into_each().reduce(|mut all, worker| {
            space.merge(&mut all, worker);
            all
        });
        ExploredSpace {
            findings: findings.expect("there is at least one worker"),
            stopped,
            states: graph.states(),
            transitions,
            depth: graph.depth(),
            expanded,
            bytes: budget.peak(),
            graph,
        }
    }

    /// Numbers the states in which runs begin.
    fn begin(&mut self) -> Result<(), Stop> {
        let space = self.space;
        let (words, hash) = (space.words(), self.options.hash);
        let mut starts = GeneratedStates::new(words);
        for state in space.starts() {
            assert_eq!(state.len(), words, "every state is as wide as the space says");
            starts.push(Generated { state: &state, hash: hash(&state), source: 0 });
        }
        let mut new = NewStates { lists: vec![&mut starts], hash };
        space.commit(&mut new).map_err(|_| Stop::Space)?;
        (0..starts.len())
            .try_for_each(|start| self.graph.add_start(starts.get(start).state, &mut self.budget))
    }

    /// Cuts the next batch into chunks, and says into how many.
    fn cut_batch(&mut self) -> usize {
        let end = self.graph.states().min(self.expanded.saturating_add(self.options.batch.max(1)));
        let size = (end - self.expanded).div_ceil(CHUNKS).max(SMALL_CHUNK);
        let firsts = (self.expanded..end).step_by(size as usize);
        let chunks = firsts.len();
        while self.chunks.len() < chunks {
            self.chunks.push(Chunk::new(self.space.words(), self.options));
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
        let (space, graph, limits) = (self.space, &self.graph, self.limits);
        self.workers.run(&mut self.chunks[..chunks], |worker, chunk| {
            chunk.expand(space, worker, graph.sources(), graph.store(), limits);
        });
        self.budget.absorb(self.chunks[..chunks].iter().map(Chunk::budget));
    }

    /// Numbers what the first `chunks` found, up to the first one that stops, and keeps their
    /// edges.
    fn commit(&mut self, chunks: usize) -> Result<(), Stop> {
        let Self { graph, budget, workers, numbering, expanded, transitions, limits, .. } = self;
        let found = &mut self.chunks[..chunks];
        numbering.begin(found, graph.store().table(), workers, budget)?;
        let Numbered { chunks, stopped } =
            numbering.number(found, graph, workers, budget, limits)?;
        let found = &mut found[..chunks];
        if self.options.store_edges {
            workers.run(found, |_, chunk| {
                chunk.number(|hash, place| numbering.number_of(hash, place));
                chunk.encode(|known| known, |new| new, |labels| graph.sequence(labels));
            });
        }
        let (store, mut edges) = graph.store_and_edges_mut();
        let mut kept = Ok(());
        let outgrown = numbering.fill(store, workers, || {
            kept = found.iter().try_for_each(|chunk| {
                let (mut sources, mut kept) = (chunk.complete(), Ok(()));
                if let Some(edges) = &mut edges {
                    kept = chunk.keep_edges(edges, budget);
                    sources = (edges.sources() - *expanded) as usize;
                }
                *transitions += chunk.transitions(sources);
                *expanded += u32::try_from(sources).expect("sources have numbers");
                kept
            });
        });
        budget.give(outgrown);
        kept.and(stopped.map_or(Ok(()), Err))
    }

    fn progress(&self) -> SearchProgress {
        SearchProgress {
            phase: Phase::Exploring,
            states: self.graph.states().into(),
            transitions: self.transitions,
            depth: self.graph.depth(),
            frontier: (self.graph.states() - self.expanded).into(),
            bytes: self.budget.used(),
        }
    }
}

impl<S: Resumable> Exploration<'_, S> {
    /// Takes a checkpoint, if that is worth the work.
    fn save(&mut self, checkpoint: &Checkpoint) {
        if !checkpoint.is_due(self.graph.states().into(), self.expanded.into()) {
            return;
        }
        let findings = self.space.save(&mut self.workers.each_mut());
        let saved = SavedSearch {
            words: self.graph.words(),
            batch: self.options.batch,
            store_edges: self.options.store_edges,
            states: self.graph.states().into(),
            starts: self.graph.count_starts(),
            expanded: self.expanded.into(),
            transitions: self.transitions,
            used: self.budget.used(),
            peak: self.budget.peak(),
            needed: self.budget.needed(),
            rooms: self.numbering.rooms().chain(self.chunks.iter().map(Chunk::room)).collect(),
            findings,
        };
        checkpoint.save(&saved, &self.graph);
    }

    fn resume(
        &mut self,
        checkpoint: &Checkpoint,
        saved: &SavedSearch,
    ) -> Result<(), CheckpointError> {
        let ours = (self.graph.words(), self.options.batch, self.options.store_edges);
        if ours != (saved.words, saved.batch, saved.store_edges) || !saved.is_possible() {
            return Err(CheckpointError::Damaged);
        }
        if !self.budget.allows(saved.states, saved.needed) {
            return Err(CheckpointError::Limits { states: saved.states, bytes: saved.needed });
        }
        checkpoint.restore(saved, &mut self.graph)?;
        let expanded = self.graph.all_edges().map(|it| u64::from(it.sources()));
        let found = (self.graph.states().into(), expanded.unwrap_or(saved.expanded));
        if found != (saved.states, saved.expanded) || !self.is_found_by(saved.expanded) {
            return Err(CheckpointError::Damaged);
        }
        let rooms = self.numbering.resume(&saved.rooms, saved.used);
        let rooms = rooms.ok_or(CheckpointError::Damaged)?;
        for room in rooms {
            let mut chunk = Chunk::new(saved.words, self.options);
            chunk.resume(room, saved.used).ok_or(CheckpointError::Damaged)?;
            self.chunks.push(chunk);
        }
        // A search that stops for lack of memory has to stop at the same state.
        let chunks: u64 = self.chunks.iter().map(|chunk| chunk.budget().used()).sum();
        if self.graph.bytes() + self.numbering.bytes() + chunks != saved.used {
            return Err(CheckpointError::Damaged);
        }
        self.budget.resume(saved.used, saved.peak, saved.needed);
        self.expanded = u32::try_from(saved.expanded).map_err(|_| CheckpointError::Damaged)?;
        self.transitions = saved.transitions;
        let (space, graph) = (self.space, &self.graph);
        let worker = self.workers.each_mut().next().expect("there is at least one worker");
        space.resume(worker, &saved.findings, graph, self.expanded, saved.batch)
    }

    /// Whether the first `expanded` states can have found all others, and lead to no more.
    fn is_found_by(&self, expanded: u64) -> bool {
        let (graph, states) = (&self.graph, self.graph.states());
        let last = states.checked_sub(1).filter(|last| *last >= graph.count_starts());
        let edges = graph.all_edges().map_or(0, Edges::sources);
        last.is_none_or(|last| u64::from(graph.parent(last)) < expanded)
            && (0..edges).all(|id| graph.out_edges(id).all(|(target, _)| target < states))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{explore::Successors, graph::Label};

    /// Numbers below 60,000, each of which leads to some others that lie around.
    struct Tangle;

    impl Space for Tangle {
        type Worker = ();

        fn words(&self) -> usize {
            3
        }

        fn worker(&self) {}

        fn starts(&self) -> Vec<Vec<u64>> {
            vec![vec![0, 1, 2], vec![7, 8, 9]]
        }

        fn expand(&self, (): &mut (), id: u64, state: &[u64], successors: &mut Successors<'_>) {
            for way in 1..=state[0] % 5 + 1 {
                let next = (state[0] * 31 + way * 977) % 60_000;
                // Labels that need an upper byte are seldom.
                let class = if id % 9000 == 17 { 700 } else { 3 };
                successors.push(&[next, next + 1, next + 2], Label::class(class));
            }
        }

        fn merge(&self, (): &mut (), (): ()) {}
    }

    #[test]
    fn what_is_counted_is_what_there_is() {
        for (threads, batch, store_edges) in [(1, 1 << 13, true), (3, 700, true), (2, 50, false)] {
            let options =
                ExploreOptions { threads, batch, store_edges, ..ExploreOptions::default() };
            let whole = explore(&Tangle, &options, &SearchLimits::NONE, &|_| ()).bytes;
            for max_bytes in [None, Some(whole * 3 / 4), Some(whole / 3), Some(whole / 20)] {
                let limits = SearchLimits { max_bytes, ..SearchLimits::NONE };
                let mut search = Exploration::new(&Tangle, &options, &limits);
                let stopped = search.begin().and_then(|()| search.run(&|_| (), &mut |_| ())).err();
                assert_eq!(stopped, max_bytes.map(|_| Stop::Memory), "{max_bytes:?} of {whole}");
                let chunks: u64 = search.chunks.iter().map(Chunk::bytes).sum();
                assert!(chunks > 0 && search.graph.states() > 100);
                let numbering = search.numbering.bytes();
                assert_eq!(search.budget.used(), search.graph.bytes() + numbering + chunks);
                let within = max_bytes.unwrap_or(whole);
                assert!((search.budget.used()..=within).contains(&search.budget.peak()));
            }
        }
    }
}
