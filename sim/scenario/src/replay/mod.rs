//! Replay: takes the steps of a scenario one after the other, and checks what it expects of them.
//!
//! A step that is not possible ends the replay, as the later ones count on it. Whether that is a
//! failure like others or a mistake of the file, the command says that asked for it. A step that is
//! possible and does not do what is expected of it is a failure, and the replay goes on.

mod expectations;
mod interpreter;
mod notes;
mod pending;
mod perform;
mod player;
mod reasons;
mod transcript;

use std::{collections::BTreeSet, fmt};

use deathwatch_model::{action::Action, clause::Clause, state::State};

use self::player::Player;
pub use self::{
    expectations::met_expectations,
    interpreter::Interpreter,
    pending::{pending_at_end, unfinished},
    perform::{PerformedStep, done_again, may_try, perform_again, perform_enabled, was_tried},
    player::is_lasso,
    reasons::{Impossibility, ReasonKind, why_not},
    transcript::{RecordedRun, line, outcome},
};
use crate::{problem::Problem, scenario::Scenario};

/// The result of a scenario's steps.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The state to which they led.
    pub state: State,
    /// The transcript: each step, its outcome and clauses, and its changes. The lines that are not
    /// indented are a script that does the same.
    pub transcript: String,
    /// The expectations that were not met, in the order of the lines.
    pub failures: Vec<Failure>,
    /// The clauses that the steps carried out.
    pub clauses: BTreeSet<Clause>,
    /// The steps as they were done, with their duties.
    pub actions: Vec<Action>,
    /// The steps that are repeated for ever after them: they lead back to `state`.
    pub cycle: Vec<Action>,
    /// The line of the file, from 1, that asks for each action, and then for each of the cycle.
    pub lines: Vec<usize>,
    /// Whether a step was not possible. Then `state` is the one before it, and no claim can be
    /// asked of what follows the script.
    pub is_cut: bool,
}

/// A step that is not possible, and the replay up to it.
#[derive(Clone, Debug)]
pub struct ImpossibleStep {
    /// The step, and why it is not possible.
    pub problem: Problem,
    /// The same in a line; none if the file is to blame, whose tables never allow such a step.
    pub failure: Option<Failure>,
    /// The result of the steps before it.
    pub reached: Replay,
}

/// An expectation that was not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the file that expects it, from 1.
    pub line: usize,
    /// The expectation, and the actual value.
    pub message: String,
}

impl ImpossibleStep {
    /// The replay up to the step, as one that fails there.
    ///
    /// # Errors
    /// If the file is to blame.
    pub fn into_replay(self) -> Result<Replay, Problem> {
        let Self { problem, failure, reached: mut replay } = self;
        replay.failures.push(failure.ok_or(problem)?);
        replay.is_cut = true;
        Ok(replay)
    }
}

/// Why a script cannot go on.
struct Obstacle {
    problem: Problem,
    failure: Option<Failure>,
}

impl Obstacle {
    fn ends(self, reached: Replay) -> Box<ImpossibleStep> {
        let Self { problem, failure } = self;
        Box::new(ImpossibleStep { problem, failure, reached })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("line {}: {}", self.line, self.message))
    }
}

/// Takes the steps of `scenario`, and checks what it expects.
///
/// # Errors
/// If a step is not possible. The problem says why, and what is possible instead.
pub fn replay(scenario: &Scenario) -> Result<Replay, Box<ImpossibleStep>> {
    let mut player = Player::new(scenario);
    for step in &scenario.steps {
        if let Err(obstacle) = player.perform(step) {
            return Err(obstacle.ends(player.finish()));
        }
    }
    if let Err(obstacle) = player.go_round(&scenario.again) {
        return Err(obstacle.ends(player.finish()));
    }
    let mut replay = player.finish();
    replay.failures.extend(expectations::check_expectations(scenario, &replay.state));
    Ok(replay)
}
