//! Claims of the explored run: what each claims, whether the run keeps it, and whether a cycle is
//! fair to the actors that are assumed to act.

use deathwatch_documents::{
    Run,
    run::{ClaimStrip, OwedIs},
};
use maud::{Markup, html};

use super::ExplorerPage;
use crate::{
    page::{explained::explained, step},
    text::number,
};

/// The number of claims that are shown unfolded.
const UNFOLDED: usize = 12;

/// Why a cycle is one that may go on for ever.
pub(super) fn cycle(explored: &ExplorerPage<'_>) -> Markup {
    let Some(steps) = explored.cycle_len else { return html! {} };
    let (to, turns) = (explored.run.steps.len(), &explored.turns);
    let from = to - steps;
    let is_fair = turns.iter().all(|turn| turn.is_fair);
    html! {
        section #cycle.panel aria-label="The cycle" {
            h2 { "For ever" small { "state " (to) " is state " (from) " again" } }
            p {
                @if is_fair {
                    "This can go on for ever, although everybody acts who is assumed to, and no fault "
                    "happens: "
                } @else {
                    span.bad { "This is no run that counts: somebody who is assumed to act is kept from it." }
                }
            }
            ul.changes {
                @for turn in turns {
                    li { strong { (turn.actor) } " " span class=[(!turn.is_fair).then_some("bad")] { (turn.says) } }
                }
            }
            (crate::page::cycle::moves(explored.run))
            @if turns.is_empty() { p.quiet { "Nobody who is assumed to act can do anything on the way." } }
        }
    }
}

/// The claims that are asked, with this run's verdict on each.
pub(super) fn claims(explored: &ExplorerPage<'_>) -> Markup {
    let run = explored.run;
    let (told, others): (Vec<_>, Vec<_>) = run.claims.iter().partition(|strip| {
        explored.claim == Some(strip.claim.as_str()) || verdict_text(run, strip).is_some()
    });
    html! {
        section #claims.panel aria-label="Claims" {
            h2 { "Claims" small { "what this run says of them; a counterexample is looked for from this state on" } }
            @for strip in &told { (claim(explored, strip)) }
            @if !others.is_empty() {
                details open[others.len() <= UNFOLDED] {
                    summary.quiet { (number(others.len() as u64, "claim")) " of which this run says nothing" }
                    @for strip in &others { (claim(explored, strip)) }
                }
            }
        }
    }
}

fn claim(explored: &ExplorerPage<'_>, strip: &ClaimStrip) -> Markup {
    let is_asked = explored.claim == Some(strip.claim.as_str());
    html! {
        p.claim aria-current=[is_asked.then_some("true")] {
            @if let Some((is_good, said)) = verdict_text(explored.run, strip) {
                strong.badge.(if is_good { "good" } else { "bad" }) { (said) } " "
            }
            (strip.claim) " " span.quiet { (explained(&format!("{}, {}", strip.kind, strip.source))) } " "
            a.look href=(explored.links.counterexample(&strip.claim)) {
                @if strip.kind == "reachable" { "show how it is reached" }
                @else { "show a counterexample" }
            }
        }
    }
}

/// The verdict of the run on a claim, and whether it is as it should be; `None` if the run gives
/// none.
pub(super) fn verdict_text(run: &Run, strip: &ClaimStrip) -> Option<(bool, String)> {
    let is_to_be = strip.kind == "reachable";
    if let Some(decided) = &strip.decided {
        let said = if is_to_be { "reached" } else { "violated" };
        return Some((is_to_be, format!("{said} at step {}", decided.state)));
    }
    let violated = strip.owed.iter().find(|owed| owed.is == OwedIs::Violated);
    if let Some(owed) = violated {
        let end = if step::again(run).is_some() { "for ever" } else { "at the end" };
        return Some((false, format!("violated: owed since step {}, {end}", owed.since)));
    }
    let open = strip.owed.iter().filter(|owed| owed.is == OwedIs::Open).count();
    match (open, strip.owed.len()) {
        (_, 0) => None,
        (0, _) => Some((true, "met so far".to_owned())),
        (open, _) => Some((true, format!("owed: {open}"))),
    }
}
