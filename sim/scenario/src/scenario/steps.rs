//! Scripts: the lines of `steps`.

use std::{path::Path, sync::Arc};

use deathwatch_model::{
    actor::Actor,
    clause::Clause,
    state::State,
    syntax::{ExpectedText, SyntaxError},
    txn::Why,
    world::World,
};

use super::{
    Expect, ExpectedOutcome, Instruction, Runner, Scenario, ScriptStep, claims, inside::Cursor,
    instruction::RETRY, language::FORMS, names::with_suggestion, value::Located,
};
use crate::problem::{LineOffsets, Problem, Text, nearest};

/// Reads the lines of a script, without empty lines and those that begin with `#`.
pub(super) fn read(
    text: &Text,
    script: Option<&Located<String>>,
    world: &World,
) -> Result<Vec<ScriptStep>, Problem> {
    let Some(script) = script else { return Ok(Vec::new()) };
    let mut steps = Vec::new();
    let (lines, mut cursor) = (LineOffsets::of(&text.source), Cursor::START);
    let mut at = 0;
    for line in script.value.split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let line = StepLine { text, script, world, words: line, start };
            if line.is_left_out() {
                continue;
            }
            steps.push(line.step(&lines, &mut cursor)?);
        }
    }
    Ok(steps)
}

/// The known reason that is spelled like an unknown one, or those that have most of its words.
fn like<'a>(unknown: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(' ').map(str::to_lowercase);
        words.filter(|it| !COMMON.contains(&it.as_str())).collect()
    };
    let asked = words(unknown);
    let shared = |text: &str| words(text).iter().filter(|it| asked.contains(it)).count();
    let most = known.clone().map(shared).max().filter(|most| *most > 0);
    let named = known.clone().filter(|it| Some(shared(it)) == most);
    let named: Vec<String> = named.take(3).map(|it| format!("`{it}`")).collect();
    let by_words = (!named.is_empty()).then(|| format!("did you mean {}?", named.join(" or ")));
    nearest(unknown, known).or(by_words)
}

/// Words that say nothing about a reason.
const COMMON: [&str; 9] = ["it", "is", "a", "has", "not", "the", "of", "no", "its"];

struct StepLine<'a> {
    text: &'a Text,
    script: &'a Located<String>,
    world: &'a World,
    words: &'a str,
    /// The offset of its first byte in the script.
    start: usize,
}

