//! Tables whose keys come from the model: variants, claims and kinds of commands. The schema lists
//! them all, so that an editor can offer them.

use std::{borrow::Cow, fmt};

use deathwatch_model::{claims::Claim, variants::Variants, world::CommandKind};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor},
};

use super::{
    Expected,
    simulate::PerCommand,
    value::{At, Map},
};

/// Values of variants by name.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct VariantsFile(pub(crate) Map<At<String>>);

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
                "default": variant.values[0].0,
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

/// Expected answers by claim.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ClaimsFile(pub(crate) Map<At<Expected>>);

impl JsonSchema for ClaimsFile {
    fn schema_name() -> Cow<'static, str> {
        "Claims".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let answer = generator.subschema_for::<Expected>();
        let names = ["all"].into_iter().chain(Claim::all().map(|claim| claim.name));
        let properties = names.map(|name| (name.to_owned(), answer.clone().to_value()));
        json_schema!({
            "type": "object",
            "properties": properties.collect::<serde_json::Map<_, _>>(),
            "additionalProperties": false,
        })
    }
}

/// The weights of the kinds of commands, relative to each other; 10 by default.
#[derive(Debug, Default)]
pub(crate) struct RatesFile(pub(crate) PerCommand<Option<u16>>);

impl<'de> Deserialize<'de> for RatesFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RatesVisitor)
    }
}

struct RatesVisitor;

impl<'de> Visitor<'de> for RatesVisitor {
    type Value = RatesFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RatesFile, A::Error> {
        let mut rates = PerCommand::default();
        while let Some(KindKey(kind)) = map.next_key()? {
            rates[kind] = Some(map.next_value()?);
        }
        Ok(RatesFile(rates))
    }
}

/// The key of a kind of command.
struct KindKey(CommandKind);

impl<'de> Deserialize<'de> for KindKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        let unknown = || de::Error::unknown_field(&key, CommandKind::KEYS);
        CommandKind::with_key(&key).map(KindKey).ok_or_else(unknown)
    }
}

impl JsonSchema for RatesFile {
    fn schema_name() -> Cow<'static, str> {
        "RatesFile".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut weight = generator.subschema_for::<Option<u16>>();
        weight.insert("default".to_owned(), serde_json::Value::Null);
        let keys = CommandKind::KEYS.iter();
        let properties = keys.map(|key| ((*key).to_owned(), weight.clone().to_value()));
        json_schema!({
            "type": "object",
            "additionalProperties": false,
            "properties": properties.collect::<serde_json::Map<_, _>>(),
            "description": "The weights of the kinds of commands, relative to each other; 10 by \
                            default.",
        })
    }
}
