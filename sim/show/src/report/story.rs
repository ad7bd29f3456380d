//! Runs as the pages tell them: whole, or in a few lines.

use std::collections::BTreeSet;

use deathwatch_documents::Begins;
use minijinja::{Value, context};

use super::{Answered, Run, markdown::count};

/// The lines of a run, at most `most` of them.
///
/// What somebody outside does comes first: the user, the operator, faults; then what is nearest to
/// the end. Steps keep their numbers, so it is seen where some are missing.
fn lines(run: &Run, most: usize) -> Vec<String> {
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

/// Whether a step is of somebody who is no agent.
fn is_from_outside(step: &str) -> bool {
    ["user", "client", "faults", "operator"].iter().any(|actor| step.starts_with(actor))
}

/// A run for a template: the claim, its lines, and what is stuck at its end.
pub(super) fn told(scenario: &Answered, run: &Run, most: usize) -> Value {
    let script = match (run.trace.begins, scenario.scenario.steps.len()) {
        (Begins::AfterScript, steps @ 1..) => count(steps, "step", "steps"),
        _ => String::new(),
    };
    context! {
        claim => run.claim.name,
        source => run.claim.source,
        subject => run.trace.subject.clone().unwrap_or_default(),
        steps => run.len() as u64,
        script,
        lines => lines(run, most),
        is_quiescent => run.trace.quiescent,
        is_cycle => !run.trace.cycle.is_empty(),
        diagnosis => run.trace.diagnosis.clone().unwrap_or_default(),
        picture => run.picture.clone().unwrap_or_default(),
    }
}
