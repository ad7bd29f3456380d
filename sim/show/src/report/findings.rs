//! The page of findings: every scenario in which some claim about the protocol is violated, as it
//! expects.

use std::fmt::Write as _;

use deathwatch_documents::Begins;
use deathwatch_model::variants::Variants;
use deathwatch_scenario::scenario::Expected;

use super::{
    Answered, Run,
    fix::{Fix, fix},
    known_bugs,
    markdown::{From, MADE_BY, anchor, block, command, count, head, link, picture, row, say},
    settings::{Settings, fixed},
};

/// The page.
pub(super) fn page(answered: &[Answered]) -> String {
    let mut page = format!("{MADE_BY}\n\n# Findings\n");
    say(
        &mut page,
        "Every scenario in which a claim is violated: what it shows, the shortest run that \
         violates the claim, what is stuck at its end, and the fix, if another scenario shows one \
         in the same world. Each step has the clauses that it carries out; their texts are in \
         [PROTOCOL.md](../PROTOCOL.md).",
    );
    say(&mut page, &format!("\"Fixed\" is short for {}.", fixed()));
    say(&mut page, "The known bugs of Juju have [a page of their own](known-bugs.md).");
    let is_known = |it: &&Answered| it.folder() == known_bugs::FOLDER;
    let findings =
        || answered.iter().filter(|it| violates_the_documents(it)).filter(|it| !is_known(it));
    head(&mut page, &["finding", "claims violated", "fixed by"]);
    for scenario in findings() {
        let claims = scenario.claims(Expected::Violated).len().to_string();
        let by = fix(scenario, answered).map(|it| link(From::Reports, it.by, it.by.short_name()));
        let name = format!("[{}](#{})", scenario.name, anchor(&scenario.name));
        row(&mut page, &[&name, &claims, &by.unwrap_or_default()]);
    }
    for scenario in findings() {
        one(&mut page, scenario, answered);
    }
    page
}

/// Whether a claim is violated that rests on a passage: a scenario's own claim is a question.
fn violates_the_documents(it: &Answered) -> bool {
    it.claims(Expected::Violated).iter().any(|claim| !claim.is_own())
}

fn one(page: &mut String, scenario: &Answered, answered: &[Answered]) {
    let _ = write!(page, "\n## {}\n", scenario.name);
    say(page, &scenario.scenario.shows);
    if let Some(notes) = scenario.notes() {
        say(page, &notes);
    }
    say(page, &Settings::of(&scenario.scenario.world).sentence());
    claims(page, scenario);
    if let Some(run) = scenario.shortest() {
        tell(page, scenario, run);
        picture(page, run.picture.as_deref());
    }
    match fix(scenario, answered) {
        Some(fix) => say(page, &fixed_by(&fix)),
        None => say(page, "No scenario shows a fix in the same world."),
    }
    say(page, &format!("`{}`", command(scenario)));
}

/// The claims that are violated, with their passages and the lengths of their runs.
fn claims(page: &mut String, scenario: &Answered) {
    head(page, &["violated", "passage", "#steps"]);
    for run in &scenario.runs {
        let steps = run.trace.steps.len().to_string();
        row(page, &[run.claim.name, run.claim.source, &steps]);
    }
}

/// A run of a scenario.
pub(super) fn tell(page: &mut String, scenario: &Answered, run: &Run) {
    let of = run.trace.subject.as_ref().map(|it| format!(", for {it}")).unwrap_or_default();
    let after = match (run.trace.begins, scenario.scenario.steps.len()) {
        (Begins::AfterScript, steps @ 1..) => {
            format!(" After its script of {}:", count(steps, "step", "steps"))
        }
        _ => String::new(),
    };
    say(page, &format!("Violated: \"{}\"{of}.{after}", run.claim.name));
    let lines = run.trace.numbered();
    block(page, lines.iter().map(String::as_str));
    if let Some(diagnosis) = &run.trace.diagnosis {
        let is_stuck = run.trace.cycle.is_empty();
        let stuck = if is_stuck { "What is stuck" } else { "What goes on for ever" };
        say(page, &format!("{stuck}: {diagnosis}."));
    }
}

/// The fix, and the passages that its variants are about.
fn fixed_by(fix: &Fix<'_>) -> String {
    let mut parts = Vec::new();
    for value in &fix.values {
        let name = value.trim_matches('`').split(" = ").next().unwrap_or_default();
        let about = Variants::LIST.iter().find(|variant| variant.name == name);
        let about = about.map(|it| it.about.trim_end_matches('.'));
        parts.push(match about {
            Some(about) => format!("{value} ({about})"),
            None => value.clone(),
        });
    }
    parts.extend(fix.assumptions.iter().map(|it| format!("the assumption that {it}")));
    let by = link(From::Reports, fix.by, &fix.by.name);
    let but = match &fix.remaining[..] {
        [] => String::new(),
        some => format!(" It leaves violated: {}.", some.join("; ")),
    };
    format!("Fixed by {}: {by}.{but}", parts.join("; "))
}
