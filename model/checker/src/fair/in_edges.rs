//! In-degrees of states, and the removal of states that no cycle can reach.
//!
//! A state without incoming edges lies on no cycle. So it is dropped with its outgoing edges, which
//! may leave other states without incoming edges: those are dropped as well (Kahn 1962). If every
//! cycle needs a fault, all states are dropped, which costs less than a search for components.

use std::sync::atomic::{AtomicU8, Ordering};

use super::{
    DecisionLimits, MaskedQuestion, Team,
    pending_claims::PendingClaims,
    visits::{Due, SharedStateSet},
};
use crate::{Stop, budget::MemoryBudget, graph::Graph};

/// For each state, the number of incoming edges from reachable states, without faults.
pub(super) struct InEdges {
    counts: Vec<AtomicU8>,
    /// Whether a single thread counts, which then needs no atomic read-modify-write.
    is_alone: bool,
}

/// A saturated count: this many or more. It is never decremented, so such a state is never dropped.
const MANY: u8 = u8::MAX;

impl InEdges {
    /// Zeros for this number of states.
    pub(super) fn new(size: u32, team: &Team, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        let mut counts = Vec::new();
        memory.grow(&mut counts, size as usize)?;
        counts.resize_with(size as usize, AtomicU8::default);
        Ok(Self { counts, is_alone: team.workers.is_alone() })
    }

    pub(super) fn free(self, memory: &mut MemoryBudget) {
        memory.free(self.counts);
    }

    /// Counts an edge to `state`.
    #[inline]
    pub(super) fn add(&self, state: u32) {
        let count = &self.counts[state as usize];
        if self.is_alone {
            let before = count.load(Ordering::Relaxed);
            count.store(before.saturating_add(1), Ordering::Relaxed);
        } else {
            let more = |count: u8| count.checked_add(1);
            count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok();
        }
    }

    /// Takes one edge to `state` away; returns whether none is left.
    #[inline]
    fn take(&self, state: u32) -> bool {
        let count = &self.counts[state as usize];
        let before = count.load(Ordering::Relaxed);
        if before == MANY {
            false
        } else if self.is_alone {
            count.store(before - 1, Ordering::Relaxed);
            before == 1
        } else {
            count.fetch_sub(1, Ordering::Relaxed) == 1
        }
    }

    /// Clears `pending` in the states that no cycle can reach.
    ///
    /// `reached` are the states whose edges were counted. `due` is empty before and after.
    pub(super) fn drop_acyclic<G: Graph + Sync>(
        &self,
        question: &MaskedQuestion<'_, G>,
        reached: &SharedStateSet,
        due: &Due,
        pending: &PendingClaims,
        team: &Team,
        limits: &DecisionLimits<'_>,
    ) -> Result<(), Stop> {
        let count = |state: u32| self.counts[state as usize].load(Ordering::Relaxed);
        reached.iter().filter(|state| count(*state) == 0).for_each(|state| due.insert(state));
        due.visit_all(team, limits, |state, reach| {
            pending.set(state, 0);
            for (next, _) in question.lasting(state) {
                if self.take(next) {
                    reach.insert(next);
                }
            }
        })
    }
}
