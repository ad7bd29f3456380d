//! The form of the table `[own]`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::scenario::value::Located;

/// A claim of the scenario's own: one of `always`, `step`, `leads` and `reachable`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OwnFile {
    /// The kind of rows that it is about, one by one: "unit", say. The row is called `it`; of a
    /// transition, `before` and `after`. Without it, the claim is about the whole state.
    pub each: Option<Located<String>>,
    /// A condition that holds in every state.
    pub always: Option<Located<String>>,
    /// A condition that holds of every transition that changes what it reads, between the state
    /// `before` and the state `after`.
    pub step: Option<Located<String>>,
    /// Two conditions: on every fair run, the first is followed by the second.
    pub leads: Option<Located<LeadsFile>>,
    /// A condition that holds in some state that can be reached.
    pub reachable: Option<Located<String>>,
}

/// The two conditions of a leads claim.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LeadsFile {
    /// The condition that creates the obligation.
    pub from: Located<String>,
    /// The condition that discharges it.
    pub to: Located<String>,
}
