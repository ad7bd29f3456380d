//! Warnings: what a scenario says and can have no effect tells nothing of a claim.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that a scenario says and that can have no effect in its world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The kind of setting.
    pub of: WarningOf,
    /// The key of the file that says it, or the command.
    pub key: String,
    /// Why it can have no effect.
    pub because: String,
    /// The warning as it is told.
    pub text: String,
}

impl Warning {
    pub fn new(of: WarningOf, key: String, because: &str) -> Self {
        let text = match of {
            WarningOf::Fault => format!("the fault `{key}` can strike nothing here: {because}"),
            WarningOf::Command => format!("the command `{key}` can do nothing here: {because}"),
            WarningOf::Limit => format!("`{key}` can limit nothing here: {because}"),
            WarningOf::Rule => format!("the rule \"{key}\" never applies here: {because}"),
        };
        Self { of, key, because: because.to_owned(), text }
    }
}

/// The kinds of settings that can have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WarningOf {
    /// A fault that is switched on.
    Fault,
    /// A command that the user may give.
    Command,
    /// A limit.
    Limit,
    /// A rule of its own.
    Rule,
}
