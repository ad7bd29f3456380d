//! When a search stops early, and the memory it counts.
//!
//! Memory is counted by capacity and asked for before it is taken, old and new side by side where
//! something moves. What the operating system sees depends on the machine; this does not, so a
//! search stops at the same state everywhere.

use std::mem::size_of;

/// The most states a search can number: one bit less than a `u32` holds.
pub(super) const MOST_STATES: u32 = 1 << 31;

/// How far a search may go.
pub struct Limits<'l> {
    /// At most this many states are numbered.
    pub max_states: Option<u64>,
    /// At most this much memory is in use, not counting the workers' own.
    pub max_bytes: Option<u64>,
    /// Asked every few dozen states, by every thread, whether to stop now.
    pub stop: &'l (dyn Fn() -> Option<Stop> + Sync),
}

impl Limits<'static> {
    /// As far as it goes.
    pub const NONE: Self = Self { max_states: None, max_bytes: None, stop: &|| None };
}

/// Why a search stopped early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There are more states than it may number.
    States,
    /// There are more states than fit into the memory it may use.
    Memory,
    /// There was no more time.
    Time,
    /// Somebody interrupted it.
    Interrupted,
    /// The space could not go on, for this reason.
    Space(String),
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every reachable state was expanded.
    Exhausted,
    /// It stopped early, and knows only a part of the states.
    Stopped(Stop),
}

/// The memory in use, and how much there may be.
#[derive(Debug)]
pub(super) struct Budget {
    used: u64,
    /// What was used when the present share was allowed.
    before: u64,
    peak: u64,
    max: u64,
    max_states: u32,
}

impl Budget {
    pub(super) fn new(limits: &Limits<'_>) -> Self {
        let most = u64::from(MOST_STATES);
        let max_states = limits.max_states.map_or(most, |states| states.min(most));
        Self {
            used: 0,
            before: 0,
            peak: 0,
            max: limits.max_bytes.unwrap_or(u64::MAX),
            max_states: u32::try_from(max_states).expect("the most states fit"),
        }
    }

    /// Nothing is used and nothing may be.
    pub(super) fn empty() -> Self {
        Self { used: 0, before: 0, peak: 0, max: 0, max_states: 0 }
    }

    /// Allows `share` more than is used now, and forgets the peak.
    pub(super) fn allow(&mut self, share: u64) {
        self.before = self.used;
        self.peak = self.used;
        self.max = self.used.saturating_add(share);
    }

    pub(super) fn used(&self) -> u64 {
        self.used
    }

    pub(super) fn peak(&self) -> u64 {
        self.peak
    }

    pub(super) fn left(&self) -> u64 {
        self.max.saturating_sub(self.used)
    }

    /// Whether one state more than `states` may be numbered.
    pub(super) fn one_more(&self, states: u32) -> Result<(), Stop> {
        if states < self.max_states { Ok(()) } else { Err(Stop::States) }
    }

    /// Counts memory that is about to be taken.
    pub(super) fn take(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.left() {
            return Err(Stop::Memory);
        }
        self.used += bytes;
        self.peak = self.peak.max(self.used);
        Ok(())
    }

    /// Counts memory that was given back.
    pub(super) fn give(&mut self, bytes: u64) {
        self.used -= bytes;
    }

    /// Makes room for `more` items, at least doubling what is there so that this is rare.
    #[inline]
    pub(super) fn reserve<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), Stop> {
        if items.capacity() - items.len() >= more {
            return Ok(());
        }
        self.grow(items, (items.len() + more).max(2 * items.capacity()))
    }

    /// Makes room for `capacity` items in all.
    pub(super) fn grow<T>(&mut self, items: &mut Vec<T>, capacity: usize) -> Result<(), Stop> {
        let old = bytes_of(items);
        self.take((capacity * size_of::<T>()) as u64)?;
        items.reserve_exact(capacity - items.len());
        self.give(old);
        Ok(())
    }

    /// Gives back what `items` do not need.
    pub(super) fn shrink<T>(&mut self, items: &mut Vec<T>) {
        let old = bytes_of(items);
        items.shrink_to_fit();
        self.give(old - bytes_of(items));
    }

    /// Adds what `parts`, each within its share, have taken side by side since [`Self::allow`].
    pub(super) fn absorb<'b>(&mut self, parts: impl Iterator<Item = &'b Budget>) {
        let mut peak = self.used;
        for part in parts {
            peak += part.peak - part.before;
            self.used += part.used - part.before;
        }
        self.peak = self.peak.max(peak);
    }
}

fn bytes_of<T>(items: &Vec<T>) -> u64 {
    (items.capacity() * size_of::<T>()) as u64
}
