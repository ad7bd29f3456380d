//! Patterns: names that stand for many entities, so that a large world is a small file.
//!
//! `1..=1000` stands for the machines 1 to 1000, and `wordpress/*` for the units that wordpress has
//! at the start. Patterns are written out before anything else is read. Each name keeps the
//! position in the file of the pattern that it comes from. The patterns of commands stand for
//! entities that may exist, and are read with the commands.

use std::{collections::BTreeMap, ops::RangeInclusive};

use super::{
    form::{ApplicationFile, Job, MachineFile, WorldFile},
    names::{NameIndex, no_duplicates},
    value::{Located, Map},
    world::MOST,
};
use crate::problem::{Problem, Text};

/// The most units in scopes at the start: ten relations of each unit.
const MOST_ENTERED: usize = 10 * MOST;

/// Writes out all patterns of `file`.
pub(super) fn expand(text: &Text, file: &mut WorldFile) -> Result<(), Problem> {
    let mut units = Units { index: NameIndex::of("application"), counts: Vec::new() };
    let mut all = 0;
    for (name, application) in &mut file.applications.0 {
        application.units = on_machines(text, &application.units, all)?;
        all += application.units.len();
        units.index.add(&name.value);
        units.counts.push(application.units.len());
    }
    file.machines = match &file.named_machines {
        Some(named) => written_out(text, named)?,
        None => implied(&file.applications),
    };
    for (_, application) in &mut file.applications.0 {
        let names = &application.subordinates;
        let subordinates = units.written_out(text, names)?;
        all += subordinates.len();
        not_too_many(text, names, all, (MOST, "units"))?;
        application.subordinates = subordinates;
    }
    for ((_, application), count) in file.applications.0.iter().zip(&mut units.counts) {
        *count += application.subordinates.len();
    }
    let mut all = 0;
    for (_, relation) in &mut file.relations.0 {
        let entered = units.written_out(text, &relation.entered)?;
        all += entered.len();
        not_too_many(text, &relation.entered, all, (MOST_ENTERED, "units in scopes"))?;
        relation.entered = entered;
    }
    Ok(())
}

/// A problem at the last of these names, if they stand for more than `most`: a small file may stand
/// for more than the memory holds.
fn not_too_many(
    text: &Text,
    names: &[Located<String>],
    count: usize,
    (most, what): (usize, &str),
) -> Result<(), Problem> {
    match names.last() {
        Some(last) if count > most => {
            let message = format!("there can be at most {most} {what}");
            Err(text.problem(&last.span, message, &format!("this makes {count}")))
        }
        _ => Ok(()),
    }
}

/// The machines that are named, with ranges written out.
fn written_out(text: &Text, file: &Map<MachineFile>) -> Result<Map<MachineFile>, Problem> {
    let mut machines = Vec::with_capacity(file.0.len());
    for (name, machine) in &file.0 {
        match numbers(text, name)? {
            None => machines.push((name.clone(), machine.clone())),
            // One entity too many is enough for the problem that there are too many.
            Some(numbers) if machines.len() <= MOST => {
                machines.extend(named(name, numbers).map(|name| (name, machine.clone())));
            }
            Some(_) => {}
        }
    }
    Ok(Map(machines))
}

/// The machines of a world that names none: machine 0, which manages the model, and those that
/// units are on, by number. A container has a host, so it has to be named.
fn implied(applications: &Map<ApplicationFile>) -> Map<MachineFile> {
    let mut places: BTreeMap<u32, Located<String>> = BTreeMap::new();
    for place in applications.iter().flat_map(|(_, application)| &application.units) {
        if let Some(number) = canonical(&place.value) {
            places.entry(number).or_insert_with(|| place.clone());
        }
    }
    let is_on_manager = places.contains_key(&0);
    let nowhere = Located { value: "0".to_owned(), span: 0..0 };
    places.entry(0).or_insert(nowhere);
    let machine = |(number, name): (u32, Located<String>)| {
        let job = |value| Located { value, span: name.span.clone() };
        let hosts_units = is_on_manager.then(|| job(Job::HostUnits));
        let manager = || [job(Job::ManageModel)].into_iter().chain(hosts_units).collect();
        let jobs = (number == 0).then(manager);
        (name, MachineFile { jobs, ..MachineFile::there() })
    };
    Map(places.into_iter().map(machine).collect())
}

