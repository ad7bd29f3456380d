//! Typed steps, which go on with a run: the same lines as in a file, read by the same parser. A
//! mistake in one points into the typed text.

use std::{path::Path, sync::Arc};

use deathwatch_model::state::State;

use super::{Expect, Scenario, ScriptStep, steps, value::Located};
use crate::problem::{Problem, Text};

/// The place of a typed step, as problems name it.
const PLACE: &str = "the step";

impl Scenario {
    /// The one step in `line`, and the scenario that begins in `state` and goes on with it.
    ///
    /// # Errors
    /// If the line is no step in this world.
    pub fn going_on(&self, state: &State, line: &str) -> Result<(ScriptStep, Self), Problem> {
        let step = self.typed(line)?;
        let scenario = Self {
            address: Path::new(PLACE).into(),
            text: Text::new(PLACE, line.into()),
            steps: vec![step.clone()],
            start: state.clone(),
            expect: Expect::default(),
            ..self.clone()
        };
        Ok((step, scenario))
    }

    /// The step in `line`.
    ///
    /// # Errors
    /// If it is none, or not one.
    pub fn typed(&self, line: &str) -> Result<ScriptStep, Problem> {
        let source: Arc<str> = line.into();
        let script = Located { span: 0..source.len(), value: line.to_owned() };
        let text = Text::new(PLACE, source);
        let mut steps = steps::read(&text, Some(&script), &self.world)?;
        let last = steps.pop();
        last.filter(|_| steps.is_empty()).ok_or_else(|| {
            let problem = Problem::new("one step was expected");
            problem.with_help("such as: client: destroy-unit wordpress/0")
        })
    }
}
