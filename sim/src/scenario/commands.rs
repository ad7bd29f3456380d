//! The commands that the user may give: the table `[user]`.

use std::{collections::BTreeMap, ops::Range};

use deathwatch_model::{
    clause::{Clause, Rule},
    ids::{ApplicationId, Id, MachineId, RelationId, UnitId},
    world::{Allowed, Command, Scope, WorldBuilder},
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
    world: &WorldBuilder,
    names: &Names,
) -> Result<Vec<Allowed>, Problem> {
    let mut lines = Vec::with_capacity(file.0.len());
    let mut narrowest: BTreeMap<Command, (Width, usize)> = BTreeMap::new();
    for (number, (key, _)) in file.iter().enumerate() {
        let line = Line { text, key, world, names }.commands()?;
        for command in &line.commands {
            let known = narrowest.entry(command.key()).or_insert((line.width, number));
            if known.0 == line.width && known.1 != number {
                return Err(duplicate(text, key, &file.0[known.1].0.span));
            }
            *known = (*known).min((line.width, number));
        }
        lines.push(line.commands);
    }
    let mut commands: Vec<Allowed> = Vec::with_capacity(narrowest.len());
    for (number, ((_, most), line)) in file.iter().zip(lines).enumerate() {
        let most = match most.value {
            Most::Unlimited => None,
            Most::Times(times) => Some(number_of_times(text, times, &most.span)?),
        };
        let is_meant = |command: &Command| narrowest[&command.key()].1 == number;
        let meant = line.into_iter().filter(is_meant);
        commands.extend(meant.map(|command| Allowed { command, most }));
    }
    Ok(commands)
}

fn number_of_times(text: &Text, times: i64, span: &Range<usize>) -> Result<u8, Problem> {
    let times = number(text, &At { value: times, span: span.clone() }, 1..=255)?;
    Ok(u8::try_from(times).unwrap_or(u8::MAX))
}

/// The commands that a key of the table stands for.
struct Meant {
    commands: Vec<Command>,
    width: Width,
}

/// The width of a key. Of two keys that stand for the same command, the narrower one has
/// precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    One,
    OneApplication,
    Everything,
}

/// One key of the table.
struct Line<'a> {
    text: &'a Text,
    key: &'a At<String>,
    world: &'a WorldBuilder,
    names: &'a Names,
}

