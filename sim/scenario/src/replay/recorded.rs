//! Recorded runs: rendered step by step while they are done again.
//!
//! A run of a simulation can be very long, so each step is rendered on its own.

use std::collections::BTreeSet;

use deathwatch_model::{action::Action, clause::Clause, state::State, world::World};

use super::{interpreter::Interpreter, perform, transcript};

/// The level of detail in which a step is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// A line for each step, with the clauses that it carried out.
    Lines,
    /// The outcome and the changes as well.
    Changes,
}

/// A run that was found, to be rendered.
pub struct RecordedRun<'a> {
    interpreter: Interpreter<'a>,
    detail: Detail,
    clauses: BTreeSet<Clause>,
}

impl<'a> RecordedRun<'a> {
    /// A run that begins in `state`.
    pub fn new(world: &'a World, state: State, detail: Detail) -> Self {
        let clauses = BTreeSet::new();
        Self { interpreter: Interpreter::new(world, state), detail, clauses }
    }

    /// Does `action`, which is possible, and renders it.
    pub fn render_step(&mut self, action: Action) -> String {
        let planned = self.interpreter.find(action).and_then(|(_, planned)| planned);
        let done = perform::perform_enabled(&mut self.interpreter, action, planned);
        self.clauses.extend(&self.interpreter.effects.clauses);
        match self.detail {
            Detail::Changes => transcript::render_done(&self.interpreter, &done),
            Detail::Lines => {
                let (line, _) = transcript::line(&self.interpreter, &done);
                match transcript::clauses(&self.interpreter) {
                    Some(clauses) => format!("{line}  {clauses}\n"),
                    None => format!("{line}\n"),
                }
            }
        }
    }

    /// The clauses that its steps have carried out so far.
    pub fn clauses(&self) -> &BTreeSet<Clause> {
        &self.clauses
    }

    /// The state that the run has reached.
    pub fn state(&self) -> &State {
        &self.interpreter.state
    }
}
