//! Traces: the run that shows an answer, line by line, citing the clauses.
//!
//! The lines are those of a script, so a trace is a scenario.

use std::{collections::BTreeSet, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{NoReturn, WaitFor};

/// A run in lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceText {
    /// The subject of the claim, as in "unit wordpress/0", unless that is the whole state.
    pub subject: Option<String>,
    /// The state in which it begins.
    pub begins: Begins,
    /// Its steps from there.
    pub steps: Vec<Line>,
    /// The steps that are then repeated for ever; empty if none are.
    pub cycle: Vec<Line>,
    /// Whether nothing more happens: its last state is quiescent.
    pub quiescent: bool,
    /// The graph of waits at its end, with the reasons, if the claim is about what must follow.
    pub wait_for: Option<WaitFor>,
    /// The same as a paragraph; or how a step departs from the outline.
    pub diagnosis: Option<String>,
    /// Since when what must follow cannot follow any more, if a search has found the run.
    pub no_return: Option<NoReturn>,
}

/// The state in which a trace begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Begins {
    /// The start of the script: the trace is the first steps of the script.
    BeforeScript,
    /// The end of the script; without a script, the start.
    AfterScript,
}

/// A step in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The step as a line of a script.
    pub text: String,
    /// The names of the clauses that it carries out.
    pub clauses: Vec<String>,
}

impl TraceText {
    /// The number of its steps, those of its cycle included.
    pub fn length(&self) -> usize {
        self.steps.len() + self.cycle.len()
    }

    /// The names of the clauses that it carries out, each once.
    pub fn clauses(&self) -> BTreeSet<String> {
        let lines = self.steps.iter().chain(&self.cycle);
        lines.flat_map(|line| line.clauses.iter().cloned()).collect()
    }

    /// The cause of what the run shows, in sentences without full stops: the roots of what is stuck
    /// first.
    pub fn sentences(&self) -> Vec<String> {
        match &self.wait_for {
            Some(wait_for) => wait_for.sentences(),
            None => self.diagnosis.iter().cloned().collect(),
        }
    }

    /// Since when what must follow cannot follow any more, as a sentence without a full stop.
    pub fn point_of_no_return(&self) -> Option<String> {
        let lines = || self.steps.iter().chain(&self.cycle);
        let line = |state: usize| lines().nth(state.checked_sub(1)?).map(|it| it.text.as_str());
        self.no_return.as_ref().map(|it| it.sentence(line))
    }

    /// The same, and since when it is too late.
    pub fn told(&self) -> Vec<String> {
        self.sentences().into_iter().chain(self.point_of_no_return()).collect()
    }

    /// The run as lines of text, its steps numbered.
    pub fn numbered(&self) -> Vec<String> {
        let digits = self.length().to_string().len();
        let number = |(index, line): (usize, &Line)| format!("{:>digits$}  {line}", index + 1);
        let mut lines: Vec<String> = self.steps.iter().enumerate().map(number).collect();
        if self.quiescent {
            lines.push("and nothing more happens".to_owned());
        }
        if !self.cycle.is_empty() {
            lines.push("and then, again and again:".to_owned());
            lines.extend((self.steps.len()..).zip(&self.cycle).map(number));
        }
        lines
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if let [first, rest @ ..] = self.clauses.as_slice() {
            write!(f, "  [{first}")?;
            for clause in rest {
                write!(f, ", {clause}")?;
            }
            f.write_str("]")?;
        }
        Ok(())
    }
}
