//! States that were generated and not numbered yet, packed one after the other.

use crate::Stop;
use crate::budget::MemoryBudget;

/// A generated state, its hash, and the source that it is a successor of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generated<'g> {
    pub(super) state: &'g [u64],
    pub(super) hash: u32,
    pub(super) source: u32,
}

/// A list of such states, in the order in which they were generated.
#[derive(Debug)]
pub(super) struct GeneratedStates {
    width: usize,
    words: Vec<u64>,
    hashes: Vec<u32>,
    sources: Vec<u32>,
}

impl GeneratedStates {
    pub(super) fn new(width: usize) -> Self {
        Self { width, words: Vec::new(), hashes: Vec::new(), sources: Vec::new() }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.sources.len()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Generated<'_> {
        let state = &self.words[index * self.width..][..self.width];
        Generated { state, hash: self.hashes[index], source: self.sources[index] }
    }

    /// The states of a range and their hashes.
    #[inline]
    pub(super) fn slice(&self, from: usize, to: usize) -> (&[u64], &[u32]) {
        (&self.words[from * self.width..to * self.width], &self.hashes[from..to])
    }

    #[inline]
    pub(super) fn hashes(&self) -> &[u32] {
        &self.hashes
    }

    #[inline]
    pub(super) fn push(&mut self, generated: Generated<'_>) {
        self.words.extend_from_slice(generated.state);
        self.hashes.push(generated.hash);
        self.sources.push(generated.source);
    }

    /// Adds a state, which is hashed with others by [`Self::hash_all`].
    #[inline]
    pub(super) fn push_unhashed(&mut self, state: impl Iterator<Item = u64>, source: u32) {
        self.words.extend(state);
        self.sources.push(source);
    }

    pub(super) fn hash_all(&mut self, hash: fn(&[u64]) -> u32) {
        self.hashes.clear();
        self.hashes.extend(self.words.chunks_exact(self.width).map(hash));
    }

    /// Makes room for `more` states.
    pub(super) fn reserve(&mut self, more: usize, budget: &mut MemoryBudget) -> Result<(), Stop> {
        budget.reserve(&mut self.words, more * self.width)?;
        budget.reserve(&mut self.hashes, more)?;
        budget.reserve(&mut self.sources, more)
    }

    /// The capacities of the lists of words, hashes and sources.
    pub(super) fn room(&self) -> [usize; 3] {
        [self.words.capacity(), self.hashes.capacity(), self.sources.capacity()]
    }

    /// Makes room as another list had it.
    pub(super) fn resume(
        &mut self,
        room: [usize; 3],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        budget.grow(&mut self.words, room[0])?;
        budget.grow(&mut self.hashes, room[1])?;
        budget.grow(&mut self.sources, room[2])
    }

    /// The bytes of the states.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        use crate::budget::bytes_of;

        bytes_of(&self.words) + bytes_of(&self.hashes) + bytes_of(&self.sources)
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Forgets the successors of `source` and of later sources.
    pub(super) fn keep_before(&mut self, source: u32) {
        self.truncate(self.sources.partition_point(|other| *other < source));
    }

    fn truncate(&mut self, len: usize) {
        self.words.truncate(len * self.width);
        self.hashes.truncate(len);
        self.sources.truncate(len);
    }
}

/// The states that a batch has found, before they are numbered.
///
/// A state may be among them more than once, and they may be states known before.
pub struct NewStates<'n> {
    pub(super) lists: Vec<&'n mut GeneratedStates>,
    pub(super) hash: fn(&[u64]) -> u32,
}

impl NewStates<'_> {
    /// Calls `visit` for each of the states in that order, with the number of the state that it is
    /// a successor of; where several processes search, with the place of that state at this one.
    pub fn visit(&self, mut visit: impl FnMut(u32, &[u64])) {
        for list in &self.lists {
            for (state, source) in list.words.chunks_exact(list.width).zip(&list.sources) {
                visit(*source, state);
            }
        }
    }

    /// Lets `rewrite` change each of the states, in the order in which a single thread would have
    /// found them.
    ///
    /// States that are equal have to stay so, and states that differ as well, those among them
    /// that were known before.
    pub fn for_each(&mut self, mut rewrite: impl FnMut(&mut [u64])) {
        for list in &mut self.lists {
            for (state, hash) in list.words.chunks_exact_mut(list.width).zip(&mut list.hashes) {
                rewrite(state);
                *hash = (self.hash)(state);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_are_the_successors_of_a_source_and_of_later_ones() {
        let mut list = GeneratedStates::new(2);
        for source in [3, 3, 4, 6] {
            let state = &[u64::from(source), 7];
            list.push(Generated { state, hash: source, source });
        }
        for (source, left) in [(7, 4), (6, 3), (5, 3), (4, 2), (3, 0)] {
            list.keep_before(source);
            assert_eq!((list.len(), list.words.len(), list.hashes.len()), (left, 2 * left, left));
        }
    }
}
