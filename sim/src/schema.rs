//! The JSON schema of scenario files, for editors.

use schemars::generate::SchemaSettings;

use crate::scenario::File;

/// The schema that every scenario file satisfies, derived from the types it is read into.
pub fn schema() -> serde_json::Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<File>();
    schema.insert("title".into(), "A scenario of deathwatch".into());
    schema.to_value()
}
