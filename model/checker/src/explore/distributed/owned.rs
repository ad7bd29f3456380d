//! The states that a process owns, with their numbers.

use super::numbers::RisingNumbers;
use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{
        candidates::Candidates,
        generated::Generated,
        segmented::Segmented,
        store::{GROUP, StateStore},
    },
};

/// The states that a process owns, and the new ones of the present batch.
#[derive(Debug)]
pub(super) struct OwnedStates {
    store: StateStore,
    /// The number of each. Numbers are given in order, batch by batch.
    numbers: RisingNumbers,
    /// The states of the batch that have no numbers yet, in the order in which they were asked for.
    new: Candidates,
    /// Ranges of `new` by the process that was the first to ask: each start, and the last end.
    firsts: Vec<u32>,
}

/// An owner's answer about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnerAnswer {
    Numbered(u64),
    /// A new state, with its index among the new ones.
    New(u32),
}

impl OwnedStates {
    pub(super) fn new(words: usize, hash: fn(&[u64]) -> u32) -> Self {
        let (store, numbers) = (StateStore::new(words, hash), RisingNumbers::default());
        Self { store, numbers, new: Candidates::new(words), firsts: vec![0] }
    }

    /// Forgets the new states of the last batch.
    pub(super) fn begin(&mut self) {
        self.new.clear();
        self.firsts.clear();
        self.firsts.push(0);
    }

    /// Looks up states that a process asks for, packed one after the other. Called once for each
    /// process in turn.
    pub(super) fn look_up(
        &mut self,
        states: &[u64],
        budget: &mut MemoryBudget,
    ) -> Result<Vec<OwnerAnswer>, Stop> {
        let (words, store) = (self.store.words(), &self.store);
        let (mut answers, mut found) = (Vec::new(), [None; GROUP]);
        for group in states.chunks(GROUP * words) {
            let hashes: Vec<u32> = group.chunks(words).map(|state| store.hash(state)).collect();
            store.find_group(group, &hashes, &mut found[..hashes.len()]);
            for ((state, hash), found) in group.chunks(words).zip(hashes).zip(found) {
                answers.push(if let Some(place) = found {
                    OwnerAnswer::Numbered(self.numbers.get(place))
                } else {
                    self.new.states.reserve(1, budget)?;
                    OwnerAnswer::New(self.new.add(Generated { state, hash, source: 0 }, budget)?)
                });
            }
        }
        self.firsts.push(self.new.len());
        Ok(answers)
    }

    /// The ranges of the new states by the process that was the first to ask for them.
    pub(super) fn firsts(&self) -> &[u32] {
        &self.firsts
    }

    /// Adds the new states, with a number for each.
    pub(super) fn keep_new(
        &mut self,
        numbers: &[u64],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        assert_eq!(numbers.len(), self.new.states.len(), "each new state has a number");
        for (place, number) in numbers.iter().enumerate() {
            self.store.insert_alone(self.new.states.get(place), budget)?;
            self.numbers.push(*number, budget)?;
        }
        Ok(())
    }

    /// Adds a state that must be unknown.
    pub(super) fn keep(
        &mut self,
        state: Generated<'_>,
        number: u64,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        self.store.insert_alone(state, budget)?;
        self.numbers.push(number, budget)
    }

    pub(super) fn len(&self) -> u32 {
        self.store.len()
    }

    /// Writes the state at this place to `state`, and returns its number.
    pub(super) fn read(&self, place: u32, state: &mut [u64]) -> u64 {
        self.store.read(place, state);
        self.numbers.get(place)
    }

    /// The memory of the states, in bytes, without those of the batch.
    pub(super) fn bytes(&self) -> u64 {
        self.store.bytes() + self.numbers.bytes()
    }

    /// The new states of the batch. Their memory is reused by the next one.
    pub(super) fn new_states(&self) -> &Candidates {
        &self.new
    }

    pub(super) fn new_states_mut(&mut self) -> &mut Candidates {
        &mut self.new
    }
}

/// A cache of states whose numbers this process has learned, so that it need not ask their owners
/// again. It has the lower bits, as edges have.
#[derive(Debug)]
pub(super) struct RecentStates {
    store: StateStore,
    numbers: Segmented<u32>,
}

impl RecentStates {
    pub(super) fn new(words: usize, hash: fn(&[u64]) -> u32) -> Self {
        Self { store: StateStore::new(words, hash), numbers: Segmented::default() }
    }

    pub(super) fn store(&self) -> &StateStore {
        &self.store
    }

    /// The lower bits of the number of the state at this place of the store.
    #[inline]
    pub(super) fn number(&self, place: u32) -> u32 {
        self.numbers.get(place as usize)
    }

    /// Adds a state that must be unknown.
    pub(super) fn add(
        &mut self,
        state: Generated<'_>,
        number: u32,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        self.numbers.reserve(budget)?;
        self.store.insert_alone(state, budget)?;
        self.numbers.push(number);
        Ok(())
    }

    /// The memory of the cache, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.store.bytes() + self.numbers.bytes()
    }
}
