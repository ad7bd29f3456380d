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

/// The words of an act for a subject; and of each piece its end, and where it comes from.
type FilledAct = (String, Vec<(usize, Range<usize>)>);

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
        let (words, places) = self.filled(act, subject)?;
        let line = format!("{actor}: {words}");
        let before = line.len() - words.len();
        let read = self.world.read(&line).map_err(|error| {
            let from = error.span.start.saturating_sub(before);
            let span = origin(&places, from..error.span.end.saturating_sub(before));
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
        let (mut words, mut places, mut rest) = (String::new(), Vec::new(), act.value.as_str());
        let at = |rest: &str| act.value.len() - rest.len();
        while let Some(open) = rest.find('{') {
            words.push_str(&rest[..open]);
            places.push((words.len(), at(rest)..at(rest) + open));
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
            places.push((words.len(), begin..begin + length + 1));
            rest = &rest[open + length + 1..];
        }
        words.push_str(rest);
        places.push((words.len(), at(rest)..act.value.len()));
        Ok((words, places))
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
fn origin(places: &[(usize, Range<usize>)], part: Range<usize>) -> Range<usize> {
    let last = places.last().map_or(0, |(end, _)| *end);
    let mut begin = 0;
    for (end, from) in places {
        if part.start < *end || *end == last {
            let within = |at: usize| (from.start + at.saturating_sub(begin)).min(from.end);
            let is_as_written = end - begin == from.len();
            return if is_as_written { within(part.start)..within(part.end) } else { from.clone() };
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
