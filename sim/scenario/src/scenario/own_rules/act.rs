//! The act of a duty that a rule adds, for each of its subjects.

use std::ops::Range;

use deathwatch_model::{
    action::{Act, TxnAct},
    agents::Task,
    ids::EntityId,
    operation::Operation,
    rows::Row,
    syntax::{ExpectedText, SyntaxError},
    world::World,
};

use super::RuleReader;
use crate::{
    problem::{Problem, nearest},
    scenario::{names::with_suggestion, value::Located},
};

/// The words of an act for a subject, and the pieces of which they are made, in order.
type FilledAct = (String, Vec<FilledPiece>);

/// A piece of the words of an act.
struct FilledPiece {
    /// The offset of its end in the words.
    end: usize,
    /// The place in the file's text that it comes from.
    from: Range<usize>,
    /// Whether that is a name in braces, and not the words themselves.
    is_name: bool,
}

/// The name of the subject's entity in an act.
const IT: &str = "it";

impl RuleReader<'_> {
    /// The act of the actor of a task for a subject.
    pub(super) fn act(
        &self,
        act: &Located<String>,
        task: Task,
        subject: Row,
    ) -> Result<Act, Problem> {
        let actor = self.world.show_actor(task.actor());
        let (words, pieces) = self.filled(act, subject)?;
        let line = format!("{actor}: {words}");
        let before = line.len() - words.len();
        let read = self.world.read(&line).map_err(|error| {
            let from = error.span.start.saturating_sub(before);
            let span = origin(&pieces, from..error.span.end.saturating_sub(before));
            self.unread(act, &span, &error)
        })?;
        let (message, label) = match read.act {
            Act::Txn(_, TxnAct::Run(Operation::AddMachine(_))) => (
                "no rule adds a machine",
                "an agent does not know which identifier is free; a user adds machines",
            ),
            Act::Txn(_, TxnAct::Run(_)) | Act::Cleaner(_) => return Ok(read.act),
            Act::Txn(_, TxnAct::Begin(_)) => (
                "a rule says what is done, and not how",
                "the transaction alone was expected: where the world splits it, it begins first",
            ),
            Act::Txn(_, TxnAct::Commit | TxnAct::Abort) => (
                "what has begun ends of itself",
                "a transaction was expected, such as destroy-unit {it}",
            ),
            Act::Hook(..)
            | Act::UnitAgent(..)
            | Act::MachineAgent(..)
            | Act::Provisioner(_)
            | Act::Faults(_)
            | Act::Operator(_)
            | Act::Supervisor(_) => (
                "this act is part of a duty of the protocol, and has no meaning without it",
                "a transaction was expected, such as destroy-unit {it}",
            ),
        };
        Err(self.problem(&act.span, message, label))
    }

    /// Puts the names of a subject's entities into an act.
    fn filled(&self, act: &Located<String>, subject: Row) -> Result<FilledAct, Problem> {
        let (mut words, mut pieces, mut rest) = (String::new(), Vec::new(), act.value.as_str());
        let at = |rest: &str| act.value.len() - rest.len();
        while let Some(open) = rest.find('{') {
            words.push_str(&rest[..open]);
            let from = at(rest)..at(rest) + open;
            pieces.push(FilledPiece { end: words.len(), from, is_name: false });
            let begin = at(rest) + open;
            let Some(length) = rest[open..].find('}') else {
                let span = self.text.inside(act, &(begin..act.value.len()));
                let message = "a `{` is not closed";
                return Err(self.problem(&span, message, "{it} was expected"));
            };
            let name = &rest[open + 1..open + length];
            let entity = part(subject, name).ok_or_else(|| {
                let span = self.text.inside(act, &(begin..begin + length + 1));
                let message = format!("`{{{name}}}` stands for nothing here");
                let known = parts(subject);
                let label = format!(
                    "{} was expected",
                    known.iter().map(|it| format!("{{{it}}}")).collect::<Vec<_>>().join(" or ")
                );
                let problem = self.problem(&span, &message, &label);
                with_suggestion(problem, name, known.iter().copied())
            })?;
            words.push_str(entity_name(self.world, entity));
            let from = begin..begin + length + 1;
            pieces.push(FilledPiece { end: words.len(), from, is_name: true });
            rest = &rest[open + length + 1..];
        }
        words.push_str(rest);
        let from = at(rest)..act.value.len();
        pieces.push(FilledPiece { end: words.len(), from, is_name: false });
        Ok((words, pieces))
    }

    /// The problem that the words of an act are none.
    fn unread(&self, act: &Located<String>, span: &Range<usize>, error: &SyntaxError) -> Problem {
        let named = act.value.get(span.clone()).unwrap_or_default();
        let message = match named {
            "" => error.message.clone(),
            part => format!("{}: `{part}`", error.message),
        };
        let at = self.text.inside(act, span);
        match &error.expected {
            ExpectedText::Words(words) => self.problem(&at, &message, &format!("expected {words}")),
            ExpectedText::NumberUpTo(most) => {
                self.problem(&at, &message, &format!("expected a number up to {most}"))
            }
            ExpectedText::Verb(verbs) => {
                let label = "expected a step of the actor (`deathwatch list steps` has them all)";
                let problem = self.problem(&at, &message, label);
                let near = nearest(named, verbs.iter().copied());
                near.into_iter().fold(problem, Problem::with_help)
            }
            ExpectedText::OneOf(kind, known) => {
                let label = format!("the name of a {kind} was expected");
                let problem = self.problem(&at, &message, &label);
                with_suggestion(problem, named, known.iter().map(String::as_str))
            }
        }
    }
}

