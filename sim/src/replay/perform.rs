//! Doing one step of a script: is it possible, and does it do what is expected?

use deathwatch_model::{
    action::{Act, Action, Actor, Outcome},
    operation::Operation,
    protocol,
    state::State,
    txn::{Op, Plan, Txn},
    world::{Transactions, World},
};

use super::{Failure, stage::Stage};
use crate::{
    describe,
    problem::Problem,
    scenario::{ExpectedOutcome, Scenario, ScriptStep},
};

/// A step that was done.
pub(super) struct Done {
    /// The action, with its duty.
    pub(super) action: Action,
    /// What came of it.
    pub(super) outcome: Outcome,
    /// What was pending before.
    pub(super) operation: Option<Operation>,
    /// The assert that did not hold, and what was the case instead.
    pub(super) obstacle: Option<String>,
    /// What was expected of it in vain.
    pub(super) failure: Option<Failure>,
}

/// Does `step`, if it is possible.
pub(super) fn perform(
    scenario: &Scenario,
    step: &ScriptStep,
    stage: &mut Stage<'_>,
) -> Result<Done, Problem> {
    let (action, planned) = possible(scenario, step, stage)?;
    let op = obstacle(stage, action, planned.as_ref());
    let mut done = carry_out(stage, action, planned, op);
    let obstacle = done.obstacle.as_deref();
    let message = surprise(step, obstacle).or_else(|| unexpected(step, done.outcome, op, obstacle));
    done.failure = message.map(|message| Failure { line: step.line, message });
    Ok(done)
}

/// Does `action`, of which nothing is expected.
pub(super) fn perform_found(stage: &mut Stage<'_>, action: Action) -> Done {
    let planned = stage.find(action).and_then(|(_, planned)| planned);
    let op = obstacle(stage, action, planned.as_ref());
    carry_out(stage, action, planned, op)
}

fn carry_out(stage: &mut Stage<'_>, action: Action, planned: Option<Txn>, op: Option<Op>) -> Done {
    let obstacle = op.map(|op| describe::contradiction(stage.world, &stage.state, &op));
    let operation = stage.in_flight(action);
    let outcome = stage.go(action, planned);
    Done { action, outcome, operation, obstacle, failure: None }
}

/// The action that `step` stands for, with its duty, and what it plans.
fn possible(
    scenario: &Scenario,
    step: &ScriptStep,
    stage: &mut Stage<'_>,
) -> Result<(Action, Option<Txn>), Problem> {
    let (world, wanted) = (&scenario.world, step.action);
    if let Actor::Client(_) = wanted.actor {
        return client(scenario, step, &stage.state).map(|action| (action, None));
    }
    if let Some(found) = stage.find(wanted) {
        return Ok(found);
    }
    let is_try = matches!(wanted.act, Act::Run(_) | Act::Begin(_)) && step.outcome.is_some();
    if wanted.actor == Actor::User && is_try {
        return Ok((wanted, None));
    }
    let actor = world.show_actor(wanted.actor);
    let offers = stage.alternatives(wanted);
    let problem = scenario.problem(&step.span, "this step is not possible here", "not enabled");
    Err(problem.with_help(alternatives(world, &actor, wanted, &offers)))
}

/// A client plans what it likes, but one transaction at a time.
fn client(scenario: &Scenario, step: &ScriptStep, state: &State) -> Result<Action, Problem> {
    let actor = scenario.world.show_actor(step.action.actor);
    let pending = protocol::pending(state, step.action.actor);
    let (message, help) = match (step.action.act, pending) {
        (Act::Commit | Act::Abort, None) => {
            let message = format!("{actor} has no transaction pending");
            (message, format!("it begins one with: {actor}: begin OPERATION"))
        }
        (Act::Begin(_), Some(txn)) => {
            let operation = scenario.world.show_operation(txn.operation);
            let message = format!("{actor} has a transaction pending: {operation}");
            (message, "commit or abort that one first, or let another client begin".to_owned())
        }
        _ => return Ok(step.action),
    };
    Err(scenario.problem(&step.span, message, "not enabled").with_help(help))
}

/// What an actor can do instead of what it cannot.
fn alternatives(world: &World, actor: &str, wanted: Action, offers: &[Action]) -> String {
    let mut help = match offers {
        [] => format!("{actor} can do nothing now"),
        offers => {
            let lines = offers.iter().map(|offer| format!("\n  {}", world.show(offer)));
            format!("{actor} can do now:{}", lines.collect::<String>())
        }
    };
    match wanted.actor {
        Actor::User => help.push_str("\nthe table [user] says what the user may do"),
        Actor::Faults => help.push_str("\nthe table [faults] says which faults may strike"),
        _ => {}
    }
    match (world.transactions, wanted.act) {
        (Transactions::Atomic, Act::Begin(_) | Act::Commit | Act::Abort) => {
            help.push_str("\nthe transactions of this world are atomic: they have no `begin`");
        }
        (Transactions::Split, Act::Run(_)) => {
            help.push_str("\nthe transactions of this world are split: they `begin` and `commit`");
        }
        _ => {}
    }
    help
}

/// The assert that keeps `action` from committing what it is to commit.
fn obstacle(stage: &Stage<'_>, action: Action, planned: Option<&Txn>) -> Option<Op> {
    match action.act {
        Act::Commit | Act::Abort => stage.obstacle(protocol::pending(&stage.state, action.actor)?),
        Act::Run(operation) => match planned {
            Some(txn) => stage.obstacle(txn),
            None => match stage.plan(action.actor, operation) {
                Plan::Submit(txn) => stage.obstacle(&txn),
                Plan::NoOp | Plan::Refuse(_) => None,
            },
        },
        _ => None,
    }
}

/// The failure of a `commit` that aborts, or the other way round, with the reason.
fn surprise(step: &ScriptStep, obstacle: Option<&str>) -> Option<String> {
    match (step.action.act, obstacle) {
        (Act::Commit, Some(obstacle)) => {
            Some(format!("expected to commit, but it aborts: {obstacle}"))
        }
        (Act::Abort, None) => {
            Some("expected to abort, but it commits: all that it asserts holds".to_owned())
        }
        _ => None,
    }
}

/// What is wrong with `outcome`, if anything; `op` is the line whose assert did not hold.
fn unexpected(
    step: &ScriptStep,
    outcome: Outcome,
    op: Option<Op>,
    obstacle: Option<&str>,
) -> Option<String> {
    let came = ExpectedOutcome::of(outcome);
    let is_met = match step.outcome {
        Some(ExpectedOutcome::Aborted(Some(clause))) => {
            outcome == Outcome::Aborted && op.is_some_and(|op| op.clause == clause)
        }
        Some(expected) => came == Some(expected),
        None => ExpectedOutcome::to_be_written(step.action.act, outcome).is_none(),
    };
    if is_met {
        return None;
    }
    let expected =
        step.outcome.map_or_else(|| "it to do something".to_owned(), |outcome| outcome.to_string());
    let came = match came {
        None => "it was done".to_owned(),
        Some(ExpectedOutcome::NoOp) => "there was nothing to do".to_owned(),
        Some(ExpectedOutcome::Refused(why)) => format!("it was refused: {}", why.text()),
        Some(ExpectedOutcome::Aborted(_)) => "it aborted".to_owned(),
        Some(ExpectedOutcome::Contended) => "its client gave up".to_owned(),
    };
    Some(match obstacle {
        Some(obstacle) => format!("expected {expected}, but {came}: {obstacle}"),
        None => format!("expected {expected}, but {came}"),
    })
}
