//! Runs that were found, told step by step as they happen again.
//!
//! A run of a simulation can be very long, so it is told piece by piece to whoever listens.

use std::fmt::Write as _;

use deathwatch_model::{action::Action, state::State, world::World};

use super::{perform, stage::Stage, tell};
use crate::scenario::ExpectedOutcome;

/// How much is told of each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// A line, with the clauses that the step carried out.
    Lines,
    /// What came of it and what it changed as well.
    Changes,
}

/// A run that was found, ready to be told.
pub struct Found<'a> {
    stage: Stage<'a>,
    telling: Telling,
}

impl<'a> Found<'a> {
    /// A run that begins in `state`.
    pub fn new(world: &'a World, state: State, telling: Telling) -> Self {
        Self { stage: Stage::new(world, state), telling }
    }

    /// Does `action`, which is possible, and tells of it in one line or several.
    pub fn tell(&mut self, action: Action) -> String {
        let done = perform::perform_found(&mut self.stage, action);
        let mut line = self.stage.world.show(&action);
        let outcome = ExpectedOutcome::to_be_written(action.act, done.outcome);
        if let Some(outcome) = outcome {
            let _ = write!(line, " => {outcome}");
        }
        match self.telling {
            Telling::Changes => tell::tell(&self.stage, &line, outcome.is_some(), &done),
            Telling::Lines => match tell::clauses(&self.stage) {
                Some(clauses) => format!("{line}  {clauses}\n"),
                None => format!("{line}\n"),
            },
        }
    }

    /// Where the run has got to.
    pub fn state(&self) -> &State {
        &self.stage.state
    }
}