/// The place in the file of a part of the words; a part from a name comes from its braces.
fn origin(pieces: &[FilledPiece], part: Range<usize>) -> Range<usize> {
    let last = pieces.last().map_or(0, |piece| piece.end);
    let mut begin = 0;
    for FilledPiece { end, from, is_name } in pieces {
        if part.start < *end || *end == last {
            let within = |at: usize| (from.start + at.saturating_sub(begin)).min(from.end);
            return if *is_name { from.clone() } else { within(part.start)..within(part.end) };
        }
        begin = *end;
    }
    0..0
}

/// The names of the parts of a subject that an act can have.
fn parts(subject: Row) -> Vec<&'static str> {
    match (subject.relation(), subject.actor()) {
        (Some(_), Some(EntityId::Unit(_))) => vec!["it.unit", "it.relation"],
        _ => vec![IT],
    }
}

/// The entity that a name in an act stands for.
fn part(subject: Row, name: &str) -> Option<EntityId> {
    if !parts(subject).contains(&name) {
        return None;
    }
    match name {
        "it.relation" => subject.relation().map(EntityId::Relation),
        _ => subject.actor(),
    }
}

fn entity_name(world: &World, entity: EntityId) -> &str {
    match entity {
        EntityId::Machine(id) => &world.machine(id).name,
        EntityId::Application(id) => &world.application(id).name,
        EntityId::Unit(id) => &world.unit(id).name,
        EntityId::Relation(id) => &world.relation(id).name,
    }
}

#[cfg(test)]
mod tests {
    use super::{FilledPiece, origin};

    /// In "go {it} 1" the braces stand for "main", which is as long.
    #[test]
    fn a_part_of_a_name_comes_from_all_of_its_braces() {
        let piece = |end, from, is_name| FilledPiece { end, from, is_name };
        let pieces = [piece(3, 0..3, false), piece(7, 3..7, true), piece(9, 7..9, false)];
        assert_eq!(origin(&pieces, 0..2), 0..2);
        assert_eq!(origin(&pieces, 4..6), 3..7);
        assert_eq!(origin(&pieces, 8..9), 8..9);
    }
}
