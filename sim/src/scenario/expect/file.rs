//! The form of the table `[expect]`: lists of lives, the cleanup documents, and a table for each
//! field of a row. The schema is made of the declarations of the fields.

use std::{borrow::Cow, collections::BTreeMap};

use deathwatch_model::rows::{Field, FieldKind, ROW_TYPES, RowType};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{any::Any, subject::is_expectable};
use crate::scenario::value::{At, Map};

/// The keys of the table that are no fields: lists of names.
pub(super) const LISTS: [(&str, &str); 5] = [
    ("alive", "Machines, applications, units and relations that are Alive."),
    ("dying", "Those that are Dying."),
    ("dead", "Those that are Dead."),
    ("gone", "Those that have no document."),
    (
        "cleanups",
        "The cleanup documents, all of them: \"settings of wordpress:db mysql:server\", \"units \
         of wordpress\", \"force unit wordpress/0\", \"force machine 1\".",
    ),
];

/// The expectations of the documents after the steps.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ExpectFile(pub(crate) Map<At<Any>>);

impl JsonSchema for ExpectFile {
    fn schema_name() -> Cow<'static, str> {
        "Expect".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let lists = LISTS.map(|(key, meaning)| {
            let names = json!({ "type": "string" });
            let list = json!({ "description": meaning, "type": "array", "items": names });
            (key.to_owned(), list)
        });
        let mut properties: serde_json::Map<String, Value> = lists.into_iter().collect();
        for (name, of) in fields() {
            let meanings = of.iter().map(|(row, field)| format!("{}: {}", row.of, field.meaning()));
            let mut kinds: Vec<Value> = Vec::new();
            for kind in of.iter().map(|(row, field)| schema(shown_kind(row, field))) {
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
        json_schema!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        })
    }
}

/// The fields that can be expected, by name, with the types of rows that have one of this name.
pub(super) fn fields() -> BTreeMap<&'static str, Vec<(&'static RowType, &'static Field)>> {
    let mut fields: BTreeMap<&'static str, Vec<_>> = BTreeMap::new();
    for row in ROW_TYPES {
        for field in row.fields.iter().flat_map(parts) {
            if is_expectable(field.kind) {
                fields.entry(field.name).or_default().push((row, field));
            }
        }
    }
    fields
}

/// The fields of a document; a field that is no document by itself.
fn parts(field: &'static Field) -> &'static [Field] {
    if field.parts.is_empty() { std::slice::from_ref(field) } else { field.parts }
}

/// The kind of a field as it is expected: of rows of a unit each, the units that have it set.
fn shown_kind(row: &RowType, field: &Field) -> FieldKind {
    if row.per_unit { FieldKind::Units } else { field.kind }
}

/// A field that can be expected, as it is listed.
#[derive(Clone, Debug)]
pub struct FieldForm {
    /// Its name, which is the key of a table of `[expect]`.
    pub name: &'static str,
    /// The row that it is of, "a machine's documents".
    pub of: &'static str,
    /// The form of its values, "true or false".
    pub values: String,
    /// Its meaning.
    pub meaning: &'static str,
}

/// Every field that can be expected, in the order of the rows.
pub fn field_forms() -> impl Iterator<Item = FieldForm> {
    ROW_TYPES.iter().flat_map(|row| {
        let fields = row.fields.iter().flat_map(parts).filter(|field| is_expectable(field.kind));
        fields.map(|field| FieldForm {
            name: field.name,
            of: row.of,
            values: form(shown_kind(row, field)),
            meaning: field.meaning(),
        })
    })
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
        FieldKind::Life => "a life",
        FieldKind::List => "numbers",
        FieldKind::Document => "a document",
    };
    form.to_owned()
}

/// The schema of the values of a kind.
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
        | FieldKind::Txn
        | FieldKind::Begun
        | FieldKind::Life
        | FieldKind::List
        | FieldKind::Document => json!({ "type": "string" }),
        FieldKind::Units | FieldKind::Machines => {
            json!({ "type": "array", "items": { "type": "string" } })
        }
    }
}
