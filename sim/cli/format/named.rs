//! The names of claims and witnesses: those that are open, and with `--verbose` all.

use std::fmt::Write as _;

use deathwatch_model::check::{Answer, Asked};
use deathwatch_scenario::listed::{in_quotes, quoted};
use deathwatch_study::verdict::{self, Judged, Status, Verdict};

use super::{Detail, text::plural};
use crate::look::{COLUMNS, width};

/// The number of claims that are named, unless all are asked for.
const MOST_NAMED: usize = 4;

/// The answers that are open: why, the claims by name, the witnesses by number.
pub(super) fn undecided(verdict: &Verdict, detail: Detail, say: &mut impl FnMut(usize, &str)) {
    let is_cut = verdict.status != Status::AsExpected;
    if let Some(stop) = verdict.stopped().filter(|_| is_cut) {
        say(6, &format!("undecided: {}", verdict::stopped(stop)));
    }
    let is_open = |it: &&Judged| it.status() == Status::Undecided && it.open.is_none();
    let open = || verdict.judged.iter().filter(is_open);
    let claims: Vec<&Judged> = open().filter(|judged| !judged.is_witness()).collect();
    let all = verdict.judged.iter().filter(|judged| !judged.is_witness()).count();
    let mut parts = Vec::new();
    if claims.len() == all && all > MOST_NAMED && detail != Detail::Violations {
        parts.push(format!("all {all} claims"));
    } else {
        parts.extend(few(claims.iter().map(|judged| judged.name()).collect(), detail));
    }
    match open().count() - claims.len() {
        0 => {}
        witnesses => parts.push(plural(witnesses, "witness")),
    }
    say_names("undecided", &parts, say);
    for judged in &verdict.judged {
        if let Some(why) = &judged.open {
            say(6, &format!("undecided: {}: {why}", quoted(judged.name())));
        }
    }
    if verdict.status != Status::AsExpected || detail == Detail::Violations {
        let names = verdict.left_out.iter().map(|claim| claim.name.to_owned()).collect();
        say_names("left out, not for this engine", &few(names, detail), say);
    }
}

/// The claims that are answered as expected, without a run that shows it, and the witnesses.
pub(super) fn as_expected(verdict: &Verdict, say: &mut impl FnMut(usize, &str)) {
    let fine = || verdict.judged.iter().filter(|it| it.status() == Status::AsExpected);
    for (answer, word) in [(Answer::Vacuous, "vacuous as expected"), (Answer::Holds, "holds")] {
        let claims = fine().filter(|it| it.claim().is_some() && it.rendered.is_none());
        let names = claims.filter(|judged| judged.finding.answer == answer);
        say_names(word, &in_quotes(names.map(Judged::name)), say);
    }
    let seen = fine().filter_map(|judged| match judged.finding.asked {
        Asked::Witness(clause) => Some(clause.to_string()),
        Asked::Claim(_) | Asked::Refinement => None,
    });
    say_names("seen", &seen.collect::<Vec<_>>(), say);
}

/// A list of names under a heading, in lines that fit.
fn say_names(head: &str, names: &[String], say: &mut impl FnMut(usize, &str)) {
    let mut line = format!("{head}:");
    let mut indent = 6;
    for (at, name) in names.iter().enumerate() {
        let comma = if at + 1 < names.len() { "," } else { "" };
        if indent + width(&line) + 1 + width(name) + comma.len() > COLUMNS && at > 0 {
            say(indent, &line);
            (line, indent) = (format!("{name}{comma}"), 8);
        } else {
            write!(line, " {name}{comma}").expect("a string takes any text");
        }
    }
    if !names.is_empty() {
        say(indent, &line);
    }
}

/// The names of claims: a few, unless all are asked for.
fn few(names: Vec<String>, detail: Detail) -> Vec<String> {
    let more = names.len().saturating_sub(MOST_NAMED);
    let most = if detail == Detail::Violations { names.len() } else { MOST_NAMED };
    let mut few = in_quotes(names.into_iter().take(most));
    if detail != Detail::Violations && more > 0 {
        few.push(format!("and {more} more"));
    }
    few
}
