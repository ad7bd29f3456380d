//! The commands that the user may give: the table `[user]`.

mod constrained;
mod deployment;

use std::{collections::BTreeMap, ops::Range};

use deathwatch_model::{
    clause::Clause,
    ids::{ApplicationId, Id, MachineId, RelationId, UnitId},
    world::{Allowed, Command, CommandKind, FirstTransaction, Scope, Takes, WorldBuilder},
};

use super::{
    detail::how_to_switch_on,
    names::{Names, duplicate, with_suggestion},
    value::{At, Map, Most},
    world::number,
};
use crate::problem::{Problem, Text};

/// The option of a command that names constraints.
const CONSTRAINTS: &str = "--constraints";

/// Reads the commands that the user is allowed.
pub(super) fn read(
    text: &Text,
    file: &Map<At<Most>>,
    world: &WorldBuilder,
    names: &Names,
) -> Result<Vec<Allowed>, Problem> {
    let mut lines = Vec::with_capacity(file.0.len());
    let mut narrowest: BTreeMap<FirstTransaction, (Width, usize)> = BTreeMap::new();
    for (number, (key, _)) in file.iter().enumerate() {
        let line = CommandKey { text, key, world, names }.commands()?;
        for command in &line.commands {
            let known = narrowest.entry(command.first()).or_insert((line.width, number));
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
        let is_meant = |command: &Command| narrowest[&command.first()].1 == number;
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
    OneEntity,
    Everything,
}

/// One key of the table.
struct CommandKey<'a> {
    text: &'a Text,
    key: &'a At<String>,
    world: &'a WorldBuilder,
    names: &'a Names,
}

impl CommandKey<'_> {
    fn commands(&self) -> Result<Meant, Problem> {
        let line = self.key.value.as_str();
        let (verb, _) = line.split_once(' ').unwrap_or((line, ""));
        let (kind, rest) = kind_of(line).ok_or_else(|| self.no_such_command(verb))?;
        if let Some(detail) = kind.lacks(self.world.detail) {
            let message = format!("`{verb}` needs the detail `{detail}`");
            let problem = self.problem(0..verb.len(), message, "not expected here");
            return Err(problem.with_help(how_to_switch_on(detail)));
        }
        self.meant(kind, line.len() - rest.len()..line.len())
    }

    fn no_such_command(&self, verb: &str) -> Problem {
        let message = format!("the user has no command `{verb}`");
        let problem = self.problem(0..verb.len(), message, "a command was expected");
        match verb.strip_prefix("force-") {
            Some(verb) if CommandKind::named(&forced(verb)).is_some() => {
                problem.with_help(format!("write `{}`", forced(verb)))
            }
            _ => {
                let is_known = |kind: &&CommandKind| kind.lacks(self.world.detail).is_none();
                let known = CommandKind::ALL.iter().filter(is_known);
                let plain = known.map(|kind| kind.row().verb).filter(|verb| !verb.contains(' '));
                with_suggestion(problem, verb, plain)
            }
        }
    }

    /// The commands of `kind` that `rest`, what follows the verb, stands for.
    fn meant(&self, kind: CommandKind, rest: Range<usize>) -> Result<Meant, Problem> {
        match kind.row().takes {
            Takes::Application(command) => self.applications(rest, kind, command),
            Takes::Deployment(command) => self.deployment(rest, command).map(one),
            Takes::ConstrainedDeployment(command) => {
                self.constrained_deployment(&rest, command).map(one)
            }
            Takes::Constrained(command) => self.constrained(rest, kind, command),
            Takes::Reconstrained(command) => self.reconstrained(&rest, command),
            Takes::Constraints(command) => self.constraints(rest, command),
            Takes::Machine(command) => self.machines(rest, command),
            Takes::Relation(command) => self.relations(rest, command),
            Takes::Unit(command) => self.units(rest, kind, command),
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

    /// Applications, without subordinate ones if the command is not for them. Their units come with
    /// their principals even where the clause that says so is off.
    fn applications(
        &self,
        part: Range<usize>,
        kind: CommandKind,
        command: fn(ApplicationId) -> Command,
    ) -> Result<Meant, Problem> {
        let excluded = kind.row().excludes;
        if self.is_everything(&part) {
            let ids = self.world.application_ids();
            let is_meant =
                |id: &ApplicationId| excluded.is_none() || !self.world.application(*id).subordinate;
            return self.everything(part, ids.filter(is_meant).map(command));
        }
        let id = self.application(part.clone())?;
        match excluded {
            Some(clause) if self.world.application(id).subordinate => {
                let message = format!(
                    "units of a subordinate application come with their principals ({clause})"
                );
                Err(self.problem(part, message, "a principal application was expected"))
            }
            _ => Ok(one(command(id))),
        }
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

    /// Units, without subordinates if the command excludes them, unless the clause that says so is
    /// off.
    fn units(
        &self,
        part: Range<usize>,
        kind: CommandKind,
        command: fn(UnitId) -> Command,
    ) -> Result<Meant, Problem> {
        let world = self.world;
        let clause = kind.row().excludes.filter(|clause| !world.without.contains(*clause));
        let forbids = |application: ApplicationId| {
            clause.filter(|_| world.application(application).subordinate)
        };
        if self.is_everything(&part) {
            let allowed =
                world.unit_ids().filter(|id| forbids(world.unit(*id).application).is_none());
            return self.everything(part, allowed.map(command));
        }
        let Some(name) = self.key.value[part.clone()].strip_suffix("/*") else {
            let id = self.names.units.find(self.text, &self.name(part.clone()));
            let id = UnitId::new(id?);
            return match forbids(world.unit(id).application) {
                Some(clause) => Err(self.subordinate(part, clause)),
                None => Ok(one(command(id))),
            };
        };
        let application = self.application(part.start..part.start + name.len())?;
        if let Some(clause) = forbids(application) {
            return Err(self.subordinate(part, clause));
        }
        let units = world.application(application).units().map(command);
        let meant = self.everything(part, units)?;
        Ok(Meant { width: Width::OneEntity, ..meant })
    }

    fn subordinate(&self, part: Range<usize>, clause: Clause) -> Problem {
        let message = format!("the user cannot destroy a subordinate ({clause})");
        self.problem(part, message, "a principal was expected")
    }

    fn application(&self, part: Range<usize>) -> Result<ApplicationId, Problem> {
        self.names.applications.find(self.text, &self.name(part)).map(ApplicationId::new)
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

/// The kind of command that a line gives, by its verb and its option, and what follows these. The
/// option about constraints stands behind what the command is about, and is left there.
pub(super) fn kind_of(line: &str) -> Option<(CommandKind, &str)> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let with_force = CommandKind::named(&forced(verb)).zip(rest.strip_prefix("--force "));
    let has_constraints = rest.split(' ').any(|word| word == CONSTRAINTS);
    let constrained = CommandKind::named(&format!("{verb} {CONSTRAINTS}"));
    let with_constraints = constrained.filter(|_| has_constraints).map(|kind| (kind, rest));
    let plain = || CommandKind::named(verb).map(|kind| (kind, rest));
    with_force.or(with_constraints).or_else(plain)
}

/// A verb with the option of force.
fn forced(verb: &str) -> String {
    format!("{verb} --force")
}

fn one(command: Command) -> Meant {
    Meant { commands: vec![command], width: Width::One }
}
