//! For each state, the claims that are pending in it.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Stop, budget::MemoryBudget};

/// A set of claims for each state, to which several threads add.
pub(super) struct PendingClaims(Vec<AtomicU64>);

impl PendingClaims {
    /// The empty set for each of `size` states.
    pub(super) fn new(size: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        let mut sets = Vec::new();
        memory.grow(&mut sets, size as usize)?;
        sets.resize_with(size as usize, AtomicU64::default);
        Ok(Self(sets))
    }

    pub(super) fn free(self, memory: &mut MemoryBudget) {
        memory.free(self.0);
    }

    /// The claims pending in `state`.
    #[inline]
    pub(super) fn get(&self, state: u32) -> u64 {
        self.0[state as usize].load(Ordering::Relaxed)
    }

    /// Adds to the claims of `state`.
    #[inline]
    pub(super) fn add(&self, state: u32, claims: u64) {
        self.0[state as usize].fetch_or(claims, Ordering::Relaxed);
    }

    /// Replaces the claims of `state`.
    #[inline]
    pub(super) fn set(&self, state: u32, claims: u64) {
        self.0[state as usize].store(claims, Ordering::Relaxed);
    }

    /// Whether any claim is pending in any state.
    pub(super) fn is_any(&self) -> bool {
        self.0.iter().any(|claims| claims.load(Ordering::Relaxed) != 0)
    }
}
