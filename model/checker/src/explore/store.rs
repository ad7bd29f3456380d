//! The states found so far, whole, and from which state each was found.

use std::hash::{BuildHasher, Hasher};
use std::hint::black_box;

use foldhash::quality::FixedState;

use super::{budget::MemoryBudget, generated::Generated, index::HashIndex, segmented::Segmented};
use crate::Stop;

/// How many states are looked up at once, so that they share the waiting for memory.
pub(super) const GROUP: usize = 64;
/// Parts of the table that grow on their own.
const SHARDS: usize = 64;

/// Numbered states.
#[derive(Debug)]
pub(super) struct StateStore {
    states: Segmented<u64>,
    parents: Segmented<u32>,
    index: HashIndex,
    hash: fn(&[u64]) -> u32,
}

impl StateStore {
    pub(super) fn new(words: usize, hash: fn(&[u64]) -> u32) -> Self {
        let index = HashIndex::new(SHARDS);
        Self { states: Segmented::new(words), parents: Segmented::new(1), index, hash }
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.states.len()).expect("states have numbers")
    }

    #[inline]
    pub(super) fn words(&self) -> usize {
        self.states.width()
    }

    #[inline]
    pub(super) fn state(&self, id: u32) -> &[u64] {
        self.states.get(id)
    }

    pub(super) fn parent(&self, id: u32) -> u32 {
        self.parents.get(id)[0]
    }

    #[inline]
    pub(super) fn hash(&self, state: &[u64]) -> u32 {
        (self.hash)(state)
    }

    #[inline]
    pub(super) fn find(&self, hash: u32, state: &[u64]) -> Option<u32> {
        self.index.find(hash, |id| is_same(self.states.get(id), state))
    }

    /// Finds up to [`GROUP`] states, packed one after the other.
    ///
    /// It asks memory for everything it will need before it reads any of it: first the slots, then
    /// the states they lead to. One at a time, most of the search would be waiting.
    pub(super) fn find_group(&self, states: &[u64], hashes: &[u32], found: &mut [Option<u32>]) {
        let mut touched = 0;
        for hash in hashes {
            touched ^= self.index.touch(*hash);
        }
        for (found, hash) in found.iter_mut().zip(hashes) {
            *found = self.index.find(*hash, |_| true);
            if let Some(id) = *found {
                touched ^= self.states.get(id)[0];
            }
        }
        black_box(touched);
        let wanted = states.chunks_exact(self.words());
        for ((found, hash), state) in found.iter_mut().zip(hashes).zip(wanted) {
            // The same hash need not be the same state.
            if found.is_some_and(|id| !is_same(self.states.get(id), state)) {
                *found = self.find(*hash, state);
            }
        }
    }

    /// Numbers a state that is not there. Changes nothing if it may not.
    pub(super) fn insert(
        &mut self,
        new: Generated<'_>,
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        let id = self.len();
        budget.one_more(id)?;
        self.states.reserve(budget)?;
        self.parents.reserve(budget)?;
        self.index.reserve(new.hash, budget)?;
        self.states.push(new.state);
        self.parents.push(&[new.source]);
        self.index.insert(new.hash, id);
        Ok(id)
    }

    /// How many bytes the states and their table take.
    #[cfg(test)]
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
    for word in words {
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
