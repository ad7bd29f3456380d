//! Values of fields in words.

use deathwatch_documents::run::{Change, Value};

pub(super) use crate::text::{names, value};

/// Whether a value goes without saying: it is empty, zero, or false.
pub(super) fn is_plain(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Flag(false) | Value::Count(0)) => true,
        Some(Value::Word(word)) => word == "none",
        Some(Value::Names(names)) => names.is_empty(),
        Some(Value::Aborts { aborts, .. }) => *aborts == 0,
        Some(Value::Commands(given)) => given.values().all(|count| *count == 0),
        Some(
            Value::Flag(true)
            | Value::Count(_)
            | Value::Machine { .. }
            | Value::Unit { .. }
            | Value::Transaction { .. }
            | Value::Hook { .. },
        ) => false,
    }
}

/// A fact: a field and its value.
pub(super) fn fact(field: &str, given: Option<&Value>) -> String {
    let field = field.replace('-', " ");
    match given {
        Some(Value::Flag(true)) => field,
        Some(Value::Flag(false)) => format!("no {field}"),
        _ => format!("{field}: {}", value(given)),
    }
}

/// The value before and after a change. Of a long list of names only the additions and the removals
/// are shown.
pub(super) fn change(change: &Change) -> (String, String) {
    const LONG: usize = 12;
    if let (Some(Value::Names(before)), Some(Value::Names(after))) = (&change.before, &change.after)
        && before.len().max(after.len()) > LONG
    {
        let only = |of: &[String], other: &[String]| -> Vec<String> {
            of.iter().filter(|name| !other.contains(name)).cloned().collect()
        };
        let (goes, comes) = (only(before, after), only(after, before));
        let changes = [("without", goes), ("with", comes)].into_iter();
        let changes = changes.filter(|(_, some)| !some.is_empty());
        let changes: Vec<_> =
            changes.map(|(word, some)| format!("{word} {}", names(&some))).collect();
        return (
            format!("{} names", before.len()),
            format!("{}, {}", after.len(), changes.join(", ")),
        );
    }
    (value(change.before.as_ref()), value(change.after.as_ref()))
}
