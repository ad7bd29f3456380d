//! Masks: for each state, the claims whose `from` and whose `to` holds there.

use std::ops::Range;

use super::{MOST_CLAIMS, mask_of, obligations::count, state_values::StateValues};
use crate::{Stop, budget::MemoryBudget, explore::PackedStates, threads::in_order};

/// For each state, the claims whose `from` and whose `to` holds there; claim `i` is bit `i`.
#[derive(Debug)]
pub struct Masks(pub(super) StateValues<2>);

impl Masks {
    /// The masks `[from, to]` of the states, in order.
    ///
    /// # Panics
    /// If there are more than 2^32 of them.
    pub fn new(masks: &[[u64; 2]]) -> Self {
        let states = u32::try_from(masks.len()).expect("states have numbers");
        let mut budget = MemoryBudget::unlimited();
        let mut values = StateValues::new(states, &mut budget).expect("memory is not limited");
        for (state, mask) in (0..).zip(masks) {
            values.set(state, *mask, &mut budget).expect("memory is not limited");
        }
        Self(values)
    }

    /// The masks that `judge` gives to each of the states `0..states`, computed by up to `threads`
    /// threads, each with scratch memory made by `scratch`.
    ///
    /// # Errors
    /// If `stop`, which every thread polls, returns a reason, or memory does not suffice.
    ///
    /// # Panics
    /// If `scratch` or `judge` does.
    pub fn by<W: Send>(
        states: u32,
        threads: usize,
        budget: &mut MemoryBudget,
        stop: &(dyn Fn() -> Option<Stop> + Sync),
        scratch: impl Fn() -> W,
        judge: impl Fn(&mut W, u32) -> [u64; 2] + Sync,
    ) -> Result<Self, Stop> {
        let mut values = StateValues::new(states, budget)?;
        // A range has few distinct masks, so each thread interns those of its range first.
        let judged = |worker: &mut W, states: Range<u32>| {
            let mut budget = MemoryBudget::unlimited();
            let mut masks = StateValues::new(states.end - states.start, &mut budget)?;
            let judged = states.map(|state| judge(worker, state));
            (0..).zip(judged).try_for_each(|(at, mask)| masks.set(at, mask, &mut budget))?;
            Ok(masks)
        };
        in_order(states, threads, stop, scratch, judged, |states, masks| {
            values.set_all(states.start, &masks?, budget)
        })?;
        Ok(Self(values))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The claims whose `from` holds in `state`, and those whose `to` does.
    #[inline]
    pub fn get(&self, state: u32) -> [u64; 2] {
        self.0.get(state)
    }

    /// For each of the first `claims` claims, the number of states that have its `from`.
    ///
    /// # Errors
    /// If memory does not suffice.
    ///
    /// # Panics
    /// If there are more than [`MOST_CLAIMS`] claims.
    pub fn from_states(&self, claims: usize, memory: &mut MemoryBudget) -> Result<Vec<u64>, Stop> {
        let states = 0..u32::try_from(self.len()).expect("states have numbers");
        let counts = self.count_from(states, mask_of(claims), memory)?;
        Ok(counts[..claims].to_vec())
    }

    /// For each of these claims, the number of these states that have its `from`.
    pub(super) fn count_from(
        &self,
        states: impl Iterator<Item = u32>,
        claims: u64,
        memory: &mut MemoryBudget,
    ) -> Result<[u64; MOST_CLAIMS], Stop> {
        // There are few distinct masks, so each is split into claims once.
        let mut times = memory.filled(0_u64, self.0.values().len())?;
        states.for_each(|state| times[self.0.number_of(state)] += 1);
        let mut counts = [0; MOST_CLAIMS];
        for ([from, _], times) in self.0.values().iter().zip(&times) {
            count(&mut counts, from & claims, *times);
        }
        memory.free(times);
        Ok(counts)
    }

    /// Gives the memory of the masks back to the budget that it was taken from.
    pub fn free(self, budget: &mut MemoryBudget) {
        budget.give(self.bytes());
    }

    /// The memory of the masks, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// The masks that `judge` gives to each packed state, computed by up to `threads` threads, each
    /// with scratch memory made by `worker`.
    ///
    /// # Errors
    /// If `stop`, which every thread polls, returns a reason, or memory does not suffice.
    ///
    /// # Panics
    /// If `worker` or `judge` does.
    pub fn of<W: Send>(
        packed: &impl PackedStates,
        threads: usize,
        budget: &mut MemoryBudget,
        stop: &(dyn Fn() -> Option<Stop> + Sync),
        worker: impl Fn() -> W,
        judge: impl Fn(&mut W, &[u64]) -> (u64, u64) + Sync,
    ) -> Result<Self, Stop> {
        let scratch = || (worker(), vec![0; packed.words()]);
        Self::by(packed.states(), threads, budget, stop, scratch, |(worker, state), id| {
            packed.read(id, state);
            let (from, to) = judge(worker, state);
            [from, to]
        })
    }
}

impl PartialEq for Masks {
    /// Whether both have the same masks in each state.
    fn eq(&self, other: &Self) -> bool {
        let states = u32::try_from(self.len()).expect("states have numbers");
        self.len() == other.len() && (0..states).all(|state| self.get(state) == other.get(state))
    }
}
