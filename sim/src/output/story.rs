//! Stories: the run that shows an answer, in the documents' own words and citing them.
//!
//! The lines of a story are lines of a script, so that a story is a scenario. The clauses beside
//! them are found by doing the steps again.

use deathwatch_model::{
    action::Action,
    check::{Answer, Asked, Finding},
    claims::ClaimKind,
    clause::Clause,
    protocol::{self, Effects},
    state::State,
    world::World,
};

use crate::describe;

/// A run in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The document it is about, "unit wordpress/0".
    pub subject: Option<String>,
    /// Where it begins.
    pub begins: Begins,
    /// From there.
    pub steps: Vec<Line>,
    /// How it goes on.
    pub ending: Ending,
    /// What is stuck, and what holds it.
    pub diagnosis: Option<String>,
}

/// Where a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// Where the script does: its steps are the first ones of the script.
    BeforeScript,
    /// Where the script ends, or at the start if there is none.
    AfterScript,
}

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// As a line of a script.
    pub text: String,
    /// The clauses it carries out.
    pub clauses: Vec<Clause>,
}

/// How a run goes on after its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It does not matter: the steps show it all.
    Shown,
    /// Nothing more happens.
    Quiet,
    /// With these steps, again and again.
    Cycle(Vec<Line>),
}

/// The story of `finding`, if there is a run to tell of, which begins in `start`.
pub fn tell(world: &World, begins: Begins, start: &State, finding: &Finding) -> Option<Story> {
    let trace = finding.trace.as_ref()?;
    let mut state = start.clone();
    let steps = lines(world, &mut state, &trace.steps);
    let is_for_ever = finding.answer == Answer::Violated && is_leads(finding.asked);
    let ending = match (trace.cycle.as_slice(), is_for_ever) {
        ([], false) => Ending::Shown,
        ([], true) => Ending::Quiet,
        (cycle, _) => Ending::Cycle(lines(world, &mut state, cycle)),
    };
    let subject = trace.subject.map(|subject| describe::name(world, subject));
    Some(Story { subject, begins, steps, ending, diagnosis: trace.diagnosis.clone() })
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

impl Story {
    /// The cycle, if it ends in one.
    pub fn cycle(&self) -> &[Line] {
        match &self.ending {
            Ending::Cycle(cycle) => cycle,
            Ending::Shown | Ending::Quiet => &[],
        }
    }

    /// The run as lines of text, its steps numbered.
    pub fn numbered(&self) -> Vec<String> {
        let digits = (self.steps.len() + self.cycle().len()).to_string().len();
        let number = |(index, line): (usize, &Line)| format!("{:>digits$}  {line}", index + 1);
        let mut lines: Vec<String> = self.steps.iter().enumerate().map(number).collect();
        match &self.ending {
            Ending::Shown => {}
            Ending::Quiet => lines.push("and nothing more happens".to_owned()),
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
