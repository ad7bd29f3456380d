//! Replay: a scenario's steps, one after the other, and whether they lead where it says.
//!
//! A step that is not possible makes the scenario a bad question. One that is possible and does
//! not do what is expected of it is a failure, and the replay goes on.

mod found;
mod judge;
mod perform;
mod stage;
mod tell;

use std::fmt;

use deathwatch_model::{
    action::{Act, Action, Actor},
    protocol,
    state::State,
};

pub use self::found::{Found, Telling};
pub(crate) use self::{judge::cleanups, stage::Stage};
use crate::{
    problem::Problem,
    scenario::{Scenario, ScriptStep},
};

/// What came of a scenario's steps.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Where they led.
    pub state: State,
    /// Each step as it is written, what came of it and by which clauses, and what it changed.
    pub transcript: String,
    /// What was expected and is not so, in the order of the lines.
    pub failures: Vec<Failure>,
    /// The steps as they were done, with their duties.
    pub actions: Vec<Action>,
}

/// Something that was expected and is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the file that expects it, from 1.
    pub line: usize,
    /// What was expected, and what is the case.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("line {}: {}", self.line, self.message))
    }
}

/// Does the steps of `scenario`, and compares with what it expects.
///
/// # Errors
/// If a step is not possible. The problem says what is possible instead.
pub fn replay(scenario: &Scenario) -> Result<Replay, Problem> {
    let mut stage = Stage::new(&scenario.world, scenario.start.clone());
    let (mut transcript, mut failures) = (String::new(), Vec::new());
    let mut actions = Vec::with_capacity(scenario.steps.len());
    for step in &scenario.steps {
        let done = perform::perform(scenario, step, &mut stage)?;
        let is_said = step.outcome.is_some() && done.failure.is_none();
        transcript.push_str(&tell::tell(&stage, &step.text, is_said, &done));
        failures.extend(done.failure);
        actions.push(done.action);
    }
    let Stage { state, .. } = stage;
    failures.extend(judge::judge(scenario, &state));
    Ok(Replay { state, transcript, failures, actions })
}

/// The problem that a client has a transaction pending when the script is over. Clients act in
/// scripts only, so nobody would ever finish it, and claims would be judged of a world that waits
/// for somebody who never comes.
pub fn unfinished(scenario: &Scenario, replay: &Replay) -> Option<Problem> {
    let begins = |step: &&ScriptStep| {
        let Actor::Client(_) = step.action.actor else { return false };
        matches!(step.action.act, Act::Begin(_))
            && protocol::pending(&replay.state, step.action.actor).is_some()
    };
    let step = scenario.steps.iter().rev().find(begins)?;
    let actor = scenario.world.show_actor(step.action.actor);
    let message = format!("the script is over before {actor} has finished its transaction");
    let problem = scenario.problem(&step.span, message, "begun here");
    let help = format!(
        "let the script say `{actor}: commit` or `{actor}: abort`: claims are about what follows \
         the script, where clients do nothing"
    );
    Some(problem.with_help(help))
}
