//! The page of hooks, for authors of charms: which guarantee holds under which faults, by which
//! scenario, and who waits for an error that nobody resolves.
//!
//! No verdict is written here. What holds and what does not is what scenarios expect and have been
//! answered; who waits is what the diagnosis of a run says. Worlds in which a clause is switched off are
//! left out: what goes wrong there is our doing.

use std::fmt::Write as _;

use deathwatch_model::{
    claims::Claim,
    world::{CommandKind, DetailInfo, Details, World},
};
use deathwatch_scenario::scenario::Expected;

use super::{
    Answered,
    markdown::{From, MADE_BY, anchor, count, head, link, links, row, say},
    settings::Settings,
};

/// The number of scenarios that are named in a cell.
const NAMED: usize = 2;

/// What may go wrong for a charm, and whether it may in a world.
pub(super) type Trouble = (&'static str, fn(&World) -> bool);

pub(super) const CRASHES: Trouble = ("agents crash", |world| world.faults.crash);
pub(super) const HARDWARE: Trouble = ("hardware fails", |world| {
    let faults = &world.faults;
    !faults.hardware_failure.is_empty() || !faults.undetected_hardware_failure.is_empty()
});
pub(super) const HOOKS: Trouble =
    ("hooks fail", |world| world.faults.hook_failure || world.faults.unit_hook_failure);
pub(super) const FORCE: Trouble = ("units are forced", |world| {
    let forcing = [CommandKind::ForceDestroyUnit, CommandKind::ForceDestroyMachine];
    world.commands.iter().any(|it| forcing.contains(&it.command.kind()))
});

/// The troubles, in the order of the columns.
const TROUBLES: [Trouble; 4] = [CRASHES, HARDWARE, HOOKS, FORCE];

/// The page.
pub(super) fn page(answered: &[Answered]) -> String {
    let mut page = format!("{MADE_BY}\n\n# Hooks, for authors of charms\n");
    say(
        &mut page,
        "What \"Charms in action\" (D4) promises of hooks, and where it holds: in every run of a small \
         world in which agents crash, hardware fails, hooks fail or units are forced, at any time and any \
         number of times, but finitely often. \"4 of 5\" means that the guarantee holds in four of the \
         five worlds that ask it and in which that may go wrong. Worlds in which nothing happens that it is \
         about are not counted, nor those in which a clause of the protocol is switched off \
         ([clauses.md](clauses.md) has these).",
    );
    say(
        &mut page,
        "\"Once\" counts on one disk. An agent that is deployed anew because its hardware is gone knows \
         nothing of what ran before; [what that means](#worlds-in-which-hardware-fails) is told by the \
         scenarios.",
    );
    let worlds: Vec<&Answered> = answered.iter().filter(|it| concerns(it)).collect();
    for detail in of_hooks() {
        overview(&mut page, detail, &worlds);
    }
    waiting(&mut page, &worlds);
    for trouble in [HARDWARE, FORCE] {
        troubled(&mut page, trouble, &worlds);
    }
    page.push_str("\n## The guarantees one by one\n");
    for claim in of_hooks().flat_map(guarantees) {
        one(&mut page, claim, &worlds, &TROUBLES);
    }
    page
}

/// The details that a world with hooks can have.
fn of_hooks() -> impl Iterator<Item = &'static DetailInfo> {
    Details::LIST.iter().filter(|detail| !detail.excludes.contains(&"hooks"))
}

/// Whether a scenario was searched, has hooks by name, and keeps all clauses in force.
fn concerns(it: &Answered) -> bool {
    it.figures.is_some() && it.scenario.world.detail.hooks && keeps_all_clauses(it)
}

/// Whether no clause is switched off in a scenario.
pub(super) fn keeps_all_clauses(it: &Answered) -> bool {
    let world = &it.scenario.world;
    let cut = [&world.without, &world.unasserted, &world.neglected];
    cut.iter().all(|clauses| clauses.is_empty())
}

/// The claims that are about a detail.
fn guarantees(detail: &'static DetailInfo) -> impl Iterator<Item = &'static Claim> {
    deathwatch_claims::all()
        .filter(|it| deathwatch_claims::lacks(it, Details::default()) == Some(detail.name))
}

/// The worlds in which a claim has this answer.
pub(super) fn with<'a>(
    claim: &Claim,
    answer: Expected,
    worlds: &[&'a Answered],
) -> Vec<&'a Answered> {
    worlds.iter().copied().filter(|it| it.answer(claim) == Some(answer)).collect()
}

