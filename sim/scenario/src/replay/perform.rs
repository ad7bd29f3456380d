//! Does one action of a script, if it is possible, and checks its outcome.

use deathwatch_model::{
    action::{Act, Action, Outcome, TxnAct},
    actor::Client,
    agents,
    operation::Operation,
    ops::Plan,
    protocol,
    state::State,
    txn::{Op, Txn},
};

use super::{Failure, Obstacle, interpreter::Interpreter, reasons};
use crate::{
    describe,
    scenario::{ExpectedOutcome, Scenario, ScriptStep},
};

/// An action that was done.
pub struct PerformedStep {
    pub action: Action,
    pub outcome: Outcome,
    /// The operation of the pending transaction that it ended.
    pub(super) operation: Option<Operation>,
    /// The op whose assert did not hold.
    pub op: Option<Op>,
    /// The assert that failed, and the actual value.
    pub failing_assert: Option<String>,
    /// The expectation that it did not meet.
    pub(super) failure: Option<Failure>,
}

/// Does the action that `step` asks for, if it is possible, and checks its outcome.
pub(super) fn perform(
    scenario: &Scenario,
    step: &ScriptStep,
    asked: Action,
    interpreter: &mut Interpreter<'_>,
) -> Result<PerformedStep, Obstacle> {
    let (action, planned) = possible(scenario, step, asked, interpreter)?;
    let op = failing_op(interpreter, action, planned.as_ref());
    let mut done = carry_out(interpreter, action, planned, op);
    let failing_assert = done.failing_assert.as_deref();
    let message =
        wrong_ending(asked.act, failing_assert).or_else(|| wrong_outcome(step, asked.act, &done));
    done.failure = message.map(|message| Failure { line: step.line, message });
    Ok(done)
}

/// Does `action`, which is possible and of which nothing is expected. `planned` is the transaction
/// that it plans.
pub fn perform_enabled(
    interpreter: &mut Interpreter<'_>,
    action: Action,
    planned: Option<Txn>,
) -> PerformedStep {
    let op = failing_op(interpreter, action, planned.as_ref());
    carry_out(interpreter, action, planned, op)
}

/// Does `action`, which was possible when the run was found.
pub fn perform_again(interpreter: &mut Interpreter<'_>, action: Action) -> PerformedStep {
    let (action, planned) = interpreter.find(action).unwrap_or((action, None));
    perform_enabled(interpreter, action, planned)
}

fn carry_out(
    interpreter: &mut Interpreter<'_>,
    action: Action,
    planned: Option<Txn>,
    op: Option<Op>,
) -> PerformedStep {
    let failing_assert =
        op.map(|op| describe::contradiction(interpreter.world, &interpreter.state, &op));
    let operation = interpreter.pending_operation(action);
    let outcome = interpreter.step(action, planned);
    PerformedStep { action, outcome, operation, op, failing_assert, failure: None }
}

/// The action that `step` asks for, with its duty, and the transaction that it plans.
pub(super) fn possible(
    scenario: &Scenario,
    step: &ScriptStep,
    action: Action,
    interpreter: &mut Interpreter<'_>,
) -> Result<(Action, Option<Txn>), Obstacle> {
    if let Some(found) = interpreter.find(action) {
        return Ok(found);
    }
    if step.outcome.is_some() && is_try(interpreter, action) {
        return Ok((action, None));
    }
    Err(reasons::impossible(scenario, step, action, interpreter))
}

/// Takes the next step of a run in its own world. Returns whether it was tried there: nobody was to
/// do it.
pub fn was_tried(interpreter: &mut Interpreter<'_>, action: Action) -> bool {
    let was_tried = interpreter.find(action).is_none();
    interpreter.step(action, None);
    was_tried
}

/// The action, and the transaction that it plans, where a step of another world's run is done again
/// in this one. One that nobody was to do there, but tried, can be tried here.
pub fn done_again(
    interpreter: &mut Interpreter<'_>,
    action: Action,
    was_tried: bool,
) -> Option<(Action, Option<Txn>)> {
    let found = interpreter.find(action);
    found.or_else(|| (was_tried && is_try(interpreter, action)).then_some((action, None)))
}

/// Whether `action` can be meant to get nowhere: a user tries something, or a hook uses a tool
/// again. A line of a script states the outcome then.
fn is_try(interpreter: &Interpreter<'_>, action: Action) -> bool {
    let Interpreter { world, state, .. } = interpreter;
    may_try(action, state) || agents::does_nothing(world, state, action.act)
}

/// Whether `action` can be tried, even if that has no effect: a user may try any operation.
pub fn may_try(action: Action, state: &State) -> bool {
    let Act::Txn(client @ Client::User(_), act) = action.act else { return false };
    act.plans().is_some() && protocol::pending(state, client).is_none()
}

/// The first op whose assert keeps `action` from committing its transaction.
fn failing_op(interpreter: &Interpreter<'_>, action: Action, planned: Option<&Txn>) -> Option<Op> {
    match action.act {
        Act::Txn(client, TxnAct::Commit | TxnAct::Abort) => {
            interpreter.failing_op(protocol::pending(&interpreter.state, client)?)
        }
        Act::Txn(client, TxnAct::Run(operation)) => match planned {
            Some(txn) => interpreter.failing_op(txn),
            None => match interpreter.plan(client, operation) {
                Plan::Submit(txn) => interpreter.failing_op(&txn),
                Plan::NoOp | Plan::Refuse(_) => None,
            },
        },
        _ => None,
    }
}

/// The failure of a `commit` that aborts, or of an `abort` that commits, with the reason.
fn wrong_ending(asked: Act, failing_assert: Option<&str>) -> Option<String> {
    match (asked.txn(), failing_assert) {
        (Some(TxnAct::Commit), Some(failing)) => {
            Some(format!("expected to commit, but it aborts: {failing}"))
        }
        (Some(TxnAct::Abort), None) => {
            Some("expected to abort, but it commits: all that it asserts holds".to_owned())
        }
        _ => None,
    }
}

/// The failure of a step whose outcome is not the expected one; `asked` is the act that it asks
/// for.
pub(super) fn wrong_outcome(step: &ScriptStep, asked: Act, done: &PerformedStep) -> Option<String> {
    let actual = ExpectedOutcome::of(done.outcome);
    let is_met = match step.outcome {
        Some(ExpectedOutcome::Aborted(Some(clause))) => {
            done.outcome == Outcome::Aborted && done.op.is_some_and(|op| op.clause == clause)
        }
        Some(expected) => actual == Some(expected),
        None => ExpectedOutcome::to_be_written(asked, done.outcome).is_none(),
    };
    if is_met {
        return None;
    }
    let expected =
        step.outcome.map_or_else(|| "it to do something".to_owned(), |outcome| outcome.to_string());
    let came = match actual {
        None => "it was done".to_owned(),
        Some(ExpectedOutcome::NoOp) => "there was nothing to do".to_owned(),
        Some(ExpectedOutcome::Refused(why)) => format!("it was refused: {}", why.text()),
        Some(ExpectedOutcome::Aborted(_)) => "it aborted".to_owned(),
        Some(ExpectedOutcome::Contended) => "its client gave up".to_owned(),
    };
    Some(match &done.failing_assert {
        Some(failing) => format!("expected {expected}, but {came}: {failing}"),
        None => format!("expected {expected}, but {came}"),
    })
}
