//! How many edges lead to each state, and which states no cycle can come to.
//!
//! A state to which no edge leads lies on no cycle. So its own edges do not count, and without them
//! no edge may lead to other states, which are dropped as well (Kahn 1962). Where a cycle needs a
//! fault all states are dropped, which costs less than to find that they have no components.

use std::sync::atomic::{AtomicU8, Ordering};

use super::{
    Limits, MaskedQuestion, Team,
    pending_claims::PendingClaims,
    visits::{Due, SharedStateSet},
};
use crate::{Stop, budget::MemoryBudget, graph::Graph};

/// For each state the number of edges that lead there from reachable states and are no faults.
pub(super) struct InEdges {
    counts: Vec<AtomicU8>,
    /// Whether one thread counts, which is faster if no other has to see it.
    is_alone: bool,
}

/// As many, or more than can be counted: none of those is ever taken away.
const MANY: u8 = u8::MAX;

impl InEdges {
    /// None, for this number of states.
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

    /// Takes an edge to `state` away, and says whether none is left.
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

    /// Drops the states that no cycle can come to: nothing is `pending` there any more.
    ///
    /// `reached` are the states whose edges were counted. None is `due`.
    pub(super) fn drop_acyclic<G: Graph + Sync>(
        &self,
        question: &MaskedQuestion<'_, G>,
        reached: &SharedStateSet,
        due: &Due,
        pending: &PendingClaims,
        team: &Team,
        limits: &Limits<'_>,
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
