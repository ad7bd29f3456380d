//! The constants of a scenario's world: the machines, applications and units that may exist.

use std::ops::Range;

use deathwatch_model::{
    ids::{ApplicationId, Id, MachineId},
    world::{ApplicationDef, CharmDef, MachineDef, Transactions, UnitDef, WorldBuilder},
};

use super::{
    form::{ApplicationFile, Job, MachineFile, TransactionsFile, WorldFile},
    names::{NameIndex, Names, duplicate, is_word},
    relations,
    value::{Located, Map},
};
use crate::problem::{Problem, Text};

/// The greatest number of entities of a kind: the units of which D2:235 speaks.
pub(super) const MOST: usize = 100_000;

/// The greatest number of pairs of a relation and a unit that it may have. Claims about each pair
/// are judged at the start.
const MOST_PAIRS: usize = 100 * MOST;

/// The greatest depth of nested containers. The documents speak of one level.
const DEEPEST: usize = 64;

/// Reads the constants that `file` describes, and an index of their names.
pub(super) fn read(text: &Text, file: &WorldFile) -> Result<(WorldBuilder, Names), Problem> {
    for (kind, names) in [
        ("machines", first_beyond(&file.machines)),
        ("applications", first_beyond(&file.applications)),
        ("relations", first_beyond(&file.relations)),
    ] {
        if let Some(name) = names {
            let message = format!("there can be at most {MOST} {kind}");
            return Err(text.problem(&name.span, message, "one too many"));
        }
    }
    let mut world = WorldBuilder {
        transactions: match file.transactions {
            TransactionsFile::Split => Transactions::Split,
            TransactionsFile::Atomic => Transactions::Atomic,
        },
        tries: match &file.tries {
            None => 3,
            Some(tries) => u8::try_from(number(text, tries, 1..=10)?).unwrap_or(10),
        },
        hooks: file.hooks.as_ref().is_some_and(|hooks| hooks.value),
        ..WorldBuilder::default()
    };
    let names = Names {
        machines: machines(text, &file.machines, &mut world)?,
        applications: applications(text, &file.applications, &mut world)?,
        units: units(&world),
        relations: NameIndex::of("relation"),
    };
    let relations = relations::read(text, &file.relations, &names, &mut world)?;
    let mut pairs = 0;
    for (relation, (name, _)) in world.relations.iter().zip(file.relations.iter()) {
        let units = relation.ends.iter().map(|end| world.applications[end.index()].units.len());
        pairs += units.sum::<usize>();
        if pairs > MOST_PAIRS {
            let message = format!("there can be at most {MOST_PAIRS} pairs of relation and unit");
            return Err(text.problem(&name.span, message, &format!("this makes {pairs}")));
        }
    }
    Ok((world, Names { relations, ..names }))
}

fn first_beyond<V>(map: &Map<V>) -> Option<&Located<String>> {
    map.iter().nth(MOST).map(|(name, _)| name)
}

/// A number, which must lie within `bounds`.
pub(super) fn number(
    text: &Text,
    number: &Located<i64>,
    bounds: std::ops::RangeInclusive<i64>,
) -> Result<i64, Problem> {
    if bounds.contains(&number.value) {
        return Ok(number.value);
    }
    let (least, most) = bounds.into_inner();
    let message = format!("{} is not possible here", number.value);
    Err(text.problem(
        &number.span,
        message,
        &format!("a number from {least} to {most} was expected"),
    ))
}

fn machines(
    text: &Text,
    file: &Map<MachineFile>,
    world: &mut WorldBuilder,
) -> Result<NameIndex, Problem> {
    let mut index = NameIndex::of("machine");
    for (name, _) in file.iter() {
        let is_good = name.value.starts_with(|letter: char| letter.is_ascii_digit())
            && name
                .value
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "/-".contains(letter));
        if !is_good {
            let expected = "a number or a container's name, such as 1/lxc/0, was expected";
            return Err(misnamed(text, name, "a machine", expected));
        }
        if let Some(first) = index.position(&name.value) {
            return Err(duplicate(text, name, &file.0[first].0.span));
        }
        index.add(&name.value);
    }
    for (name, machine) in file.iter() {
        let host = match &machine.host {
            None => None,
            Some(host) if host.value == name.value => {
                let message = format!("machine {} would be a container of itself", name.value);
                return Err(text.problem(&host.span, message, "another machine was expected"));
            }
            Some(host) => Some(MachineId::new(index.find(text, host)?)),
        };
        let has = |job| match &machine.jobs {
            None => job == Job::HostUnits,
            Some(jobs) => jobs.iter().any(|given| given.value == job),
        };
        world.machines.push(MachineDef {
            name: name.value.clone(),
            parent: host,
            manages_model: has(Job::ManageModel),
            hosts_units: has(Job::HostUnits),
            never_starts: machine.never_starts.as_ref().is_some_and(|it| it.value),
        });
    }
    no_circles(text, file, world)?;
    Ok(index)
}

