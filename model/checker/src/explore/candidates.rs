//! The states that a chunk is the first to have, as far as it knows.

use super::{
    generated::{Generated, GeneratedStates},
    store::is_same,
};
use crate::{Stop, budget::MemoryBudget, graph::MOST_STATES, index::HashIndex};

/// Different states that were not known before the batch, in the order in which they were found.
#[derive(Debug)]
pub(super) struct Candidates {
    pub(super) states: GeneratedStates,
    index: HashIndex,
}

impl Candidates {
    pub(super) fn new(words: usize) -> Self {
        Self { states: GeneratedStates::new(words), index: HashIndex::new(1) }
    }

    /// The number of a state among the candidates.
    #[inline]
    pub(super) fn add(
        &mut self,
        state: Generated<'_>,
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        let same = |candidate: u32| is_same(self.states.get(candidate as usize).state, state.state);
        if let Some(found) = self.index.find(state.hash, same) {
            return Ok(found);
        }
        // With the states known before, candidates share the numbers below 2^32.
        let number = u32::try_from(self.states.len()).unwrap_or(MOST_STATES);
        if number >= MOST_STATES {
            return Err(Stop::States);
        }
        self.index
            .reserve(state.hash, budget, |candidate| self.states.get(candidate as usize).hash)?;
        self.states.push(state);
        self.index.insert(state.hash, number);
        Ok(number)
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.states.len()).expect("candidates have numbers")
    }

    /// The capacities of the lists of states, and the slots of the table. A resumed search reserves
    /// the same, so that it stops where the first one would have.
    pub(super) fn room(&self) -> [usize; 4] {
        let [words, hashes, sources] = self.states.room();
        [words, hashes, sources, self.index.slots().sum()]
    }

    /// Makes room as other candidates had it.
    pub(super) fn resume(
        &mut self,
        [words, hashes, sources, slots]: [usize; 4],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        self.states.resume([words, hashes, sources], budget)?;
        self.index.resume(slots, budget)
    }

    /// The bytes of the candidates and their table.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.states.bytes() + self.index.bytes()
    }

    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.index.clear();
    }
}
