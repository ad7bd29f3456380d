//! Cycles: the moves that go round for ever, and those that are possible on the way and never
//! taken.

use deathwatch_documents::{
    Run,
    run::{End, NeverTaken, Step},
};
use deathwatch_scenario::listed::few;
use maud::{Markup, html};

use super::step::action;

/// The greatest number of states that are named.
const NAMED: usize = 8;

/// The panel of a run that goes round; nothing for others.
pub(super) fn panel(run: &Run) -> Markup {
    let End::Cycle { from, to } = run.end else { return html! {} };
    html! {
        section #cycle.panel aria-label="For ever" {
            h2 { "For ever" small { "state " (to) " is state " (from) " again" } }
            (moves(run))
        }
    }
}

/// The moves on the way round, and those that are never taken.
pub(super) fn moves(run: &Run) -> Markup {
    let End::Cycle { from, .. } = run.end else { return html! {} };
    let mut movers: Vec<(&str, Vec<&Step>)> = Vec::new();
    for step in &run.steps[from..] {
        match movers.iter_mut().find(|(actor, _)| *actor == step.act.actor) {
            Some((_, steps)) => steps.push(step),
            None => movers.push((&step.act.actor, vec![step])),
        }
    }
    html! {
        ul.changes {
            @for (actor, steps) in &movers {
                li {
                    strong { (actor) } " moves: "
                    @for (place, step) in steps.iter().enumerate() {
                        @if place > 0 { ", " }
                        (action(run, step)) " (" (step.number) ")"
                    }
                }
            }
            @for it in &run.never_taken {
                li { span.bad { "never done" } ": " strong { (it.act.action) } " by " (it.act.actor) ", " (possible(it)) }
            }
        }
    }
}

pub(super) fn possible(it: &NeverTaken) -> String {
    format!("possible after {}", few(&it.states, NAMED))
}
