//! Kinds of failures of a sweep as text: the cause of the stuck entities, then these.

use deathwatch_documents::{
    WaitFor,
    sweep::{FailureGroup, ShrunkRun},
};
use deathwatch_scenario::listed::quoted;

use crate::text::{TextDetail, number};

/// The number of kinds that are shown, unless all are asked for.
const MOST_TOLD: usize = 5;

/// The groups of failures, as lines with their indents: each with its smallest seed, and the one
/// that explains most.
pub(super) fn lines(
    groups: &[&FailureGroup],
    detail: TextDetail,
    indent: usize,
    say: &mut impl FnMut(usize, &str),
) {
    let most = if detail == TextDetail::Violations { groups.len() } else { MOST_TOLD };
    for group in groups.iter().take(most) {
        group_lines(group, indent, say);
        if let Some(run) = &group.shrunk {
            shrunk(run, indent + 2, say);
        }
    }
    match groups.len().saturating_sub(most) {
        0 => {}
        1 => say(indent, "and 1 more kind, which --verbose shows"),
        more => say(indent, &format!("and {more} more kinds, which --verbose shows")),
    }
}

fn group_lines(group: &FailureGroup, indent: usize, say: &mut impl FnMut(usize, &str)) {
    say(indent, &headline(group));
    if group.claims.len() > 1 {
        say(indent + 2, &claims(group));
    }
    let which = if group.seeds == 1 { "" } else { "the smallest is " };
    let FailureGroup { step, steps, subject, .. } = group;
    let seed = group.first_seed;
    say(indent + 2, &format!("{which}seed {seed}: step {step} of {steps}, for {subject}"));
    for sentence in group.wait_for.as_ref().map_or_else(Vec::new, WaitFor::sentences) {
        say(indent + 4, &sentence);
    }
    for command in [&group.replay, &group.shrink] {
        say(indent + 2, command);
    }
    if group.clearest_seed != seed {
        let FailureGroup { clearest_step: step, clearest_steps: steps, .. } = group;
        let (seed, subject) = (group.clearest_seed, &group.clearest_subject);
        let line = format!("the clearest is seed {seed}: step {step} of {steps}, for {subject}");
        say(indent + 2, &line);
        say(indent + 2, &group.shrink_clearest);
    }
}

/// The kind, and how often it occurs.
fn headline(group: &FailureGroup) -> String {
    let seeds = number(group.seeds, "seed");
    let alone = match group.alone {
        _ if group.text.is_none() => String::new(),
        0 => ", always beside others".to_owned(),
        alone if alone == group.seeds => String::new(),
        alone => format!(", {alone} of them without another"),
    };
    let known = match group.known {
        None => "",
        Some(true) => ", known by the baseline",
        Some(false) => ", new",
    };
    format!("{}: {seeds}{alone}{known}", group.kind)
}

fn claims(group: &FailureGroup) -> String {
    let claims = group.claims.iter();
    let claims = claims.map(|it| format!("{} ({})", quoted(&it.name), it.seeds));
    format!("violates {}", claims.collect::<Vec<_>>().join(", "))
}

/// The shortest run of a group.
fn shrunk(run: &ShrunkRun, indent: usize, say: &mut impl FnMut(usize, &str)) {
    let (steps, seed) = (number(run.steps.len() as u64, "step"), run.seed);
    let end = if run.minimal { "" } else { ", and perhaps not the shortest" };
    say(indent, &format!("shortest: {steps}, of seed {seed}, for {}{end}", run.subject));
    for (at, step) in run.steps.iter().enumerate() {
        say(indent + 2, &format!("{}. {step}", at + 1));
    }
}
