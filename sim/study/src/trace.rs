//! Rendered traces: the run that shows an answer, line by line, citing the clauses.
//!
//! The lines are those of a script, so a rendered trace is a scenario. The clauses beside them are
//! found by doing the steps again.

use crate::wait_for;
use std::collections::BTreeSet;

use deathwatch_model::{
    action::Action,
    check::{Answer, Asked, Finding},
    claims::ClaimKind,
    clause::Clause,
    protocol::{self, Effects},
    state::State,
    world::World,
};

use deathwatch_documents::wait_for::WaitFor;
use deathwatch_scenario::describe;

/// A run as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedTrace {
    /// The document that it is about, as in "unit wordpress/0".
    pub subject: Option<String>,
    /// The state in which it begins.
    pub begins: Begins,
    /// Its steps from there.
    pub steps: Vec<Line>,
    /// Its continuation after its steps.
    pub ending: Ending,
    /// What waits for whom at its end, and why, if the claim is about what must follow.
    pub wait_for: Option<WaitFor>,
    /// The same as a paragraph; or how a step departs from the outline.
    pub diagnosis: Option<String>,
}

/// The state in which a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// The start of the script: the run is the first steps of the script.
    BeforeScript,
    /// The end of the script; without a script, the start.
    AfterScript,
}

/// A step as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The step as a line of a script.
    pub text: String,
    /// The clauses that it carries out.
    pub clauses: Vec<Clause>,
}

/// The continuation of a run after its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Anyhow: the steps show the answer.
    Shown,
    /// Nothing more happens: its last state is quiescent.
    Quiescent,
    /// These steps are repeated for ever.
    Cycle(Vec<Line>),
}

/// Renders the run of `finding`, which begins in `start`; `None` if it has none.
pub fn render(
    world: &World,
    begins: Begins,
    start: &State,
    finding: &Finding,
) -> Option<RenderedTrace> {
    let trace = finding.trace.as_ref()?;
    let mut state = start.clone();
    let steps = lines(world, &mut state, &trace.steps);
    let is_for_ever = finding.answer == Answer::Violated && is_leads(finding.asked);
    let ending = match (trace.cycle.as_slice(), is_for_ever) {
        ([], false) => Ending::Shown,
        ([], true) => Ending::Quiescent,
        (cycle, _) => Ending::Cycle(lines(world, &mut state, cycle)),
    };
    let subject = trace.subject.map(|subject| describe::subject(world, subject));
    let wait_for = trace.diagnosis.as_ref().and_then(|it| wait_for::of(world, it));
    let departure = trace.departure.as_ref().map(|it| describe::departure(world, it));
    let diagnosis = wait_for.as_ref().map(WaitFor::paragraph).or(departure);
    Some(RenderedTrace { subject, begins, steps, ending, wait_for, diagnosis })
}

fn is_leads(asked: Asked) -> bool {
    matches!(asked, Asked::Claim(claim) if claim.kind() == ClaimKind::Leads)
}

fn lines(world: &World, state: &mut State, actions: &[Action]) -> Vec<Line> {
    let mut effects = Effects::default();
    let mut line = |action: &Action| {
        protocol::step(world, state, *action, &mut effects);
        Line { text: world.show(action), clauses: effects.clauses.clone() }
    };
    actions.iter().map(&mut line).collect()
}

impl RenderedTrace {
    /// The steps that are repeated for ever; empty if the run does not end in a cycle.
    pub fn cycle(&self) -> &[Line] {
        match &self.ending {
            Ending::Cycle(cycle) => cycle,
            Ending::Shown | Ending::Quiescent => &[],
        }
    }

    /// The clauses that it carries out, each once.
    pub fn clauses(&self) -> BTreeSet<Clause> {
        let lines = self.steps.iter().chain(self.cycle());
        lines.flat_map(|line| line.clauses.iter().copied()).collect()
    }

    /// What the run shows, in sentences without full stops: the roots of what is stuck first.
    pub fn sentences(&self) -> Vec<String> {
        match &self.wait_for {
            Some(wait_for) => wait_for.sentences(),
            None => self.diagnosis.iter().cloned().collect(),
        }
    }

    /// The run as lines of text, its steps numbered.
    pub fn numbered(&self) -> Vec<String> {
        let digits = (self.steps.len() + self.cycle().len()).to_string().len();
        let number = |(index, line): (usize, &Line)| format!("{:>digits$}  {line}", index + 1);
        let mut lines: Vec<String> = self.steps.iter().enumerate().map(number).collect();
        match &self.ending {
            Ending::Shown => {}
            Ending::Quiescent => lines.push("and nothing more happens".to_owned()),
            Ending::Cycle(cycle) => {
                lines.push("and then, again and again:".to_owned());
                let numbers = self.steps.len()..;
                lines.extend(numbers.zip(cycle).map(number));
            }
        }
        lines
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
