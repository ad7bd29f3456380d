//! Numbering of the states that a batch has found, mostly side by side.
//!
//! A candidate is new to its chunk, and other chunks may have it, too. Candidates are dealt to
//! owners by their hashes, so equal ones have the same owner, who finds which they are
//! ([`Numbering::begin`]): the first chunk to have a state wins, as it would have if there had been
//! a single thread.
//!
//! So it is known how many new states each chunk has, and by adding these up, the number of the
//! first one. Only that, and to give numbers to words that were never met, is done by one thread.
//! Chunks then number their states, and write their rows, side by side ([`Numbering::number`]), and
//! owners add theirs to their parts of the table ([`Numbering::fill`]).

use std::{
    hint::black_box,
    iter,
    sync::atomic::{AtomicU32, Ordering},
};

use super::{
    CHUNKS, SearchLimits,
    chunk::Chunk,
    generated::{Generated, GeneratedStates},
    limits::POLL,
    rows::UnwrittenRows,
    state_graph::StateGraph,
    state_table::StateTable,
    store::{GROUP, SHARDS, StateStore, is_same},
};
use crate::{
    Stop,
    budget::{MemoryBudget, bytes_of},
    index::{HashIndex, IndexShard, slots_for, split},
    threads::Workers,
};

/// The number of owners, and so of threads that can number side by side.
const OWNERS: usize = 16;
const _: () = assert!(SHARDS.is_multiple_of(OWNERS), "an owner has whole parts of the table");
/// Fewer candidates are not worth handing to threads.
const FEW: usize = 1 << 10;

/// The candidates of a batch, and who owns them.
#[derive(Debug)]
pub(super) struct Numbering {
    owners: Vec<OwnedCandidates>,
    count: usize,
}

/// The candidates whose hashes begin alike.
#[derive(Debug)]
struct OwnedCandidates {
    /// The place of each candidate in its chunk, in order; then the place in `new` of the state
    /// that it is. A candidate that equals no earlier one has the next place.
    candidates: Vec<u32>,
    new: Vec<NewState>,
    /// The end of the candidates of each chunk in both lists.
    ends: [OwnedEnds; CHUNKS as usize],
    index: HashIndex,
    /// The number of each word of `new` in the table, as far as it is known.
    words: Vec<u32>,
    /// The numbers of `new`, or [`UNNUMBERED`].
    numbers: Vec<AtomicU32>,
}

/// The end of a range of an owner's candidates, among all and among the new ones.
#[derive(Clone, Copy, Debug, Default)]
struct OwnedEnds {
    candidates: usize,
    new: usize,
}

/// The number of a state that has none.
const UNNUMBERED: u32 = u32::MAX;

/// A candidate that no earlier one is equal to: the place of its chunk, and its place there.
#[derive(Clone, Copy, Debug)]
struct NewState {
    chunk: u16,
    /// Whether the numbers of all its words are known.
    is_known: bool,
    place: u32,
    hash: u32,
}

/// A chunk whose new states are numbered next.
struct NumberedChunk<'p> {
    chunk: &'p mut Chunk,
    /// The beginnings of its candidates, owner by owner.
    cursors: [OwnedEnds; OWNERS],
    /// The number of its first new state, and how many may be numbered.
    first: u32,
    most: u32,
    /// The rows of these states.
    rows: Vec<UnwrittenRows<'p>>,
    /// The first of these states that was found from the last level, and from where.
    level: Option<(u32, u32)>,
    done: Result<(), Stop>,
}

/// The chunks of a batch that were numbered.
pub(super) struct Numbered {
    /// The number of chunks.
    pub(super) chunks: usize,
    /// Why there are no more.
    pub(super) stopped: Option<Stop>,
}

impl Numbering {
    pub(super) fn new() -> Self {
        Self { owners: iter::repeat_with(OwnedCandidates::new).take(OWNERS).collect(), count: 0 }
    }