impl StepLine<'_> {
    /// Whether its mistake is known already, so that it is left out.
    fn is_left_out(&self) -> bool {
        let Self { text, script, words, start, .. } = self;
        !text.left_out.is_empty() && {
            let place = text.inside(script, &(*start..start + words.len()));
            text.left_out.iter().any(|at| place.contains(at))
        }
    }

    /// The step that the line describes. `cursor` is at the line or before it, and moves there.
    fn step(&self, lines: &LineOffsets, cursor: &mut Cursor) -> Result<ScriptStep, Problem> {
        let (action, outcome) = match self.words.split_once("=>") {
            None => (self.words, None),
            Some((action, outcome)) => (action.trim_end(), Some(outcome)),
        };
        let outcome = outcome.map(|outcome| self.outcome(outcome)).transpose()?;
        let instruction =
            Instruction::read(self.world, action).map_err(|error| self.unread(&error))?;
        self.check(instruction, outcome)?;
        let part = self.start..self.start + self.words.len();
        let span = self.text.inside_behind(cursor, self.script, &part);
        let line = lines.line(span.start);
        Ok(ScriptStep { instruction, outcome, line, span, text: self.words.to_owned() })
    }

    /// An error, unless the line names entities of the world, and expects an outcome that its
    /// action can have.
    fn check(
        &self,
        instruction: Instruction,
        outcome: Option<ExpectedOutcome>,
    ) -> Result<(), Problem> {
        let whole = |message: &str, label: &str| self.problem(0, self.words.len(), message, label);
        match (instruction, outcome) {
            (Instruction::Run(Runner::Actor(Actor::Client(_))), _) => {
                let problem = whole("a client has no duties", "somebody who has was expected");
                let help = "it does what a script says: client: TRANSACTION, or client: retry \
                            TRANSACTION";
                Err(problem.with_help(help))
            }
            (Instruction::Run(Runner::Actor(Actor::Faults)), _) => {
                let problem = whole("faults have no duties", "somebody who has was expected");
                Err(problem.with_help("each fault is a line of its own: faults: crash AGENT"))
            }
            (Instruction::Run(_), Some(outcome)) if outcome != ExpectedOutcome::NoOp => {
                let message = "all that can be expected of a run is that it does nothing";
                Err(whole(message, "=> no-op, or nothing, was expected"))
            }
            (Instruction::Retry(..), Some(ExpectedOutcome::Aborted(_))) => {
                let label = "=> no-op, => refused: REASON, => contended, or nothing, was expected";
                Err(whole("what aborts is done again", label))
            }
            (Instruction::Act(_) | Instruction::Run(_) | Instruction::Retry(..), _) => Ok(()),
        }
    }

    fn problem(&self, from: usize, to: usize, message: &str, label: &str) -> Problem {
        let part = self.start + from..self.start + to;
        self.text.problem(&self.text.inside(self.script, &part), message, label)
    }

    fn unread(&self, error: &SyntaxError) -> Problem {
        let part = &self.words[error.span.clone()];
        let message = match part {
            "" => error.message.clone(),
            part => format!("{}: `{part}`", error.message),
        };
        let problem = |label: &str| self.problem(error.span.start, error.span.end, &message, label);
        match &error.expected {
            ExpectedText::Words(words) => {
                let problem = problem(&format!("expected {words}"));
                if self.words.contains(": ") {
                    return problem;
                }
                problem.with_help("a line is `ACTOR: STEP`, `run ACTOR` or `run all`")
            }
            ExpectedText::NumberUpTo(most) => problem(&format!("expected a number up to {most}")),
            ExpectedText::Verb(verbs) => {
                let problem = problem(
                    "expected a step, such as destroy-unit, enter-scope or commit \
                     (`deathwatch list steps` has them all)",
                );
                match nearest(part, verbs.iter().copied().chain([RETRY])) {
                    Some(help) => problem.with_help(help),
                    None => problem,
                }
            }
            ExpectedText::OneOf(kind, known) if known.is_empty() => {
                problem(&format!("expected but this world has no {kind}"))
            }
            ExpectedText::OneOf(_, known) => with_suggestion(
                problem("one of this world was expected"),
                part,
                known.iter().map(String::as_str),
            ),
        }
    }

    /// The expected outcome, which is the end of the line.
    fn outcome(&self, outcome: &str) -> Result<ExpectedOutcome, Problem> {
        let word = outcome.trim();
        match word {
            "no-op" => return Ok(ExpectedOutcome::NoOp),
            "aborted" => return Ok(ExpectedOutcome::Aborted(None)),
            "contended" => return Ok(ExpectedOutcome::Contended),
            _ => {}
        }
        if let Some(name) = word.strip_prefix("aborted:") {
            return self.clause(name.trim()).map(|clause| ExpectedOutcome::Aborted(Some(clause)));
        }
        let (from, to) = (self.words.len() - outcome.trim_start().len(), self.words.len());
        let Some(reason) = word.strip_prefix("refused:") else {
            let outcomes = FORMS.outcomes.iter().map(|it| it.form.trim_start_matches("=> "));
            let outcomes: Vec<&str> = outcomes.collect();
            let label = format!("one of these was expected: {}", outcomes.join(", "));
            return Err(self.problem(from, to, "this is not an outcome", &label));
        };
        let reason = reason.trim();
        let why = Why::ALL.iter().copied().find(|why| why.text() == reason);
        why.map(ExpectedOutcome::Refused).ok_or_else(|| {
            let (from, message) = (to - reason.len(), format!("no such reason: `{reason}`"));
            let label = "a reason was expected (`deathwatch list refusals` has them all)";
            let problem = self.problem(from, to, &message, label);
            match like(reason, Why::ALL.iter().map(|why| why.text())) {
                Some(help) => problem.with_help(help),
                None => problem,
            }
        })
    }

    /// The clause called `name`, which is the end of the line.
    fn clause(&self, name: &str) -> Result<Clause, Problem> {
        let (from, to) = (self.words.len() - name.len(), self.words.len());
        if name.is_empty() {
            let label = "a clause, such as remove-unit.4, was expected";
            return Err(self.problem(from, to, "something is missing here", label));
        }
        let span = self.text.inside(self.script, &(self.start + from..self.start + to));
        claims::asserting(self.text, &Located { value: name.to_owned(), span })
    }
}

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
        let mut steps = read(&text, Some(&script), &self.world)?;
        let last = steps.pop();
        last.filter(|_| steps.is_empty()).ok_or_else(|| {
            let problem = Problem::new("one step was expected");
            problem.with_help("such as: client: destroy-unit wordpress/0")
        })
    }
}
