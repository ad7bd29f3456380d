//! The form of the tables `[expect]` and `[start]`: lists of lives, the cleanup documents, and a
//! table for each field of a row. The schema is made of the declarations of the fields.

use std::{borrow::Cow, collections::BTreeMap};

use deathwatch_model::{
    history::KeptHistory,
    ids::IdSet,
    life::Life,
    rows::{Field, FieldKind, RowKind, ShownValue, Unset, WorldBounds},
    state::State,
    world::{Details, World},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    any::TomlValue,
    cleanups::CLEANUPS,
    numbers::{self, NUMBER},
    subject::{AGENTS, NamedSubject, is_expectable},
};
use crate::scenario::value::{Located, Map};

/// The keys of the table that are no fields: lists of names.
pub(super) const LISTS: [(&str, &str); 5] = [
    (Life::WORDS[0], "Machines, applications, units and relations that are Alive."),
    (Life::WORDS[1], "Those that are Dying."),
    (Life::WORDS[2], "Those that are Dead."),
    (Life::WORDS[3], "Those that have no document."),
    (
        CLEANUPS,
        "The cleanup documents, all of them: \"settings of wordpress:db mysql:server\", \"units \
         of wordpress\", \"force unit wordpress/0\", \"force machine 1\".",
    ),
];

/// The expectations of the documents after the steps.
#[derive(Debug, Default, Deserialize)]
pub struct ExpectFile(pub Map<Located<TomlValue>>);

impl ExpectFile {
    pub fn is_empty(&self) -> bool {
        self.0.iter().next().is_none()
    }
}

impl JsonSchema for ExpectFile {
    fn schema_name() -> Cow<'static, str> {
        "Expect".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut properties = properties();
        properties.insert(NUMBER.to_owned(), numbers::schema());
        json_schema!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        })
    }
}

/// The documents, agents and users at the start.
#[derive(Debug, Deserialize)]
pub struct StartFile(pub Map<Located<TomlValue>>);

/// The key that says that a start is meant although its rows disagree.
pub const INCONSISTENT: &str = "inconsistent";

impl JsonSchema for StartFile {
    fn schema_name() -> Cow<'static, str> {
        "Start".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut properties = properties();
        let meant =
            "Whether it is meant that the rows disagree, such as a count and what it counts.";
        let meant = json!({ "description": meant, "type": "boolean", "default": false });
        properties.insert(INCONSISTENT.to_owned(), meant);
        json_schema!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        })
    }
}

/// The schema of each list and of each field.
fn properties() -> serde_json::Map<String, Value> {
    let lists = LISTS.map(|(key, meaning)| {
        let names = json!({ "type": "string" });
        let list = json!({ "description": meaning, "type": "array", "items": names });
        (key.to_owned(), list)
    });
    let mut properties: serde_json::Map<String, Value> = lists.into_iter().collect();
    for (name, of) in fields() {
        let meanings =
            of.iter().map(|(kind, field)| format!("{}: {}", kind.about(), field.meaning()));
        let mut kinds: Vec<Value> = Vec::new();
        for kind in of.iter().map(|(kind, field)| schema(shown_kind(*kind, field))) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let table = json!({
            "description": meanings.collect::<Vec<_>>().join(" "),
            "type": "object",
            "additionalProperties": { "anyOf": kinds },
        });
        properties.insert(name.to_owned(), table);
    }
    properties
}

/// The fields that can be stated, by name. Several kinds of rows may share a name.
pub(super) fn fields() -> BTreeMap<&'static str, Vec<(RowKind, &'static Field)>> {
    let mut fields: BTreeMap<&'static str, Vec<_>> = BTreeMap::new();
    for kind in RowKind::ALL {
        for field in kind.fields().iter().flat_map(Field::parts) {
            if is_expectable(field.kind) {
                fields.entry(field.name).or_default().push((kind, field));
            }
        }
    }
    fields
}

/// Whether a value of the field of this name makes a document: it is the first of a document's
/// fields.
pub(crate) fn makes_document(name: &str) -> bool {
    let mut fields = RowKind::ALL.into_iter().flat_map(RowKind::fields);
    fields.any(|field| field.parts.first().is_some_and(|first| first.name == name))
}

/// The kind of a field as it is expected: of rows of a unit each, the units that have it set.
fn shown_kind(kind: RowKind, field: &Field) -> FieldKind {
    if kind.is_per_unit() { FieldKind::Units } else { field.kind }
}

/// A field that can be expected, as it is listed.
#[derive(Clone, Debug)]
pub struct FieldForm {
    /// Its name, which is the key of a table of `[expect]`.
    pub name: &'static str,
    /// The name of the kind of rows that have it, "machine".
    pub row: &'static str,
    /// The rows in words, "a machine's documents".
    pub of: &'static str,
    /// The name of such a row in `[expect]`, in the smallest world that has one: "wordpress/0".
    pub key: String,
    /// The detail without which there is no such field, if it is one of a detail.
    pub detail: Option<&'static str>,
    /// The form of its values, "true or false".
    pub values: String,
    /// Whether `[start]` can set the field, too.
    pub is_settable: bool,
    pub meaning: &'static str,
}

