//! Shrunk runs of a sweep: the shortest run of each kind of failure, from its smallest or its
//! clearest seed.

use deathwatch_claims::{Claim, check::Stop, diagnosis::RootKind};
use deathwatch_documents::{
    Expected, Shrunk, Sweep,
    sweep::{FailureGroup, ShrunkRun},
};
use deathwatch_scenario::replay::Replay;

use crate::{
    shrink::{Budget, FoundViolation, document, shrink},
    simulate::{KeptBounds, Simulation},
};

/// Finds the shortest run of each group; none, if no run of it can be carried out without its
/// simulation. `budget` makes the bounds of each reduction. The order of everything is fixed.
pub fn shortest<'b>(
    sweep: &mut Sweep,
    (simulation, replay): (&Simulation<'_>, &Replay),
    budget: &dyn Fn() -> Budget<'b>,
) {
    for group in &mut sweep.groups {
        let asked = claims_of(group, &simulation.claims);
        let mut seeds = vec![group.clearest_seed, group.first_seed];
        seeds.dedup();
        let runs = seeds.into_iter().filter_map(|seed| {
            let origin = format!("seed {seed} of {}", sweep.scenario);
            one((simulation, replay), (seed, &origin), root(group), &asked, budget())
        });
        let shortest = runs.min_by_key(|(run, entities)| (run.steps.len(), *entities, run.seed));
        group.shrunk = shortest.map(|(run, _)| run);
    }
}

/// The root of a group, if it is one of a kind of root.
fn root(group: &FailureGroup) -> Option<RootKind> {
    group.text.as_ref().and_then(|_| RootKind::named(&group.kind))
}

/// The claims whose violations belong to a group.
fn claims_of(group: &FailureGroup, claims: &[(&'static Claim, Expected)]) -> Vec<&'static Claim> {
    let is_asked = |(claim, expected): &&(&'static Claim, Expected)| match root(group) {
        Some(_) => (*expected == Expected::Violated) == group.expected,
        None => claim.name == group.claim,
    };
    claims.iter().filter(is_asked).map(|(claim, _)| *claim).collect()
}

/// The run of a seed after shrinking, and the number of entities of its world.
fn one(
    of: (&Simulation<'_>, &Replay),
    (seed, origin): (u64, &str),
    root: Option<RootKind>,
    asked: &[&'static Claim],
    budget: Budget<'_>,
) -> Option<(ShrunkRun, usize)> {
    let until = match asked {
        [only] if root.is_none() => Some(*only),
        _ => None,
    };
    let stop = || (budget.stop)().then_some(Stop::Interrupted);
    let bounds = KeptBounds { stop: &stop, ..KeptBounds::NONE };
    let found = FoundViolation::of_seed(of, seed, asked, until, root, &bounds).ok()??;
    let shrunk = shrink(&found.failing(), origin, budget)?;
    let after = shrunk.after;
    let entities = after.machines + after.applications + after.units + after.relations;
    let Shrunk { claim, subject, before, minimal, steps, text, .. } = document(&shrunk, None);
    let run = ShrunkRun { seed, claim, subject, from_steps: before.steps, steps, minimal, text };
    Some((run, entities))
}