/// The worlds in which this may go wrong.
pub(super) fn of<'a>((_, may): Trouble, worlds: &[&'a Answered]) -> Vec<&'a Answered> {
    worlds.iter().copied().filter(|it| may(&it.scenario.world)).collect()
}

/// The table of the guarantees about a detail.
fn overview(page: &mut String, detail: &'static DetailInfo, worlds: &[&Answered]) {
    let _ = write!(page, "\n## Guarantees of `{}`\n", detail.name);
    say(page, detail.adds);
    let columns = TROUBLES.map(|(name, _)| format!("#{name}"));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    head(page, &[&["guarantee", "passage", "#holds"], &columns[..]].concat());
    for claim in guarantees(detail) {
        let (held, violated) =
            (with(claim, Expected::Holds, worlds), with(claim, Expected::Violated, worlds));
        let share = |held: usize, violated: usize| match held + violated {
            0 => "not asked".to_owned(),
            all => format!("{held} of {all}"),
        };
        let all = share(held.len(), violated.len());
        let shares = TROUBLES.map(|it| share(of(it, &held).len(), of(it, &violated).len()));
        let shares: Vec<&str> = shares.iter().map(String::as_str).collect();
        let name = format!("[{}](#{})", claim.name, anchor(claim.name));
        row(page, &[&[&*name, claim.source, &all], &shares[..]].concat());
    }
}

/// Who waits for an error that nobody resolves, by the diagnoses.
fn waiting(page: &mut String, worlds: &[&Answered]) {
    page.push_str("\n## Who waits for an error that nobody resolves\n");
    say(
        page,
        "Scenarios that do not assume that the operator resolves hook errors: what does not come to \
         pass there, for whom, and what holds it up in the end.",
    );
    for it in worlds.iter().filter(|it| !it.scenario.world.assumptions.hook_errors_are_resolved) {
        let _ = write!(page, "\n### {}\n", it.name);
        say(page, &format!("{} ({})", it.scenario.shows, link(From::Reports, it, "scenario")));
        if it.runs.is_empty() {
            say(page, "Nobody waits for ever: no claim is violated.");
            continue;
        }
        head(page, &["what does not come to pass", "for whom", "why"]);
        for run in &it.runs {
            let trace = &run.trace;
            let subject = trace.subject.as_deref().unwrap_or_default();
            row(page, &[run.claim.name, subject, trace.diagnosis.as_deref().unwrap_or_default()]);
        }
    }
}

/// The scenarios in which this may go wrong, with what they show.
fn troubled(page: &mut String, trouble: Trouble, worlds: &[&Answered]) {
    let _ = write!(page, "\n## Worlds in which {}\n", trouble.0);
    head(page, &["scenario", "shows", "violated"]);
    for it in of(trouble, worlds) {
        let names: Vec<&str> = it.claims(Expected::Violated).iter().map(|it| it.name).collect();
        row(page, &[&link(From::Reports, it, &it.name), &it.scenario.shows, &names.join("; ")]);
    }
}

/// The section of one guarantee, with a row for each of these troubles.
pub(super) fn one(page: &mut String, claim: &Claim, worlds: &[&Answered], troubles: &[Trouble]) {
    let _ = write!(page, "\n### {}\n", claim.name);
    let (held, violated) =
        (with(claim, Expected::Holds, worlds), with(claim, Expected::Violated, worlds));
    let all = count(held.len() + violated.len(), "world", "worlds");
    say(page, &format!("From {}. Holds in {} of {all}.", claim.source, held.len()));
    if !held.is_empty() {
        head(page, &["may go wrong", "#holds", "scenarios"]);
        for &trouble in troubles {
            let held = of(trouble, &held);
            let number = held.len().to_string();
            row(page, &[trouble.0, &number, &links(From::Reports, held, NAMED)]);
        }
    }
    if violated.is_empty() {
        return;
    }
    head(page, &["violated", "shows", "variants", "assumptions"]);
    for it in violated {
        let settings = Settings::of(&it.scenario.world);
        let assumptions = match &settings.assumptions[..] {
            [] => "the usual".to_owned(),
            some => some.join(", "),
        };
        let name = link(From::Reports, it, &it.name);
        row(page, &[&name, &it.scenario.shows, &settings.variants, &assumptions]);
    }
}
