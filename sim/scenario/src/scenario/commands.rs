//! The commands that the user may give: the table `[user]`.

use std::{
    collections::BTreeMap,
    ops::{Range, RangeInclusive},
};

use deathwatch_model::{
    clause::Clause,
    ids::{ApplicationId, EntityId, Id, MachineId, RelationId, UnitId},
    syntax::WITH_CONSTRAINTS,
    world::{
        Allowed, Command, CommandArgument, CommandArguments, CommandKind, CommandParameter,
        FirstTransaction, Scope, WorldBuilder,
    },
};

use super::{
    constraints,
    detail::how_to_switch_on,
    form::SESSIONS,
    names::{Names, duplicate, with_suggestion},
    value::{CommandLimit, Located, Map},
    world::number,
};
use crate::problem::{Problem, Text};

/// Reads the commands that the user is allowed.
pub(super) fn read(
    text: &Text,
    file: &Map<Located<CommandLimit>>,
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
            CommandLimit::Unlimited => None,
            CommandLimit::Times(times) => Some(number_of_times(text, times, &most.span)?),
        };
        let is_meant = |command: &Command| narrowest[&command.first()].1 == number;
        let meant = line.into_iter().filter(is_meant);
        commands.extend(meant.map(|command| Allowed { command, most }));
    }
    Ok(commands)
}

/// The keys that name one command, each with it: where there is a `*`, some of many may do nothing.
pub(super) fn named(
    text: &Text,
    file: &Map<Located<CommandLimit>>,
    world: &WorldBuilder,
    names: &Names,
) -> Result<Vec<(String, Command)>, Problem> {
    let keys = file.iter().map(|(key, _)| key).filter(|key| !key.value.contains('*'));
    let commands = keys.map(|key| {
        let meant = CommandKey { text, key, world, names }.commands()?;
        Ok(meant.commands.into_iter().map(|command| (key.value.clone(), command)))
    });
    let commands: Vec<_> = commands.collect::<Result<_, Problem>>()?;
    Ok(commands.into_iter().flatten().collect())
}

fn number_of_times(text: &Text, times: i64, span: &Range<usize>) -> Result<u8, Problem> {
    let times = number(text, &Located { value: times, span: span.clone() }, 1..=255)?;
    Ok(u8::try_from(times).unwrap_or(u8::MAX))
}

/// The commands that a key of the table stands for.
struct Meant {
    commands: Vec<Command>,
    width: Width,
}

