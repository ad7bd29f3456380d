//! Questions: what a scenario asks, and which answers it expects.

use deathwatch_model::{check::Asked, claims::Claim, clause::Clause};

use crate::scenario::{Expected, Scenario};

/// The questions that a scenario asks.
pub(super) struct Questions {
    /// The claims, each with its expectation.
    pub(super) claims: Vec<(&'static Claim, Expected)>,
    /// The clauses that must be carried out.
    pub(super) witnesses: Vec<Clause>,
    /// Whether the number of states or of transitions is asked for.
    pub(super) counts: bool,
}

impl Questions {
    /// The questions of `scenario`; if `only` is not empty, only about these claims.
    pub(super) fn of(scenario: &Scenario, only: &[&'static Claim]) -> Self {
        Self {
            claims: claims_of(scenario, only),
            witnesses: if only.is_empty() { scenario.witnesses.clone() } else { Vec::new() },
            counts: scenario.states.is_some() || scenario.transitions.is_some(),
        }
    }

    /// Whether nothing asks for a search.
    pub(super) fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.witnesses.is_empty() && !self.counts
    }

    /// The answer that is expected.
    pub(super) fn expected(&self, asked: Asked) -> Expected {
        let Asked::Claim(claim) = asked else { return Expected::Holds };
        let asked = self.claims.iter().find(|(asked, _)| asked.name == claim.name);
        asked.expect("an engine answers only what it is asked").1
    }
}

/// The claims to decide, each with its expectation. A claim without one is expected to hold.
fn claims_of(scenario: &Scenario, only: &[&'static Claim]) -> Vec<(&'static Claim, Expected)> {
    if only.is_empty() {
        return scenario.claims.clone();
    }
    let expected = |claim: &Claim| {
        let known = scenario.claims.iter().find(|(known, _)| known.name == claim.name);
        known.map_or(Expected::Holds, |(_, expected)| *expected)
    };
    let mut asked: Vec<(&'static Claim, Expected)> = Vec::with_capacity(only.len());
    for claim in only {
        if asked.iter().all(|(known, _)| known.name != claim.name) {
            asked.push((claim, expected(claim)));
        }
    }
    asked
}
