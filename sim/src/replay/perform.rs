//! Does one step of a script, if it is possible, and checks its outcome.

use deathwatch_model::{
    action::{Act, Action, Actor, Client, Outcome, TxnAct},
    operation::Operation,
    protocol,
    state::State,
    txn::{Op, Plan, Txn},
    world::{Transactions, World},
};

use super::{Failure, interpreter::Interpreter};
use crate::{
    describe,
    problem::Problem,
    scenario::{ExpectedOutcome, Scenario, ScriptStep},
};

/// A step that was done.
pub(super) struct Done {
    /// The action, with its duty.
    pub(super) action: Action,
    /// Its outcome.
    pub(super) outcome: Outcome,
    /// The operation of the pending transaction that it ended.
    pub(super) operation: Option<Operation>,
    /// The assert that did not hold, and what was the case instead.
    pub(super) failing_assert: Option<String>,
    /// The expectation that it did not meet.
    pub(super) failure: Option<Failure>,
}

/// Does `step`, if it is possible.
pub(super) fn perform(
    scenario: &Scenario,
    step: &ScriptStep,
    interpreter: &mut Interpreter<'_>,
) -> Result<Done, Problem> {
    let (action, planned) = possible(scenario, step, interpreter)?;
    let op = failing_op(interpreter, action, planned.as_ref());
    let mut done = carry_out(interpreter, action, planned, op);
    let failing_assert = done.failing_assert.as_deref();
    let message = wrong_ending(step, failing_assert)
        .or_else(|| wrong_outcome(step, done.outcome, op, failing_assert));
    done.failure = message.map(|message| Failure { line: step.line, message });
    Ok(done)
}

/// Does `action` of a recorded run, of which nothing is expected.
pub(super) fn perform_recorded(interpreter: &mut Interpreter<'_>, action: Action) -> Done {
    let planned = interpreter.find(action).and_then(|(_, planned)| planned);
    let op = failing_op(interpreter, action, planned.as_ref());
    carry_out(interpreter, action, planned, op)
}

fn carry_out(
    interpreter: &mut Interpreter<'_>,
    action: Action,
    planned: Option<Txn>,
    op: Option<Op>,
) -> Done {
    let failing_assert =
        op.map(|op| describe::contradiction(interpreter.world, &interpreter.state, &op));
    let operation = interpreter.pending_operation(action);
    let outcome = interpreter.step(action, planned);
    Done { action, outcome, operation, failing_assert, failure: None }
}

/// The action that `step` stands for, with its duty, and the transaction that it plans.
fn possible(
    scenario: &Scenario,
    step: &ScriptStep,
    interpreter: &mut Interpreter<'_>,
) -> Result<(Action, Option<Txn>), Problem> {
    let (world, action) = (&scenario.world, step.action);
    if let Some(found) = interpreter.find(action) {
        return Ok(found);
    }
    if is_try(step, &interpreter.state) {
        return Ok((action, None));
    }
    if let Act::Txn(client @ Client::Script(_), act) = action.act {
        return Err(busy(scenario, step, client, act, &interpreter.state));
    }
    let actor = world.show_actor(action.actor());
    let enabled = interpreter.alternatives(action);
    let message = "this step is not possible here";
    let problem = scenario.text().problem(&step.span, message, "not enabled");
    Err(problem.with_help_lines(&alternatives(world, &actor, action, &enabled)))
}

/// Whether `step` is meant to get nowhere: the user tries something, and the script says what comes
/// of it.
fn is_try(step: &ScriptStep, state: &State) -> bool {
    let Act::Txn(Client::User, act) = step.action.act else { return false };
    let is_free = protocol::pending(state, Client::User).is_none();
    act.plans().is_some() && step.outcome.is_some() && is_free
}

/// The problem that a script's client can have one transaction at a time.
fn busy(
    scenario: &Scenario,
    step: &ScriptStep,
    client: Client,
    act: TxnAct,
    state: &State,
) -> Problem {
    let actor = scenario.world.show_actor(client.actor());
    let pending = protocol::pending(state, client).filter(|_| act.plans().is_some());
    let (message, help) = match pending {
        None => (
            format!("{actor} has no transaction pending"),
            format!("it begins one with: {actor}: begin OPERATION"),
        ),
        Some(txn) => (
            format!(
                "{actor} has a transaction pending: {}",
                scenario.world.show_operation(txn.operation)
            ),
            "commit or abort that one first, or let another client begin".to_owned(),
        ),
    };
    scenario.text().problem(&step.span, message, "not enabled").with_help(help)
}

/// The help for `action`, which is not possible: what its actor can do, in lines.
fn alternatives(world: &World, actor: &str, action: Action, enabled: &[Action]) -> Vec<String> {
    const FEW: usize = 10;
    let mut help = Vec::new();
    if enabled.is_empty() {
        help.push(format!("{actor} can do nothing now"));
    } else {
        help.push(format!("{actor} can do now:"));
        help.extend(enabled.iter().take(FEW).map(|it| format!("  {}", world.show(it))));
        let more = enabled.len().saturating_sub(FEW);
        help.extend((more > 0).then(|| format!("  and {more} more")));
    }
    let mut add = |line: &str| help.push(line.to_owned());
    match action.actor() {
        Actor::User => add("the table [user] says what the user may do"),
        Actor::Faults => add("the table [faults] says which faults may strike"),
        _ => {}
    }
    match (world.transactions, action.act.txn()) {
        (Transactions::Atomic, Some(TxnAct::Begin(_) | TxnAct::Commit | TxnAct::Abort)) => {
            add("the transactions of this world are atomic: they have no `begin`");
        }
        (Transactions::Split, Some(TxnAct::Run(_))) => {
            add("the transactions of this world are split: they `begin` and `commit`");
        }
        _ => {}
    }
    help
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
fn wrong_ending(step: &ScriptStep, failing_assert: Option<&str>) -> Option<String> {
    match (step.action.act.txn(), failing_assert) {
        (Some(TxnAct::Commit), Some(failing)) => {
            Some(format!("expected to commit, but it aborts: {failing}"))
        }
        (Some(TxnAct::Abort), None) => {
            Some("expected to abort, but it commits: all that it asserts holds".to_owned())
        }
        _ => None,
    }
}

/// The failure of a step whose `outcome` is not the expected one; `op` is the first op whose assert
/// did not hold.
fn wrong_outcome(
    step: &ScriptStep,
    outcome: Outcome,
    op: Option<Op>,
    failing_assert: Option<&str>,
) -> Option<String> {
    let actual = ExpectedOutcome::of(outcome);
    let is_met = match step.outcome {
        Some(ExpectedOutcome::Aborted(Some(clause))) => {
            outcome == Outcome::Aborted && op.is_some_and(|op| op.clause == clause)
        }
        Some(expected) => actual == Some(expected),
        None => ExpectedOutcome::to_be_written(step.action.act, outcome).is_none(),
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
    Some(match failing_assert {
        Some(failing) => format!("expected {expected}, but {came}: {failing}"),
        None => format!("expected {expected}, but {came}"),
    })
}
