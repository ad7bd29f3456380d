//! Replay: does the steps of a scenario one after the other, and checks what it expects of them.
//!
//! A step that is not possible makes the scenario unusable. A step that is possible and does not do
//! what is expected of it is a failure, and the replay goes on.

mod expectations;
mod interpreter;
mod perform;
mod recorded;
mod transcript;

use std::fmt;

use deathwatch_model::{
    action::{Act, Action, Client, TxnAct},
    protocol,
    state::State,
};

pub use self::recorded::{Detail, RecordedRun};
pub(crate) use self::{expectations::cleanups, interpreter::Interpreter};
use crate::{
    problem::Problem,
    scenario::{Scenario, ScriptStep},
};

/// The result of a scenario's steps.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The state to which they led.
    pub state: State,
    /// The transcript: each step as it is written, its outcome and clauses, and what it changed.
    pub transcript: String,
    /// The expectations that were not met, in the order of the lines.
    pub failures: Vec<Failure>,
    /// The steps as they were done, with their duties.
    pub actions: Vec<Action>,
}

/// An expectation that was not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the file that expects it, from 1.
    pub line: usize,
    /// What was expected, and what is the case instead.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("line {}: {}", self.line, self.message))
    }
}

/// Does the steps of `scenario`, and checks what it expects.
///
/// # Errors
/// If a step is not possible. The problem says what is possible instead.
pub fn replay(scenario: &Scenario) -> Result<Replay, Problem> {
    let mut interpreter = Interpreter::new(&scenario.world, scenario.start.clone());
    let (mut transcript, mut failures) = (String::new(), Vec::new());
    let mut actions = Vec::with_capacity(scenario.steps.len());
    for step in &scenario.steps {
        let done = perform::perform(scenario, step, &mut interpreter)?;
        let states_outcome = step.outcome.is_some() && done.failure.is_none();
        transcript.push_str(&transcript::render(&interpreter, &step.text, states_outcome, &done));
        failures.extend(done.failure);
        actions.push(done.action);
    }
    let Interpreter { state, .. } = interpreter;
    failures.extend(expectations::check_expectations(scenario, &state));
    Ok(Replay { state, transcript, failures, actions })
}

/// The problem that a client has a pending transaction when the script is over. Clients act in
/// scripts only, so nobody would ever finish that transaction, and the claims would be judged in a
/// world that waits for ever.
pub fn unfinished(scenario: &Scenario, replay: &Replay) -> Option<Problem> {
    let begins = |step: &&ScriptStep| {
        let Act::Txn(client @ Client::Script(_), TxnAct::Begin(_)) = step.action.act else {
            return false;
        };
        protocol::pending(&replay.state, client).is_some()
    };
    let step = scenario.steps.iter().rev().find(begins)?;
    let actor = scenario.world.show_actor(step.action.actor());
    let message = format!("the script is over before {actor} has finished its transaction");
    let problem = scenario.text().problem(&step.span, message, "begun here");
    let help = format!(
        "let the script say `{actor}: commit` or `{actor}: abort`: claims are about what follows \
         the script, where clients do nothing"
    );
    Some(problem.with_help(help))
}
