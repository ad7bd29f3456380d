//! The known bugs that no scenario shows, each with the reason, in `left-out.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::report::template::data;

/// A known bug that is left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LeftOut {
    /// Its number.
    pub number: u8,
    /// Where it was reported, or the beginning of the commit that fixed it.
    pub known_as: String,
    /// Its mechanism.
    pub mechanism: String,
    /// The reason.
    pub why: String,
}

#[derive(Deserialize)]
struct LeftOutFile {
    bug: Vec<LeftOut>,
}

/// Those that are left out, in the order of their numbers.
pub static LEFT_OUT: LazyLock<Vec<LeftOut>> =
    LazyLock::new(|| data::<LeftOutFile>(include_str!("left-out.toml")).bug);
