//! A run: its head, its steps beside the lanes, and a section for each moment.

use deathwatch_documents::{
    Run,
    run::{ActorKind, End, OwedIs, States, What},
};
use deathwatch_scenario::listed::few;
use maud::{Markup, html};

use super::{
    head::{self, Place},
    lanes::Lanes,
    moment,
    shown::Shown,
    why,
};

/// The run with this number on its page.
pub(super) fn run(run: &Run, number: usize, place: Place) -> Markup {
    let shown = Shown::of(run);
    let last = run.steps.len();
    html! {
        section.run data-run=(number) data-last=(last) data-loop=[again(run)] {
            (head::head(run, place))
            div.two {
                div.left {
                    @let find = html! {
                        input type="search" placeholder="find in steps" aria-label="Find in steps";
                    };
                    @let link = |state| html! {
                        a href=(at(number, state)) title=[line(run, state)] { (label(run, state)) }
                    };
                    (steps(run, &find, &link))
                    @for graph in run.answers.iter().filter_map(|it| it.wait_for.as_ref()) {
                        (why::why(graph))
                    }
                }
                div.right aria-live="polite" {
                    @for state in 0..=last {
                        (moment::moment(&shown, number, state))
                    }
                }
            }
        }
    }
}

/// How to go from step to step.
pub(super) fn keys() -> Markup {
    html! {
        footer.quiet {
            span.keys hidden {
                "Keys: ← → or k j step, Home End, [ ] the same actor, f find, t light or dark. "
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
            h2 { "The run" small { "who does what, in order; what is owed at the right" } }
            p.find hidden { (find) }
            div.scroll {
                div.rows {
                    (lanes.picture())
                    ol start="0" {
                        li.row data-actor="" { (link(0)) }
                        @for step in &run.steps {
                            li.row data-actor=(step.act.actor) { (link(step.number)) }
                        }
                        li.row.end { (end(run)) }
                    }
                    (lanes.strips())
                }
            }
            @if !lanes.idle().is_empty() {
                p.quiet { (idle(lanes.idle())) }
            }
            (legend())
        }
    }
}

/// The state that a run goes on from at its end, if it goes round.
pub(super) fn again(run: &Run) -> Option<usize> {
    match run.end {
        End::Cycle { from, .. } => Some(from),
        End::Quiescent | End::Open => None,
    }
}

/// The address of a moment.
pub(super) fn at(run: usize, state: usize) -> String {
    format!("#{}", id(run, state))
}

/// The id of a moment.
pub(super) fn id(run: usize, state: usize) -> String {
    format!("run-{run}-{state}")
}

/// The step that leads to a state, as a line of a script.
pub(super) fn line(run: &Run, state: usize) -> Option<&str> {
    state.checked_sub(1).map(|index| run.steps[index].act.line.as_str())
}

/// What the link to a state says: the step that leads there.
pub(super) fn label(run: &Run, state: usize) -> Markup {
    let Some(step) = state.checked_sub(1).map(|index| &run.steps[index]) else {
        return html! { span.n { "0" } span.quiet { "start" } };
    };
    let is_fault = step.act.actor_is == ActorKind::Faults;
    html! {
        span.n { (step.number) }
        strong class=[is_fault.then_some("bad")] { (step.act.action) }
        @if let Some(what) = outcome(step.outcome) { " " span.badge { (what) } }
        " " span.quiet { (step.act.actor) }
    }
}

/// What came of a step, unless that goes without saying.
pub(super) fn outcome(what: What) -> Option<&'static str> {
    match what {
        What::Done | What::Committed => None,
        What::Planned => Some("begun"),
        What::Aborted => Some("aborted"),
        What::Contended => Some("given up"),
        What::NoOp => Some("nothing to do"),
        What::Refused => Some("refused"),
        What::NotEnabled => Some("not possible"),
    }
}

/// Whether somebody is going through the run, who may go on.
fn is_walked(run: &Run) -> bool {
    matches!(run.kept, States::At(_))
}

/// Whether the run ends with something owed.
fn is_stuck(run: &Run) -> bool {
    run.claims.iter().flat_map(|strip| &strip.owed).any(|owed| owed.is == OwedIs::Violated)
}

/// How the run ends.
pub(super) fn end(run: &Run) -> Markup {
    match run.end {
        End::Quiescent | End::Open if !run.notes.is_empty() => html! {
            span.n {} strong.bad { (run.notes.join("; ")) }
        },
        End::Quiescent if is_walked(run) && !is_stuck(run) => html! {
            span.n {} span.quiet { "nobody who is assumed to act has anything to do" }
        },
        End::Quiescent => html! { span.n {} strong.bad { "and nothing more happens" } },
        End::Open => html! { span.n {} span.quiet { "it could go on" } },
        End::Cycle { from, to } => html! {
            span.n {}
            strong.bad { "and again: state " (to) " is state " (from) ", for ever" }
        },
    }
}

fn idle(actors: &[&str]) -> String {
    const NAMED: usize = 8;
    format!("Without a part in this run: {}.", few(actors, NAMED))
}

fn legend() -> Markup {
    let shapes = [
        ("transaction", html! { circle.done cx="7" cy="7" r="6" {} }),
        ("begun", html! { circle.planned cx="7" cy="7" r="5" {} }),
        ("no transaction", html! { rect.local x="2" y="2" width="10" height="10" rx="2" {} }),
        ("fault, or never done", html! { path.fault d="M2 2l10 10m0-10l-10 10" {} }),
        ("down", html! { line."there"."down" x1="7" x2="7" y1="0" y2="14" {} }),
        ("owed", html! { rect.owed x="3" y="0" width="8" height="14" {} }),
        ("done", html! { path.met d="M2 8l3 3l6-7" {} }),
    ];
    html! {
        ul.legend aria-label="Legend" {
            @for (says, shape) in shapes { li { svg aria-hidden="true" { (shape) } (says) } }
        }
    }
}
