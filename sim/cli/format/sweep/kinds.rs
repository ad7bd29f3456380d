//! The kinds of failures of a sweep as text: what everything stuck comes from, then whom it concerns.

use deathwatch_documents::sweep::ShrunkRun;
use deathwatch_scenario::listed::quoted;
use deathwatch_show::text::{Detail, number, wrapped};
use deathwatch_study::sweep::{Failing, Group};

use super::Swept;

/// The number of kinds that are shown, unless all are asked for.
const MOST_TOLD: usize = 5;

/// The groups of failures, as lines with their indents: each with its smallest seed, and the one that
/// explains most.
pub(in crate::format) fn lines(
    swept: &Swept,
    groups: &[(usize, &Group)],
    detail: Detail,
    indent: usize,
    say: &mut impl FnMut(usize, &str),
) {
    let most = if detail == Detail::Violations { groups.len() } else { MOST_TOLD };
    for (at, group) in groups.iter().take(most) {
        told(swept, group, indent, say);
        if let Some(run) = swept.shrunk.get(*at).and_then(Option::as_ref) {
            shrunk(run, indent + 2, say);
        }
    }
    match groups.len().saturating_sub(most) {
        0 => {}
        1 => say(indent, "and 1 more kind, which --verbose shows"),
        more => say(indent, &format!("and {more} more kinds, which --verbose shows")),
    }
}

/// One group.
fn told(swept: &Swept, group: &Group, indent: usize, say: &mut impl FnMut(usize, &str)) {
    let mut wrap = |indent: usize, sentences: &[String]| {
        for line in wrapped(sentences, indent) {
            say(indent, &line);
        }
    };
    wrap(indent, &[headline(group)]);
    if group.claims.len() > 1 {
        wrap(indent + 2, &[claims(group)]);
    }
    let (first, clearest) = (&group.first, &group.clearest);
    let which = if group.seeds == 1 { "" } else { "the smallest is " };
    wrap(indent + 2, &[example(first, which)]);
    wrap(indent + 4, &first.violated.sentences());
    // A command stays whole, to be typed again.
    for command in swept.commands(group, first) {
        say(indent + 2, &command);
    }
    if clearest.seed != first.seed {
        let [_, shrink] = swept.commands(group, clearest);
        say(indent + 2, &example(clearest, "the clearest is "));
        say(indent + 2, &shrink);
    }
}

/// The kind, and how often it occurs.
fn headline(group: &Group) -> String {
    let seeds = number(group.seeds, "seed");
    let alone = match group.alone {
        _ if group.kind.says().is_none() => String::new(),
        0 => ", always beside others".to_owned(),
        alone if alone == group.seeds => String::new(),
        alone => format!(", {alone} of them without another"),
    };
    format!("{}: {seeds}{alone}", group.kind)
}

/// The claims that are violated.
fn claims(group: &Group) -> String {
    let claims = group.claims.iter();
    let claims = claims.map(|(name, seeds)| format!("{} ({seeds})", quoted(name)));
    format!("violates {}", claims.collect::<Vec<_>>().join(", "))
}

/// A seed as an example.
fn example(failing: &Failing, which: &str) -> String {
    let Failing { seed, steps, violated } = failing;
    format!("{which}seed {seed}: step {} of {steps}, for {}", violated.step, violated.subject)
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
