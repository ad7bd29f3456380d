//! Documents: how what a command writes as JSON begins, and how it becomes JSON.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

/// The writer of a document, and its form.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Made {
    /// The version of deathwatch.
    pub deathwatch: String,
    /// The command that wrote it; of merged shards, the one that wrote these.
    pub command: String,
    /// The version of this form: another one may lack something that this one has.
    pub version: u32,
}

impl Made {
    /// Made by `command` of this deathwatch, in this version of its form.
    pub fn by(command: &str, version: u32) -> Self {
        let deathwatch = env!("CARGO_PKG_VERSION").to_owned();
        Self { deathwatch, command: command.to_owned(), version }
    }
}

/// A document whose parts are JSON already, under the name `of`.
///
/// # Panics
/// If a key is not text; there is no such type here.
pub fn headed(made: &Made, of: &str, parts: Value) -> Value {
    let mut document = to_json(made);
    document.as_object_mut().expect("it has fields").insert(of.to_owned(), parts);
    document
}

/// A document, or a part of one, as JSON.
///
/// # Panics
/// If a key is not text; there is no such type here.
pub fn to_json(document: &impl Serialize) -> Value {
    serde_json::to_value(document).expect("all keys are text")
}

/// The schema that every document of a type satisfies, with this title.
pub fn schema_of<T: JsonSchema>(title: &str) -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".into(), title.into());
    schema.to_value()
}
