//! JSON: one object per invocation, the same bytes for the same answers.

use deathwatch_sim::escape::escape_quoted;
use serde_json::{Map, Value};

/// The whole document.
pub(super) fn document(command: &str, of: &str, items: Vec<Value>) -> String {
    object(command, of, items.into())
}

/// The whole document with one entry.
pub(super) fn object(command: &str, of: &str, value: Value) -> String {
    let mut document = Map::new();
    document.insert("deathwatch".into(), env!("CARGO_PKG_VERSION").into());
    document.insert("command".into(), command.into());
    document.insert(of.into(), value);
    text(&Value::Object(document))
}

/// A document as text.
pub(crate) fn text(document: &Value) -> String {
    escape_quoted(&format!("{document:#}\n")).into_owned()
}
