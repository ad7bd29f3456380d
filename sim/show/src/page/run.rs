//! A run: its head, its steps beside the lanes, and a section for each moment.

use deathwatch_documents::{
    Run,
    run::{ActorKind, End, OwedIs, States, Step, StepOutcome, WholeRun},
};
use deathwatch_scenario::listed::few;
use maud::{Markup, html};

use crate::text::number;

use super::{
    cycle,
    head::{self, Place},
    lanes::Lanes,
    moment,
    shown::Shown,
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

/// The only relation of a world, if it has one alone: steps need not name it.
fn only_relation(run: &Run) -> Option<&str> {
    let mut names = run.world.relations.keys();
    let is_only = run.world.relations.len() == 1 && run.whole.is_none();
    names.next().filter(|_| is_only).map(String::as_str)
}

/// The text of an action, without the name of the only relation. The end of a transaction names the
/// transaction.
pub(super) fn action(run: &Run, step: &Step) -> String {
    let ends = step.ends.first().map(|index| run.pending[*index].what.as_str());
    let is_bare = !step.act.action.contains(' ') && step.act.actor_is != ActorKind::Faults;
    let action = match ends.filter(|_| is_bare) {
        Some(what) => format!("{} {what}", step.act.action),
        None => step.act.action.clone(),
    };
    match only_relation(run) {
        Some(relation) => action.replace(&format!(" {relation}"), ""),
        None => action,
    }
}

/// The state that a run goes on from at its end, if it goes round.
pub(super) fn again(run: &Run) -> Option<usize> {
    match run.end {
        End::Cycle { from, .. } => Some(from),
        End::Quiescent | End::Open => None,
    }
}

pub(super) fn at(run: usize, state: usize) -> String {
    format!("#{}", id(run, state))
}

pub(super) fn id(run: usize, state: usize) -> String {
    format!("run-{run}-{state}")
}

/// The step that leads to a state, as a line of a script.
pub(super) fn line(run: &Run, state: usize) -> Option<&str> {
    state.checked_sub(1).map(|index| run.steps[index].act.line.as_str())
}

/// The label of the link to a state: the step that leads there.
pub(super) fn label(run: &Run, state: usize) -> Markup {
    let Some(step) = state.checked_sub(1).map(|index| &run.steps[index]) else {
        return html! { span.n { "0" } span.quiet { "start" } };
    };
    let is_fault = step.act.actor_is == ActorKind::Faults;
    html! {
        span.n { (run.number(state)) }
        span {
            strong class=[is_fault.then_some("bad")] { (action(run, step)) }
            // What begins something says so.
            @if let Some(what) = outcome(step.outcome).filter(|_| step.outcome != StepOutcome::Planned) {
                " " span.badge { (what) }
            }
            " " span.quiet { (step.act.actor) }
        }
    }
}

/// The text of a step's outcome, unless it is the usual one.
pub(super) fn outcome(what: StepOutcome) -> Option<&'static str> {
    match what {
        StepOutcome::Done | StepOutcome::Committed => None,
        StepOutcome::Planned => Some("begun"),
        StepOutcome::Aborted => Some("aborted"),
        StepOutcome::Contended => Some("given up"),
        StepOutcome::NoOp => Some("nothing to do"),
        StepOutcome::Refused => Some("refused"),
        StepOutcome::NotEnabled => Some("not possible"),
    }
}

/// Whether the run is walked through in the explorer, so that it may go on.
fn is_walked(run: &Run) -> bool {
    matches!(run.kept, States::At(_))
}

/// Whether the run ends with something owed.
fn is_stuck(run: &Run) -> bool {
    run.claims.iter().flat_map(|strip| &strip.owed).any(|owed| owed.is == OwedIs::Violated)
}

pub(super) fn end(run: &Run) -> Markup {
    match run.end {
        End::Quiescent | End::Open if !run.notes.is_empty() => html! {
            strong.bad { (run.notes.join("; ")) }
        },
        End::Quiescent if is_walked(run) && !is_stuck(run) => html! {
            span.quiet { "nobody who is assumed to act has anything to do" }
        },
        End::Quiescent => html! { strong.bad { "and nothing more happens" } },
        End::Open => html! { span.quiet { "it could go on" } },
        End::Cycle { from, to } => html! {
            strong.bad { "and again: state " (to) " is state " (from) ", for ever" }
        },
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
