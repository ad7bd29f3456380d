//! Traces: the run that shows an answer, done again for the clauses of its lines.

use deathwatch_claims::{
    ClaimKind,
    check::{CheckAnswer, Finding, FindingSubject},
};
use deathwatch_documents::{Begins, Line, NoReturn, TraceText, WaitFor};
use deathwatch_model::{
    action::Action,
    protocol::{self, Effects},
    state::State,
    world::World,
};
use deathwatch_scenario::describe;

use crate::wait_for;

/// Renders the run of `finding`, which begins in `start`; `None` if it has none.
pub fn render(
    world: &World,
    begins: Begins,
    start: &State,
    finding: &Finding,
) -> Option<TraceText> {
    let trace = finding.trace.as_ref()?;
    let mut state = start.clone();
    let steps = lines(world, &mut state, &trace.steps);
    let cycle = lines(world, &mut state, &trace.cycle);
    let is_for_ever = finding.answer == CheckAnswer::Violated && is_leads(finding.asked);
    let quiescent = is_for_ever && cycle.is_empty();
    let subject = trace.subject.map(|subject| describe::subject(world, subject));
    let wait_for = trace.diagnosis.as_ref().and_then(|it| wait_for::of(world, it));
    let departure = trace.departure.as_ref().map(|it| describe::departure(world, it));
    let diagnosis = wait_for.as_ref().map(WaitFor::paragraph).or(departure);
    let no_return = trace.no_return.map(|it| NoReturn {
        open: it.open,
        lost: it.lost,
        unaided: it.unaided,
        aid: it.aid.map(|aid| world.show(&aid)),
    });
    Some(TraceText { subject, begins, steps, cycle, quiescent, wait_for, diagnosis, no_return })
}

fn is_leads(asked: FindingSubject) -> bool {
    matches!(asked, FindingSubject::Claim(claim) if claim.kind() == ClaimKind::Leads)
}

fn lines(world: &World, state: &mut State, actions: &[Action]) -> Vec<Line> {
    let mut effects = Effects::default();
    let mut line = |action: &Action| {
        protocol::step(world, state, *action, &mut effects);
        let names = effects.clauses.iter().map(|it| world.clause_name(*it).into_owned());
        Line { text: world.show(action), clauses: names.collect() }
    };
    actions.iter().map(&mut line).collect()
}
