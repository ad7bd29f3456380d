//! Values of fields in words.

use deathwatch_documents::run::{Change, Value};

/// A value, or "none".
pub(super) fn value(value: Option<&Value>) -> String {
    match value {
        None => "none".to_owned(),
        Some(Value::Flag(holds)) => if *holds { "yes" } else { "no" }.to_owned(),
        Some(Value::Count(count)) => count.to_string(),
        Some(Value::Word(word)) => word.clone(),
        Some(Value::Names(given)) => names(given),
        Some(Value::Machine { machine }) => format!("machine {machine}"),
        Some(Value::Unit { unit }) => format!("beside {unit}"),
        Some(Value::Transaction { transaction, .. }) => transaction.clone(),
        Some(Value::Hook { hook }) => format!("hook {hook}"),
        Some(Value::Aborts { aborts, again }) => {
            format!("{aborts}{}", if *again { ", to be planned again" } else { "" })
        }
        Some(Value::Commands(given)) => {
            let given = given.iter().filter(|(_, count)| **count > 0);
            let given: Vec<_> = given.map(|(name, count)| format!("{name}: {count}")).collect();
            if given.is_empty() { "none".to_owned() } else { given.join(", ") }
        }
    }
}

/// Names; of many the first ones, and how many more there are.
pub(super) fn names(given: &[String]) -> String {
    const NAMED: usize = 12;
    let named = given[..given.len().min(NAMED)].join(", ");
    match given.len() {
        0 => "none".to_owned(),
        all if all > NAMED => format!("{named} and {} more", all - NAMED),
        _ => named,
    }
}

/// Whether a value goes without saying: nothing, none, or not so.
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

/// The value before and after a change. Of a long list of names it is told what comes and goes.
pub(super) fn change(change: &Change) -> (String, String) {
    const LONG: usize = 12;
    if let (Some(Value::Names(before)), Some(Value::Names(after))) = (&change.before, &change.after)
        && before.len().max(after.len()) > LONG
    {
        let only = |of: &[String], other: &[String]| -> Vec<String> {
            of.iter().filter(|name| !other.contains(name)).cloned().collect()
        };
        let (goes, comes) = (only(before, after), only(after, before));
        let told = [("without", goes), ("with", comes)].into_iter();
        let told = told.filter(|(_, some)| !some.is_empty());
        let told: Vec<_> = told.map(|(word, some)| format!("{word} {}", names(&some))).collect();
        return (
            format!("{} names", before.len()),
            format!("{}, {}", after.len(), told.join(", ")),
        );
    }
    (value(change.before.as_ref()), value(change.after.as_ref()))
}
