//! Accepting states: those on a cycle that is fair and on which a claim stays pending for ever.
//!
//! A fair cycle lies in one strongly connected component of the states in which the claim is
//! pending. If the component itself is unfair to a weakly fair class, so is every part of it. If it
//! is unfair to a strongly fair class, a fair part can only be one in which that class can never
//! move: the states in which it can are dropped, and the rest falls into smaller components
//! (Emerson and Lei). A component that is fair as a whole is accepting: a fair cycle can begin in
//! each of its states.

use super::{
    ClaimSets, DecisionLimits, MaskedQuestion, StateValues, fairness_tracker::FairnessTracker,
    pending_claims::PendingClaims, scc::Subgraph,
};
use crate::{
    Stop,
    graph::{Fairness, Graph},
};

/// For each state the claims that a fair cycle through it leaves pending for ever (`None` if no
/// state has any), and the union of those claims.
///
/// `pending` may have been trimmed of claims that stay pending on no cycle.
pub(super) fn accepting<G: Graph>(
    question: &MaskedQuestion<'_, G>,
    pending: &PendingClaims,
    limits: &mut DecisionLimits<'_>,
) -> Result<(Option<ClaimSets>, u64), Stop> {
    let mut search = CycleSearch {
        question,
        part: Subgraph::new(question.graph.len(), limits.memory)?,
        tracker: FairnessTracker::new(question.fairness),
        accepting: None,
        found: 0,
    };
    let concerned = (0..question.graph.len()).filter(|&state| pending.get(state) != 0);
    let components = search.part.components(question, concerned, limits)?;
    for component in components.iter() {
        for claims in group_alike(question.claims, component, pending) {
            let among = |state: &u32| pending.get(*state) & claims != 0;
            let is_whole = component.iter().all(among);
            let states = if is_whole {
                search.judge(claims, component, limits)?
            } else {
                collected(component.iter().copied().filter(among), component.len(), limits)?
            };
            search.refine(claims, states, limits)?;
        }
    }
    components.free(limits.memory);
    search.part.free(limits.memory);
    search.tracker.free(limits.memory);
    Ok((search.accepting, search.found))
}

/// The states of `some`, of which there are at most `most`, in memory taken from `limits`.
pub(super) fn collected(
    some: impl Iterator<Item = u32>,
    most: usize,
    limits: &mut DecisionLimits<'_>,
) -> Result<Vec<u32>, Stop> {
    let mut states = Vec::new();
    limits.memory.grow(&mut states, most)?;
    states.extend(some);
    limits.memory.shrink(&mut states);
    Ok(states)
}

/// A search for fair components, with its results.
struct CycleSearch<'a, G> {
    question: &'a MaskedQuestion<'a, G>,
    part: Subgraph,
    tracker: FairnessTracker<'a>,
    accepting: Option<ClaimSets>,
    found: u64,
}

impl<G: Graph> CycleSearch<'_, G> {
    /// Finds the fair components of `states`, in all of which `claims` are pending.
    fn refine(
        &mut self,
        claims: u64,
        states: Vec<u32>,
        limits: &mut DecisionLimits<'_>,
    ) -> Result<(), Stop> {
        let mut suspects = vec![states];
        while let Some(states) = suspects.pop() {
            let components = self.part.components(self.question, states.iter().copied(), limits)?;
            limits.memory.free(states);
            for component in components.iter() {
                suspects.push(self.judge(claims, component, limits)?);
            }
            components.free(limits.memory);
        }
        Ok(())
    }

    /// Makes the states of `component` accepting if it is fair. Otherwise returns those of its
    /// states among which a smaller fair component may lie.
    fn judge(
        &mut self,
        claims: u64,
        component: &[u32],
        limits: &mut DecisionLimits<'_>,
    ) -> Result<Vec<u32>, Stop> {
        let graph = self.question.graph;
        self.tracker.component(graph, &mut self.part, component, limits)?;
        if self.tracker.lacks_any(Fairness::Weak) {
            return Ok(Vec::new());
        }
        if self.tracker.lacks_any(Fairness::Strong) {
            let stays = |state: &u32| {
                let lacks = |label| self.tracker.lacks_at(graph, *state, label);
                graph.edges(*state).all(|(_, label)| lacks(label) == Fairness::None)
            };
            return collected(component.iter().copied().filter(stays), component.len(), limits);
        }
        self.found |= claims;
        let accepting = match &mut self.accepting {
            Some(accepting) => accepting,
            none => none.insert(StateValues::new(graph.len(), limits.memory)?),
        };
        for &state in component {
            let [others] = accepting.get(state);
            accepting.set(state, [others | claims], limits.memory)?;
        }
        Ok(Vec::new())
    }
}

/// Groups claims that are pending in the same states of `component`, to refine them at once.
fn group_alike(claims: u64, component: &[u32], pending: &PendingClaims) -> Vec<u64> {
    let mut groups = vec![claims];
    let mut before = claims;
    for &state in component {
        let mask = pending.get(state);
        if mask != before {
            let split = |group: u64| [group & mask, group & !mask];
            groups = groups.into_iter().flat_map(split).filter(|&group| group != 0).collect();
            before = mask;
        }
    }
    groups
}
