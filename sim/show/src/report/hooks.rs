//! The page of hooks, for authors of charms: the guarantees that hold under each fault, with their
//! scenarios, and the waits for an error that is never resolved.
//!
//! No verdict is written here. What holds and what does not is what scenarios expect and have been
//! answered; who waits is what the diagnosis of a run says. Worlds in which a clause is switched
//! off are left out: what goes wrong there is our doing.

use deathwatch_claims::Claim;
use deathwatch_documents::marked;
use deathwatch_model::world::{DetailInfo, Details, World};
use deathwatch_scenario::scenario::Expected;
use minijinja::{Value, context};

use super::{
    AnsweredScenario, claims, findings,
    markdown::{From, links},
    story,
    template::{render, safe},
};

/// The number of scenarios that are named in a cell.
const NAMED: usize = 2;

/// A trouble for charms, and whether it is possible in a world.
pub(super) type TroubleColumn = (&'static str, fn(&World) -> bool);

pub(super) const CRASHES: TroubleColumn = ("agents crash", |world| world.agents_crash());
pub(super) const HARDWARE: TroubleColumn = ("hardware fails", |world| world.hardware_is_lost());
pub(super) const UNIT_HOOKS: TroubleColumn =
    ("unit hooks fail", |world| world.faults.unit_hook_failure);
pub(super) const RELATION_HOOKS: TroubleColumn =
    ("relation hooks fail", |world| world.faults.hook_failure);
pub(super) const FORCE: TroubleColumn =
    ("units are forced", |world| world.commands.iter().any(|it| it.command.kind().row().forces));

/// The troubles, in the order of the columns.
const TROUBLES: [TroubleColumn; 5] = [CRASHES, HARDWARE, UNIT_HOOKS, RELATION_HOOKS, FORCE];

pub(super) fn page(answered: &[AnsweredScenario]) -> String {
    let worlds: Vec<&AnsweredScenario> = answered.iter().filter(|it| concerns(it)).collect();
    let waiting =
        worlds.iter().filter(|it| !it.scenario.world.assumptions.hook_errors_are_resolved);
    let troubled = [HARDWARE, FORCE].map(|trouble| {
        let worlds = of(trouble, &worlds);
        context! { may => trouble.0, worlds => worlds.into_iter().map(shown).collect::<Vec<_>>() }
    });
    let data = context! {
        troubles => TROUBLES.map(|(name, _)| name).to_vec(),
        details => of_hooks().map(|detail| overview(detail, &worlds)).collect::<Vec<_>>(),
        findings => findings::of(&worlds),
        replaced => of_hooks().flat_map(|detail| replaced(detail, &worlds)).collect::<Vec<_>>(),
        waiting => waiting.map(|it| shown(it)).collect::<Vec<_>>(),
        troubled => troubled.to_vec(),
    };
    render(include_str!("pages/hooks.md"), data)
}

/// The details that a world with hooks can have.
fn of_hooks() -> impl Iterator<Item = &'static DetailInfo> {
    Details::LIST.iter().filter(|detail| !detail.excludes.contains(&"hooks"))
}

/// Whether a scenario was searched, has hooks by name, and keeps all clauses in force.
fn concerns(it: &AnsweredScenario) -> bool {
    it.figures.is_some()
        && it.scenario.world.detail.hooks
        && claims::keeps_all_clauses(&it.scenario.world)
}

fn claims_about(detail: &'static DetailInfo) -> impl Iterator<Item = &'static Claim> {
    deathwatch_claims::all().filter(|it| it.lacks(Details::default()) == Some(detail.name))
}

/// The worlds in which a claim has this answer.
pub(super) fn with<'a>(
    claim: &Claim,
    answer: Expected,
    worlds: &[&'a AnsweredScenario],
) -> Vec<&'a AnsweredScenario> {
    worlds.iter().copied().filter(|it| it.answer(claim) == Some(answer)).collect()
}

/// The worlds in which this may go wrong.
pub(super) fn of<'a>(
    (_, may): TroubleColumn,
    worlds: &[&'a AnsweredScenario],
) -> Vec<&'a AnsweredScenario> {
    worlds.iter().copied().filter(|it| may(&it.scenario.world)).collect()
}

/// The guarantees about a detail, each with the number of worlds in which it holds. One that is
/// read off notes is left out where a claim over history says the same.
fn overview(detail: &'static DetailInfo, worlds: &[&AnsweredScenario]) -> Value {
    let guarantee = |claim: &'static Claim| {
        let (held, violated) =
            (with(claim, Expected::Holds, worlds), with(claim, Expected::Violated, worlds));
        let all = share(held.len(), violated.len());
        let shares = TROUBLES.map(|it| share(of(it, &held).len(), of(it, &violated).len()));
        context! {
            name => marked(claim),
            source => claim.source,
            shares => [all].into_iter().chain(shares).collect::<Vec<_>>(),
            violated => safe(links(From::Reports, violated, NAMED)),
        }
    };
    let guarantees = claims_about(detail).filter(|claim| claim.by_history().is_none());
    let guarantees: Vec<Value> = guarantees.map(guarantee).collect();
    context! { name => detail.name, adds => detail.adds, guarantees }
}

/// The share of the worlds asking a claim in which it holds.
fn share(held: usize, violated: usize) -> String {
    match held + violated {
        0 => "not asked".to_owned(),
        all => format!("{held} of {all}"),
    }
}

/// The claims about a detail that are read off notes, and those that stand in their place.
fn replaced(detail: &'static DetailInfo, worlds: &[&AnsweredScenario]) -> Vec<Value> {
    let told = |claim: &Claim| {
        let asked = |answer| with(claim, answer, worlds).len();
        let holds = share(asked(Expected::Holds), asked(Expected::Violated));
        context! { name => marked(claim), holds }
    };
    let replaced = claims_about(detail).filter_map(|claim| {
        claim
            .by_history()
            .map(|instead| context! { noted => told(claim), instead => told(instead) })
    });
    replaced.collect()
}

fn shown(it: &AnsweredScenario) -> Value {
    let runs = it.runs.iter().map(story::run).collect::<Vec<_>>();
    context! { runs, ..story::scenario(it) }
}
