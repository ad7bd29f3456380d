//! Recorded runs: rendered step by step while they are done again.
//!
//! A run of a simulation can be very long, so each step is rendered on its own.

use std::fmt::Write as _;

use deathwatch_model::{action::Action, state::State, world::World};

use super::{interpreter::Interpreter, perform, transcript};
use crate::scenario::ExpectedOutcome;

/// The level of detail in which a step is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// One line, with the clauses that the step carried out.
    Lines,
    /// The outcome and the changes as well.
    Changes,
}

/// A run that was found, to be rendered.
pub struct RecordedRun<'a> {
    interpreter: Interpreter<'a>,
    detail: Detail,
}

impl<'a> RecordedRun<'a> {
    /// A run that begins in `state`.
    pub fn new(world: &'a World, state: State, detail: Detail) -> Self {
        Self { interpreter: Interpreter::new(world, state), detail }
    }

    /// Does `action`, which is possible, and renders it.
    pub fn render_step(&mut self, action: Action) -> String {
        let done = perform::perform_recorded(&mut self.interpreter, action);
        let mut line = self.interpreter.world.show(&action);
        let outcome = ExpectedOutcome::to_be_written(action.act, done.outcome);
        if let Some(outcome) = outcome {
            let _ = write!(line, " => {outcome}");
        }
        match self.detail {
            Detail::Changes => {
                transcript::render(&self.interpreter, &line, outcome.is_some(), &done)
            }
            Detail::Lines => match transcript::clauses(&self.interpreter) {
                Some(clauses) => format!("{line}  {clauses}\n"),
                None => format!("{line}\n"),
            },
        }
    }

    /// The state that the run has reached.
    pub fn state(&self) -> &State {
        &self.interpreter.state
    }
}
