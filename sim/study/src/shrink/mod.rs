//! Shrinking: a run that violates a claim becomes a small scenario that still violates it.
//!
//! A failing run of a simulation is long, and most of it does not matter. Shrinking removes
//! whatever the violation does not need: steps, actors, entities, permissions, and variants that
//! make no difference to the run. Every candidate is carried out by the protocol itself, so it is
//! a run, and a scenario that replays step by step.
//!
//! A claim about states or steps is violated at the end of the run. A claim about what must follow
//! is violated if the world, left to itself after the run, reaches a quiescent state in which
//! something is still owed: no fault is injected, the user gives no new command, and the actors
//! that are assumed to act do what they can (`replay.rs`). That is a fair run, so a search that
//! begins after the script finds the violation too.
//!
//! The order of everything is fixed: the same run always shrinks to the same scenario.

mod atomic;
mod candidate;
mod elements;
mod expanded;
mod found;
mod own;
mod reduce;
mod remove;
mod replay;
mod written;

use std::sync::Arc;

use deathwatch_claims::{
    Claim, Diagnosis,
    check::{CheckAnswer, SearchSettings},
    diagnosis::RootKind,
};
use deathwatch_documents::{self as documents, Outcome, shrunk::Size, wait_for::WaitFor};
use deathwatch_model::{action::Action, rows::Row, world::World};
use deathwatch_scenario::{
    describe,
    scenario::{self, Scenario},
};

use self::{
    candidate::{ShrinkCandidate, subject_of},
    elements::Renamed,
    reduce::{Attempts, Reduction},
    replay::{Criterion, Execution, ViolatingRun},
};
use crate::verdict::{self, Engine, Refines, VerdictOptions};

pub use self::{
    found::FoundViolation,
    reduce::{Budget, ShrinkProgress},
};

/// The number of tries after which a reduction ends by default.
pub const TRIES: u64 = 100_000;

/// A run to shrink, and the claim that it violates.
#[derive(Clone, Copy)]
pub struct FailingRun<'a> {
    /// The scenario whose world it runs in.
    pub scenario: &'a Scenario,
    /// The claim: one that is built in, or one of the scenario's own.
    pub claim: &'static Claim,
    /// The document that violates it, if it is about what must follow; if `None`, the first one
    /// that does.
    pub subject: Option<Row>,
    /// The steps, from the start of the scenario's script on. Impossible steps are skipped.
    pub steps: &'a [Action],
    /// The root that the stuck subject must keep; if `None`, the first one that it has.
    pub root: Option<RootKind>,
}

/// The result of shrinking.
#[derive(Clone, Debug)]
pub struct ShrinkResult {
    pub text: String,
    /// The scenario as it was read again.
    pub scenario: Scenario,
    pub claim: &'static Claim,
    /// The document of its world that violates the claim.
    pub subject: Row,
    /// The run in that world: the steps of its script, then those that a search after it finds.
    pub steps: Vec<Action>,
    /// The end of the run: the steps that follow by themselves, if the claim is about what must
    /// follow.
    pub afterwards: Vec<Action>,
    /// The stuck entities at its end and their roots, if the claim is of the kind leads.
    pub wait_for: Option<WaitFor>,
    /// The root of the stuck subject, the same in the run before.
    pub root: Option<RootKind>,
    /// The size of the run before.
    pub before: Size,
    pub after: Size,
    /// The number of candidates that were tried.
    pub tries: u64,
    /// Whether no single step, element or permission can be removed. If not, the tries or the time
    /// came to their end first.
    pub is_minimal: bool,
}

fn size(steps: usize, world: &World) -> Size {
    Size {
        steps,
        machines: world.machines.len(),
        applications: world.applications.len(),
        units: world.units.len(),
        relations: world.relations.len(),
    }
}

/// The document for which the run violates the claim, if it does.
pub fn violates(failing: &FailingRun<'_>) -> Option<Row> {
    let criterion = Criterion { claim: failing.claim, is_managed: false, root: failing.root };
    execute(failing, criterion).map(|run| run.subject)
}

