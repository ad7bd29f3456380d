//! An index of the names of a world.

use std::{collections::BTreeMap, fmt::Display};

use deathwatch_model::ids::EntityId;
use deathwatch_model::{
    ids::{ApplicationId, Id, MachineId, RelationId, UnitId},
    world::RelationDef,
};

use super::value::Located;
use crate::problem::{Problem, Text, suggestion};

pub(super) struct Names {
    pub(super) machines: NameIndex,
    pub(super) applications: NameIndex,
    pub(super) units: NameIndex,
    pub(super) relations: NameIndex,
}

impl Names {
    /// The entity called `name`. Names of different kinds differ by their form.
    pub(super) fn subject(&self, text: &Text, name: &Located<String>) -> Result<EntityId, Problem> {
        let found = |index: &NameIndex| index.position(&name.value);
        let subject = None
            .or_else(|| found(&self.machines).map(|id| EntityId::Machine(MachineId::new(id))))
            .or_else(|| {
                found(&self.applications).map(|id| EntityId::Application(ApplicationId::new(id)))
            })
            .or_else(|| found(&self.units).map(|id| EntityId::Unit(UnitId::new(id))))
            .or_else(|| found(&self.relations).map(|id| EntityId::Relation(RelationId::new(id))));
        subject.ok_or_else(|| {
            let known = [&self.machines, &self.applications, &self.units, &self.relations];
            let known = known.into_iter().flat_map(|index| index.ids.keys().map(String::as_str));
            let message = format!("nothing is called `{}`", name.value);
            let expected = "a machine, application, unit or relation was expected";
            with_suggestion(text.problem(&name.span, message, expected), &name.value, known)
        })
    }
}

pub(super) struct NameIndex {
    kind: &'static str,
    ids: BTreeMap<String, usize>,
}

impl NameIndex {
    /// An index without names.
    pub(super) fn of(kind: &'static str) -> Self {
        Self { kind, ids: BTreeMap::new() }
    }

    /// Adds a name; says whether it is new.
    pub(super) fn add(&mut self, name: &str) -> bool {
        let id = self.ids.len();
        if self.ids.contains_key(name) {
            return false;
        }
        self.ids.insert(name.to_owned(), id);
        true
    }

    /// The index of the entity called `name`, if there is one. The ends of a relation may stand in
    /// either order.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        let find = |name: &str| self.ids.get(name).copied();
        find(name).or_else(|| find(&RelationDef::other_name(name)?))
    }

    /// The index of the entity called `name`.
    pub(super) fn find(&self, text: &Text, name: &Located<String>) -> Result<usize, Problem> {
        self.position(&name.value).ok_or_else(|| {
            let message = match name.value.as_str() {
                "" => "something is missing here".to_owned(),
                other => format!("no such {}: `{other}`", self.kind),
            };
            let article = if self.kind.starts_with('a') { "an" } else { "a" };
            let label = if self.ids.is_empty() {
                format!("this world has no {}", self.kind)
            } else {
                format!("{article} {} of this world was expected", self.kind)
            };
            let known = self.ids.keys().map(String::as_str);
            with_suggestion(text.problem(&name.span, message, &label), &name.value, known)
        })
    }
}

/// Adds to `problem` the known names that are like `name`.
pub(super) fn with_suggestion<'a>(
    problem: Problem,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    match suggestion(name, known) {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// Checks that no name is given twice.
pub(super) fn no_duplicates<T: Ord + Display>(
    text: &Text,
    names: &[Located<T>],
) -> Result<(), Problem> {
    let mut seen = BTreeMap::new();
    for name in names {
        if let Some(first) = seen.insert(&name.value, &name.span) {
            return Err(duplicate(text, name, first));
        }
    }
    Ok(())
}

/// The problem that `name`, which is at `first` already, is given again.
pub(super) fn duplicate(
    text: &Text,
    name: &Located<impl Display>,
    first: &std::ops::Range<usize>,
) -> Problem {
    let message = format!("`{}` is given twice", name.value);
    text.problem(&name.span, message, "the second time").with_label(first.clone(), "the first time")
}

/// Whether `name` can be the name of an application or of an endpoint.
pub(super) fn is_word(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
}
