//! What is asked of a scenario, and which answers it expects.

use deathwatch_model::{check::Asked, claims::Claim, clause::Clause};

use crate::scenario::{Expected, Scenario};

/// What is asked of a scenario.
pub(super) struct Asks {
    /// The claims, each with its expectation.
    pub(super) claims: Vec<(&'static Claim, Expected)>,
    /// The clauses that must be carried out.
    pub(super) witnesses: Vec<Clause>,
    /// Whether the numbers of states or transitions are.
    pub(super) counts: bool,
}

impl Asks {
    /// What `scenario` asks, or of claims `only` these.
    pub(super) fn of(scenario: &Scenario, only: &[&'static Claim]) -> Self {
        Self {
            claims: claims_asked(scenario, only),
            witnesses: if only.is_empty() { scenario.witnesses.clone() } else { Vec::new() },
            counts: scenario.states.is_some() || scenario.transitions.is_some(),
        }
    }

    /// Whether nothing is to be searched.
    pub(super) fn is_nothing(&self) -> bool {
        self.claims.is_empty() && self.witnesses.is_empty() && !self.counts
    }

    /// The answer that is expected.
    pub(super) fn expected(&self, asked: Asked) -> Expected {
        let Asked::Claim(claim) = asked else { return Expected::Holds };
        let asked = self.claims.iter().find(|(asked, _)| asked.name == claim.name);
        asked.expect("an engine answers only what it is asked").1
    }
}

/// The claims to decide, each with its expectation: one without is expected to hold.
fn claims_asked(scenario: &Scenario, only: &[&'static Claim]) -> Vec<(&'static Claim, Expected)> {
    if only.is_empty() {
        return scenario.claims.clone();
    }
    let expected = |claim: &Claim| {
        let known = scenario.claims.iter().find(|(known, _)| known.name == claim.name);
        known.map_or(Expected::Holds, |(_, expected)| *expected)
    };
    only.iter().map(|claim| (*claim, expected(claim))).collect()
}
