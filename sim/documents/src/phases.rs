//! Phases of a search: the time of each, and for how long all of its threads are at work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The time of a part of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhaseTime {
    pub phase: SearchPhase,
    pub seconds: f64,
    /// The part of it in which all threads were at work, in seconds; absent if there is one thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_busy: Option<f64>,
}

/// The phase of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchPhase {
    /// It finds the states.
    Exploring,
    /// It decides what is true of the fair runs among them.
    Deciding,
    /// It asks for every number of units.
    Generalizing,
}