    /// Begins with the candidates of these chunks, none of which is in the table.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn begin<W: Send>(
        &mut self,
        chunks: &[Chunk],
        table: &StateTable,
        workers: &Workers<W>,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let candidates: Vec<&GeneratedStates> = chunks.iter().map(Chunk::candidates).collect();
        let mut counts = [0; OWNERS];
        for hash in candidates.iter().flat_map(|states| states.hashes()) {
            counts[owner_of(*hash)] += 1;
        }
        self.count = counts.iter().sum();
        u32::try_from(self.count).map_err(|_| Stop::States)?;
        for (owner, count) in self.owners.iter_mut().zip(counts) {
            owner.clear();
            owner.reserve(
                [count, count, count * table.words(), count],
                slots_for(count),
                budget,
            )?;
        }
        for (chunk, states) in candidates.iter().enumerate() {
            for (place, hash) in (0..).zip(states.hashes()) {
                self.owners[owner_of(*hash)].candidates.push(place);
            }
            for owner in &mut self.owners {
                owner.ends[chunk].candidates = owner.candidates.len();
            }
        }
        workers.run_if(self.count > FEW, &mut self.owners, |_, owner| {
            owner.sort_out(&candidates, table);
        });
        Ok(())
    }

    /// Numbers the new states of these chunks up to the first one that stops, and adds them to the
    /// graph. They cannot be found there until [`Self::fill`] was called.
    ///
    /// # Errors
    /// If there is not enough memory, or somebody asks to stop. Then no state is added.
    pub(super) fn number<W: Send>(
        &mut self,
        chunks: &mut [Chunk],
        graph: &mut StateGraph,
        workers: &Workers<W>,
        budget: &mut MemoryBudget,
        limits: &SearchLimits<'_>,
    ) -> Result<Numbered, Stop> {
        let (first, last_level) = (graph.states(), graph.last_level());
        let left = budget.states_left(first.into());
        let (mut complete, mut stopped, mut new) = (0, Ok(()), 0);
        while complete < chunks.len() && stopped.is_ok() {
            new += self.new_of(complete);
            stopped = if new > left { Err(Stop::States) } else { chunks[complete].ended() };
            complete += 1;
        }
        let new = u32::try_from(new.min(left)).map_err(|_| Stop::States)?;
        let chunks = &mut chunks[..complete];
        self.reserve_rows(chunks, new as usize, graph.store_mut().table_mut(), budget)?;

        let mut rows = graph.store_mut().table_mut().reserved_rows().into_iter().peekable();
        let (mut next, mut parts) = (first, Vec::with_capacity(complete));
        for (at, chunk) in chunks.iter_mut().enumerate() {
            let all = self.new_of(at).min(u64::from(first + new - next));
            let most = u32::try_from(all).expect("it is not more than the other");
            let (mut missing, mut own) = (most as usize, Vec::new());
            while missing > 0 {
                let segment = rows.peek_mut().expect("there is a row for each state");
                let taken = segment.take_first(missing);
                missing -= taken.count();
                if taken.count() == 0 {
                    rows.next();
                } else {
                    own.push(taken);
                }
            }
            let cursors = std::array::from_fn(|owner| self.owners[owner].begin_of(at));
            parts.push(NumberedChunk {
                chunk,
                cursors,
                first: next,
                most,
                rows: own,
                level: None,
                done: Ok(()),
            });
            next += most;
        }
        let numbering = &*self;
        workers.run_if(self.count > FEW, &mut parts, |_, part| {
            part.done = part.number(numbering, last_level, limits);
        });
        let mut level = None;
        for part in parts {
            level = level.or(part.level);
            // Only the last one may have more states than can be numbered.
            part.done.or_else(|stop| if stop == Stop::States { Ok(()) } else { Err(stop) })?;
        }

        let mut expected = [0; SHARDS];
        for new in self.owners.iter().flat_map(OwnedCandidates::numbered) {
            expected[split(new.hash, SHARDS).0] += 1;
        }
        let store = graph.store_mut();
        store.expect(&expected, budget)?;
        chunks.iter().try_for_each(|chunk| store.add_parents(chunk.children(), budget))?;
        store.table_mut().add_reserved();
        if let Some((id, parent)) = level {
            graph.note_level(id, parent);
        }
        Ok(Numbered { chunks: complete, stopped: stopped.err() })
    }

    /// The number of states that a chunk is the first to have.
    fn new_of(&self, chunk: usize) -> u64 {
        let new = |owner: &OwnedCandidates| owner.ends[chunk].new - owner.begin_of(chunk).new;
        self.owners.iter().map(new).sum::<usize>() as u64
    }

    /// Numbers the words of the new states of these chunks, and makes room for `new` rows.
    fn reserve_rows(
        &mut self,
        chunks: &[Chunk],
        mut new: usize,
        table: &mut StateTable,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let words = table.words();
        for OwnedCandidates { new, words: numbers, ends, .. } in &mut self.owners {
            let new = &new[..ends[chunks.len() - 1].new];
            for (new, numbers) in new.iter().zip(numbers.chunks_exact_mut(words)) {
                if !new.is_known {
                    let states = chunks[usize::from(new.chunk)].candidates();
                    table.learn(states.get(new.place as usize).state, numbers, budget)?;
                }
            }
        }
        while new > 0 {
            let now = new.min(table.rows_left());
            table.reserve_rows(now, budget)?;
            new -= now;
        }
        Ok(())
    }

    /// The number of a candidate, given its hash and its place at its owner.
    pub(super) fn number_of(&self, hash: u32, place: u32) -> u32 {
        self.owners[owner_of(hash)].numbers[place as usize].load(Ordering::Relaxed)
    }

    /// Adds the states that got numbers to the table, and does something else beside that, which
    /// takes about as long as one owner does. Returns the bytes that are given back.
    pub(super) fn fill<W: Send>(
        &self,
        store: &mut StateStore,
        workers: &Workers<W>,
        beside: impl FnOnce() + Send,
    ) -> u64 {
        let outgrown = store.outgrown();
        let hash = store.hash_function();
        let (table, shards) = store.table_and_shards();
        let shards = shards.chunks_mut(SHARDS / OWNERS);
        let owners = self.owners.iter().zip(shards).map(|it| (Some(it), None));
        let mut jobs: Vec<_> = iter::once((None, Some(beside))).chain(owners).collect();
        workers.run_if(self.count > FEW, &mut jobs, |_, (owner, beside)| {
            if let Some((owner, shards)) = owner {
                owner.fill(shards, table, hash);
            }
            if let Some(beside) = beside.take() {
                beside();
            }
        });
        outgrown
    }

    /// The room that each owner has, which it keeps from batch to batch.
    pub(super) fn rooms(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        self.owners.iter().map(OwnedCandidates::room)
    }

    /// Makes the room that others had, of at most this number of bytes each, and leaves the others;
    /// `None` if there are not enough.
    pub(super) fn resume<'r>(
        &mut self,
        rooms: &'r [Vec<u64>],
        most: u64,
    ) -> Option<&'r [Vec<u64>]> {
        let (own, others) = rooms.split_at_checked(OWNERS)?;
        self.owners.iter_mut().zip(own).try_for_each(|(owner, room)| owner.resume(room, most))?;
        Some(others)
    }

    /// The bytes of the owners.
    pub(super) fn bytes(&self) -> u64 {
        self.owners.iter().map(OwnedCandidates::bytes).sum()
    }
}

