//! The series of machines and applications, where the detail `series` is on.

use deathwatch_model::{
    ids::{ApplicationId, Id, MachineId, RelationId, UnitId},
    world::{Scope, Series, SeriesDef, WorldBuilder},
};

use super::{
    form::{ApplicationFile, UNASSIGNED, WorldFile},
    names::{Names, is_word},
    needs,
    value::Located,
};
use crate::problem::{Problem, Text};

/// Reads the series of the machines and applications, in the world that has its details.
///
/// # Errors
/// If one has none, or has one without the detail; or if units or relations of the start could not
/// have been made.
pub(super) fn read(
    text: &Text,
    file: &WorldFile,
    names: &Names,
    world: &mut WorldBuilder,
) -> Result<(), Problem> {
    let machines = file.machines.iter().map(|(name, it)| (name, it.series.as_ref()));
    let applications = file.applications.iter().map(|(name, it)| (name, it.series.as_ref()));
    if let Some(need) = needs::lacking(world.detail).find(|need| need.is_about("series")) {
        let mut given = machines.chain(applications).filter_map(|(_, series)| series);
        return given.next().map_or(Ok(()), |series| Err(need.refuse(text, &series.span)));
    }
    let machines: Vec<&str> = machines.map(|it| named(text, it)).collect::<Result<_, _>>()?;
    let applications: Vec<&str> =
        applications.map(|it| named(text, it)).collect::<Result<_, _>>()?;
    world.series = SeriesDef::of(machines.into_iter(), applications.into_iter());
    for (id, (_, application)) in world.application_ids().zip(file.applications.iter()) {
        units(text, application, names, world, id)?;
    }
    for (id, (name, relation)) in world.relation_ids().zip(file.relations.iter()) {
        if relation.exists {
            joined(text, name, world, id)?;
        }
    }
    Ok(())
}

/// The name of the series of an entity.
fn named<'a>(
    text: &Text,
    (name, series): (&Located<String>, Option<&'a Located<String>>),
) -> Result<&'a str, Problem> {
    let Some(series) = series else {
        let message = format!("`{}` has no series", name.value);
        let problem = text.problem(&name.span, message, "`series` was expected in its table");
        return Err(
            problem.with_help("with the detail `series` all machines and applications have one")
        );
    };
    if is_word(&series.value) {
        return Ok(&series.value);
    }
    let message = format!("`{}` cannot be the name of a series", series.value);
    Err(text.problem(&series.span, message, "a word, such as precise, was expected"))
}

/// Checks that the units that an application has at the start could have been placed there.
fn units(
    text: &Text,
    file: &ApplicationFile,
    names: &Names,
    world: &WorldBuilder,
    id: ApplicationId,
) -> Result<(), Problem> {
    for machine in file.units.iter().filter(|machine| machine.value != UNASSIGNED) {
        let there = MachineId::new(names.machines.find(text, machine)?);
        same(text, machine, world, [world.series_of(id), world.series_of_machine(there)])?;
    }
    for principal in &file.subordinates {
        let there = UnitId::new(names.units.find(text, principal)?);
        same(text, principal, world, [world.series_of(id), world.series_of_unit(there)])?;
    }
    Ok(())
}

/// Checks that a relation that exists at the start could have been made.
fn joined(
    text: &Text,
    name: &Located<String>,
    world: &WorldBuilder,
    id: RelationId,
) -> Result<(), Problem> {
    match world.relation(id).scope {
        Scope::Container => {
            same(text, name, world, world.relation(id).ends.map(|it| world.series_of(it)))
        }
        Scope::Global | Scope::Peer => Ok(()),
    }
}

/// Checks that two series that meet are one.
fn same(
    text: &Text,
    at: &Located<String>,
    world: &WorldBuilder,
    series: [Option<Series>; 2],
) -> Result<(), Problem> {
    match series {
        [Some(one), Some(other)] if one != other => {
            let [one, other] = [one, other].map(|it| world.series.name(it));
            let message = format!("the series differ: {one} and {other}; no run can start so");
            Err(text.problem(&at.span, message, "one of the same series was expected"))
        }
        _ => Ok(()),
    }
}