/// The arguments that a part of a key stands for.
struct ArgumentChoice {
    arguments: Vec<CommandArgument>,
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

struct CommandKey<'a> {
    text: &'a Text,
    key: &'a Located<String>,
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
        let is_known = |kind: &&CommandKind| kind.lacks(self.world.detail).is_none();
        let known = CommandKind::ALL.iter().filter(is_known);
        let plain = known.map(|kind| kind.row().verb).filter(|verb| !verb.contains(' '));
        with_suggestion(problem, verb, plain)
    }

    /// The commands of `kind` that `rest`, the words behind the verb, stands for: one for each
    /// combination of its parts.
    fn meant(&self, kind: CommandKind, rest: Range<usize>) -> Result<Meant, Problem> {
        let (mut lists, mut width) = (vec![CommandArguments::default()], Width::One);
        let parts = self.parts(kind, rest)?;
        for (at, (parameter, part)) in kind.row().takes.iter().zip(&parts).enumerate() {
            let choice = self.choice(kind, *parameter, part, &lists[0])?;
            let longer = lists.iter().flat_map(|given| {
                choice.arguments.iter().map(move |argument| {
                    let mut given = *given;
                    given[at] = Some(*argument);
                    given
                })
            });
            lists = longer.collect();
            // A key that names the first argument is about that entity, whatever the others are.
            width =
                width.max(if at == 0 { choice.width } else { choice.width.min(Width::OneEntity) });
        }
        let commands = lists.iter().map(|given| kind.with(*given).expect("it takes these"));
        let meant = Meant { commands: commands.collect(), width };
        match self.added_to_subordinate(kind, &meant) {
            Some(clause) => {
                let message = format!(
                    "units of a subordinate application come with their principals ({clause})"
                );
                let part = parts[0].clone();
                Err(self.problem(part, message, "a principal application was expected"))
            }
            None => Ok(meant),
        }
    }

    /// The clause by which a subordinate application that is named gets no units by a command. Its
    /// units come with their principals even where the clause is off.
    fn added_to_subordinate(&self, kind: CommandKind, meant: &Meant) -> Option<Clause> {
        let [command] = meant.commands.as_slice() else { return None };
        match command.first() {
            FirstTransaction::UnitOf(id) if self.world.application(id).subordinate => {
                kind.row().excludes
            }
            FirstTransaction::UnitOf(_) | FirstTransaction::Is(_) => None,
        }
    }

    /// The part of the key for each argument. An asterisk alone stands for all of them; the name of
    /// a relation, which comes last, has spaces in it.
    fn parts(&self, kind: CommandKind, rest: Range<usize>) -> Result<Vec<Range<usize>>, Problem> {
        let row = kind.row();
        let missing = |part: Range<usize>, expected: &str| {
            let expected = format!("{expected} were expected");
            Err(self.problem(part, "something is missing here", &expected))
        };
        let (mut plain, mut rest, mut last) = (row.takes, rest, None);
        if let Some(option) = row.option() {
            let is_step = constrained(self.key.value.split(' ').next().unwrap_or_default());
            let option = if is_step.is_some() { " ".to_owned() } else { format!(" {option} ") };
            let Some((before, _)) = self.key.value[rest.clone()].rsplit_once(&option) else {
                let expected = format!("a name,{option}and {}", noun(row.takes.last()));
                return missing(rest, &expected);
            };
            let end = rest.start + before.len();
            last = Some(end + option.len()..rest.end);
            (plain, rest) = (&row.takes[..row.takes.len() - 1], rest.start..end);
        } else if self.is_everything(&rest) && can_be_all(kind) {
            return Ok(vec![rest; plain.len()]);
        }
        let mut parts = Vec::new();
        for _ in 1..plain.len() {
            let Some((part, _)) = self.key.value[rest.clone()].split_once(' ') else {
                let nouns: Vec<&str> = plain.iter().map(|it| it.noun()).collect();
                return missing(rest, &nouns.join(" and "));
            };
            parts.push(rest.start..rest.start + part.len());
            rest.start += part.len() + 1;
        }
        Ok(parts.into_iter().chain([rest]).chain(last).collect())
    }

    /// The choice of a part of the key, given the arguments of the parts before it.
    fn choice(
        &self,
        kind: CommandKind,
        parameter: CommandParameter,
        part: &Range<usize>,
        given: &CommandArguments,
    ) -> Result<ArgumentChoice, Problem> {
        let is_all = self.is_everything(part) && can_be_all(kind);
        let part = part.clone();
        match parameter {
            CommandParameter::Application if is_all => self.all(part, self.applications(kind)),
            CommandParameter::Application => {
                self.application(part).map(|id| one(EntityId::Application(id)))
            }
            CommandParameter::Machine if is_all => {
                self.all(part, self.world.machine_ids().map(EntityId::Machine))
            }
            CommandParameter::Machine => self.machine(part).map(|id| one(EntityId::Machine(id))),
            CommandParameter::Relation if is_all => self.all(part, self.relations()),
            CommandParameter::Relation => self.relation(part).map(|id| one(EntityId::Relation(id))),
            CommandParameter::Unit => self.units(part, kind),
            CommandParameter::Units => self.number_of_units(part, given),
            CommandParameter::Constraints => self.constraints(part),
        }
    }

    fn problem(&self, part: Range<usize>, message: impl AsRef<str>, label: &str) -> Problem {
        self.text.problem(&self.text.inside(self.key, &part), message, label)
    }

    /// A part of the key, read as a name.
    fn name(&self, part: Range<usize>) -> Located<String> {
        let value = self.key.value[part.clone()].to_owned();
        Located { value, span: self.text.inside(self.key, &part) }
    }

    fn all(
        &self,
        part: Range<usize>,
        entities: impl Iterator<Item = EntityId>,
    ) -> Result<ArgumentChoice, Problem> {
        let arguments: Vec<_> = entities.map(CommandArgument::Entity).collect();
        if arguments.is_empty() {
            let message = "there is nothing that `*` could stand for";
            return Err(self.problem(part, message, "nothing can be named here"));
        }
        Ok(ArgumentChoice { arguments, width: Width::Everything })
    }

    fn is_everything(&self, part: &Range<usize>) -> bool {
        &self.key.value[part.clone()] == "*"
    }

    /// All applications, without subordinate ones if the command is not for them.
    fn applications(&self, kind: CommandKind) -> impl Iterator<Item = EntityId> {
        let is_for_all = kind.row().excludes.is_none();
        let ids = self.world.application_ids();
        let meant = ids.filter(move |id| is_for_all || !self.world.application(*id).subordinate);
        meant.map(EntityId::Application)
    }

    /// All relations but those that come and go with their applications.
    fn relations(&self) -> impl Iterator<Item = EntityId> {
        let ids = self.world.relation_ids();
        let named = ids.filter(|id| self.world.relation(*id).scope != Scope::Peer);
        named.map(EntityId::Relation)
    }

    /// Units, without subordinates if the command excludes them, unless the clause that says so is
    /// off.
    fn units(&self, part: Range<usize>, kind: CommandKind) -> Result<ArgumentChoice, Problem> {
        let world = self.world;
        let clause = kind.row().excludes.filter(|clause| !world.without.contains(*clause));
        let forbids = |application: ApplicationId| {
            clause.filter(|_| world.application(application).subordinate)
        };
        if self.is_everything(&part) {
            let allowed =
                world.unit_ids().filter(|id| forbids(world.unit(*id).application).is_none());
            return self.all(part, allowed.map(EntityId::Unit));
        }
        let Some(name) = self.key.value[part.clone()].strip_suffix("/*") else {
            let id = self.names.units.find(self.text, &self.name(part.clone()));
            let id = UnitId::new(id?);
            return match forbids(world.unit(id).application) {
                Some(clause) => Err(self.subordinate(part, clause)),
                None => Ok(one(EntityId::Unit(id))),
            };
        };
        let application = self.application(part.start..part.start + name.len())?;
        if let Some(clause) = forbids(application) {
            return Err(self.subordinate(part, clause));
        }
        let units = self.all(part, world.application(application).units().map(EntityId::Unit))?;
        Ok(ArgumentChoice { width: Width::OneEntity, ..units })
    }

    /// The number of units that the application is deployed with that was named before.
    fn number_of_units(
        &self,
        part: Range<usize>,
        given: &CommandArguments,
    ) -> Result<ArgumentChoice, Problem> {
        let word = &self.key.value[part.clone()];
        let Ok(units) = word.parse::<u32>() else {
            let message = format!("`{word}` is not a number of units");
            return Err(self.problem(part, message, "a number from 0 to 100000 was expected"));
        };
        let named = given.iter().flatten().find_map(|it| match it.entity() {
            Some(EntityId::Application(id)) => Some(self.world.application(id)),
            _ => None,
        });
        let application = named.expect("units are of an application that is named before");
        let room = if application.subordinate { 0 } else { application.units.len() };
        if units as usize > room {
            let message = format!("{} cannot be deployed with {units} units", application.name);
            let problem = self.problem(part, message, &format!("at most {room} was expected"));
            return Err(problem.with_help(if application.subordinate {
                "units of a subordinate application come with their principals".to_owned()
            } else {
                format!("the world has room for {room}: see its `most-units`")
            }));
        }
        let arguments = vec![CommandArgument::Units(units)];
        Ok(ArgumentChoice { arguments, width: Width::One })
    }

    /// A set of constraints, or all that commands may name.
    fn constraints(&self, part: Range<usize>) -> Result<ArgumentChoice, Problem> {
        let sets = &self.world.constraints;
        if self.is_everything(&part) {
            let arguments = sets.listed().map(CommandArgument::Constraints).collect();
            return Ok(ArgumentChoice { arguments, width: Width::Everything });
        }
        let set = constraints::listed(self.text, sets, &self.name(part))?;
        Ok(ArgumentChoice { arguments: vec![CommandArgument::Constraints(set)], width: Width::One })
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

/// The kind of command that a line gives, by its verb and its option, and the words behind these.
/// The option about constraints stands behind the command's arguments, and is left there.
pub(super) fn kind_of(line: &str) -> Option<(CommandKind, &str)> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let with_force = CommandKind::named(&forced(verb)).zip(rest.strip_prefix("--force "));
    let with_option = CommandKind::ALL.iter().copied().find(|kind| {
        let option = kind.row().option();
        let is_given = option.is_some_and(|option| rest.split(' ').any(|word| word == option));
        is_given && kind.row().verb.split(' ').next() == Some(verb)
    });
    let with_option = with_option.map(|kind| (kind, rest));
    // Scripts call it so.
    let as_step = || {
        let kind = CommandKind::named(&forced(verb.strip_prefix("force-")?))?;
        Some((kind, rest))
    };
    let as_step = || as_step().or_else(|| Some((constrained(verb)?, rest)));
    let plain = || CommandKind::named(verb).map(|kind| (kind, rest));
    with_force.or(with_option).or_else(plain).or_else(as_step)
}

