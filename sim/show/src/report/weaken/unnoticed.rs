//! The clauses that no claim notices: an explanation for each, in `unnoticed.toml`.

use std::{collections::BTreeMap, sync::LazyLock};

use deathwatch_model::clause::Clause;

use crate::report::template::data;

/// The text of the reports where an explanation is missing.
pub const UNEXPLAINED: &str = "nobody has said why";

static UNNOTICED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| data(include_str!("unnoticed.toml")));

/// The explanation why no claim notices that `clause` is switched off.
pub fn explanation(clause: Clause) -> &'static str {
    UNNOTICED.get(&clause.to_string()).map_or(UNEXPLAINED, String::as_str)
}

/// The clauses that have an explanation.
pub fn explained() -> impl Iterator<Item = &'static str> {
    UNNOTICED.keys().map(String::as_str)
}
