//! Scenarios and runs as the templates have them: runs whole, or in a few lines.

use std::collections::BTreeSet;

use deathwatch_documents::{Begins, marked};
use deathwatch_scenario::scenario::Expected;
use minijinja::{Value, context, value::Serde};

use super::{
    AnsweredScenario, Counterexample,
    markdown::{From, command, count, target},
    template::safe,
};

/// The lines of a run, at most `most` of them.
///
/// What somebody outside does comes first: the user, the operator, faults; then what is nearest to
/// the end. Steps keep their numbers, so it is seen where some are missing.
pub(super) fn lines(run: &Counterexample, most: usize) -> Vec<String> {
    let trace = &run.trace;
    let cycle = &trace.cycle;
    let all: Vec<&str> = trace.steps.iter().chain(cycle).map(|line| line.text.as_str()).collect();
    let round = format!("and steps {} to {} again and again", trace.steps.len() + 1, all.len());
    let end = Some(round).filter(|_| !cycle.is_empty());
    let room = most - usize::from(end.is_some());
    let mut order: Vec<usize> = (0..all.len()).rev().collect();
    order.sort_by_key(|index| (*index + 1 != all.len(), !is_from_outside(all[*index])));
    let kept: BTreeSet<usize> = order.into_iter().take(room).collect();
    let digits = all.len().to_string().len();
    let lines = kept.iter().map(|index| format!("{:>digits$}  {}", index + 1, all[*index]));
    lines.chain(end).collect()
}

/// Whether the actor of a step is no agent.
fn is_from_outside(step: &str) -> bool {
    ["user", "client", "faults", "operator"].iter().any(|actor| step.starts_with(actor))
}

pub(super) fn scenario(it: &AnsweredScenario) -> Value {
    let violated = it.claims(Expected::Violated);
    context! {
        name => it.name.clone(),
        short_name => it.short_name(),
        target => safe(target(From::Reports, it)),
        command => command(it),
        shows => it.scenario.shows.clone(),
        notes => it.notes().unwrap_or_default(),
        violated => violated.iter().map(|claim| marked(claim)).collect::<Vec<_>>(),
        states => it.figures.map(|it| it.states),
    }
}

/// A run for a template: the claim, and the stuck document at its end.
pub(super) fn run(run: &Counterexample) -> Value {
    context! {
        claim => marked(run.claim),
        source => run.claim.source,
        length => run.len(),
        trace => Serde(&run.trace),
    }
}

/// The same, with at most `most` of its lines.
pub(super) fn excerpt(scenario: &AnsweredScenario, run: &Counterexample, most: usize) -> Value {
    let script = match (run.trace.begins, scenario.scenario.steps.len()) {
        (Begins::AfterScript, steps @ 1..) => count(steps, "step", "steps"),
        _ => String::new(),
    };
    let lines = lines(run, most);
    context! { script, lines, picture => run.picture.clone(), ..self::run(run) }
}
