//! Chunks: some states of a batch, and the successors that one thread finds for them.
//!
//! While chunks are expanded, all threads read the states known before the batch and nobody adds to
//! them. A successor that is not among them is a candidate of its chunk: other chunks may have it
//! too. Afterwards the chunks are numbered in order, so the first chunk to have a candidate wins,
//! as it would have if there had been a single thread.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::{
    ExploreOptions, SearchLimits, Space,
    candidates::Candidates,
    edges::{Edges, MOST_NUMBER, encode_targets, most_bytes, push_number},
    generated::{Generated, GeneratedStates},
    label_sequences::edge_number,
    parents::Children,
    state_table::StateTable,
    store::{GROUP, StateStore},
};
use crate::{Stop, budget::MemoryBudget, graph::Label};

/// A thread asks whether to stop before the first state, and then after this number of states and
/// successors. In a large world a single state has thousands of successors.
const POLL: usize = 128;

/// A range of states and their successors.
#[derive(Debug)]
pub(super) struct Chunk {
    range: Range<u32>,
    /// The number of states known before the batch.
    known: u32,
    /// Successors that have not been looked up yet.
    pending: GeneratedStates,
    new: Candidates,
    /// The place of each candidate at its owner; once the chunk is numbered, its number.
    numbers: Vec<u32>,
    /// Candidates that are new, as children of the states of the chunk.
    children: Children,
    edges: ChunkEdges,
    pushed: usize,
    budget: MemoryBudget,
    /// Why not all sources were expanded.
    stopped: Option<Stop>,
}

/// Edges by source. A target below `known` is a state; from `known` on it is a candidate.
#[derive(Debug)]
struct ChunkEdges {
    stored: bool,
    /// The end of the edges of each source that was completely expanded.
    ends: Vec<u32>,
    targets: Vec<u32>,
    labels: Vec<Label>,
    /// The records of the edges as they are kept, and the end of each; empty until the chunk is
    /// numbered.
    encoded: Vec<u8>,
    encoded_ends: Vec<u32>,
    /// The sources whose sequence of labels was not known before the batch: their records are
    /// without its number.
    unnumbered: Vec<u32>,
}

#[derive(Clone, Copy)]
pub(super) struct SourceStates<'s> {
    pub(super) table: &'s StateTable,
    /// The difference between the number of a state and its place in the table.
    pub(super) offset: u64,
}

/// Takes the successors of a state.
pub struct Successors<'a> {
    stop: &'a (dyn Fn() -> Option<Stop> + Sync),
    store: &'a StateStore,
    chunk: &'a mut Chunk,
    source: u32,
}

impl Successors<'_> {
    /// The question whether to go on with this state. A space asks it while it works, as a single
    /// state of a large world can take longer than a search may.
    ///
    /// # Errors
    /// If the search is to stop. Then this state does not count as expanded.
    pub fn ask(&mut self) -> Result<(), Stop> {
        if self.chunk.stopped.is_none() {
            self.chunk.stopped = (self.stop)();
        }
        self.chunk.ended()
    }

    /// Adds the packed state that is reached along an edge with this label.
    ///
    /// # Panics
    /// If the state does not have as many words as the space says.
    #[inline]
    pub fn push(&mut self, state: &[u64], label: Label) {
        self.add(state.iter().copied(), label);
    }

    /// Adds the packed state that is reached from `state` along an edge with this label, which
    /// changes these bits of its words.
    ///
    /// # Panics
    /// As [`Self::push`] does.
    #[inline]
    pub fn push_changed(&mut self, state: &[u64], changed: &[u64], label: Label) {
        self.add(state.iter().zip(changed).map(|(word, bits)| word ^ bits), label);
    }

    #[inline]
    fn add(&mut self, state: impl ExactSizeIterator<Item = u64>, label: Label) {
        assert_eq!(state.len(), self.store.words(), "every state is as wide as the space says");
        let chunk = &mut *self.chunk;
        chunk.pushed += 1;
        if chunk.stopped.is_some() {
            return;
        }
        chunk.pending.push_unhashed(state, self.source);
        if chunk.edges.stored {
            chunk.edges.labels.push(label);
        }
        if chunk.pending.len() == GROUP {
            chunk.find_pending(self.store);
        }
    }
}