/// Checks that no machine is, directly or indirectly, a container of itself, and that containers do
/// not nest too deeply.
fn no_circles(text: &Text, file: &Map<MachineFile>, world: &WorldBuilder) -> Result<(), Problem> {
    let mut depths = vec![0; world.machines.len()];
    for id in world.machine_ids() {
        let mut way = vec![id];
        let mut outer = 0;
        while let Some(host) = way.last().and_then(|last| world.machine(*last).parent)
            && way.len() <= DEEPEST
        {
            outer = depths[host.index()];
            if outer > 0 {
                break;
            }
            if way.contains(&host) {
                return Err(circle(text, file, world, &way, host));
            }
            way.push(host);
        }
        if outer + way.len() > DEEPEST {
            let label = format!("at most {DEEPEST} machines within each other were expected");
            let (name, _) = &file.0[id.index()];
            return Err(text.problem(&name.span, "containers nest too deeply", &label));
        }
        for (distance, id) in way.iter().rev().enumerate() {
            depths[id.index()] = outer + distance + 1;
        }
    }
    Ok(())
}

/// The problem that the chain of hosts `way` leads from `host` to `host`.
fn circle(
    text: &Text,
    file: &Map<MachineFile>,
    world: &WorldBuilder,
    way: &[MachineId],
    host: MachineId,
) -> Problem {
    let name = &world.machine(host).name;
    let message = format!("machine {name} would be a container in itself");
    let span = file.0[host.index()].1.host.as_ref().map_or(0..0, |host| host.span.clone());
    let circle = way.iter().chain([&host]).skip_while(|id| **id != host);
    let circle: Vec<&str> = circle.map(|id| world.machine(*id).name.as_str()).collect();
    let problem = text.problem(&span, message, "this closes the circle");
    problem.with_help(format!("the hosts are {}", circle.join(", then ")))
}

fn misnamed(text: &Text, name: &Located<String>, kind: &str, expected: &str) -> Problem {
    text.problem(&name.span, format!("`{}` cannot be the name of {kind}", name.value), expected)
}

fn applications(
    text: &Text,
    file: &Map<ApplicationFile>,
    world: &mut WorldBuilder,
) -> Result<NameIndex, Problem> {
    let mut index = NameIndex::of("application");
    for (name, application) in file.iter() {
        if !is_word(&name.value) {
            let expected = "letters, digits and -, beginning with a letter, were expected";
            return Err(misnamed(text, name, "an application", expected));
        }
        let id = ApplicationId::new(world.applications.len());
        let units = unit_range(text, name, application, world.units.len())?;
        for number in 0..units.len() {
            world.units.push(UnitDef { name: format!("{}/{number}", name.value), application: id });
        }
        index.add(&name.value);
        world.applications.push(ApplicationDef {
            name: name.value.clone(),
            subordinate: application.subordinate,
            charm: CharmDef::default(),
            relations: Vec::new(),
            units,
        });
    }
    Ok(index)
}

/// The indices of an application's units, after those of the applications before it.
fn unit_range(
    text: &Text,
    name: &Located<String>,
    file: &ApplicationFile,
    first: usize,
) -> Result<Range<usize>, Problem> {
    let initial = file.units.len() + file.subordinates.len();
    let (most, span) = match &file.most_units {
        None => (initial, &name.span),
        Some(most) => {
            let limit = i64::try_from(MOST).unwrap_or(i64::MAX);
            let count = number(text, most, 1..=limit)?;
            (usize::try_from(count).unwrap_or(MOST), &most.span)
        }
    };
    if most < initial {
        let message = format!("{} has {initial} units at the start", name.value);
        return Err(text.problem(span, message, "at least as many were expected"));
    }
    if first + most > MOST {
        let message = format!("there can be at most {MOST} units");
        let label = format!("this makes {}", first + most);
        return Err(text.problem(span, message, &label));
    }
    Ok(first..first + most)
}

fn units(world: &WorldBuilder) -> NameIndex {
    let mut index = NameIndex::of("unit");
    for unit in &world.units {
        index.add(&unit.name);
    }
    index
}
