//! Steps of a run: their texts and places on the page, and the end that they lead to.

use deathwatch_documents::{
    Run,
    run::{ActorKind, End, OwedIs, States, Step, StepOutcome},
};
use maud::{Markup, html};

/// The only relation of a world, if it has one alone: steps need not name it.
pub(super) fn only_relation(run: &Run) -> Option<&str> {
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
