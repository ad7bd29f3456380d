//! Where a claim can be owed for ever while everybody who must move moves.
//!
//! A fair cycle lies in one component of the states that owe the claim. Is the component itself
//! unfair to a weak class, so is every part of it. Is it unfair to a strong class, a fair part
//! can only be one in which that class can never move: those states go, and what is left falls
//! into smaller components (Emerson and Lei). What remains in the end is fair as a whole, and
//! each of its states is an entry: a cycle can begin there.

use super::fairness_tracker::FairnessTracker;
use super::scc::Part;
use super::{Cancel, Question};
use crate::graph::{Fairness, Graph};

/// For each state the claims that a fair cycle through it leaves open for ever, and all of those.
///
/// `owed` may have been trimmed of what no cycle can owe.
pub(super) fn entries<G: Graph>(
    question: &Question<'_, G>,
    owed: &[u64],
    patience: &mut Cancel<'_>,
) -> Option<(Vec<u64>, u64)> {
    let mut search = Search {
        question,
        part: Part::new(question.graph.len()),
        census: FairnessTracker::new(question.fairness),
        entries: vec![0; owed.len()],
        found: 0,
    };
    let owing = (0..question.graph.len()).filter(|&state| owed[state as usize] != 0);
    let components = search.part.components(question, owing, patience)?;
    for component in components.iter() {
        for claims in alike(question.claims, component, owed) {
            let among = |state: &u32| owed[*state as usize] & claims != 0;
            let states: Vec<u32> = component.iter().copied().filter(among).collect();
            let whole = states.len() == component.len();
            let states = if whole { search.judge(claims, component, patience)? } else { states };
            search.settle(claims, states, patience)?;
        }
    }
    Some((search.entries, search.found))
}

/// What is at work, and what it has found.
struct Search<'a, G> {
    question: &'a Question<'a, G>,
    part: Part,
    census: FairnessTracker<'a>,
    entries: Vec<u64>,
    found: u64,
}

impl<G: Graph> Search<'_, G> {
    /// Finds the fair components of `states`, all of which owe `claims`.
    fn settle(&mut self, claims: u64, states: Vec<u32>, patience: &mut Cancel<'_>) -> Option<()> {
        let mut suspects = vec![states];
        while let Some(states) = suspects.pop() {
            let components =
                self.part.components(self.question, states.iter().copied(), patience)?;
            for component in components.iter() {
                suspects.push(self.judge(claims, component, patience)?);
            }
        }
        Some(())
    }

    /// Makes `component` entries if it is fair, or else returns those states of it in which
    /// something smaller may be.
    fn judge(
        &mut self,
        claims: u64,
        component: &[u32],
        patience: &mut Cancel<'_>,
    ) -> Option<Vec<u32>> {
        let graph = self.question.graph;
        self.census.component(graph, &mut self.part, component, patience)?;
        let mut rest = Vec::new();
        if self.census.lacks_any(Fairness::Strong) && !self.census.lacks_any(Fairness::Weak) {
            let free_ids = |label| self.census.lacks(label) == Fairness::None;
            let stays = |state: &u32| graph.edges(*state).all(|(_, label)| free_ids(label));
            rest.extend(component.iter().copied().filter(stays));
        } else if !self.census.lacks_any(Fairness::Weak) {
            self.found |= claims;
            for &state in component {
                self.entries[state as usize] |= claims;
            }
        }
        Some(rest)
    }
}

/// Groups the claims that exactly the same states of `component` owe.
fn alike(claims: u64, component: &[u32], owed: &[u64]) -> Vec<u64> {
    let mut groups = vec![claims];
    let mut before = claims;
    for &state in component {
        let mask = owed[state as usize];
        if mask != before {
            let split = |group: u64| [group & mask, group & !mask];
            groups = groups.into_iter().flat_map(split).filter(|&group| group != 0).collect();
            before = mask;
        }
    }
    groups
}