impl NumberedChunk<'_> {
    /// Numbers the new states of the chunk and writes their rows.
    fn number(
        &mut self,
        numbering: &Numbering,
        last_level: u32,
        limits: &SearchLimits<'_>,
    ) -> Result<(), Stop> {
        let Self { chunk, cursors, first, most, rows, level, .. } = self;
        let (mut next, end) = (*first, *first + *most);
        let (mut rows, mut row, mut added) = (rows.iter_mut().peekable(), Vec::new(), 0);
        chunk.find_owned(|candidate| {
            let Generated { state, hash, source } = candidate;
            let (owner, cursor) = (&numbering.owners[owner_of(hash)], &mut cursors[owner_of(hash)]);
            let place = owner.candidates[cursor.candidates];
            let is_new = place as usize == cursor.new;
            if is_new {
                if next == end {
                    return Err(Stop::States);
                }
                added += state.len();
                if added >= POLL {
                    (limits.stop)().map_or(Ok(()), Err)?;
                    added = 0;
                }
                while rows.next_if(|rows| rows.count() == 0).is_some() {}
                let rows = rows.peek_mut().expect("there is a row for each state");
                rows.write(state, &owner.words[cursor.new * state.len()..], &mut row);
                owner.numbers[cursor.new].store(next, Ordering::Relaxed);
                if source >= last_level && level.is_none() {
                    *level = Some((next, source));
                }
                cursor.new += 1;
                next += 1;
            }
            cursor.candidates += 1;
            Ok((place, is_new))
        })
    }
}

