//! Tables whose keys come from the model: variants and claims. The schema lists them all, so that
//! an editor can offer them.

use std::borrow::Cow;

use deathwatch_model::{claims::Claim, variants::Variants};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::{
    Expected,
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