fn execute(failing: &FailingRun<'_>, criterion: Criterion) -> Option<ViolatingRun> {
    let Scenario { world, start, .. } = failing.scenario;
    Execution::begin(world, start, criterion, failing.subject).violates(criterion, failing.steps)
}

/// The first root of the stuck subject at the end of the run.
fn root_of(world: &World, claim: &Claim, run: &ViolatingRun) -> Option<RootKind> {
    let subject = subject_of(claim, run.subject)?;
    let roots = Diagnosis::at_end(world, &run.end, subject).roots();
    roots.first().map(|root| root.kind)
}

/// Shrinks the run. `origin` says in a few words where it came from, as in "seed 7". `None` if it
/// does not violate the claim.
///
/// # Panics
/// If what is written cannot be read, which would be a defect of the writer.
pub fn shrink(failing: &FailingRun<'_>, origin: &str, budget: Budget<'_>) -> Option<ShrinkResult> {
    let FailingRun { scenario, claim, .. } = *failing;
    let run = execute(failing, Criterion { claim, is_managed: false, root: failing.root })?;
    let criterion = Criterion {
        claim,
        is_managed: run.end.active_manager(&scenario.world).is_some(),
        root: failing.root.or_else(|| root_of(&scenario.world, claim, &run)),
    };
    let before = size(failing.steps.len(), &scenario.world);
    let candidate = ShrinkCandidate {
        table: expanded::as_written(scenario, claim),
        scenario: Arc::new(scenario.clone()),
        subject: subject_of(claim, run.subject),
        steps: run.steps,
    };
    let in_full = candidate.moved(expanded::table(scenario, claim), &Renamed::new(), criterion);
    let mut reduction =
        Reduction::of(in_full.unwrap_or(candidate), criterion, Attempts::of(budget));
    reduction.run();
    let Reduction { best, attempts, .. } = reduction;
    let written = written::write(&best, criterion, origin);
    let scenario = scenario::parse_again(&scenario.address, written.text.as_str());
    let scenario = scenario.expect("what was written is a scenario");
    let step = |line: &String| scenario.world.read(line).expect("it is a step of that world");
    let steps: Vec<Action> = written.steps.iter().map(step).collect();
    let afterwards = written.afterwards.iter().map(step).collect();
    Some(ShrinkResult {
        claim: criterion.of(&scenario).claim,
        scenario,
        text: written.text,
        subject: written.subject,
        wait_for: written.wait_for,
        root: criterion.root,
        before,
        after: size(steps.len(), &best.scenario.world),
        steps,
        afterwards,
        tries: attempts.made,
        is_minimal: !attempts.are_over,
    })
}

/// The answer of a search that starts at the end of the shrunk script, as `deathwatch check` would
/// give it. `None` if the world is too large to be searched.
///
/// # Panics
/// If the script cannot be replayed, which would be a defect of the reduction.
pub fn confirm(shrunk: &ShrinkResult, settings: SearchSettings<'_>) -> Option<CheckAnswer> {
    let replay = deathwatch_scenario::replay(&shrunk.scenario).expect("each step was possible");
    let only = &[shrunk.claim];
    let options =
        VerdictOptions { engine: Engine::Own, only, refines: Refines::default(), settings };
    verdict::judge(&shrunk.scenario, &replay, &options).ok().map(|verdict| verdict.answer)
}

/// The document of `shrunk`, with the answer of the search that has confirmed it.
pub fn document(shrunk: &ShrinkResult, confirmed: Option<CheckAnswer>) -> documents::Shrunk {
    let world = &shrunk.scenario.world;
    documents::Shrunk {
        claim: shrunk.claim.name.to_owned(),
        kind: shrunk.claim.kind().into(),
        subject: describe::subject_of(world, shrunk.claim, shrunk.subject),
        root: shrunk.root.map(|root| root.to_string()),
        before: shrunk.before,
        after: shrunk.after,
        tries: shrunk.tries,
        minimal: shrunk.is_minimal,
        check: confirmed.map(Outcome::from),
        steps: shrunk.steps.iter().map(|step| world.show(step)).collect(),
        text: shrunk.text.clone(),
    }
}