/// The number that `digits` are, if a machine can be called so.
fn canonical(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|number: &u32| number.to_string() == digits)
}

pub(super) fn machines(
    text: &Text,
    names: &[Located<String>],
) -> Result<Vec<Located<String>>, Problem> {
    let mut machines = Vec::with_capacity(names.len());
    for name in names {
        match numbers(text, name)? {
            None => machines.push(name.clone()),
            Some(numbers) => machines.extend(named(name, numbers)),
        }
    }
    Ok(machines)
}

/// The machines of an application's units. With the units `before` their number is bounded.
fn on_machines(
    text: &Text,
    names: &[Located<String>],
    before: usize,
) -> Result<Vec<Located<String>>, Problem> {
    let mut machines = Vec::with_capacity(names.len());
    for name in names {
        machines.extend(self::machines(text, std::slice::from_ref(name))?);
        not_too_many(text, std::slice::from_ref(name), before + machines.len(), (MOST, "units"))?;
    }
    Ok(machines)
}

fn named(
    pattern: &Located<String>,
    numbers: RangeInclusive<u32>,
) -> impl Iterator<Item = Located<String>> + '_ {
    numbers.map(|number| Located { value: number.to_string(), span: pattern.span.clone() })
}

/// The numbers of a range of machines, or `None` if `name` is no range.
fn numbers(text: &Text, name: &Located<String>) -> Result<Option<RangeInclusive<u32>>, Problem> {
    let Some((first, last)) = name.value.split_once("..") else { return Ok(None) };
    let (first, last) = match (canonical(first), last.strip_prefix('=').and_then(canonical)) {
        (Some(first), Some(last)) => (first, last),
        (first_number, _) => {
            let message = format!("`{}` is not a range of machines", name.value);
            let label = "a range, such as 1..=1000, was expected";
            let problem = text.problem(&name.span, message, label);
            return Err(match (first_number, canonical(last)) {
                (Some(_), Some(_)) => {
                    problem.with_help(format!("write `{first}..={last}`, with both ends"))
                }
                _ => problem,
            });
        }
    };
    if first > last {
        let message = format!("the range `{}` is backwards", name.value);
        return Err(text.problem(&name.span, message, "the smaller number was expected first"));
    }
    let count = u64::from(last - first) + 1;
    if usize::try_from(count).is_ok_and(|count| count <= MOST) {
        return Ok(Some(first..=last));
    }
    let message = format!("there can be at most {MOST} machines");
    Err(text.problem(&name.span, message, &format!("these are {count}")))
}

/// The number of units that each application has at the start.
struct Units {
    index: NameIndex,
    counts: Vec<usize>,
}

impl Units {
    fn written_out(
        &self,
        text: &Text,
        names: &[Located<String>],
    ) -> Result<Vec<Located<String>>, Problem> {
        no_duplicates(text, names)?;
        let mut units = Vec::with_capacity(names.len());
        for name in names {
            let Some(application) = name.value.strip_suffix("/*") else {
                units.push(name.clone());
                continue;
            };
            let span = text.inside(name, &(0..application.len()));
            let owner = Located { value: application.to_owned(), span };
            let count = self.counts[self.index.find(text, &owner)?];
            if count == 0 {
                let message = format!("application {application} has no units at the start");
                return Err(text.problem(&name.span, message, "there is nothing to stand for"));
            }
            units.extend((0..count).map(|number| Located {
                value: format!("{application}/{number}"),
                span: name.span.clone(),
            }));
        }
        Ok(units)
    }
}