/// The command with constraints that scripts call so.
fn constrained(verb: &str) -> Option<CommandKind> {
    let (plain, _) = WITH_CONSTRAINTS.iter().find(|(_, step)| *step == verb)?;
    let mut kinds = CommandKind::ALL.iter().copied();
    kinds.find(|it| it.row().option().is_some() && it.row().verb.split(' ').next() == Some(plain))
}

/// A verb with the option of force.
fn forced(verb: &str) -> String {
    format!("{verb} --force")
}

fn one(entity: EntityId) -> ArgumentChoice {
    ArgumentChoice { arguments: vec![CommandArgument::Entity(entity)], width: Width::One }
}

/// Whether an asterisk can stand for an argument of a command: not where later arguments depend on
/// it.
fn can_be_all(kind: CommandKind) -> bool {
    !kind.row().takes.contains(&CommandParameter::Units)
}

fn noun(parameter: Option<&CommandParameter>) -> &'static str {
    parameter.map_or("", |it| it.noun())
}

/// The number of users that there can be.
const USERS: RangeInclusive<i64> = 1..=8;

/// Takes the key out of the table, and returns the number of users beside the first one.
pub(super) fn take_sessions(
    text: &Text,
    file: &mut Map<Located<CommandLimit>>,
) -> Result<u8, Problem> {
    let Some(place) = file.0.iter().position(|(key, _)| key.value == SESSIONS) else {
        return Ok(0);
    };
    let (_, users) = file.0.remove(place);
    let CommandLimit::Times(value) = users.value else {
        let label = "a number from 1 to 8 was expected";
        return Err(text.problem(&users.span, "there is a limit to the number of users", label));
    };
    let users = number(text, &Located { value, span: users.span }, USERS)?;
    Ok(u8::try_from(users - 1).expect("there are at most 8"))
}
