//! The JSON Schema of scenario files, for editors.

use deathwatch_documents::schema_of;
use serde_json::json;

use crate::scenario::{File, also_schema};

/// The schema that every scenario file satisfies, derived from the types it is read into.
pub fn schema() -> serde_json::Value {
    let mut schema = schema_of::<File>("A scenario of deathwatch");
    // A claim that is not built in is one of the scenario's own.
    let names: Vec<&str> =
        ["all", "vacuous"].into_iter().chain(deathwatch_claims::all().map(|it| it.name)).collect();
    let claims = json!({ "claims": { "propertyNames": { "enum": names } } });
    let mut both = claims.clone();
    both["simulate"] = json!({ "properties": claims });
    let also = also_schema(&schema.get("properties").cloned().unwrap_or_default());
    if let Some(properties) = schema.get_mut("properties").and_then(|it| it.as_object_mut()) {
        properties["also"]["additionalProperties"] = also;
    }
    schema["if"] = json!({ "not": { "required": ["own"] } });
    schema["then"] = json!({ "properties": both });
    schema
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    /// The part of the schema at `path`, a sequence of keys; `*` is any other key.
    fn at<'a>(schema: &'a Value, path: &[&str]) -> &'a Value {
        let resolved = |part: &'a Value| match part["$ref"].as_str() {
            Some(reference) => &schema["$defs"][reference.rsplit('/').next().expect("a name")],
            None => part,
        };
        path.iter().fold(schema, |part, key| match *key {
            "*" => resolved(&part["additionalProperties"]),
            key => resolved(&part["properties"][key]),
        })
    }

    /// The keys of the table in which `source` has the wrong key "zzz".
    fn keys(source: &str) -> BTreeSet<String> {
        let error = toml::from_str::<File>(source).expect_err("zzz is no key");
        let message = error.message();
        assert!(message.starts_with("unknown field `zzz`"), "{message}");
        message.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_schema_has_every_key_that_is_read_and_no_other() {
        let schema = schema();
        let tables: [(&[&str], &str); 10] = [
            (&[], "zzz = 1"),
            (&["world"], "[world]\nzzz = 1"),
            (&["world", "machines", "*"], "[world.machines]\n0 = { zzz = 1 }"),
            (&["world", "applications", "*"], "[world.applications]\na = { zzz = 1 }"),
            (&["world", "relations", "*"], "[world.relations]\n'a:b' = { zzz = 1 }"),
            (&["detail"], "[detail]\nzzz = 1"),
            (&["faults"], "[faults]\nzzz = 1"),
            (&["assume"], "[assume]\nzzz = 1"),
            (&["switch-off"], "[switch-off]\nzzz = 1"),
            (&["check"], "[check]\nzzz = 1"),
        ];
        for (path, source) in tables {
            let table = at(&schema, path);
            let properties = table["properties"].as_object().expect("a table");
            let known: BTreeSet<String> = properties.keys().cloned().collect();
            assert_eq!(known, keys(source), "{path:?}");
            assert_eq!(table["additionalProperties"], Value::Bool(false), "{path:?}");
            for (key, property) in properties {
                assert!(property["description"].is_string(), "{path:?} {key}");
            }
        }
    }

    #[test]
    fn the_schema_lists_variants_and_claims() {
        let schema = schema();
        let variants = at(&schema, &["variants"])["properties"].as_object().expect("a table");
        assert_eq!(variants.len(), deathwatch_model::variants::Variants::LIST.len());
        let claims = at(&schema, &["claims"])["properties"].as_object().expect("a table");
        assert_eq!(claims.len(), deathwatch_claims::all().count() + 2);
    }
}
