//! The memory that a search counts, and how much there may be.
//!
//! Memory is counted by capacity and asked for before it is taken, old and new side by side where
//! something moves. What the operating system sees depends on the machine; this does not, so a
//! search stops at the same state everywhere.

use std::mem::size_of;

use super::Limits;
use crate::{Stop, graph::MOST_STATES};

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

    /// Asks to number one state more than `states`.
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