impl Chunk {
    pub(super) fn new(words: usize, options: &ExploreOptions) -> Self {
        Self {
            range: 0..0,
            known: 0,
            pending: GeneratedStates::new(words),
            new: Candidates::new(words),
            numbers: Vec::new(),
            children: Children::default(),
            edges: ChunkEdges {
                stored: options.store_edges,
                ends: Vec::new(),
                targets: Vec::new(),
                labels: Vec::new(),
                encoded: Vec::new(),
                encoded_ends: Vec::new(),
                unnumbered: Vec::new(),
            },
            pushed: 0,
            budget: MemoryBudget::empty(),
            stopped: None,
        }
    }

    /// Begins anew with the states of `range`. It may take `share` more memory than it has.
    pub(super) fn begin(&mut self, range: Range<u32>, share: u64) {
        self.range = range;
        self.pending.clear();
        self.new.clear();
        self.numbers.clear();
        self.children.begin(self.range.start);
        self.edges.clear();
        self.pushed = 0;
        self.budget.allow(share);
        self.stopped = None;
    }

    pub(super) fn budget(&self) -> &MemoryBudget {
        &self.budget
    }

    /// The room that the chunk has, which it keeps from batch to batch.
    pub(super) fn room(&self) -> Vec<u64> {
        let ChunkEdges { ends, targets, labels, encoded, encoded_ends, unnumbered, .. } =
            &self.edges;
        let others = [
            self.numbers.capacity(),
            self.children.bits().capacity(),
            ends.capacity(),
            targets.capacity(),
            labels.capacity(),
            encoded.capacity(),
            encoded_ends.capacity(),
            unnumbered.capacity(),
        ];
        let states = self.pending.room().into_iter().chain(self.new.room());
        states.chain(others).map(|room| room as u64).collect()
    }

    /// Makes the room in a new chunk that another had, of at most this number of bytes; `None` if
    /// that is no room of a chunk.
    pub(super) fn resume(&mut self, room: &[u64], most: u64) -> Option<()> {
        let room: Vec<usize> =
            room.iter().map(|it| usize::try_from(*it).ok()).collect::<Option<_>>()?;
        let (old, room) = room.split_first_chunk()?;
        let (candidates, others) = room.split_first_chunk()?;
        let [numbers, children, ends, targets, labels, encoded, encoded_ends, unnumbered] = others
        else {
            return None;
        };
        let Self { pending, new, edges, budget, .. } = self;
        budget.allow(most);
        let mut make = || {
            pending.resume(*old, budget)?;
            new.resume(*candidates, budget)?;
            budget.grow(&mut self.numbers, *numbers)?;
            budget.grow(self.children.bits_mut(), *children)?;
            budget.grow(&mut edges.ends, *ends)?;
            budget.grow(&mut edges.targets, *targets)?;
            budget.grow(&mut edges.labels, *labels)?;
            budget.grow(&mut edges.encoded, *encoded)?;
            budget.grow(&mut edges.encoded_ends, *encoded_ends)?;
            budget.grow(&mut edges.unnumbered, *unnumbered)
        };
        make().ok()
    }

    /// The bytes of the chunk.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        use crate::budget::bytes_of;

