//! Numbering what a batch has found, mostly side by side.
//!
//! A candidate is new to its chunk, and other chunks may have it, too. Candidates are dealt to
//! owners by their hashes, so equal ones have the same owner. Owners find side by side which of
//! theirs are equal ([`Numbering::begin`]). Then new states get their numbers, one chunk after the
//! other: the first chunk to have one wins, as it would have if there had been a single thread
//! ([`Numbering::number`]). At last owners add theirs to their parts of the table, side by side
//! ([`Numbering::fill`]).

use std::hint::black_box;

use super::{
    CHUNKS,
    chunk::Chunk,
    generated::{Generated, GeneratedStates},
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
    owners: Vec<Owner>,
    count: usize,
}

/// The candidates whose hashes begin alike.
#[derive(Debug)]
struct Owner {
    /// For each of them, in order, its place in its chunk, and then the place in `new` of the state
    /// that it is. One that no earlier one is equal to has the next place.
    candidates: Vec<u32>,
    ends: [usize; CHUNKS as usize],
    new: Vec<NewState>,
    index: HashIndex,
    /// For each word of these its number in the table, as far as it is known.
    words: Vec<u32>,
    /// How many candidates were numbered, and the numbers of the first of `new`.
    next: usize,
    numbers: Vec<u32>,
}

/// A candidate that no earlier one is equal to: the place of its chunk, and its place there.
#[derive(Clone, Copy, Debug)]
struct NewState {
    chunk: u32,
    place: u32,
    hash: u32,
}

impl Numbering {
    pub(super) fn new() -> Self {
        Self { owners: std::iter::repeat_with(Owner::new).take(OWNERS).collect(), count: 0 }
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
                owner.ends[chunk] = owner.candidates.len();
            }
        }
        workers.run_if(self.count > FEW, &mut self.owners, |_, owner| {
            owner.sort_out(&candidates, table);
        });
        Ok(())
    }

    /// The number of the next candidate, in the order of chunks. If there is none yet, it gets one.
    #[inline]
    pub(super) fn number(
        &mut self,
        candidate: Generated<'_>,
        graph: &mut StateGraph,
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        let owner = &mut self.owners[owner_of(candidate.hash)];
        let new = owner.candidates[owner.next] as usize;
        if new == owner.numbers.len() {
            let words = candidate.state.len();
            let numbers = &owner.words[new * words..][..words];
            owner.numbers.push(graph.expect(candidate, numbers, budget)?);
        }
        owner.next += 1;
        Ok(owner.numbers[new])
    }

    /// Adds the states that got numbers to the table.
    pub(super) fn fill<W: Send>(
        &self,
        store: &mut StateStore,
        workers: &Workers<W>,
        budget: &mut MemoryBudget,
    ) {
        let outgrown = store.outgrown();
        let hash = store.hash_function();
        let (table, shards) = store.table_and_shards();
        let shards = shards.chunks_mut(SHARDS / OWNERS);
        let mut parts: Vec<(&Owner, &mut [IndexShard])> = self.owners.iter().zip(shards).collect();
        workers.run_if(self.count > FEW, &mut parts, |_, (owner, shards)| {
            owner.fill(shards, table, hash);
        });
        budget.give(outgrown);
    }

    /// The room that each owner has, which it keeps from batch to batch.
    pub(super) fn rooms(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        self.owners.iter().map(Owner::room)
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

    /// How many bytes the owners take.
    pub(super) fn bytes(&self) -> u64 {
        self.owners.iter().map(Owner::bytes).sum()
    }
}

impl Owner {
    fn new() -> Self {
        Self {
            candidates: Vec::new(),
            ends: [0; CHUNKS as usize],
            new: Vec::new(),
            index: HashIndex::new(1),
            words: Vec::new(),
            next: 0,
            numbers: Vec::new(),
        }
    }

    /// Finds which of its candidates are equal, and what the table has of them. There is room for
    /// all that it finds.
    fn sort_out(&mut self, chunks: &[&GeneratedStates], table: &StateTable) {
        let Self { candidates, ends, new, words, index, .. } = self;
        let mut first = 0;
        for ((chunk, states), end) in (0..).zip(chunks).zip(ends) {
            for candidate in &mut candidates[first..*end] {
                let place = *candidate;
                let Generated { state, hash, .. } = states.get(place as usize);
                let is = |it: u32| {
                    let NewState { chunk, place, .. } = new[it as usize];
                    is_same(chunks[chunk as usize].get(place as usize).state, state)
                };
                // All hashes of an owner begin alike.
                let rest = split(hash, OWNERS).1;
                if let Some(known) = index.find(rest, is) {
                    *candidate = known;
                    continue;
                }
                *candidate = u32::try_from(new.len()).expect("all candidates have numbers");
                index.insert(rest, *candidate);
                new.push(NewState { chunk, place, hash });
                table.numbers_of(state, words);
            }
            first = *end;
        }
    }

    fn clear(&mut self) {
        self.candidates.clear();
        self.new.clear();
        self.index.clear();
        self.words.clear();
        self.next = 0;
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
        for (numbers, new) in self.numbers.chunks(GROUP).zip(self.new.chunks(GROUP)) {
            // Asks memory for all slots before it needs one of them.
            let touched = new.iter().map(|new| shards[shard_of(new.hash)].touch(SHARDS, new.hash));
            black_box(touched.fold(0, |all, slot| all ^ slot));
            for (number, new) in numbers.iter().zip(new) {
                shards[shard_of(new.hash)].add_expected(SHARDS, new.hash, *number);
            }
        }
    }
}

/// The owner of the states with this hash.
#[inline]
fn owner_of(hash: u32) -> usize {
    split(hash, OWNERS).0
}
