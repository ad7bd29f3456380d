//! Statements about documents, agents and users: the table `[expect]` is about the time after the
//! steps, and `[start]` about the time before.
//!
//! Everything that a row has can be stated, by the name of its field. The fields are declared in
//! the model; here is no list of them.

mod any;
mod cleanups;
pub(super) mod file;
mod numbers;
mod reader;
mod subject;
mod values;

use std::{collections::BTreeMap, ops::Range};

use deathwatch_model::ids::EntityId;
use deathwatch_model::{life::Life, rows::Field, state::State, world::World};

pub(super) use self::any::TomlValue;
pub(crate) use self::{
    cleanups::every_cleanup,
    file::{ExpectFile, StartFile, makes_document},
};
pub use self::{
    cleanups::{CLEANUPS, Cleanup, cleanups},
    file::{FieldForm, INCONSISTENT, detail_of, field_forms},
    numbers::Number,
    subject::NamedSubject,
    values::{show, written},
};
use self::{file::LISTS, numbers::NUMBER, reader::ValueReader, values::FieldValue};
use super::{
    names::{Names, duplicate, with_suggestion},
    value::{Located, Map},
};
use crate::{
    describe,
    problem::{LineOffsets, Problem, Text},
};

/// The expectations of the documents after the steps.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// Each expectation, and its line in the file.
    pub all: Vec<(Expectation, usize)>,
    /// The numbers of entities that exist, each with its line in the file.
    pub numbers: Vec<(Number, usize)>,
}

/// A statement: an expectation of the documents after the steps, or their values at the start.
#[derive(Clone, Debug)]
pub enum Expectation {
    /// An entity has this life, or no document.
    Life(EntityId, Option<Life>),
    Field(NamedSubject, &'static Field, FieldValue),
    /// All cleanup documents that exist.
    Cleanups(Vec<Cleanup>),
}

/// A statement, and where it stands.
pub(super) struct Stated {
    pub(super) what: Expectation,
    /// The bytes of the name of its subject, or of its key.
    pub(super) name: Range<usize>,
    /// The bytes of its value.
    pub(super) value: Range<usize>,
}

/// The expectations of `file` in a world that begins in `start`.
pub(super) fn read(
    text: &Text,
    file: &ExpectFile,
    world: &World,
    names: &Names,
    start: &State,
) -> Result<Expect, Problem> {
    let lines = LineOffsets::of(&text.source);
    let (counts, others): (Vec<_>, Vec<_>) =
        file.0.0.iter().cloned().partition(|(key, _)| key.value == NUMBER);
    let mut numbers = Vec::new();
    for (_, value) in &counts {
        let read = numbers::read(text, value)?.into_iter();
        numbers.extend(read.map(|(number, at)| (number, lines.line(at))));
    }
    let stated = statements(text, &Map(others), world, names, start)?;
    let mut all: Vec<(Expectation, usize)> =
        stated.into_iter().map(|it| (it.what, lines.line(it.name.start))).collect();
    all.sort_by_key(|(_, line)| *line);
    Ok(Expect { all, numbers })
}

/// Reads the statements of a table about a world that begins in `start`.
pub(super) fn statements(
    text: &Text,
    file: &Map<Located<TomlValue>>,
    world: &World,
    names: &Names,
    start: &State,
) -> Result<Vec<Stated>, Problem> {
    let reader = ValueReader { text, world, names };
    let mut table = ExpectTable { reader, start, all: Vec::new() };
    let mut lives = Vec::new();
    for (key, value) in file.iter() {
        let Some(life) = Life::of_word(&key.value) else {
            match key.value.as_str() {
                CLEANUPS => table.cleanups(key, value)?,
                _ => table.field(key, value)?,
            }
            continue;
        };
        let entities = "machines, applications, units and relations";
        let list = table.reader.list(value, entities)?;
        lives.extend(list.into_iter().map(|name| (name, life)));
    }
    table.lives(&lives)?;
    Ok(table.all)
}

struct ExpectTable<'a> {
    reader: ValueReader<'a>,
    start: &'a State,
    all: Vec<Stated>,
}