/// All fields that can be expected, in the order of the rows.
pub fn field_forms() -> impl Iterator<Item = FieldForm> {
    RowKind::ALL.into_iter().flat_map(|kind| {
        let fields =
            kind.fields().iter().flat_map(Field::parts).filter(|field| is_expectable(field.kind));
        let key = key_of(kind);
        fields.map(move |field| FieldForm {
            name: field.name,
            row: kind.name(),
            of: kind.about(),
            key: key.clone(),
            detail: detail_of(kind, field.name),
            values: form(shown_kind(kind, field)),
            is_settable: is_settable(kind, field),
            meaning: field.meaning(),
        })
    })
}

/// Whether a field can be set at the start of some world: it is no transaction, and does not follow
/// from other fields.
fn is_settable(kind: RowKind, field: &Field) -> bool {
    let (machines, units) = (IdSet::default(), IdSet::default());
    let value = match field.kind {
        FieldKind::Txn => return false,
        FieldKind::Machines => ShownValue::Machines(&machines),
        FieldKind::Units => ShownValue::Units(&units),
        FieldKind::Count => ShownValue::Count(1),
        _ => return true,
    };
    let Some((world, _)) = smallest_world_with(kind) else { return true };
    let bounds = WorldBounds::of_starts(&world);
    let set = State::empty(&world).set(&bounds, kind.row(&world, 0), field.name, Some(value));
    !matches!(set, Err(Unset::Txn | Unset::Follows))
}

/// A world with a row of this kind. Details add kinds, and some exclude others.
fn smallest_world_with(kind: RowKind) -> Option<(World, Option<&'static str>)> {
    let with = |name: &&'static str| Some((Details::with(name)?, Some(*name)));
    let details = Details::NAMES.iter().filter_map(with);
    let worlds = [(Details::default(), None)].into_iter().chain(details);
    let mut worlds =
        worlds.map(|(it, name)| (World::smallest(it).keeping_all().into_owned(), name));
    worlds.find(|(world, _)| kind.count(world) > 0)
}

/// The name of a row of a kind as a key, in the smallest world that has one.
fn key_of(kind: RowKind) -> String {
    let Some((world, _)) = smallest_world_with(kind) else { return AGENTS.to_owned() };
    let row = kind.row(&world, 0);
    match row.entity() {
        Some(entity) => NamedSubject::Entity(entity).key(&world),
        None => NamedSubject::Row(row).key(&world),
    }
}

/// The detail without which there are no rows of a kind, or of a field of history without which
/// that is not kept.
pub fn detail_of(kind: RowKind, field: &str) -> Option<&'static str> {
    let kept = KeptHistory::of(kind, field).unwrap_or_default().lacks(Details::default());
    kept.map(|(_, detail)| detail).or_else(|| smallest_world_with(kind)?.1)
}

/// The form of the values of a kind.
fn form(kind: FieldKind) -> String {
    let form = match kind {
        FieldKind::Flag => "true or false",
        FieldKind::Count => "a number",
        FieldKind::State(states) => return format!("one of {}", states.join(", ")),
        FieldKind::Placement => "a machine, a principal or \"none\"",
        FieldKind::Machine => "a machine or \"none\"",
        FieldKind::Application => "an application or \"none\"",
        FieldKind::Unit => "a unit or \"none\"",
        FieldKind::Relation => "a relation or \"none\"",
        FieldKind::Units => "an array of units",
        FieldKind::Machines => "an array of machines",
        FieldKind::Txn => "a transaction or \"none\"",
        FieldKind::Begun => "a transaction, a hook or \"none\"",
        FieldKind::Constraints => "constraints or \"none\"",
        FieldKind::Commands => "a table of commands and numbers",
        FieldKind::Life => "a life",
        FieldKind::Document => "a document",
    };
    form.to_owned()
}

fn schema(kind: FieldKind) -> Value {
    match kind {
        FieldKind::Flag => json!({ "type": "boolean" }),
        FieldKind::Count => json!({ "type": "integer", "minimum": 0 }),
        FieldKind::State(states) => json!({ "enum": states }),
        FieldKind::Placement
        | FieldKind::Machine
        | FieldKind::Application
        | FieldKind::Unit
        | FieldKind::Relation
        | FieldKind::Constraints
        | FieldKind::Txn
        | FieldKind::Begun
        | FieldKind::Life
        | FieldKind::Document => json!({ "type": "string" }),
        FieldKind::Commands => {
            let number = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
            json!({ "type": "object", "additionalProperties": number })
        }
        FieldKind::Units | FieldKind::Machines => {
            json!({ "type": "array", "items": { "type": "string" } })
        }
    }
}
