//! The run of a seed that is to be shrunk: the violation in it that says most.

use deathwatch_claims::{Claim, check::Stop, diagnosis::RootKind};
use deathwatch_model::{action::Action, rows::Row};
use deathwatch_scenario::{replay::Replay, scenario::Scenario};

use super::FailingRun;
use crate::simulate::{KeptBounds, SeedViolation, Simulation};

/// A run that violates a claim.
#[derive(Clone, Debug)]
pub struct FoundViolation {
    pub claim: &'static Claim,
    /// The document that violates it, if that is known.
    pub subject: Option<Row>,
    /// The root that the stuck subject must keep, if one is given.
    pub root: Option<RootKind>,
    /// The steps, from the start of the script on.
    pub steps: Vec<Action>,
    /// The scenario in whose world it runs.
    pub scenario: Scenario,
}

impl FoundViolation {
    /// The run of `seed`, which goes on where `replay` ends, if it violates any of the claims that
    /// are `asked` for: the first of them that it does. With a root that one is meant, of several
    /// violations, which comes from the fewest roots: it says most about this one. `until` is a
    /// claim with whose violation the run ends.
    ///
    /// # Errors
    /// The reason why the run did not get to its end, if one of the bounds came first.
    pub fn of_seed(
        (simulation, replay): (&Simulation<'_>, &Replay),
        seed: u64,
        asked: &[&'static Claim],
        until: Option<&'static Claim>,
        root: Option<RootKind>,
        bounds: &KeptBounds<'_>,
    ) -> Result<Option<Self>, Stop> {
        let (run, actions, _) = simulation.trace_within(seed, until, bounds)?;
        let violation =
            |claim: &&'static Claim| run.violations.iter().find(|it| it.claim.name == claim.name);
        let is_for = |it: &&SeedViolation| root.is_none_or(|root| has_root(it, root));
        let mut found = asked.iter().filter_map(violation).filter(is_for);
        let violation = match root {
            None => found.next(),
            Some(_) => found.min_by_key(|it| it.wait_for.as_ref().map_or(0, |it| it.roots.len())),
        };
        Ok(violation.map(|violation| Self {
            claim: violation.claim,
            subject: Some(violation.subject),
            root,
            steps: replay.actions.iter().copied().chain(actions).collect(),
            scenario: simulation.drawn(seed).clone(),
        }))
    }

    /// The run to shrink, as the shrinker takes it.
    pub fn failing(&self) -> FailingRun<'_> {
        let Self { claim, subject, root, steps, scenario } = self;
        FailingRun { scenario, claim, subject: *subject, steps, root: *root }
    }
}

/// Whether the stuck subject has such a root.
fn has_root(violation: &SeedViolation, root: RootKind) -> bool {
    violation.wait_for.as_ref().is_some_and(|it| it.kinds().any(|kind| kind == root))
}