        let ChunkEdges { ends, targets, labels, encoded, encoded_ends, unnumbered, .. } =
            &self.edges;
        let encoded = bytes_of(encoded) + bytes_of(encoded_ends) + bytes_of(unnumbered);
        let edges = bytes_of(ends) + bytes_of(targets) + bytes_of(labels) + encoded;
        let new = self.new.bytes() + bytes_of(&self.numbers) + bytes_of(self.children.bits());
        self.pending.bytes() + new + edges
    }

    /// # Errors
    /// If the chunk stopped before its last source.
    pub(super) fn ended(&self) -> Result<(), Stop> {
        self.stopped.map_or(Ok(()), Err)
    }

    pub(super) fn candidates_mut(&mut self) -> &mut GeneratedStates {
        &mut self.new.states
    }

    /// Expands the states of the chunk, or the first few if it is stopped. `store` has the states
    /// that are known.
    pub(super) fn expand<S: Space>(
        &mut self,
        space: &S,
        worker: &mut S::Worker,
        sources: SourceStates<'_>,
        store: &StateStore,
        limits: &SearchLimits<'_>,
    ) {
        self.known = store.len();
        let expanded = self.expand_each(space, worker, sources, store, limits);
        // Only what a single thread would have found before the stop may count.
        self.pending.keep_before(self.first_incomplete());
        self.find_pending(store);
        self.new.states.keep_before(self.first_incomplete());
        if self.stopped.is_none() {
            self.stopped = expanded.err();
        }
    }

    fn expand_each<S: Space>(
        &mut self,
        space: &S,
        worker: &mut S::Worker,
        sources: SourceStates<'_>,
        store: &StateStore,
        limits: &SearchLimits<'_>,
    ) -> Result<(), Stop> {
        self.pending.reserve(GROUP, &mut self.budget)?;
        self.budget.reserve(&mut self.edges.ends, self.range.len())?;
        if self.edges.stored {
            self.budget.reserve(&mut self.edges.encoded_ends, self.range.len())?;
            self.budget.reserve(&mut self.edges.unnumbered, self.range.len())?;
        }
        self.edges.reserve(&mut self.budget)?;
        let mut asked = None;
        let mut state = vec![0; store.words()];
        for source in self.range.clone() {
            let work = self.edges.ends.len() + self.pushed;
            if asked.is_none_or(|asked| work - asked >= POLL) {
                (limits.stop)().map_or(Ok(()), Err)?;
                asked = Some(work);
            }
            sources.table.read(source, &mut state);
            let mut successors = Successors { stop: limits.stop, store, chunk: self, source };
            space.expand(worker, u64::from(source) + sources.offset, &state, &mut successors);
            self.ended()?;
            self.edges.ends.push(edge_number(self.pushed)?);
        }
        Ok(())
    }

    /// The first source that was not completely expanded.
    fn first_incomplete(&self) -> u32 {
        self.range.start + u32::try_from(self.edges.ends.len()).expect("sources have numbers")
    }

    /// Decides for every pending state whether it is known, and forgets it.
    #[inline(never)]
    fn find_pending(&mut self, store: &StateStore) {
        if let Err((source, stop)) = self.try_find_pending(store) {
            self.edges.ends.truncate((source - self.range.start) as usize);
            self.stopped = Some(stop);
        }
        self.pending.clear();
    }

    /// The target of each pending successor; on failure, the first source with a successor for
    /// which there is no room.
    fn try_find_pending(&mut self, store: &StateStore) -> Result<(), (u32, Stop)> {
        if self.pending.len() == 0 {
            return Ok(());
        }
        self.pending.hash_all(store.hash_function());
        self.reserve().map_err(|stop| (self.pending.get(0).source, stop))?;
        let mut found = [None; GROUP];
        let (states, hashes) = self.pending.slice(0, self.pending.len());
        store.find_group(states, hashes, &mut found[..hashes.len()]);
        for (i, found) in found[..hashes.len()].iter().enumerate() {
            let target = if let Some(id) = *found {
                id
            } else {
                let generated = self.pending.get(i);
                let candidate = self.new.add(generated, &mut self.budget);
                self.known + candidate.map_err(|stop| (generated.source, stop))?
            };
            if self.edges.stored {
                self.edges.targets.push(target);
            }
        }
        Ok(())
    }

    /// Makes room for whatever the pending states may turn out to be, and for the next ones.
    fn reserve(&mut self) -> Result<(), Stop> {
        self.new.states.reserve(self.pending.len(), &mut self.budget)?;
        let most = self.new.states.len() + self.pending.len();
        self.budget.reserve(&mut self.numbers, most)?;
        let words = Children::words_for(self.range.len(), most);
        self.budget.reserve(self.children.bits_mut(), words)?;
        self.edges.reserve(&mut self.budget)
    }

    pub(super) fn candidates(&self) -> &GeneratedStates {
        &self.new.states
    }

    /// Notes of each candidate in turn its place at its owner, and whether it is new, as `find`
    /// says.
    ///
    /// If that finds none, only the sources before that of the candidate count as expanded.
    pub(super) fn find_owned(
        &mut self,
        mut find: impl FnMut(Generated<'_>) -> Result<(u32, bool), Stop>,
    ) -> Result<(), Stop> {
        for place in 0..self.new.states.len() {
            let candidate = self.new.states.get(place);
            match find(candidate) {
                Ok((place, is_new)) => {
                    self.numbers.push(place);
                    if is_new {
                        self.children.push(candidate.source);
                    }
                }
                Err(stop) => {
                    self.edges.ends.truncate((candidate.source - self.range.start) as usize);
                    return Err(stop);
                }
            }
        }
        Ok(())
    }

    /// The children that [`Self::find_owned`] has found.
    pub(super) fn children(&self) -> &Children {
        &self.children
    }

    /// Replaces the place of each candidate that was found by its number, given its hash.
    pub(super) fn number(&mut self, number: impl Fn(u32, u32) -> u32) {
        for (place, hash) in self.numbers.iter_mut().zip(self.new.states.hashes()) {
            *place = number(*hash, *place);
        }
    }

    /// The number of sources that were completely expanded.
    pub(super) fn complete(&self) -> usize {
        self.edges.ends.len()
    }

    /// The number of edges that leave the first `sources`, all of which were completely expanded.
    pub(super) fn transitions(&self, sources: usize) -> u64 {
        sources.checked_sub(1).map_or(0, |last| self.edges.ends[last].into())
    }

    /// Adds the candidates to those of other chunks. Their numbers are their places there.
    pub(super) fn merge_into(
        &mut self,
        all: &mut Candidates,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let candidates = &self.new.states;
        all.states.reserve(candidates.len(), budget)?;
        budget.reserve(&mut self.numbers, candidates.len())?;
        for place in 0..candidates.len() {
            self.numbers.push(all.add(candidates.get(place), budget)?);
        }
        Ok(())
    }

    /// Encodes the edges as they are kept, once the chunk is numbered. `known` gives the targets of
    /// states that were known, `new` those of candidates by their numbers, and `sequence` the
    /// numbers of sequences of labels that have one.
    pub(super) fn encode(
        &mut self,
        known: impl Fn(u32) -> u32,
        new: impl Fn(u32) -> u32,
        sequence: impl Fn(&[Label]) -> Option<u32>,
    ) {
        let (first, all_known, numbers) = (self.range.start, self.known, &self.numbers);
        let number = |target: &u32| match target.checked_sub(all_known) {
            Some(candidate) => new(numbers[candidate as usize]),
            None => known(*target),
        };
        let ChunkEdges { ends, targets, labels, encoded, encoded_ends, unnumbered, .. } =
            &mut self.edges;
        for at in 0..edge_number(ends.len()).expect("sources have numbers") {
            let range = part(ends, at as usize);
            match sequence(&labels[range.clone()]) {
                Some(number) => push_number(encoded, number),
                None => unnumbered.push(at),
            }
            encode_targets(first + at, targets[range].iter().map(number), encoded);
            encoded_ends.push(edge_number(encoded.len()).expect("four bytes for each of 2^29"));
        }
    }

    /// Adds the edges, which were encoded, to those of the states before, as far as there is room.
    pub(super) fn keep_edges(
        &self,
        kept: &mut Edges,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let ChunkEdges { ends, labels, encoded, encoded_ends, unnumbered, .. } = &self.edges;
        let begin = |source: usize| source.checked_sub(1).map_or(0, |last| encoded_ends[last]);
        let mut first = 0;
        for source in unnumbered.iter().map(|it| *it as usize) {
            kept.add_records(encoded, begin(first), &encoded_ends[first..source], budget)?;
            let targets = &encoded[part(encoded_ends, source)];
            let sequence = kept.add_sequence(&labels[part(ends, source)], budget)?;
            kept.add(sequence, targets, budget)?;
            first = source + 1;
        }
        kept.add_records(encoded, begin(first), &encoded_ends[first..], budget)
    }
}

/// The `index`th part of a list whose parts end at `ends`.
fn part(ends: &[u32], index: usize) -> Range<usize> {
    let from = if index == 0 { 0 } else { ends[index - 1] };
    from as usize..ends[index] as usize
}

impl ChunkEdges {
    /// Makes room for the edges of a group of successors.
    fn reserve(&mut self, budget: &mut MemoryBudget) -> Result<(), Stop> {
        if !self.stored {
            return Ok(());
        }
        budget.reserve(&mut self.targets, GROUP)?;
        budget.reserve(&mut self.labels, GROUP)?;
        // Each source begins with a number and lengths of its own, and a group may be of as many
        // more sources.
        let sources = self.ends.len() + GROUP;
        let most = most_bytes(self.labels.len() + GROUP) + sources * (MOST_NUMBER + 1);
        let more = most.saturating_sub(self.encoded.len());
        budget.reserve(&mut self.encoded, more)
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.targets.clear();
        self.labels.clear();
        self.encoded.clear();
        self.encoded_ends.clear();
        self.unnumbered.clear();
    }
}
