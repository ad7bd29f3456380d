//! The expectations of the documents after the steps: the table `[expect]`.

use std::collections::BTreeMap;

use deathwatch_model::{
    claims::EntityId,
    ids::{ApplicationId, Id, IdSet, MachineId, RelationId, UnitId},
    life::Life,
    txn::Marker,
    world::World,
};

use super::{
    file::ExpectFile,
    names::{Names, duplicate, with_suggestion},
    value::{At, Map},
};
use crate::problem::{Lines, Problem, Text};

/// The expectations of the documents after the steps.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// Each expectation, and its line in the file.
    pub all: Vec<(Expectation, usize)>,
}

/// One expectation of the documents after the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// An entity has this life, or no document.
    Life(EntityId, Option<Life>),
    /// An application counts this number of units.
    Units(ApplicationId, u32),
    /// An application counts this number of relations.
    Relations(ApplicationId, u32),
    /// These units have scope documents in the relation, and no others.
    InScope(RelationId, IdSet<UnitId>),
    /// These cleanup documents exist, and no others.
    Cleanups(Vec<Marker>),
}

/// Reads what `file` expects.
pub(super) fn read(
    text: &Text,
    file: &ExpectFile,
    world: &World,
    names: &Names,
) -> Result<Expect, Problem> {
    let mut reader = Reader { text, lines: Lines::of(&text.source), world, names, all: Vec::new() };
    let lists = [
        (&file.alive, Some(Life::Alive)),
        (&file.dying, Some(Life::Dying)),
        (&file.dead, Some(Life::Dead)),
        (&file.gone, None),
    ];
    let lives =
        lists.into_iter().flat_map(|(list, life)| list.iter().map(move |name| (name, life)));
    let mut lives: Vec<(&At<String>, Option<Life>)> = lives.collect();
    lives.sort_by_key(|(name, _)| name.span.start);
    let mut seen: BTreeMap<EntityId, &At<String>> = BTreeMap::new();
    for (name, life) in lives {
        let subject = names.subject(text, name)?;
        if let Some(first) = seen.insert(subject, name) {
            return Err(duplicate(text, name, &first.span));
        }
        reader.add(name.span.start, Expectation::Life(subject, life));
    }
    reader.counts(&file.units, Expectation::Units)?;
    reader.counts(&file.relations, Expectation::Relations)?;
    let mut seen: BTreeMap<RelationId, &At<String>> = BTreeMap::new();
    for (name, units) in file.in_scope.iter() {
        let relation = RelationId::new(names.relations.find(text, name)?);
        if let Some(first) = seen.insert(relation, name) {
            return Err(duplicate(text, name, &first.span));
        }
        let units = units.value.iter().map(|unit| names.units.find(text, unit).map(UnitId::new));
        let units = units.collect::<Result<_, _>>()?;
        reader.add(name.span.start, Expectation::InScope(relation, units));
    }
    if let Some(cleanups) = &file.cleanups {
        let docs = cleanups.value.iter().map(|name| reader.cleanup(name));
        let mut docs = docs.collect::<Result<Vec<_>, _>>()?;
        docs.sort_unstable();
        docs.dedup();
        reader.add(cleanups.span.start, Expectation::Cleanups(docs));
    }
    reader.all.sort_by_key(|(_, line)| *line);
    Ok(Expect { all: reader.all })
}

/// A cleanup document as it is written in scenarios.
pub(crate) fn show_cleanup(doc: Marker, world: &World) -> Option<String> {
    Some(match doc {
        Marker::SettingsCleanup(id) => format!("settings of {}", world.relation(id).name),
        Marker::UnitsCleanup(id) => format!("units of {}", world.application(id).name),
        Marker::ForceUnit(id) => format!("force unit {}", world.unit(id).name),
        Marker::ForceMachine(id) => format!("force machine {}", world.machine(id).name),
        Marker::ApplicationSettings(_)
        | Marker::RelationSettings(_)
        | Marker::LeftSettings(_)
        | Marker::Scope(..) => return None,
    })
}

struct Reader<'a> {
    text: &'a Text,
    lines: Lines,
    world: &'a World,
    names: &'a Names,
    all: Vec<(Expectation, usize)>,
}

impl Reader<'_> {
    fn add(&mut self, at: usize, expectation: Expectation) {
        self.all.push((expectation, self.lines.line(at)));
    }

    fn counts(
        &mut self,
        counts: &Map<At<u32>>,
        expectation: fn(ApplicationId, u32) -> Expectation,
    ) -> Result<(), Problem> {
        for (name, count) in counts.iter() {
            let id = ApplicationId::new(self.names.applications.find(self.text, name)?);
            self.add(name.span.start, expectation(id, count.value));
        }
        Ok(())
    }

    fn cleanup(&self, name: &At<String>) -> Result<Marker, Problem> {
        let named = |prefix: &str| {
            let value = name.value.strip_prefix(prefix)?;
            let part = prefix.len()..name.value.len();
            Some(At { value: value.to_owned(), span: self.text.inside(name, &part) })
        };
        let Names { machines, applications, units, relations } = self.names;
        if let Some(name) = named("settings of ") {
            let id = relations.find(self.text, &name)?;
            return Ok(Marker::SettingsCleanup(RelationId::new(id)));
        }
        if let Some(name) = named("units of ") {
            let id = applications.find(self.text, &name)?;
            return Ok(Marker::UnitsCleanup(ApplicationId::new(id)));
        }
        if let Some(name) = named("force unit ") {
            return Ok(Marker::ForceUnit(UnitId::new(units.find(self.text, &name)?)));
        }
        if let Some(name) = named("force machine ") {
            return Ok(Marker::ForceMachine(MachineId::new(machines.find(self.text, &name)?)));
        }
        let message = format!("`{}` is not a cleanup document", name.value);
        let expected = "settings of RELATION, units of APPLICATION, force unit UNIT or \
                        force machine MACHINE was expected";
        let cleanups = all_cleanups(self.world);
        let problem = self.text.problem(&name.span, message, expected);
        Err(with_suggestion(problem, &name.value, cleanups.iter().map(String::as_str)))
    }
}

/// Every possible cleanup document, as it is written.
fn all_cleanups(world: &World) -> Vec<String> {
    let docs = (world.relation_ids().map(Marker::SettingsCleanup))
        .chain(world.application_ids().map(Marker::UnitsCleanup))
        .chain(world.unit_ids().map(Marker::ForceUnit))
        .chain(world.machine_ids().map(Marker::ForceMachine));
    docs.filter_map(|doc| show_cleanup(doc, world)).collect()
}
