//! The shortest run of each kind of failure: what is left of its smallest seed or of its clearest one.

use deathwatch_documents::{Shrunk, sweep::ShrunkRun};
use deathwatch_model::{check::Stop, claims::Claim};
use deathwatch_scenario::{Expected, replay::Replay};

use super::{
    groups::{Group, Kind},
    report::Report,
};
use crate::{
    shrink::{Budget, Found, document, shrink},
    simulate::{KeptBounds, Simulation},
};

/// For each group of the report its shortest run; `None` if no run of it can be carried out without
/// its simulation. `budget` makes the bounds of each reduction. The order of everything is fixed.
pub fn shortest<'b>(
    report: &Report,
    (simulation, replay): (&Simulation<'_>, &Replay),
    budget: &dyn Fn() -> Budget<'b>,
) -> Vec<Option<ShrunkRun>> {
    let of_group = |group: &Group| {
        let asked = asked(group, &simulation.claims);
        let mut seeds = vec![group.clearest.seed, group.first.seed];
        seeds.dedup();
        let runs = seeds.into_iter().filter_map(|seed| {
            let origin = format!("seed {seed} of {}", report.scenario);
            one((simulation, replay), (seed, &origin), group, &asked, budget())
        });
        runs.min_by_key(|(run, entities)| (run.steps.len(), *entities, run.seed))
            .map(|(run, _)| run)
    };
    report.groups.iter().map(of_group).collect()
}

/// The claims whose violations belong to a group.
fn asked(group: &Group, claims: &[(&'static Claim, Expected)]) -> Vec<&'static Claim> {
    let is_asked = |(at, (_, expected)): &(usize, &(&'static Claim, Expected))| match &group.kind {
        Kind::Root(_) => (*expected != Expected::Violated) == group.is_unexpected,
        Kind::Claim(claim, ..) => at == claim,
    };
    claims.iter().enumerate().filter(is_asked).map(|(_, (claim, _))| *claim).collect()
}

/// The run of a seed after shrinking, and the number of entities of its world.
fn one(
    of: (&Simulation<'_>, &Replay),
    (seed, origin): (u64, &str),
    group: &Group,
    asked: &[&'static Claim],
    budget: Budget<'_>,
) -> Option<(ShrunkRun, usize)> {
    let root = match group.kind {
        Kind::Root(root) => Some(root),
        Kind::Claim(..) => None,
    };
    let until = match asked {
        [only] if root.is_none() => Some(*only),
        _ => None,
    };
    let stop = || (budget.stop)().then_some(Stop::Interrupted);
    let bounds = KeptBounds { stop: &stop, ..KeptBounds::NONE };
    let found = Found::of_seed(of, seed, asked, until, root, &bounds).ok()??;
    let shrunk = shrink(&found.failing(), origin, budget)?;
    let after = shrunk.after;
    let entities = after.machines + after.applications + after.units + after.relations;
    let Shrunk { claim, subject, before, minimal, steps, text, .. } =
        document::document(&shrunk, None);
    let run = ShrunkRun { seed, claim, subject, from_steps: before.steps, steps, minimal, text };
    Some((run, entities))
}
