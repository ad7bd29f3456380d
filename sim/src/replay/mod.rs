//! Replay: a scenario's steps, one after the other, and whether they lead where it says.
//!
//! A step that is not possible makes the scenario a bad question. One that is possible and does
//! not do what is expected of it is a failure, and the replay goes on.

mod judge;
mod perform;

use std::fmt::{self, Write as _};

use deathwatch_model::{
    action::{Action, Outcome},
    clause::Clause,
    protocol::Effects,
    state::State,
    world::World,
};

pub(crate) use self::judge::cleanups;
use crate::{describe, problem::Problem, scenario::Scenario};

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
    let mut replay = Replay {
        state: scenario.start.clone(),
        transcript: String::new(),
        failures: Vec::new(),
        actions: Vec::with_capacity(scenario.steps.len()),
    };
    let mut effects = Effects::default();
    for step in &scenario.steps {
        let before = replay.state.clone();
        let done = perform::perform(scenario, step, &mut replay.state, &mut effects)?;
        replay.failures.extend(done.failure);
        replay.actions.push(done.action);
        replay.transcript.push_str(&step.text);
        replay.transcript.push('\n');
        let told = tell(&scenario.world, done.outcome, &effects.clauses, &before, &replay.state);
        replay.transcript.push_str(&told);
    }
    replay.failures.extend(judge::judge(scenario, &replay.state));
    Ok(replay)
}

/// What came of an action and what it changed, indented, a line each.
pub fn tell(
    world: &World,
    outcome: Outcome,
    clauses: &[Clause],
    before: &State,
    after: &State,
) -> String {
    let came = match outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Planned => "planned".to_owned(),
        Outcome::Committed => "committed".to_owned(),
        Outcome::Aborted => "aborted".to_owned(),
        Outcome::Contended => "given up: excessive contention".to_owned(),
        Outcome::NoOp => "nothing to do".to_owned(),
        Outcome::Refused(why) => format!("refused: {}", why.text()),
    };
    let clauses: Vec<String> = clauses.iter().map(Clause::to_string).collect();
    let mut text = match clauses.as_slice() {
        [] => format!("  {came}\n"),
        clauses => format!("  {came} [{}]\n", clauses.join(", ")),
    };
    // Of a transaction the outcome says what became of it; by anything else it can get lost.
    let lines = if outcome == Outcome::Done {
        describe::differences(world, before, after)
    } else {
        describe::changed_documents(world, before, after)
    };
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    text
}
