//! JSON: one object per invocation, the same bytes for the same answers.

use deathwatch_documents::{Made, headed};
use deathwatch_scenario::escape::escape_quoted;
use serde_json::Value;

/// The version of the form of documents that have no schema. It grows with each change that a
/// reader might notice.
const VERSION: u32 = 1;

/// The whole document of a form that has no schema.
pub(super) fn document(command: &str, of: &str, items: Vec<Value>) -> String {
    text(&headed(&Made::by(command, VERSION), of, items.into()))
}

pub(crate) fn text(document: &Value) -> String {
    escape_quoted(&format!("{document:#}\n")).into_owned()
}