impl Line<'_> {
    fn commands(&self) -> Result<Meant, Problem> {
        let line = self.key.value.as_str();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (force, rest) = match rest.strip_prefix("--force ") {
            Some(rest) if verb == "destroy-unit" || verb == "destroy-machine" => (true, rest),
            _ => (false, rest),
        };
        let rest = line.len() - rest.len()..line.len();
        match (verb, force) {
            ("deploy", _) => self.deploy(rest).map(one),
            ("add-unit", _) => self.add_unit(rest),
            ("add-machine", _) => self.machines(rest, Command::AddMachine),
            ("integrate", _) => self.relations(rest, Command::Integrate),
            ("destroy-machine", false) => self.machines(rest, Command::DestroyMachine),
            ("destroy-machine", true) => self.machines(rest, Command::ForceDestroyMachine),
            ("destroy-unit", false) => {
                let clause = Clause { rule: Rule::DestroyUnit, number: 4 };
                self.units(rest, clause, Command::DestroyUnit)
            }
            ("destroy-unit", true) => {
                let clause = Clause { rule: Rule::ForceDestroyUnit, number: 3 };
                self.units(rest, clause, Command::ForceDestroyUnit)
            }
            ("destroy-relation", _) => self.relations(rest, Command::DestroyRelation),
            ("destroy-application", _) => self.destroy_application(rest),
            _ => {
                let message = format!("the user has no command `{verb}`");
                let problem = self.problem(0..verb.len(), message, "a command was expected");
                Err(match verb.strip_prefix("force-") {
                    Some(verb) if VERBS.contains(&verb) => {
                        problem.with_help(format!("write `{verb} --force`"))
                    }
                    _ => with_suggestion(problem, verb, VERBS.into_iter()),
                })
            }
        }
    }

    fn problem(&self, part: Range<usize>, message: impl AsRef<str>, label: &str) -> Problem {
        self.text.problem(&self.text.inside(self.key, &part), message, label)
    }

    /// A part of the key, read as a name.
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

    /// The commands that a key with `*` stands for.
    fn everything(
        &self,
        part: Range<usize>,
        commands: impl Iterator<Item = Command>,
    ) -> Result<Meant, Problem> {
        let commands: Vec<Command> = commands.collect();
        if commands.is_empty() {
            let message = "there is nothing that `*` could stand for";
            return Err(self.problem(part, message, "nothing can be named here"));
        }
        Ok(Meant { commands, width: Width::Everything })
    }

    fn is_everything(&self, part: &Range<usize>) -> bool {
        &self.key.value[part.clone()] == "*"
    }

    fn add_unit(&self, part: Range<usize>) -> Result<Meant, Problem> {
        if !self.is_everything(&part) {
            return self.principal_application(part).map(Command::AddUnit).map(one);
        }
        let ids = self.world.application_ids();
        let principal = ids.filter(|id| !self.world.application(*id).subordinate);
        self.everything(part, principal.map(Command::AddUnit))
    }

    fn destroy_application(&self, part: Range<usize>) -> Result<Meant, Problem> {
        if self.is_everything(&part) {
            let all = self.world.application_ids();
            return self.everything(part, all.map(Command::DestroyApplication));
        }
        self.application(part).map(Command::DestroyApplication).map(one)
    }

    fn machines(
        &self,
        part: Range<usize>,
        command: fn(MachineId) -> Command,
    ) -> Result<Meant, Problem> {
        if self.is_everything(&part) {
            return self.everything(part, self.world.machine_ids().map(command));
        }
        self.machine(part).map(command).map(one)
    }

    fn relations(
        &self,
        part: Range<usize>,
        command: fn(RelationId) -> Command,
    ) -> Result<Meant, Problem> {
        if !self.is_everything(&part) {
            return self.relation(part).map(command).map(one);
        }
        let ids = self.world.relation_ids();
        let named = ids.filter(|id| self.world.relation(*id).scope != Scope::Peer);
        self.everything(part, named.map(command))
    }

    /// Units that the user may destroy: no subordinates, unless the clause that forbids it is off.
    fn units(
        &self,
        part: Range<usize>,
        clause: Clause,
        command: fn(UnitId) -> Command,
    ) -> Result<Meant, Problem> {
        let world = self.world;
        let may = |application: ApplicationId| {
            world.is_off(clause) || !world.application(application).subordinate
        };
        if self.is_everything(&part) {
            let allowed = world.unit_ids().filter(|id| may(world.unit(*id).application));
            return self.everything(part, allowed.map(command));
        }
        let Some(name) = self.key.value[part.clone()].strip_suffix("/*") else {
            let id = self.names.units.find(self.text, &self.name(part.clone()));
            let id = UnitId::new(id?);
            if !may(world.unit(id).application) {
                return Err(self.subordinate(part, clause));
            }
            return Ok(one(command(id)));
        };
        let application = self.application(part.start..part.start + name.len())?;
        if !may(application) {
            return Err(self.subordinate(part, clause));
        }
        let units = world.application(application).units().map(command);
        let meant = self.everything(part, units)?;
        Ok(Meant { width: Width::OneApplication, ..meant })
    }

    fn subordinate(&self, part: Range<usize>, clause: Clause) -> Problem {
        let message = format!("the user cannot destroy a subordinate ({clause})");
        self.problem(part, message, "a principal was expected")
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

    /// A relation that is not a peer relation; those come and go with their applications.
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

fn one(command: Command) -> Meant {
    Meant { commands: vec![command], width: Width::One }
}
