//! Questions: the claims that a scenario asks, and the answers that it expects.

use deathwatch_claims::{
    Claim,
    check::{FindingSubject, Refinement},
};
use deathwatch_model::{agents::not_of_outline, clause::Clause};
use deathwatch_scenario::scenario::{Expected, Scenario, expected_of};

use super::Refines;

/// The questions that a scenario asks.
pub(super) struct Questions {
    /// The claims, each with its expectation.
    pub(super) claims: Vec<(&'static Claim, Expected)>,
    /// The clauses that must be carried out.
    pub(super) witnesses: Vec<Clause>,
    /// The answer expected to whether the world keeps to its outline, if that is asked.
    pub(super) refines: Option<Expected>,
    /// Whether the number of states or of transitions is asked for.
    pub(super) counts: bool,
}

impl Questions {
    /// The questions of `scenario`; if `only` is not empty, only about these claims. A world with
    /// details that is searched is asked whether it keeps to its outline if `refines` says so.
    pub(super) fn of(scenario: &Scenario, only: &[&'static Claim], refines: Refines) -> Self {
        let is_searched = scenario.is_searched() || !only.is_empty();
        let by_default = match refines {
            Refines::EveryDetailedWorld
                if scenario.world.detail.any()
                    && is_searched
                    && not_of_outline(&scenario.world).is_none() =>
            {
                Some(Expected::Holds)
            }
            Refines::EveryDetailedWorld | Refines::AsScenariosAsk => None,
        };
        let own = scenario.refines.filter(|_| only.is_empty() || by_default.is_some());
        Self {
            claims: claims_of(scenario, only),
            witnesses: if only.is_empty() { scenario.witnesses.clone() } else { Vec::new() },
            refines: own.or(by_default),
            counts: scenario.states.is_some()
                || scenario.transitions.is_some()
                || scenario.any_size.is_some(),
        }
    }

    /// Whether nothing asks for a search.
    pub(super) fn is_empty(&self) -> bool {
        let asks = !self.claims.is_empty() || !self.witnesses.is_empty();
        !asks && self.refines.is_none() && !self.counts
    }

    pub(super) fn expected(&self, asked: FindingSubject) -> Expected {
        let known = match asked {
            FindingSubject::Claim(claim) => expected_of(&self.claims, claim),
            FindingSubject::Witness(_) => Some(Expected::Holds),
            FindingSubject::Refinement => self.refines,
        };
        known.expect("an engine answers only what it is asked")
    }

    /// The refinement that is asked for, if it is.
    pub(super) fn refinement<'a>(&self, scenario: &'a Scenario) -> Option<Refinement<'a>> {
        self.refines.map(|_| Refinement::of(&scenario.world))
    }
}

/// The claims to decide, each with its expectation. A claim without one is expected to hold.
fn claims_of(scenario: &Scenario, only: &[&'static Claim]) -> Vec<(&'static Claim, Expected)> {
    if only.is_empty() {
        return scenario.claims.clone();
    }
    let expected = |claim: &Claim| expected_of(&scenario.claims, claim).unwrap_or(Expected::Holds);
    let mut asked: Vec<(&'static Claim, Expected)> = Vec::with_capacity(only.len());
    for claim in only {
        if asked.iter().all(|(known, _)| known.name != claim.name) {
            asked.push((claim, expected(claim)));
        }
    }
    asked
}
