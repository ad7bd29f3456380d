//! Tables whose keys come from the model: variants, claims and kinds of commands. The schema lists
//! them all, so that an editor can offer them.

use std::{borrow::Cow, fmt, marker::PhantomData};

use deathwatch_model::{variants::Variants, world::CommandKind};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor},
};

use crate::scenario::{
    Expected,
    value::{Located, Map},
};

/// Values of variants by name.
#[derive(Debug, Default, Deserialize)]
pub struct VariantsFile(pub Map<Located<String>>);

impl JsonSchema for VariantsFile {
    fn schema_name() -> Cow<'static, str> {
        "Variants".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let properties = Variants::LIST.iter().map(|variant| {
            let values = variant.values.iter().map(
                |(value, meaning)| serde_json::json!({ "const": value, "description": meaning }),
            );
            let schema = serde_json::json!({
                "description": variant.about,
                "default": variant.default(),
                "oneOf": values.collect::<Vec<_>>(),
            });
            (variant.name.to_owned(), schema)
        });
        json_schema!({
            "type": "object",
            "properties": properties.collect::<serde_json::Map<_, _>>(),
            "additionalProperties": false,
        })
    }
}

/// Expected answers by claim; the names of a scenario's own claims are its own.
#[derive(Debug, Default)]
pub struct ClaimsFile {
    /// The answers by name, "all" included.
    pub answers: Map<Located<Expected>>,
    /// The claims that are expected to be vacuous.
    pub vacuous: Vec<Located<String>>,
}

/// The key of the list of claims that are expected to be vacuous.
const VACUOUS: &str = "vacuous";

impl<'de> Deserialize<'de> for ClaimsFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ClaimsVisitor)
    }
}

struct ClaimsVisitor;

impl<'de> Visitor<'de> for ClaimsVisitor {
    type Value = ClaimsFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ClaimsFile, A::Error> {
        let mut file = ClaimsFile::default();
        while let Some(name) = map.next_key::<Located<String>>()? {
            if name.value == VACUOUS {
                file.vacuous = map.next_value()?;
            } else {
                file.answers.0.push((name, map.next_value()?));
            }
        }
        file.answers.0.sort_by_key(|(name, _)| name.span.start);
        Ok(file)
    }
}

impl JsonSchema for ClaimsFile {
    fn schema_name() -> Cow<'static, str> {
        "Claims".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let answer = generator.subschema_for::<Expected>();
        let names = ["all"].into_iter().chain(deathwatch_claims::all().map(|claim| claim.name));
        let properties = names.map(|name| (name.to_owned(), answer.clone().to_value()));
        let mut properties: serde_json::Map<_, _> = properties.collect();
        let about = "The claims that are vacuous for another reason than that the constants of the \
            world exclude what they are about.";
        let list = serde_json::json!({ "type": "array", "items": { "type": "string" } });
        properties.insert(VACUOUS.to_owned(), list);
        properties[VACUOUS]["description"] = about.into();
        json_schema!({
            "type": "object",
            "properties": properties,
            "additionalProperties": answer,
        })
    }
}

/// The weights of the kinds of commands, relative to each other; 10 by default.
#[derive(Debug)]
pub struct CommandRates;

impl Rows for CommandRates {
    type Key = CommandKind;
    type Value = u16;

    const NAME: &'static str = "RatesFile";
    const ABOUT: &'static str =
        "The weights of the kinds of commands, relative to each other; 10 by default.";

    fn keys() -> &'static [&'static str] {
        CommandKind::KEYS
    }

    fn key(index: usize) -> CommandKind {
        CommandKind::ALL[index]
    }

    fn value<'de, A: MapAccess<'de>>(_: CommandKind, map: &mut A) -> Result<u16, A::Error> {
        map.next_value()
    }

    fn schema(_: CommandKind, generator: &mut SchemaGenerator) -> Schema {
        let mut weight = generator.subschema_for::<Option<u16>>();
        weight.insert("default".to_owned(), serde_json::Value::Null);
        weight
    }
}

/// Rows of the model that are keys of a table of scenarios.
pub trait Rows {
    type Key: Copy + PartialEq;
    type Value;

    /// The name of the table in the schema.
    const NAME: &'static str;
    const ABOUT: &'static str;

    /// The keys, in the order of the rows.
    fn keys() -> &'static [&'static str];

    fn key(index: usize) -> Self::Key;

    /// Reads the value of `key`, which is the next one of `map`.
    ///
    /// # Errors
    /// If it has another type.
    fn value<'de, A: MapAccess<'de>>(key: Self::Key, map: &mut A) -> Result<Self::Value, A::Error>;

    /// The schema of the value of `key`.
    fn schema(key: Self::Key, generator: &mut SchemaGenerator) -> Schema;
}

/// A table of scenarios whose keys are rows of the model.
pub struct RowKeyedTable<R: Rows>(Vec<(R::Key, R::Value)>);

impl<R: Rows> fmt::Debug for RowKeyedTable<R>
where
    R::Key: fmt::Debug,
    R::Value: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<R: Rows> Default for RowKeyedTable<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Rows> RowKeyedTable<R> {
    /// The value of `key`, if the table has it.
    pub fn get(&self, key: R::Key) -> Option<&R::Value> {
        self.0.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }
}

impl<'de, R: Rows> Deserialize<'de> for RowKeyedTable<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KnownVisitor(PhantomData))
    }
}

struct KnownVisitor<R>(PhantomData<R>);

impl<'de, R: Rows> Visitor<'de> for KnownVisitor<R> {
    type Value = RowKeyedTable<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RowKeyedTable<R>, A::Error> {
        let mut values = Vec::new();
        while let Some(KeyedRow(key)) = map.next_key::<KeyedRow<R>>()? {
            values.push((key, R::value(key, &mut map)?));
        }
        Ok(RowKeyedTable(values))
    }
}

struct KeyedRow<R: Rows>(R::Key);

impl<'de, R: Rows> Deserialize<'de> for KeyedRow<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        match R::keys().iter().position(|known| *known == key) {
            Some(index) => Ok(Self(R::key(index))),
            None => Err(de::Error::unknown_field(&key, R::keys())),
        }
    }
}

impl<R: Rows> JsonSchema for RowKeyedTable<R> {
    fn schema_name() -> Cow<'static, str> {
        R::NAME.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let keys = R::keys().iter().enumerate();
        let properties = keys.map(|(index, key)| {
            ((*key).to_owned(), R::schema(R::key(index), generator).to_value())
        });
        json_schema!({
            "type": "object",
            "additionalProperties": false,
            "properties": properties.collect::<serde_json::Map<_, _>>(),
            "description": R::ABOUT,
        })
    }
}
