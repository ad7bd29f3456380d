//! A work set of states, visited by several threads until it is empty.
//!
//! A visit may make other states due. Explorers number states breadth first, so most of those have
//! larger numbers, and states are visited in sweeps of rising order: one sweep does nearly
//! everything, and later ones take the states that became due behind it. Threads share a sweep, so
//! the order of visits differs from run to run. Its result does not, if visits only add to sets or
//! decrement counts, as these operations commute.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use super::{DecisionLimits, Team};
use crate::{Stop, budget::MemoryBudget};

/// The greatest number of chunks that are handed out at once.
const CHUNKS: usize = 1 << 6;

/// A set of states, a bit each, to which several threads add.
pub(super) struct SharedStateSet(Vec<AtomicU64>);

impl SharedStateSet {
    /// The empty set over states `0..size`.
    pub(super) fn new(size: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        let mut words = Vec::new();
        memory.grow(&mut words, size.div_ceil(64) as usize)?;
        words.resize_with(size.div_ceil(64) as usize, AtomicU64::default);
        Ok(Self(words))
    }

    pub(super) fn free(self, memory: &mut MemoryBudget) {
        memory.free(self.0);
    }

    /// Adds `state`; returns whether it is new.
    #[inline]
    pub(super) fn insert(&self, state: u32) -> bool {
        let (word, bit) = (&self.0[state as usize / 64], 1 << (state % 64));
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// The states, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = (0..).step_by(64).zip(&self.0);
        words.flat_map(|(first, word)| states_in(word.load(Ordering::Relaxed), first))
    }
}

/// The states that are due.
pub(super) struct Due(SharedStateSet);

/// The view that a visit has of `Due`: the chunk of words being visited, and the words of states
/// that became due outside it.
pub(super) struct Reach<'d> {
    due: &'d SharedStateSet,
    /// Index of the word being visited, and the end of its chunk.
    at: usize,
    end: usize,
    /// Ranges of words before `at`, and from `end` on, in which states became due.
    behind: Range<usize>,
    ahead: Range<usize>,
}

impl Due {
    /// The empty set over states `0..size`.
    pub(super) fn new(size: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        SharedStateSet::new(size, memory).map(Self)
    }

    pub(super) fn free(self, memory: &mut MemoryBudget) {
        self.0.free(memory);
    }

    pub(super) fn insert(&self, state: u32) {
        self.0.insert(state);
    }

    /// Visits the states that are due, and those that visits make due, until there are none.
    pub(super) fn visit_all(
        &self,
        team: &Team,
        limits: &DecisionLimits<'_>,
        visit: impl Fn(u32, &mut Reach<'_>) + Sync,
    ) -> Result<(), Stop> {
        let (stop, chunk) = (limits.stop, team.chunk.div_ceil(64) as usize);
        let mut sweep = 0..self.0.0.len();
        while !sweep.is_empty() {
            let mut behind = NOTHING;
            while !sweep.is_empty() {
                let end = sweep.end.min(sweep.start + CHUNKS * chunk);
                let firsts = (sweep.start..end).step_by(chunk);
                let chunks = firsts.map(|first| Reach::new(self, first, end.min(first + chunk)));
                let mut chunks: Vec<_> = chunks.map(|reach| (reach, None)).collect();
                team.workers.run(&mut chunks, |(), (reach, stopped)| {
                    *stopped = (stop)();
                    if stopped.is_none() {
                        self.visit_chunk(reach, &visit);
                    }
                });
                for (reach, stopped) in chunks {
                    stopped.map_or(Ok(()), Err)?;
                    // Another thread may have passed this word before the state became due.
                    let missed = reach.ahead.start..reach.ahead.end.min(end);
                    behind = joined(behind, joined(reach.behind, missed));
                    sweep.end = sweep.end.max(reach.ahead.end);
                }
                sweep.start = end;
            }
            sweep = behind;
        }
        Ok(())
    }

    /// Visits the due states of a chunk, including those that its visits add to it.
    fn visit_chunk(&self, reach: &mut Reach<'_>, visit: &impl Fn(u32, &mut Reach<'_>)) {
        for at in reach.at..reach.end {
            reach.at = at;
            let word = &self.0.0[at];
            while word.load(Ordering::Relaxed) != 0 {
                // Pairs with the `Release` in `Reach::insert`: all earlier writes are visible here.
                let due = word.swap(0, Ordering::Acquire);
                let first = u32::try_from(at * 64).expect("states are 32 bits");
                states_in(due, first).for_each(|state| visit(state, reach));
            }
        }
    }
}

impl<'d> Reach<'d> {
    /// A chunk of words, from which nothing was made due yet.
    fn new(due: &'d Due, at: usize, end: usize) -> Self {
        Self { due: &due.0, at, end, behind: NOTHING, ahead: NOTHING }
    }

    #[inline]
    pub(super) fn insert(&mut self, state: u32) {
        let word = state as usize / 64;
        // The bit is written even if it is set: otherwise the thread that takes it might not see
        // the writes that this visit made before.
        self.due.0[word].fetch_or(1 << (state % 64), Ordering::Release);
        if word < self.at {
            self.behind = joined(self.behind.clone(), word..word + 1);
        } else if word >= self.end {
            self.ahead = joined(self.ahead.clone(), word..word + 1);
        }
    }
}

/// The empty range of words, which is neutral in `joined`.
const NOTHING: Range<usize> = Range { start: usize::MAX, end: 0 };

/// The smallest range that covers both.
fn joined(one: Range<usize>, other: Range<usize>) -> Range<usize> {
    if other.is_empty() { one } else { one.start.min(other.start)..one.end.max(other.end) }
}

/// The states in a word whose lowest bit stands for `first`.
#[inline]
fn states_in(mut word: u64, first: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then_some(word.trailing_zeros())?;
        word &= word - 1;
        Some(first + bit)
    })
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::fair::LeadsOptions;

    /// The number of visits to each of the states 0, 64 and 128. States 0 and 128 are due at first;
    /// `visit` also gets the counts so far.
    fn visits(visit: impl Fn(u32, &mut Reach<'_>, &[AtomicU64]) + Sync) -> Vec<u64> {
        let mut memory = MemoryBudget::unlimited();
        let due = Due::new(129, &mut memory).unwrap();
        let limits = DecisionLimits { ticks: 0, memory: &mut memory, stop: &|| None };
        let team = Team::new(129, LeadsOptions { threads: 2, chunk: 64 });
        assert!(!team.workers.is_alone(), "there are two threads");
        due.insert(0);
        due.insert(128);
        let counts = [0; 3].map(AtomicU64::new);
        let visits = due.visit_all(&team, &limits, |state, reach| {
            counts[state as usize / 64].fetch_add(1, Ordering::SeqCst);
            visit(state, reach, &counts);
        });
        assert_eq!(visits, Ok(()));
        counts.map(AtomicU64::into_inner).to_vec()
    }

    /// Waits for the first visit that `count` counts.
    fn await_visit(count: &AtomicU64) {
        while count.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
    }

    #[test]
    fn a_state_that_becomes_due_after_another_thread_was_there_is_visited_again() {
        let ahead = visits(|state, reach, counts| {
            if state == 0 {
                await_visit(&counts[2]);
                reach.insert(128);
                reach.insert(64);
            }
        });
        assert_eq!(ahead, [1, 1, 2]);
        let behind = visits(|state, reach, counts| {
            if state == 128 && counts[2].load(Ordering::SeqCst) == 1 {
                await_visit(&counts[0]);
                reach.insert(0);
                reach.insert(128);
            }
        });
        assert_eq!(behind, [2, 0, 2]);
    }
}
