//! A run: its head, its steps beside the lanes, and a section for each moment.

use deathwatch_documents::{Run, run::WholeRun};
use deathwatch_scenario::listed::few;
use maud::{Markup, html};

use crate::text::number;

use super::{
    cycle,
    head::{self, Place},
    lanes::Lanes,
    moment,
    shown::Shown,
    step::{again, at, end, label, line, only_relation},
};

/// The run with this number on its page.
pub(super) fn run(run: &Run, number: usize, place: Place) -> Markup {
    let shown = Shown::of(run);
    let last = run.steps.len();
    html! {
        section.run data-run=(number) data-last=(last) data-loop=[again(run)] {
            (head::head(run, number, place))
            div.two {
                div.left {
                    @let find = html! {
                        input type="search" placeholder="find in steps" aria-label="Find in steps";
                    };
                    @let link = |state| html! {
                        a href=(at(number, state)) title=[line(run, state)] { (label(run, state)) }
                    };
                    (steps(run, &find, &link))
                    (cycle::panel(run))
                }
                div.right aria-live="polite" {
                    @if last > 0 { (player(last)) }
                    @for state in 0..=last {
                        (moment::moment(&shown, number, state))
                    }
                }
            }
        }
    }
}

/// The player of a run, which leads to any of its states, where there are scripts.
fn player(last: usize) -> Markup {
    html! {
        p.player.scripted hidden {
            button type="button" { "▶ play" }
            input type="range" min="0" max=(last) value=(last) aria-label="State";
        }
    }
}

/// The keys that go from step to step.
pub(super) fn keys() -> Markup {
    html! {
        footer.quiet {
            span.keys hidden {
                "Keys: ← → or k j step, p play, Home End, [ ] the same actor, f find, t light or dark. "
            }
            "The address holds the step."
        }
    }
}

/// The steps of a run beside the lanes. `find` is the field by which steps are found, and `link`
/// makes the link to a state.
pub(super) fn steps(run: &Run, find: &Markup, link: &dyn Fn(usize) -> Markup) -> Markup {
    let lanes = Lanes::of(run);
    html! {
        section.panel aria-label="The run" {
            h2 { "The run" small { "who does what, in order" } }
            @if let Some(whole) = run.whole { (slice(run, whole)) }
            p.find hidden { (find) }
            (lanes.rows(link, &end(run)))
            (lanes.owed())
            @if !lanes.idle().is_empty() { p.quiet { (idle(lanes.idle())) } }
            @if let Some(relation) = only_relation(run) {
                p.quiet { "Steps do not name the only relation, " (relation) "." }
            }
            (legend(run))
        }
    }
}

/// The note that the shown steps are a slice of a longer run.
pub(super) fn slice(run: &Run, whole: WholeRun) -> Markup {
    html! {
        p.quiet {
            "Of " (number(whole.steps as u64, "step")) " these " (run.steps.len())
            " change something of what holds the end, or a life of what waits for it. "
            @match whole.needs_others {
                None => "They alone lead to the same.",
                Some(step) => { "Step " (step) " needs some that are not shown." }
            }
        }
    }
}

fn idle(actors: &[&str]) -> String {
    const NAMED: usize = 8;
    format!("Without a part in this run: {}.", few(actors, NAMED))
}

/// The legend of the shapes beside the steps.
pub(super) fn legend(run: &Run) -> Markup {
    let known = run.no_return();
    let is_lost = known.is_some_and(|it| it.lost.is_some());
    let needs_help = known.is_some_and(|it| it.unaided.is_some() && it.unaided != it.lost);
    let shapes = [
        ("transaction", html! { use href="#step-done" x="7" y="7" {} }),
        ("begun", html! { use href="#step-planned" x="7" y="7" {} }),
        ("no transaction", html! { use href="#step-local" x="7" y="7" {} }),
        ("fault, or never done", html! { use href="#step-fault" x="7" y="7" {} }),
        ("down", html! { line."there"."down" x1="7" x2="7" y1="0" y2="14" {} }),
        ("owed", html! { line.owed x1="7" x2="7" y1="0" y2="14" {} }),
        ("done", html! { use href="#step-met" x="7" y="7" {} }),
    ];
    html! {
        ul.legend aria-label="Legend" {
            @for (says, shape) in shapes { li { svg aria-hidden="true" { (shape) } (says) } }
            @if needs_help { li.unaided { "only with help" } }
            @if is_lost { li.lost { "too late" } }
        }
    }
}
