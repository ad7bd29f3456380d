//! Transcripts: each step as it is written, its outcome and clauses, and the documents that it
//! changed.

use std::{collections::BTreeSet, fmt::Write as _};

use deathwatch_model::{
    action::{Act, Action, Fault, Outcome},
    clause::Clause,
    protocol,
    state::State,
    txn::{Doc, Op, Txn},
    world::World,
};

use super::{
    interpreter::Interpreter,
    perform::{self, PerformedStep},
};
use crate::{escape::escape, scenario::ExpectedOutcome};

/// The line `text` of the last step, followed by its outcome and its changes, indented. The line
/// may state the outcome already.
pub(super) fn render(
    interpreter: &Interpreter<'_>,
    text: &str,
    states_outcome: bool,
    done: &PerformedStep,
) -> String {
    let clauses = clauses(interpreter);
    let outcome = outcome(interpreter, states_outcome, done);
    let outcome: Vec<String> = outcome.into_iter().chain(clauses).collect();
    let mut rendered = format!("{text}\n");
    if !outcome.is_empty() {
        let _ = writeln!(rendered, "  {}", outcome.join(" "));
    }
    for line in interpreter.changes(done.outcome) {
        let _ = writeln!(rendered, "    {line}");
    }
    rendered
}

/// The last step as a line of a script, followed by its outcome and its changes, indented.
pub(super) fn render_done(interpreter: &Interpreter<'_>, done: &PerformedStep) -> String {
    let (line, states_outcome) = line(interpreter, done);
    render(interpreter, &line, states_outcome, done)
}

/// A step that was done as a line of a script, and whether the line states the outcome.
pub fn line(interpreter: &Interpreter<'_>, done: &PerformedStep) -> (String, bool) {
    let line = interpreter.world.show(&done.action);
    match ExpectedOutcome::to_be_written(done.action.act, done.outcome) {
        Some(outcome) => (format!("{line} => {outcome}"), true),
        None => (line, false),
    }
}

/// The clauses that the last step carried out.
pub(super) fn clauses(interpreter: &Interpreter<'_>) -> Option<String> {
    let (world, clauses) = (interpreter.world, &interpreter.effects.clauses);
    // A rule of the scenario's own has any name.
    let name = |clause: &Clause| escape(&world.clause_name(*clause)).into_owned();
    let clauses: Vec<String> = clauses.iter().map(name).collect();
    (!clauses.is_empty()).then(|| format!("[{}]", clauses.join(", ")))
}

/// The outcome of a step, unless its line states it already.
pub fn outcome(
    interpreter: &Interpreter<'_>,
    states_outcome: bool,
    done: &PerformedStep,
) -> Option<String> {
    let world = interpreter.world;
    let operation =
        done.operation.map_or_else(String::new, |it| format!(" {}", world.show_operation(it)));
    let because = done.failing_assert.as_ref().map_or_else(String::new, |it| format!(": {it}"));
    Some(match done.outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Planned => match pending(interpreter, done) {
            Some(txn) => planned(world, txn),
            None => "planned".to_owned(),
        },
        Outcome::Committed => format!("committed{operation}"),
        Outcome::Aborted => match done.action.act {
            Act::Faults(Fault::AbortTxn(_)) => {
                format!("aborted{operation}, for no reason of its own")
            }
            _ => format!("aborted{operation}{because}"),
        },
        Outcome::Contended => format!("gave up{operation}, as it aborted too often{because}"),
        Outcome::NoOp | Outcome::Refused(_) if states_outcome => return None,
        Outcome::NoOp => "nothing to do".to_owned(),
        Outcome::Refused(why) => format!("refused: {}", why.text()),
        Outcome::NotEnabled => "not possible".to_owned(),
    })
}

/// The transaction that the actor of the last step has pending.
fn pending<'a>(interpreter: &'a Interpreter<'_>, done: &PerformedStep) -> Option<&'a Txn> {
    protocol::pending(&interpreter.state, done.action.actor().client()?)
}

/// The documents that a transaction is to change, in its order.
fn planned(world: &World, txn: &Txn) -> String {
    let mut docs: Vec<Doc> = Vec::new();
    for doc in txn.ops.iter().filter(|op| op.changes()).map(Op::doc) {
        if !docs.contains(&doc) {
            docs.push(doc);
        }
    }
    let docs: Vec<String> = docs.into_iter().map(|doc| world.show_doc(doc)).collect();
    match docs.as_slice() {
        [] => "planned to change nothing".to_owned(),
        docs => format!("planned to change {}", docs.join(", ")),
    }
}

/// A run that was found, to be rendered.
pub struct RecordedRun<'a> {
    interpreter: Interpreter<'a>,
    clauses: BTreeSet<Clause>,
}

impl<'a> RecordedRun<'a> {
    /// A run that begins in `state`.
    pub fn new(world: &'a World, state: State) -> Self {
        Self { interpreter: Interpreter::new(world, state), clauses: BTreeSet::new() }
    }

    /// Does `action`, which is possible.
    fn perform(&mut self, action: Action) -> PerformedStep {
        let done = perform::perform_again(&mut self.interpreter, action);
        self.clauses.extend(&self.interpreter.effects.clauses);
        done
    }

    /// Does `action`, and renders it in a line with the clauses that it carries out.
    pub fn render_line(&mut self, action: Action) -> String {
        let done = self.perform(action);
        let (line, _) = line(&self.interpreter, &done);
        match clauses(&self.interpreter) {
            Some(clauses) => format!("{line}  {clauses}\n"),
            None => format!("{line}\n"),
        }
    }

    /// Does `action`, and renders it with its outcome and its changes.
    pub fn render_step(&mut self, action: Action) -> String {
        let done = self.perform(action);
        render_done(&self.interpreter, &done)
    }

    /// The clauses that its steps have carried out.
    pub fn into_clauses(self) -> BTreeSet<Clause> {
        self.clauses
    }

    /// The state that the run has reached.
    pub fn state(&self) -> &State {
        &self.interpreter.state
    }
}
