//! The states found so far, whole, and from which state each was found.

use std::hash::{BuildHasher, Hasher};
use std::hint::black_box;

use foldhash::quality::FixedState;

use super::{
    generated::Generated,
    parents::{Children, Parents},
    state_table::StateTable,
};
use crate::{
    Stop,
    budget::MemoryBudget,
    graph::MOST_STATES,
    index::{HashIndex, Home, IndexShard},
};

/// The number of states that are looked up together, so that they share the waiting for memory.
pub(super) const GROUP: usize = 64;
/// Parts of the table that grow on their own.
pub(super) const SHARDS: usize = 256;

#[derive(Debug)]
pub(super) struct StateStore {
    states: StateTable,
    /// The number of states in which runs begin; they have the lowest numbers.
    starts: u32,
    parents: Parents,
    index: HashIndex,
    hash: fn(&[u64]) -> u32,
}

impl StateStore {
    pub(super) fn new(words: usize, hash: fn(&[u64]) -> u32) -> Self {
        let index = HashIndex::new(SHARDS);
        let states = StateTable::new(words);
        Self { states, starts: 0, parents: Parents::default(), index, hash }
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.states.len()).expect("states have numbers")
    }

    #[inline]
    pub(super) fn words(&self) -> usize {
        self.states.words()
    }

    pub(super) fn table(&self) -> &StateTable {
        &self.states
    }

    /// Writes the state with this number to `state`.
    #[inline]
    pub(super) fn read(&self, id: u32, state: &mut [u64]) {
        self.states.read(id, state);
    }

    /// The parent of a state; a start is its own.
    pub(super) fn parent(&self, id: u32) -> u32 {
        id.checked_sub(self.starts).map_or(id, |child| self.parents.of(child))
    }

    #[inline]
    pub(super) fn hash(&self, state: &[u64]) -> u32 {
        (self.hash)(state)
    }

    pub(super) fn hash_function(&self) -> fn(&[u64]) -> u32 {
        self.hash
    }

    #[inline]
    pub(super) fn find(&self, hash: u32, state: &[u64]) -> Option<u32> {
        self.index.find(hash, |id| self.states.is(id, state))
    }

    /// Finds up to [`GROUP`] states, packed one after the other.
    ///
    /// It asks memory for everything it will need before it reads any of it: first the slots, then
    /// the states they lead to. One at a time, most of the search would be waiting.
    pub(super) fn find_group(&self, states: &[u64], hashes: &[u32], found: &mut [Option<u32>]) {
        let (mut touched, mut homes) = (0, [Home::default(); GROUP]);
        for (home, hash) in homes.iter_mut().zip(hashes) {
            *home = self.index.home(*hash);
            touched ^= self.index.touch(*home);
        }
        for ((found, hash), home) in found.iter_mut().zip(hashes).zip(homes) {
            *found = self.index.find_from(home, *hash, |_| true);
            if let Some(id) = *found {
                touched ^= self.states.touch(id);
            }
        }
        black_box(touched);
        let wanted = states.chunks_exact(self.words());
        for ((found, hash), state) in found.iter_mut().zip(hashes).zip(wanted) {
            // The same hash need not be the same state.
            if found.is_some_and(|id| !self.states.is(id, state)) {
                *found = self.find(*hash, state);
            }
        }
    }

    /// Numbers a state in which runs begin, which is not there. All of them come first.
    pub(super) fn insert_start(
        &mut self,
        state: &[u64],
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        assert_eq!(self.starts, self.len(), "starts come first");
        let hash = self.hash(state);
        self.reserve(state, hash, budget)?;
        self.starts += 1;
        Ok(self.push(hash))
    }

    /// Numbers a state that is not there. Changes nothing if it may not.
    pub(super) fn insert(
        &mut self,
        new: Generated<'_>,
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        self.reserve(new.state, new.hash, budget)?;
        self.parents.push(new.source, budget)?;
        Ok(self.push(new.hash))
    }

    pub(super) fn table_mut(&mut self) -> &mut StateTable {
        &mut self.states
    }

    /// Counts the room that the table needs for states that were added to the [rows](StateTable),
    /// this number for each shard. They cannot be found until the
    /// [shards](Self::table_and_shards) are filled.
    pub(super) fn expect(
        &mut self,
        states: &[usize; SHARDS],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        self.index.expect(states, budget)
    }

    /// Adds the parents of states that were added to the rows.
    pub(super) fn add_parents(
        &mut self,
        children: &Children,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        self.parents.append(children, budget)
    }

    /// The states, and the parts of the table that find them by their hashes: each to be filled
    /// with those that are expected.
    pub(super) fn table_and_shards(&mut self) -> (&StateTable, &mut [IndexShard]) {
        (&self.states, self.index.shards_mut())
    }

    /// The bytes of the table that are given back once it is filled.
    pub(super) fn outgrown(&self) -> u64 {
        self.index.outgrown()
    }

    /// Numbers a state that is not there and of which no parent is kept. Changes nothing if it may
    /// not.
    pub(super) fn insert_alone(
        &mut self,
        new: Generated<'_>,
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        // Several processes have more states than each.
        if self.len() >= MOST_STATES {
            return Err(Stop::States);
        }
        self.reserve(new.state, new.hash, budget)?;
        Ok(self.push(new.hash))
    }

    /// Numbers a state in which runs begin, if it is its own parent, or one that was found from
    /// there, in a store whose index was forgotten. Changes nothing that can be seen if it may not.
    pub(super) fn append(
        &mut self,
        state: &[u64],
        parent: u32,
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        let id = self.len();
        budget.one_more(id.into())?;
        self.states.reserve(state, budget)?;
        if parent == id {
            assert_eq!(self.starts, id, "starts come first");
            self.starts += 1;
        } else {
            self.parents.push(parent, budget)?;
        }
        self.states.push();
        Ok(id)
    }

    fn reserve(&mut self, state: &[u64], hash: u32, budget: &mut MemoryBudget) -> Result<(), Stop> {
        budget.one_more(self.len().into())?;
        let Self { states, index, hash: hashed, .. } = self;
        states.reserve(state, budget)?;
        let mut old = Vec::new();
        index.reserve(hash, budget, |id| {
            old.resize(state.len(), 0);
            states.read(id, &mut old);
            hashed(&old)
        })
    }

    fn push(&mut self, hash: u32) -> u32 {
        let id = self.len();
        self.states.push();
        self.index.insert(hash, id);
        id
    }

    /// The bytes of the states and their table.
    pub(super) fn bytes(&self) -> u64 {
        self.states.bytes() + self.parents.bytes() + self.index.bytes()
    }

    /// Gives the memory of the table back; nothing can be found or added any more.
    pub(super) fn forget_index(&mut self) {
        self.index = HashIndex::new(1);
    }
}

/// Whether two states are the same. Most have a few words, for which a call would take longer.
#[inline]
pub(super) fn is_same(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// The hash of a packed state: the same in every run, on every machine.
pub fn hash_words(words: &[u64]) -> u32 {
    const SEED: u64 = 0x6465_6174_6877_6368;
    let mut hasher = FixedState::with_seed(SEED).build_hasher();
    // Two words at a time give the same hash as one at a time, in less time.
    let (pairs, last) = words.as_chunks();
    for [first, second] in pairs {
        hasher.write_u128(u128::from(*first) | u128::from(*second) << 64);
    }
    for word in last {
        hasher.write_u64(*word);
    }
    // Foldhash mixes well enough that any 32 of its bits will do.
    (hasher.finish() >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_stay_what_they_are() {
        let hashes = [&[0][..], &[1], &[1, 2], &[1, 2, 3]].map(hash_words);
        assert_eq!(hashes, [1_990_487_180, 3_042_857_957, 1_456_492_568, 3_332_389_428]);
    }
}