impl OwnedCandidates {
    fn new() -> Self {
        Self {
            candidates: Vec::new(),
            new: Vec::new(),
            ends: [OwnedEnds::default(); CHUNKS as usize],
            index: HashIndex::new(1),
            words: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// The beginning of the candidates of a chunk.
    fn begin_of(&self, chunk: usize) -> OwnedEnds {
        chunk.checked_sub(1).map_or_else(OwnedEnds::default, |before| self.ends[before])
    }

    /// The new states that have numbers: the first ones.
    fn numbered(&self) -> &[NewState] {
        let is_numbered = |it: &AtomicU32| it.load(Ordering::Relaxed) != UNNUMBERED;
        &self.new[..self.numbers.partition_point(is_numbered)]
    }

    /// Finds equal candidates, and the words of new ones that the table has. There is room for all
    /// of them.
    fn sort_out(&mut self, chunks: &[&GeneratedStates], table: &StateTable) {
        let Self { candidates, ends, new, words, index, numbers } = self;
        let mut first = 0;
        for ((chunk, states), end) in (0..).zip(chunks).zip(ends) {
            for candidate in &mut candidates[first..end.candidates] {
                let place = *candidate;
                let Generated { state, hash, .. } = states.get(place as usize);
                let is = |it: u32| {
                    let NewState { chunk, place, .. } = new[it as usize];
                    is_same(chunks[usize::from(chunk)].get(place as usize).state, state)
                };
                // All hashes of an owner begin alike.
                let rest = split(hash, OWNERS).1;
                if let Some(known) = index.find(rest, is) {
                    *candidate = known;
                    continue;
                }
                *candidate = u32::try_from(new.len()).expect("all candidates have numbers");
                index.insert(rest, *candidate);
                let is_known = table.numbers_of(state, words);
                new.push(NewState { chunk, is_known, place, hash });
            }
            first = end.candidates;
            end.new = new.len();
        }
        numbers.resize_with(new.len(), || AtomicU32::new(UNNUMBERED));
    }

    fn clear(&mut self) {
        self.candidates.clear();
        self.new.clear();
        self.index.clear();
        self.words.clear();
        self.numbers.clear();
    }

    /// Makes room in lists that are empty: for candidates, new states, words, numbers, and slots.
    fn reserve(
        &mut self,
        [candidates, new, words, numbers]: [usize; 4],
        slots: usize,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        budget.reserve(&mut self.candidates, candidates)?;
        budget.reserve(&mut self.new, new)?;
        budget.reserve(&mut self.words, words)?;
        budget.reserve(&mut self.numbers, numbers)?;
        self.index.resume(slots, budget)
    }

    fn bytes(&self) -> u64 {
        let Self { candidates, new, words, numbers, index, .. } = self;
        let lists = bytes_of(candidates) + bytes_of(new) + bytes_of(words) + bytes_of(numbers);
        lists + index.bytes()
    }

    fn room(&self) -> Vec<u64> {
        let Self { candidates, new, words, numbers, index, .. } = self;
        let lists = [candidates.capacity(), new.capacity(), words.capacity(), numbers.capacity()];
        lists.into_iter().chain(index.slots()).map(|room| room as u64).collect()
    }

    /// Makes the room that another had; `None` if that is no room of an owner.
    fn resume(&mut self, room: &[u64], most: u64) -> Option<()> {
        let room = room.iter().map(|it| usize::try_from(*it).ok());
        let room: [usize; 5] = room.collect::<Option<Vec<_>>>()?.try_into().ok()?;
        let [candidates, new, words, numbers, slots] = room;
        let room = [candidates, new, words, numbers];
        if room.iter().chain([&slots]).any(|it| *it as u64 > most) {
            return None;
        }
        self.reserve(room, slots, &mut MemoryBudget::of(Some(most))).ok()
    }

    /// Adds its new states to its shards.
    fn fill(&self, shards: &mut [IndexShard], table: &StateTable, hash: fn(&[u64]) -> u32) {
        let mut old = vec![0; table.words()];
        for shard in &mut *shards {
            shard.make_room(SHARDS, |id| {
                table.read(id, &mut old);
                hash(&old)
            });
        }
        let shard_of = |hash: u32| split(hash, SHARDS).0 % (SHARDS / OWNERS);
        for (numbers, new) in self.numbers.chunks(GROUP).zip(self.numbered().chunks(GROUP)) {
            // Asks memory for all slots before it needs one of them.
            let touched = new.iter().map(|new| shards[shard_of(new.hash)].touch(SHARDS, new.hash));
            black_box(touched.fold(0, |all, slot| all ^ slot));
            for (number, new) in numbers.iter().zip(new) {
                let number = number.load(Ordering::Relaxed);
                shards[shard_of(new.hash)].add_expected(SHARDS, new.hash, number);
            }
        }
    }
}

/// The owner of the states with this hash.
#[inline]
fn owner_of(hash: u32) -> usize {
    split(hash, OWNERS).0
}
