//! Where a claim can stay pending for ever while every class moves that has to.
//!
//! A fair cycle lies in one strongly connected component of the states in which the claim is
//! pending. If the component itself is unfair to a weak class, so is every part of it. If it is
//! unfair to a strong class, a fair part can only be one in which that class can never move: the
//! other states are dropped, and the rest falls into smaller components (Emerson and Lei). What
//! remains in the end is fair as a whole, and its states are accepting: a cycle can begin in each.

use super::{Cancel, MaskedQuestion, fairness_tracker::FairnessTracker, scc::Subgraph};
use crate::{
    Stop,
    graph::{Fairness, Graph},
};

/// For each state the claims that a fair cycle through it leaves pending for ever, and all of
/// those.
///
/// `pending` may have been trimmed of what cannot stay so on any cycle.
pub(super) fn accepting<G: Graph>(
    question: &MaskedQuestion<'_, G>,
    pending: &[u64],
    cancel: &mut Cancel<'_>,
) -> Result<(Vec<u64>, u64), Stop> {
    let mut search = CycleSearch {
        question,
        part: Subgraph::new(question.graph.len()),
        tracker: FairnessTracker::new(question.fairness),
        accepting: vec![0; pending.len()],
        found: 0,
    };
    let concerned = (0..question.graph.len()).filter(|&state| pending[state as usize] != 0);
    let components = search.part.components(question, concerned, cancel)?;
    for component in components.iter() {
        for claims in group_alike(question.claims, component, pending) {
            let among = |state: &u32| pending[*state as usize] & claims != 0;
            let states: Vec<u32> = component.iter().copied().filter(among).collect();
            let whole = states.len() == component.len();
            let states = if whole { search.judge(claims, component, cancel)? } else { states };
            search.refine(claims, states, cancel)?;
        }
    }
    Ok((search.accepting, search.found))
}

/// What is at work, and what it has found.
struct CycleSearch<'a, G> {
    question: &'a MaskedQuestion<'a, G>,
    part: Subgraph,
    tracker: FairnessTracker<'a>,
    accepting: Vec<u64>,
    found: u64,
}

impl<G: Graph> CycleSearch<'_, G> {
    /// Finds the fair components of `states`, in all of which `claims` are pending.
    fn refine(
        &mut self,
        claims: u64,
        states: Vec<u32>,
        cancel: &mut Cancel<'_>,
    ) -> Result<(), Stop> {
        let mut suspects = vec![states];
        while let Some(states) = suspects.pop() {
            let components = self.part.components(self.question, states.iter().copied(), cancel)?;
            for component in components.iter() {
                suspects.push(self.judge(claims, component, cancel)?);
            }
        }
        Ok(())
    }

    /// Makes the states of `component` accepting if it is fair, or else returns those of its states
    /// in which something smaller may be.
    fn judge(
        &mut self,
        claims: u64,
        component: &[u32],
        cancel: &mut Cancel<'_>,
    ) -> Result<Vec<u32>, Stop> {
        let graph = self.question.graph;
        self.tracker.component(graph, &mut self.part, component, cancel)?;
        let mut rest = Vec::new();
        if self.tracker.lacks_any(Fairness::Weak) {
            return Ok(rest);
        }
        if self.tracker.lacks_any(Fairness::Strong) {
            let is_fair_to = |label| self.tracker.lacks(label) == Fairness::None;
            let stays = |state: &u32| graph.edges(*state).all(|(_, label)| is_fair_to(label));
            rest.extend(component.iter().copied().filter(stays));
        } else {
            self.found |= claims;
            for &state in component {
                self.accepting[state as usize] |= claims;
            }
        }
        Ok(rest)
    }
}

/// Groups the claims that are pending in exactly the same states of `component`.
fn group_alike(claims: u64, component: &[u32], pending: &[u64]) -> Vec<u64> {
    let mut groups = vec![claims];
    let mut before = claims;
    for &state in component {
        let mask = pending[state as usize];
        if mask != before {
            let split = |group: u64| [group & mask, group & !mask];
            groups = groups.into_iter().flat_map(split).filter(|&group| group != 0).collect();
            before = mask;
        }
    }
    groups
}
