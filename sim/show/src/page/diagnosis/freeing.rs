//! The run by which all goes, step by step, in the words of an operator.

use deathwatch_documents::diagnosis::FreeingRun;
use maud::{Markup, html};

use super::holders::OperatorCards;
use crate::page::{
    lanes::Lanes,
    moment::steps_nav,
    shown::Shown,
    step::{at, id},
    world,
};

/// The panel of the run with this number on its page.
pub(super) fn panel(freeing: &FreeingRun, number: usize) -> Markup {
    let last = freeing.run.steps.len();
    html! {
        @if freeing.frees {
            section.run data-run=(number) data-last=(last) {
                div.two {
                    div.left { (steps(freeing, number)) }
                    div.right aria-live="polite" {
                        @let shown = Shown::of(&freeing.run);
                        @for state in 0..=last { (moment(freeing, &shown, number, state)) }
                    }
                }
            }
        } @else {
            section.run.panel aria-label="How it goes" data-run=(number) data-last="0" {
                h2 { "How it goes" }
                p { strong.bad { "Nothing frees it" } ", in this Juju and short of force." }
            }
        }
    }
}

/// The steps of a freeing run, each with its actor.
fn steps(freeing: &FreeingRun, number: usize) -> Markup {
    let lanes = Lanes::of(&freeing.run);
    let link = |state: usize| {
        html! { a href=(at(number, state)) { (label(freeing, state)) } }
    };
    html! {
        section.panel aria-label="How it goes" {
            h2 { "How it goes" small { "the shortest way on which all goes" } }
            p.find hidden {
                input type="search" placeholder="find in steps" aria-label="Find in steps";
            }
            (lanes.rows(&link, &html! { strong.good { "and all is gone" } }))
        }
    }
}

/// The step that leads to a state.
fn label(freeing: &FreeingRun, state: usize) -> Markup {
    let Some(index) = state.checked_sub(1) else {
        return html! { span.n { "0" } span.quiet { "as it is now" } };
    };
    let step = &freeing.run.steps[index];
    html! {
        span.n { (step.number) }
        span {
            @match freeing.words.get(index).and_then(Option::as_ref) {
                Some(step) => {
                    strong class=[(step.who == "you").then_some("bad")] { (step.what) }
                    " " span.quiet { (step.who) }
                }
                None => span.quiet { (step.act.action.replace('-', " ")) " " (step.act.actor) },
            }
        }
    }
}

/// The actor and the step that lead to a state.
fn did(freeing: &FreeingRun, state: usize) -> Markup {
    let Some(index) = state.checked_sub(1) else {
        return html! { p.quiet { "as it is now" } };
    };
    html! {
        @match freeing.words.get(index).and_then(Option::as_ref) {
            Some(step) => p { strong { (step.who) } ": " (step.what) },
            None => p.quiet { (freeing.run.steps[index].act.actor) ", within itself" },
        }
    }
}

/// The model after this many steps.
fn moment(freeing: &FreeingRun, shown: &Shown<'_>, number: usize, state: usize) -> Markup {
    let last = freeing.run.steps.len();
    let class = if state == last { "moment last" } else { "moment" };
    html! {
        section class=(class) id=(id(number, state)) {
            div.panel {
                h2 {
                    "The model" small { "after step " (state) " of " (last) }
                    (steps_nav(number, state, last))
                }
                (did(freeing, state))
                @if freeing.run.moment(state).is_some() {
                    (world::world(shown, state, &OperatorCards))
                }
            }
        }
    }
}
