//! Answers for every number of units: a claim a row, its run below it, and the views that leave one
//! open as worlds.

use deathwatch_documents::{Answer, AnySize, ClaimAnswer, Outcome, ShownWith};
use deathwatch_scenario::scenario::toggles;
use maud::{Markup, html};

use super::{super::check, frame};
use crate::text::{number, plural};

/// The page of an answer in the world with these settings. `back` leads to the run.
pub fn of_every_number(answer: &Answer, set: &[String], back: &str) -> String {
    let empty = AnySize::default();
    let found = answer.any_size.as_ref().unwrap_or(&empty);
    let asked = || answer.claims.iter().filter(|it| it.is_claim());
    let (quiet, told): (Vec<&ClaimAnswer>, Vec<_>) = asked().partition(|it| holds(it));
    let body = html! {
        main {
            h1 { (answer.scenario) " for every number of units" }
            p { a href=(back) { "back to the run" } }
            @for setting in set {
                @let (name, value) = toggles::parts(setting);
                p { "with " (name) " = " (value) }
            }
            @match &answer.any_size {
                Some(found) => p.quiet {
                    (number(found.views, "view")) ", of any number of units of "
                    (found.applications.join(" and of "))
                    @for it in &found.beside { ", beside " (it.unit) ", which " (it.because) }
                    "; from the end of the script on."
                },
                None => p.bad { "undecided: " (answer.reason.as_deref().unwrap_or("a limit came first")) },
            }
            section.panel {
                h2 { "Claims" small { (asked().count()) } }
                div.scroll tabindex="0" role="region" aria-label="Verdicts" {
                    table.board {
                        thead { tr { th scope="col" { "claim" } th scope="col" { "for every number" } } }
                        tbody {
                            @for claim in &told { (row(claim, found)) }
                            @for claim in &quiet { (row(claim, found)) }
                        }
                    }
                }
                @if !found.not_asked.is_empty() {
                    details {
                        summary { (plural(found.not_asked.len(), "claim")) " not asked for every number" }
                        ul.changes { @for it in &found.not_asked { li { (it.claim) ", as " (it.because) } } }
                    }
                }
            }
            @for it in &found.undecided { (check::open_view(it)) }
            pre.command { "$ " (answer.command) }
        }
    };
    frame::explorer(&answer.scenario, &body)
}

/// Whether the claim has no run that is worth looking at first.
fn holds(claim: &ClaimAnswer) -> bool {
    matches!(claim.answer, Outcome::Holds | Outcome::Vacuous)
}

/// A claim with its verdict, and the run of the smallest instance that decides it.
fn row(claim: &ClaimAnswer, found: &AnySize) -> Markup {
    let by = found.violated.iter().chain(&found.reached).find(|it| it.claim == claim.name);
    let (class, word) = match claim.answer {
        Outcome::Holds => ("holds", claim.word()),
        Outcome::Violated => ("violated", claim.word()),
        Outcome::Vacuous => ("vacuous", claim.word()),
        Outcome::Undecided => ("open", "undecided"),
    };
    html! {
        tr {
            th scope="row" {
                (claim.name)
                @if let Some(trace) = &claim.trace {
                    @for sentence in trace.told() { p.quiet { (sentence) } }
                    details {
                        summary { "a run of " (plural(trace.length(), "step")) }
                        pre { (trace.numbered().join("\n")) }
                    }
                }
            }
            td class=(class) {
                (word)
                @if let Some(ShownWith { units, .. }) = by {
                    " with " (units.iter().map(usize::to_string).collect::<Vec<_>>().join("+"))
                }
            }
        }
    }
}
