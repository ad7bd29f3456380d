//! Shrinking: a run that violates a claim becomes a small scenario that still does.
//!
//! A failing run of a simulation is long, and most of it does not matter. What is left out here is
//! whatever can be: steps, actors, things of the world, permissions, and readings that the run
//! does not depend on. Every candidate is carried out by the protocol itself, so what comes of it
//! is a run, and a scenario that replays step by step.
//!
//! A claim about states or steps is violated where the run ends. A claim about what must follow is
//! violated if the world, left to itself after the run, comes to rest with something still owed:
//! no fault strikes, the user gives no new command, and all who owe anything do what they can
//! (`calm`). That is a fair run, so a search that begins after the script finds the violation too.
//!
//! Everything happens in a fixed order, and the same run always shrinks to the same scenario.

mod calm;
mod case;
mod gone;
mod items;
mod reduce;
mod sketch;
mod tell;
mod tries;
mod walk;

use std::sync::Arc;

use deathwatch_model::{
    action::Action,
    check::{Answer, Settings},
    claims::{Claim, EntityId},
    world::World,
};

pub use self::tries::{Effort, Progress};
use self::{
    case::{Case, watched},
    items::Renamed,
    reduce::Reduction,
    tries::Tries,
    walk::{Violating, Walk, Wanted},
};
use crate::{
    replay,
    scenario::{self, Scenario},
    verdict::{self, Engine, How},
};

/// A run that is said to violate a claim.
#[derive(Clone, Copy)]
pub struct Failing<'a> {
    /// The scenario whose world it runs in.
    pub scenario: &'a Scenario,
    /// The claim.
    pub claim: &'static Claim,
    /// The document that it fails for; if it is not known, the first that it fails for. It matters
    /// to claims about what must follow only.
    pub subject: Option<EntityId>,
    /// What happens, from the start of the scenario's script on. Steps that are not possible are
    /// left out.
    pub steps: &'a [Action],
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The scenario, as a file.
    pub text: String,
    /// The scenario as it was read again.
    pub scenario: Scenario,
    /// The claim that it violates.
    pub claim: &'static Claim,
    /// The document of its world that the claim fails for.
    pub subject: EntityId,
    /// What the run was like before.
    pub before: Size,
    /// What it is like now.
    pub after: Size,
    /// How many candidates were tried.
    pub tries: u64,
    /// Whether nothing more can be left out, as far as leaving out one thing can tell.
    pub is_minimal: bool,
}

/// How large a run and its world are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many steps the run has.
    pub steps: usize,
    /// How many machines there may be.
    pub machines: usize,
    /// How many applications there may be.
    pub applications: usize,
    /// How many units there may be.
    pub units: usize,
    /// How many relations there may be.
    pub relations: usize,
}

impl Size {
    fn of(steps: usize, world: &World) -> Self {
        Self {
            steps,
            machines: world.machines.len(),
            applications: world.applications.len(),
            units: world.units.len(),
            relations: world.relations.len(),
        }
    }
}

/// The document for which the run violates the claim, if it does.
pub fn violates(failing: &Failing<'_>) -> Option<EntityId> {
    let wanted = Wanted { claim: failing.claim, is_managed: false };
    carried_out(failing, wanted).map(|run| run.subject)
}

fn carried_out(failing: &Failing<'_>, wanted: Wanted) -> Option<Violating> {
    let Scenario { world, start, .. } = failing.scenario;
    Walk::begin(world, start, wanted, failing.subject).violates(wanted, failing.steps)
}

/// Shrinks the run; `origin` says in a few words where it came from. `None` if it does not violate
/// the claim.
///
/// # Panics
/// If what is written cannot be read, which would be a mistake of the writer.
pub fn shrink(failing: &Failing<'_>, origin: &str, effort: Effort<'_>) -> Option<Shrunk> {
    let Failing { scenario, claim, .. } = *failing;
    let run = carried_out(failing, Wanted { claim, is_managed: false })?;
    let wanted = Wanted { claim, is_managed: run.end.active_manager(&scenario.world).is_some() };
    let before = Size::of(failing.steps.len(), &scenario.world);
    let case = Case {
        table: sketch::as_it_stands(scenario),
        scenario: Arc::new(scenario.clone()),
        subject: watched(claim, run.subject),
        steps: run.steps,
    };
    let in_full = case.moved(sketch::table(scenario), &Renamed::new(), wanted);
    let mut reduction = Reduction::of(in_full.unwrap_or(case), wanted, Tries::of(effort));
    reduction.run();
    let Reduction { best, tries, .. } = reduction;
    let written = tell::tell(&best, wanted, origin);
    let scenario = scenario::parse(&scenario.path, written.text.as_str());
    Some(Shrunk {
        scenario: scenario.expect("what was written is a scenario"),
        text: written.text,
        claim,
        subject: written.subject,
        before,
        after: Size::of(written.steps, &best.scenario.world),
        tries: tries.made,
        is_minimal: !tries.are_over,
    })
}

/// What a search says of the claim that starts where the script of what was shrunk ends, as
/// `deathwatch check` would. `None` if its world is too large to be searched.
///
/// # Panics
/// If the script cannot be replayed, which would be a mistake of the reduction.
pub fn confirm(shrunk: &Shrunk, settings: Settings<'_>) -> Option<Answer> {
    let replay = replay::replay(&shrunk.scenario).expect("each step was possible");
    let how = How { engine: Engine::Own, only: &[shrunk.claim], settings };
    verdict::judge(&shrunk.scenario, &replay, &how).ok().map(|verdict| verdict.answer)
}
