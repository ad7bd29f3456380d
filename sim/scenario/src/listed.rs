//! Lists of names, as texts, reports and pages have them: in quotation marks, and the first few of
//! many.

use std::fmt::Display;

pub fn quoted(name: impl Display) -> String {
    format!("\"{name}\"")
}

/// Names in quotation marks, one by one.
pub fn in_quotes(names: impl IntoIterator<Item = impl Display>) -> Vec<String> {
    names.into_iter().map(quoted).collect()
}

/// The first `most` of a list with commas between them, and the number of the others.
pub fn few(items: impl IntoIterator<Item = impl Display>, most: usize) -> String {
    let mut items = items.into_iter();
    let told: Vec<String> = items.by_ref().take(most).map(|item| item.to_string()).collect();
    let told = told.join(", ");
    match items.count() {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}