impl ExpectTable<'_> {
    fn add(&mut self, name: &Located<String>, value: &Range<usize>, what: Expectation) {
        self.all.push(Stated { what, name: name.span.clone(), value: value.clone() });
    }

    /// Reads the lists of entities by their life.
    fn lives(&mut self, lives: &[(Located<String>, Option<Life>)]) -> Result<(), Problem> {
        let mut seen: BTreeMap<EntityId, &Located<String>> = BTreeMap::new();
        for (name, life) in lives {
            let entity = self.reader.names.subject(self.reader.text, name)?;
            if let Some(first) = seen.insert(entity, name) {
                return Err(duplicate(self.reader.text, name, &first.span));
            }
            self.add(name, &name.span, Expectation::Life(entity, *life));
        }
        Ok(())
    }

    /// Reads the list of cleanup documents.
    fn cleanups(
        &mut self,
        key: &Located<String>,
        value: &Located<TomlValue>,
    ) -> Result<(), Problem> {
        let list = self.reader.list(value, "cleanup documents")?;
        let known = cleanups::known(self.reader.world, self.start);
        let mut docs = Vec::new();
        for name in &list {
            docs.push(self.cleanup(name, &known)?);
        }
        docs.sort_unstable();
        docs.dedup();
        self.add(key, &value.span, Expectation::Cleanups(docs));
        Ok(())
    }

    fn cleanup(
        &self,
        name: &Located<String>,
        known: &[(String, Cleanup)],
    ) -> Result<Cleanup, Problem> {
        let found = |name: &str| known.iter().find(|(known, _)| known == name);
        // A relation may be named by its ends in either order.
        let swapped = || {
            let (relation, prefix) = ["settings of "]
                .into_iter()
                .find_map(|prefix| Some((name.value.strip_prefix(prefix)?, prefix)))?;
            let id = self.reader.world.relation_named(relation)?;
            Some(format!("{prefix}{}", self.reader.world.relation(id).name))
        };
        if let Some((_, cleanup)) = found(&name.value).or_else(|| found(&swapped()?)) {
            return Ok(*cleanup);
        }
        let message = format!("`{}` is not a cleanup document", name.value);
        let expected = "settings of RELATION, units of APPLICATION, force unit UNIT or \
                        force machine MACHINE was expected";
        let problem = self.reader.text.problem(&name.span, message, expected);
        Err(with_suggestion(problem, &name.value, known.iter().map(|(name, _)| name.as_str())))
    }

    /// Reads the table of a field: for each subject a value.
    fn field(&mut self, key: &Located<String>, value: &Located<TomlValue>) -> Result<(), Problem> {
        let text = self.reader.text;
        let fields = file::fields();
        if !fields.contains_key(key.value.as_str()) {
            let message = format!("unknown key `{}`", key.value);
            let problem = text.problem(&key.span, message, "not expected here");
            let lists = LISTS.iter().map(|(list, _)| *list);
            return Err(with_suggestion(
                problem,
                &key.value,
                lists.chain([NUMBER]).chain(fields.keys().copied()),
            ));
        }
        let TomlValue::Table(Map(entries)) = &value.value else {
            let message = format!("`{}` is a table: a value for each name", key.value);
            return Err(text.problem(&value.span, message, "a table was expected"));
        };
        let mut seen: BTreeMap<NamedSubject, &Located<String>> = BTreeMap::new();
        for (name, value) in entries {
            let subject = self.subject(key, name)?;
            if let Some(first) = seen.insert(subject, name) {
                return Err(duplicate(text, name, &first.span));
            }
            let expectable = subject.expectable(self.start);
            let Some(found) = expectable.iter().find(|it| it.field.name == key.value) else {
                let of = subject.name(self.reader.world);
                let message = format!("{of} has no `{}`", key.value);
                let known: Vec<&str> = expectable.iter().map(|it| it.field.name).collect();
                let problem =
                    text.problem(&name.span, message, "something that has it was expected");
                return Err(problem.with_help(format!("it has: {}", known.join(", "))));
            };
            let (field, expected) = (found.field, self.reader.value(found.kind, value)?);
            self.add(name, &value.span, Expectation::Field(subject, field, expected));
        }
        Ok(())
    }

    /// The subject called `name`: an entity, or an actor that is no entity.
    fn subject(
        &self,
        key: &Located<String>,
        name: &Located<String>,
    ) -> Result<NamedSubject, Problem> {
        let ValueReader { text, world, names } = self.reader;
        if let Ok(entity) = names.subject(text, name) {
            return Ok(NamedSubject::Entity(entity));
        }
        NamedSubject::named(world, &name.value).ok_or_else(|| {
            let message = format!("nothing is called `{}`", name.value);
            let label = format!("something that has `{}` was expected", key.value);
            let has = |entity: &EntityId| {
                let fields = NamedSubject::Entity(*entity).expectable(self.start);
                fields.iter().any(|it| it.field.name == key.value)
            };
            let known = EntityId::all(world).filter(has);
            let known: Vec<&str> = known.map(|it| describe::bare_name(world, it)).collect();
            let problem = text.problem(&name.span, message, &label);
            with_suggestion(problem, &name.value, known.into_iter())
        })
    }
}
