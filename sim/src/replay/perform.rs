//! Doing one step of a script: is it possible, and does it do what is expected?

use deathwatch_model::{
    action::{Act, Action, Actor, Outcome},
    agents,
    operation::Operation,
    protocol::{self, Effects},
    state::State,
    txn::{Op, Plan, Txn},
    world::{Transactions, World},
};

use super::Failure;
use crate::{
    problem::Problem,
    scenario::{ExpectedOutcome, Scenario, ScriptStep},
};

/// A step that was done.
pub(super) struct Done {
    /// The action, with its duty.
    pub(super) action: Action,
    /// What came of it.
    pub(super) outcome: Outcome,
    /// What was expected of it in vain.
    pub(super) failure: Option<Failure>,
}

/// Does `step`, if it is possible.
pub(super) fn perform(
    scenario: &Scenario,
    step: &ScriptStep,
    state: &mut State,
    effects: &mut Effects,
) -> Result<Done, Problem> {
    let world = &scenario.world;
    let action = possible(scenario, step, state)?;
    let surprise = surprise(world, state, step.action, action.act);
    let obstacle = match action.act {
        Act::Run(operation) => obstacle_of(world, state, operation),
        _ => None,
    };
    let outcome = protocol::step(world, state, action, effects);
    let message = surprise.or_else(|| unexpected(step, outcome, obstacle));
    let failure = message.map(|message| Failure { line: step.line, message });
    Ok(Done { action, outcome, failure })
}

/// The action that `step` stands for, with its duty. Whether a transaction in flight commits or
/// aborts is not for the script to say, so either stands for the one that is possible.
fn possible(scenario: &Scenario, step: &ScriptStep, state: &State) -> Result<Action, Problem> {
    let (world, wanted) = (&scenario.world, step.action);
    if let Actor::Client(_) = wanted.actor {
        return client(scenario, step, state);
    }
    let mut offers = Vec::new();
    agents::enabled_for(world, state, wanted.actor, &mut offers);
    let finishes = |act: Act| matches!(act, Act::Commit | Act::Abort);
    let fits =
        |offer: &Action| offer.act == wanted.act || finishes(offer.act) && finishes(wanted.act);
    if let Some(offer) = offers.iter().copied().find(fits) {
        return Ok(offer);
    }
    let is_try = matches!(wanted.act, Act::Run(_) | Act::Begin(_)) && step.outcome.is_some();
    if wanted.actor == Actor::User && is_try {
        return Ok(wanted);
    }
    let actor = world.show_actor(wanted.actor);
    let problem = scenario.problem(&step.span, "this step is not possible here", "not enabled");
    Err(problem.with_help(alternatives(world, &actor, wanted, &offers)))
}

/// A client plans what it likes, but one transaction at a time.
fn client(scenario: &Scenario, step: &ScriptStep, state: &State) -> Result<Action, Problem> {
    let actor = scenario.world.show_actor(step.action.actor);
    let flight = protocol::flight(state, step.action.actor);
    let (message, help) = match (step.action.act, flight) {
        (Act::Commit | Act::Abort, None) => {
            let message = format!("{actor} has no transaction in flight");
            (message, format!("it begins one with: {actor}: begin OPERATION"))
        }
        (Act::Begin(_), Some(txn)) => {
            let operation = scenario.world.show_operation(txn.operation);
            let message = format!("{actor} has a transaction in flight: {operation}");
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

/// The failure of a `commit` that would abort, or the other way round, with the reason.
fn surprise(world: &World, state: &State, wanted: Action, act: Act) -> Option<String> {
    let flight = protocol::flight(state, wanted.actor);
    let obstacle = flight.and_then(|txn| obstacle(world, state, txn));
    match (wanted.act, act, obstacle) {
        (Act::Commit, _, Some(obstacle)) => {
            Some(format!("expected to commit, but it aborts: {obstacle} does not hold"))
        }
        (Act::Abort, _, None) => {
            Some("expected to abort, but it commits: all that it asserts holds".to_owned())
        }
        _ => None,
    }
}

/// The assert that keeps `operation`, planned and committed at once, from being committed.
fn obstacle_of(world: &World, state: &State, operation: Operation) -> Option<String> {
    match agents::plan(world, state, operation) {
        Plan::Submit(txn) => obstacle(world, state, &txn),
        Plan::NoOp | Plan::Refuse(_) => None,
    }
}

fn obstacle(world: &World, state: &State, txn: &Txn) -> Option<String> {
    txn.obstacle(&state.store, world).map(|op| show_op(world, op))
}

/// "what remove-unit.4 asserts of application wordpress".
fn show_op(world: &World, op: &Op) -> String {
    format!("what {} asserts of {}", op.clause, world.show_doc(op.doc))
}

/// What is wrong with `outcome`, if anything.
fn unexpected(step: &ScriptStep, outcome: Outcome, obstacle: Option<String>) -> Option<String> {
    let came = ExpectedOutcome::of(outcome);
    let is_met = match step.outcome {
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
        Some(ExpectedOutcome::Aborted) => "it aborted".to_owned(),
        Some(ExpectedOutcome::Contended) => "its client gave up".to_owned(),
    };
    Some(match obstacle {
        Some(obstacle) => format!("expected {expected}, but {came}: {obstacle} does not hold"),
        None => format!("expected {expected}, but {came}"),
    })
}
