//! What the user may do: the table `[user]`.

use std::ops::Range;

use deathwatch_model::{
    ids::{ApplicationId, Id, MachineId, RelationId, UnitId},
    world::{Allowed, Command, Scope, World},
};

use super::{
    names::{Names, duplicate, with_suggestion},
    value::{At, Map, Most},
    world::number,
};
use crate::problem::{Problem, Text};

const VERBS: [&str; 8] = [
    "deploy",
    "add-unit",
    "add-machine",
    "integrate",
    "destroy-machine",
    "destroy-unit",
    "destroy-relation",
    "destroy-application",
];

/// Reads the commands that the user is allowed.
pub(super) fn read(
    text: &Text,
    file: &Map<At<Most>>,
    world: &World,
    names: &Names,
) -> Result<Vec<Allowed>, Problem> {
    let mut commands: Vec<Allowed> = Vec::new();
    for (key, most) in file.iter() {
        let command = Line { text, key, world, names }.command()?;
        let begins_alike = |allowed: &Allowed| match (allowed.command, command) {
            (Command::Deploy(one, _), Command::Deploy(other, _)) => one == other,
            (one, other) => one == other,
        };
        if let Some(index) = commands.iter().position(begins_alike) {
            return Err(duplicate(text, key, &file.0[index].0.span));
        }
        let most = match most.value {
            Most::Unlimited => None,
            Most::Times(times) => {
                let times = number(text, &At { value: times, span: most.span.clone() }, 1..=255)?;
                Some(u8::try_from(times).unwrap_or(u8::MAX))
            }
        };
        commands.push(Allowed { command, most });
    }
    Ok(commands)
}

/// One key of the table, which is a command.
struct Line<'a> {
    text: &'a Text,
    key: &'a At<String>,
    world: &'a World,
    names: &'a Names,
}

impl Line<'_> {
    fn command(&self) -> Result<Command, Problem> {
        let line = self.key.value.as_str();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (force, rest) = match rest.strip_prefix("--force ") {
            Some(rest) if verb == "destroy-unit" || verb == "destroy-machine" => (true, rest),
            _ => (false, rest),
        };
        let rest = line.len() - rest.len()..line.len();
        Ok(match (verb, force) {
            ("deploy", _) => self.deploy(rest)?,
            ("add-unit", _) => Command::AddUnit(self.principal_application(rest)?),
            ("add-machine", _) => Command::AddMachine(self.machine(rest)?),
            ("integrate", _) => Command::Integrate(self.relation(rest)?),
            ("destroy-machine", false) => Command::DestroyMachine(self.machine(rest)?),
            ("destroy-machine", true) => Command::ForceDestroyMachine(self.machine(rest)?),
            ("destroy-unit", false) => Command::DestroyUnit(self.principal(rest)?),
            ("destroy-unit", true) => Command::ForceDestroyUnit(self.principal(rest)?),
            ("destroy-relation", _) => Command::DestroyRelation(self.relation(rest)?),
            ("destroy-application", _) => Command::DestroyApplication(self.application(rest)?),
            _ => {
                let message = format!("the user has no command `{verb}`");
                let problem = self.problem(0..verb.len(), message, "a command was expected");
                return Err(match verb.strip_prefix("force-") {
                    Some(verb) if VERBS.contains(&verb) => {
                        problem.with_help(format!("write `{verb} --force`"))
                    }
                    _ => with_suggestion(problem, verb, VERBS.into_iter()),
                });
            }
        })
    }

    fn problem(&self, part: Range<usize>, message: impl Into<String>, label: &str) -> Problem {
        self.text.problem(&self.text.inside(self.key, &part), message, label)
    }

    /// A part of the key as a name.
    fn name(&self, part: Range<usize>) -> At<String> {
        let value = self.key.value[part.clone()].to_owned();
        At { value, span: self.text.inside(self.key, &part) }
    }

    fn deploy(&self, rest: Range<usize>) -> Result<Command, Problem> {
        const EXPECTED: &str = "an application and a number of units were expected";
        let line = &self.key.value;
        let Some((application, _)) = line[rest.clone()].split_once(' ') else {
            return Err(self.problem(rest, "something is missing here", EXPECTED));
        };
        let id = self.application(rest.start..rest.start + application.len())?;
        let count = rest.start + application.len() + 1..rest.end;
        let Ok(units) = line[count.clone()].parse::<u32>() else {
            let message = format!("`{}` is not a number of units", &line[count.clone()]);
            return Err(self.problem(count, message, "a number from 0 to 100000 was expected"));
        };
        let constants = self.world.application(id);
        let room = if constants.subordinate { 0 } else { constants.units.len() };
        if units as usize > room {
            let message = format!("{application} cannot be deployed with {units} units");
            let problem = self.problem(count, message, &format!("at most {room} was expected"));
            return Err(problem.with_help(if constants.subordinate {
                "units of a subordinate application come with their principals".to_owned()
            } else {
                format!("the world has room for {room}: see its `most-units`")
            }));
        }
        Ok(Command::Deploy(id, units))
    }

    fn application(&self, part: Range<usize>) -> Result<ApplicationId, Problem> {
        self.names.applications.find(self.text, &self.name(part)).map(ApplicationId::new)
    }

    fn principal_application(&self, part: Range<usize>) -> Result<ApplicationId, Problem> {
        let id = self.application(part.clone())?;
        if !self.world.application(id).subordinate {
            return Ok(id);
        }
        let message = "units of a subordinate application come with their principals (add-unit.1)";
        Err(self.problem(part, message, "a principal application was expected"))
    }

    fn machine(&self, part: Range<usize>) -> Result<MachineId, Problem> {
        self.names.machines.find(self.text, &self.name(part)).map(MachineId::new)
    }

    fn unit(&self, part: Range<usize>) -> Result<UnitId, Problem> {
        self.names.units.find(self.text, &self.name(part)).map(UnitId::new)
    }

    fn principal(&self, part: Range<usize>) -> Result<UnitId, Problem> {
        let id = self.unit(part.clone())?;
        if !self.world.is_subordinate(id) {
            return Ok(id);
        }
        let message = "the user cannot destroy a subordinate (destroy-unit.4)";
        Err(self.problem(part, message, "a principal was expected"))
    }

    /// A relation that is not a peer relation, which comes and goes with its application.
    fn relation(&self, part: Range<usize>) -> Result<RelationId, Problem> {
        let id = self.names.relations.find(self.text, &self.name(part.clone()));
        let id = RelationId::new(id?);
        if self.world.relation(id).scope != Scope::Peer {
            return Ok(id);
        }
        let message = "a peer relation comes and goes with its application (destroy-relation.2)";
        Err(self.problem(part, message, "a relation of two applications was expected"))
    }
}
