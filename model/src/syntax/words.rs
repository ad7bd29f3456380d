//! The words of a part of a line, one after the other, and the entities that they name.

use super::error::{ExpectedText, SyntaxError};
use crate::{
    actor::{Actor, Agent, Client},
    ids::{ApplicationId, Constraints, Id, MachineId, RelationId, UnitId, UserId},
    table::Source,
    world::World,
};

/// The option for constraints.
pub(super) const CONSTRAINTS: &str = "--constraints";

const ACTORS: &str = "user, client, unit-agent UNIT, machine-agent MACHINE, provisioner, cleaner, \
                      faults, operator or supervisor";
const CLIENTS: &str =
    "user, client, unit-agent UNIT, machine-agent MACHINE, provisioner or cleaner";
const AGENTS: &str = "unit-agent UNIT or machine-agent MACHINE";

/// The rest of a part of a line.
pub(super) struct Words<'a> {
    pub(super) world: &'a World,
    pub(super) line: &'a str,
    pub(super) at: usize,
    /// The offset of the end of the part.
    pub(super) end: usize,
}

impl<'a> Words<'a> {
    /// The next word, and its position.
    pub(super) fn next(&mut self, expected: ExpectedText) -> Result<(usize, &'a str), SyntaxError> {
        let rest = &self.line[self.at..self.end];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let Some(word) = rest.split_whitespace().next() else {
            return Err(SyntaxError::new(self.end, "", "something is missing here", expected));
        };
        self.at = start + word.len();
        Ok((start, word))
    }

    /// Takes this word if it is the next one; returns whether it is.
    pub(super) fn skip(&mut self, word: &str) -> bool {
        let rest = self.line[self.at..self.end].trim_start();
        let is_next = rest.split_whitespace().next() == Some(word);
        if is_next {
            self.at = self.end - rest.len() + word.len();
        }
        is_next
    }

    /// Whether this word is among the next ones.
    pub(super) fn has(&self, word: &str) -> bool {
        self.line[self.at..self.end].split_whitespace().any(|it| it == word)
    }

    fn rest(&mut self) -> (usize, &'a str) {
        let rest = &self.line[self.at..self.end];
        let start = self.at + (rest.len() - rest.trim_start().len());
        self.at = self.end;
        (start, rest.trim())
    }

    pub(super) fn finish(&mut self) -> Result<(), SyntaxError> {
        match self.rest() {
            (_, "") => Ok(()),
            (at, rest) => {
                let expected = ExpectedText::Words("the end of the line");
                Err(SyntaxError::new(at, rest, "this is one word too many", expected))
            }
        }
    }

    /// The next words, as an actor.
    pub(super) fn actor(&mut self) -> Result<Actor, SyntaxError> {
        let (at, word) = self.next(ExpectedText::Words(ACTORS))?;
        Ok(match word {
            "user" => Actor::User(self.user()?),
            "client" => Actor::Client(self.number()?),
            "unit-agent" => Actor::UnitAgent(self.unit()?),
            "machine-agent" => Actor::MachineAgent(self.machine()?),
            "provisioner" => Actor::Provisioner,
            "cleaner" => Actor::Cleaner,
            "faults" => Actor::Faults,
            "operator" => Actor::Operator,
            "supervisor" => Actor::Supervisor,
            _ => {
                return Err(SyntaxError::new(
                    at,
                    word,
                    "no such actor",
                    ExpectedText::Words(ACTORS),
                ));
            }
        })
    }

    /// The rest, as the number of a client; an empty rest is the first client.
    fn number(&mut self) -> Result<u8, SyntaxError> {
        let (at, number) = self.rest();
        if number.is_empty() {
            return Ok(0);
        }
        let known = number.parse().ok().filter(|number| *number < Client::SCRIPTED);
        known.ok_or_else(|| {
            let expected = ExpectedText::NumberUpTo(Client::SCRIPTED - 1);
            SyntaxError::new(at, number, "no such client", expected)
        })
    }
}

impl Source for Words<'_> {
    type Error = SyntaxError;

    fn unit(&mut self) -> Result<UnitId, SyntaxError> {
        let (at, name) = self.next(ExpectedText::Words("a unit"))?;
        let names = || self.world.units.iter().map(|unit| &unit.name);
        self.world.unit_named(name).ok_or_else(|| unknown(at, "unit", name, names()))
    }

    fn machine(&mut self) -> Result<MachineId, SyntaxError> {
        let (at, name) = self.next(ExpectedText::Words("a machine"))?;
        let names = || self.world.machines.iter().map(|machine| &machine.name);
        self.world.machine_named(name).ok_or_else(|| unknown(at, "machine", name, names()))
    }

    fn application(&mut self) -> Result<ApplicationId, SyntaxError> {
        let (at, name) = self.next(ExpectedText::Words("an application"))?;
        let names = || self.world.applications.iter().map(|application| &application.name);
        let found = self.world.application_named(name);
        found.ok_or_else(|| unknown(at, "application", name, names()))
    }

    /// A relation, named by the rest of the line, as its name may contain a space.
    fn relation(&mut self) -> Result<RelationId, SyntaxError> {
        let (at, name) = self.rest();
        let names = || self.world.relations.iter().map(|relation| &relation.name);
        self.world.relation_named(name).ok_or_else(|| unknown(at, "relation", name, names()))
    }

    fn constraints(&mut self) -> Result<Constraints, SyntaxError> {
        self.skip(CONSTRAINTS);
        let (at, name) = self.next(ExpectedText::Words("constraints"))?;
        let sets = &self.world.constraints;
        let found = sets.listed().find(|set| sets.name(*set) == name);
        found.ok_or_else(|| {
            let known = sets.listed().map(|set| sets.name(set).to_owned()).collect();
            let expected = ExpectedText::OneOf("set of constraints", known);
            SyntaxError::new(at, name, "no such constraints", expected)
        })
    }

    fn agent(&mut self) -> Result<Agent, SyntaxError> {
        let (at, word) = self.next(ExpectedText::Words(AGENTS))?;
        match word {
            "unit-agent" => Ok(Agent::Unit(self.unit()?)),
            "machine-agent" => Ok(Agent::Machine(self.machine()?)),
            _ => Err(SyntaxError::new(at, word, "no such agent", ExpectedText::Words(AGENTS))),
        }
    }

    /// A user, numbered from 1 by the rest; an empty rest is the first user.
    fn user(&mut self) -> Result<UserId, SyntaxError> {
        let (at, number) = self.rest();
        if number.is_empty() {
            return Ok(UserId::FIRST);
        }
        let users = self.world.user_ids().count();
        let known = number.parse().ok().filter(|number| (1..=users).contains(number));
        known.map(|number: usize| UserId::new(number - 1)).ok_or_else(|| {
            let expected = ExpectedText::NumberUpTo(u8::try_from(users).unwrap_or(u8::MAX));
            SyntaxError::new(at, number, "no such user", expected)
        })
    }

    fn client(&mut self) -> Result<Client, SyntaxError> {
        let from = self.at;
        let actor = self.actor()?;
        actor.client().ok_or_else(|| {
            let whole = &self.line[from..self.at];
            let at = from + (whole.len() - whole.trim_start().len());
            let expected = ExpectedText::Words(CLIENTS);
            SyntaxError::new(at, whole.trim(), "this actor has no transactions", expected)
        })
    }
}

/// The error that no entity of this kind has this name.
fn unknown<'a>(
    at: usize,
    kind: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a String>,
) -> SyntaxError {
    let expected = ExpectedText::OneOf(kind, known.cloned().collect());
    SyntaxError::new(at, name, &format!("no such {kind}"), expected)
}
