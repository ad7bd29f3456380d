//! Propagation of pending obligations.
//!
//! An obligation is pending in a state if some path that ends there leaves it open. Faults count
//! here: they may strike on the way. While the edges of a state are decoded, two more facts are
//! noted: whether a run may stop there, and the number of edges that lead to each state.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{
    DecisionLimits, MaskedQuestion, Team, fairness_of,
    in_edges::InEdges,
    pending_claims::PendingClaims,
    visits::{Due, SharedStateSet},
};
use crate::{
    Stop,
    graph::{Fairness, Graph, Label},
};

/// The result of the propagation.
pub(super) struct Obligations {
    /// The claims pending in each state.
    pub(super) pending: PendingClaims,
    /// For each claim, the number of reachable states that have its `from`.
    pub(super) from_states: [u64; 64],
    /// The claims pending in some terminal state, which are violated: a run may stop there.
    pub(super) at_terminals: u64,
}

/// Propagates all obligations to a fixed point, then clears those in states that no cycle can
/// reach, as they cannot stay pending for ever.
pub(super) fn carried_on<G: Graph + Sync>(
    question: &MaskedQuestion<'_, G>,
    team: &Team,
    limits: &mut DecisionLimits<'_>,
) -> Result<Obligations, Stop> {
    let (graph, size) = (question.graph, question.graph.len());
    let pending = PendingClaims::new(size, limits.memory)?;
    let reached = SharedStateSet::new(size, limits.memory)?;
    let visited = SharedStateSet::new(size, limits.memory)?;
    let due = Due::new(size, limits.memory)?;
    let in_edges = InEdges::new(size, team, limits.memory)?;
    let at_terminals = AtomicU64::new(0);
    for &start in graph.starts() {
        reached.insert(start);
        pending.add(start, question.after(0, start));
        due.insert(start);
    }
    due.visit_all(team, limits, |state, reach| {
        let (here, is_new) = (pending.get(state), visited.insert(state));
        let mut is_terminal = true;
        for (next, label) in graph.edges(state) {
            is_terminal = is_terminal && fairness_of(question.fairness, label) == Fairness::None;
            if is_new && !label.is_fault() {
                in_edges.add(next);
            }
            let (first, there) = (reached.insert(next), pending.get(next));
            // A state's own `from` was counted when it was first reached, so only `here` is new.
            if !first && here & !there == 0 {
                continue;
            }
            let more = question.after(here, next) & !there;
            if first || more != 0 {
                pending.add(next, more);
                reach.insert(next);
            }
        }
        if is_terminal && here & !at_terminals.load(Ordering::Relaxed) != 0 {
            at_terminals.fetch_or(here, Ordering::Relaxed);
        }
    })?;
    let from_states = question.masks.count_from(reached.iter(), question.claims, limits.memory)?;
    visited.free(limits.memory);
    in_edges.drop_acyclic(question, &reached, &due, &pending, team, limits)?;
    in_edges.free(limits.memory);
    reached.free(limits.memory);
    due.free(limits.memory);
    Ok(Obligations { pending, from_states, at_terminals: at_terminals.into_inner() })
}

/// The greatest number of spans in a sweep of `trim`. With more, threads would learn of changes
/// sooner, and wait for each other more often.
const SPANS: u32 = 1 << 6;

/// Clears from `pending` claims that cannot stay pending for ever, because every path on closes
/// them or ends. Returns whether anything is left.
///
/// This is much cheaper than a search for cycles, and often leaves nothing for it. It need not be
/// complete, so it ends with a sweep that drops at most an eighth as many states as it keeps.
///
/// A sweep takes spans in falling order. All states of a span are judged by the values from before
/// the span, so the result does not depend on the number of threads.
pub(super) fn trim<G: Graph + Sync>(
    question: &MaskedQuestion<'_, G>,
    pending: &PendingClaims,
    team: &Team,
    limits: &mut DecisionLimits<'_>,
) -> Result<bool, Stop> {
    if !pending.is_any() {
        return Ok(false);
    }
    let (size, stop) = (question.graph.len(), limits.stop);
    let span = size.div_ceil(SPANS).max(team.chunk);
    let mut left = limits.memory.filled(0, span as usize)?;
    let is_left = loop {
        let (mut kept, mut dropped) = (0_u64, 0_u64);
        for first in (0..size).step_by(span as usize).rev() {
            let states = size.min(first.saturating_add(span)) - first;
            let chunks = left[..states as usize].chunks_mut(team.chunk as usize);
            let firsts = (first..).step_by(team.chunk as usize);
            let mut chunks: Vec<_> = firsts.zip(chunks).map(|it| (it, Ok((0, 0)))).collect();
            team.workers.run(&mut chunks, |(), ((first, left), done)| {
                *done = (stop)().map_or_else(|| Ok(trimmed(question, pending, *first, left)), Err);
            });
            for ((first, left), done) in chunks {
                let counts = done?;
                (kept, dropped) = (kept + counts.0, dropped + counts.1);
                (first..).zip(left).for_each(|(state, left)| pending.set(state, *left));
            }
        }
        if dropped * 8 <= kept || kept == 0 {
            break kept != 0;
        }
    };
    limits.memory.free(left);
    Ok(is_left)
}

/// Writes to `left` the claims that stay pending in the states from `first` on. Returns, of the
/// states that had pending claims, how many keep some and how many keep none.
fn trimmed<G: Graph>(
    question: &MaskedQuestion<'_, G>,
    pending: &PendingClaims,
    first: u32,
    left: &mut [u64],
) -> (u64, u64) {
    let (mut kept, mut dropped) = (0, 0);
    for (state, left) in (first..).zip(left) {
        let mask = pending.get(state);
        *left = 0;
        if mask != 0 {
            *left = goes_on(mask, question.lasting(state), |next| pending.get(next));
            *(if *left == 0 { &mut dropped } else { &mut kept }) += 1;
        }
    }
    (kept, dropped)
}

/// The claims of `mask` that are also pending in a successor along one of these edges.
pub(super) fn goes_on(
    mask: u64,
    edges: impl Iterator<Item = (u32, Label)>,
    pending: impl Fn(u32) -> u64,
) -> u64 {
    let mut lasting = 0;
    for (next, _) in edges {
        lasting |= mask & pending(next);
        if lasting == mask {
            break;
        }
    }
    lasting
}

/// Adds `times` to the count of each claim in `mask`.
pub(super) fn count(counts: &mut [u64; 64], mut mask: u64, times: u64) {
    while mask != 0 {
        counts[mask.trailing_zeros() as usize] += times;
        mask &= mask - 1;
    }
}
