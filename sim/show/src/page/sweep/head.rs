//! The head of a sweep: its answer, and figures.

use deathwatch_documents::{Outcome, QuestionKind, Status, Sweep, sweep::SweptClaim};
use deathwatch_simulator::stats::time;
use maud::{Markup, html};

use super::{counted, number_of};
use crate::{
    page::head::{Place, title},
    text,
};

pub(super) fn head(swept: &Sweep, place: Place) -> Markup {
    html! {
        div.head {
            div {
                p.verdict { (verdict(swept)) }
                (title(place, &html! { (gist(swept)) }))
                p.shows { (swept.scenario) }
                @if let Some(reason) = &swept.reason { p.bad { "undecided: " (reason) } }
                @for failure in &swept.failures { p.bad { "script: " (failure) } }
                @for odd in swept.diverged.iter().chain(&swept.unsettled) {
                    p.bad {
                        (number_of(odd.seeds, "seed")) ", first " (odd.first_seed) ": " (odd.reason)
                    }
                }
                @if !swept.missing.is_empty() { p.bad { "not run: " (swept.missing.join(", ")) } }
                @if let Some(seed) = swept.ended_by {
                    p { "ended by seed " (seed) ", whose result is not expected" }
                }
            }
            dl { @for (term, said) in facts(swept) { dt { (term) } dd { (said) } } }
        }
        (totals(swept))
    }
}

/// Whether the answers are the expected ones.
pub(super) fn verdict(swept: &Sweep) -> Markup {
    html! {
        @if swept.status == Status::AsExpected { strong.good { "as expected" } }
        @else if swept.status == Status::Known { strong { "known by the baseline" } }
        @else if swept.answer == Outcome::Undecided || swept.reason.is_some() {
            strong.bad { "undecided" }
        }
        @else { strong.bad { "not as expected" } }
    }
}

/// The failures in a sentence.
pub(super) fn gist(swept: &Sweep) -> String {
    let violating: u64 = swept.columns.iter().map(|column| column.violating).sum();
    let seeds = number_of(swept.seeds, "seed");
    match (violating, swept.groups.len()) {
        (0, _) => format!("No claim is violated by {seeds}"),
        (violating, kinds) => {
            let of = counted(violating);
            let reasons = number_of(kinds as u64, "reason");
            let is_reached = |it: &SweptClaim| it.seeds > 0 && it.kind == QuestionKind::Reachable;
            let what = if swept.claims.iter().any(is_reached) { "decide" } else { "violate" };
            let end = if violating == 1 { "s" } else { "" };
            format!("{of} of {seeds} {what}{end} a claim, for {reasons}")
        }
    }
}

/// Facts about a sweep, each with its term.
fn facts(swept: &Sweep) -> Vec<(&'static str, String)> {
    let stats = &swept.stats;
    let mut facts = vec![("file", swept.file.clone())];
    facts.extend((!swept.set.is_empty()).then(|| ("set to", swept.set.join(", "))));
    let settled = if swept.unsettled.is_none() { ", all of them settled" } else { "" };
    facts.push((
        "seeds",
        match (swept.seeds, swept.planned) {
            (seeds, planned) if seeds == planned => format!("{}{settled}", counted(seeds)),
            (seeds, planned) => format!("{} of {}{settled}", counted(seeds), counted(planned)),
        },
    ));
    facts.push(("longest run", format!("{} of virtual time", time(stats.longest_ms))));
    let largest = stats.largest.iter().map(|(kinds, count)| text::number_of(*count, kinds));
    facts.push(("at a time at most", largest.collect::<Vec<_>>().join(", ")));
    for drawn in &swept.drawn {
        let details = match drawn.details.as_slice() {
            [] => "no details".to_owned(),
            details => details.join(" and "),
        };
        facts.push(("drew", format!("{details}: {}", number_of(drawn.seeds, "seed"))));
    }
    if let Some(seconds) = swept.seconds {
        let rates = swept.seeds_per_second.zip(swept.steps_per_second);
        let rates = rates.map(|(seeds, steps)| {
            format!(": {} seeds and {} steps a second", counted(seeds), counted(steps))
        });
        facts.push(("throughput", format!("{seconds:.2} s{}", rates.unwrap_or_default())));
    }
    facts.push(("digest", swept.digest.clone()));
    facts
}

/// The greatest figures, to be seen at once.
fn totals(swept: &Sweep) -> Markup {
    let stats = &swept.stats;
    let carried = stats.exercised.len();
    let all = carried + stats.never_exercised.len();
    let struck = stats.faults.values().fold(0, |sum: u64, times| sum.saturating_add(*times));
    let figures = stats.figures.iter();
    let figures = figures.filter_map(|(words, count)| Some((counted(count), words.total?)));
    let mut totals = vec![(counted(swept.steps), "steps")];
    totals.extend(figures);
    totals.push((counted(struck), "faults struck"));
    totals.push((format!("{carried} of {all}"), "clauses carried out"));
    html! {
        ul.totals { @for (figure, of) in totals { li { strong { (figure) } " " (of) } } }
    }
}
