//! Repairs: the smallest sets of changes with which every claim of some scenarios holds.

use std::fmt;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::Choice;

/// The repairs of some scenarios.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repaired {
    /// The names of the scenarios.
    pub scenarios: Vec<String>,
    /// The number of claims that are to hold, in all scenarios together.
    pub claims: usize,
    /// The claims that may be violated.
    pub except: Vec<String>,
    /// The claims that are violated as the scenarios are.
    pub violated: Vec<ClaimOf>,
    /// Whether every set was decided.
    pub decided: bool,
    /// The repairs, the smallest first. One without changes says that there is nothing to repair.
    pub repairs: Vec<Repair>,
    /// The sets with which no claim is violated, and some are vacuous that are not without.
    pub vacuous: Vec<EmptiedBy>,
    /// The sets that could not be decided.
    pub open: Vec<OpenSet>,
    /// The values that were tried, by variant.
    pub variants: IndexMap<String, Vec<String>>,
    /// The clauses and asserts that were tried to be switched on.
    pub switched_on: Vec<Amendment>,
    /// The values that make no difference.
    pub indifferent: Vec<Choice>,
    /// The sets that were tried.
    pub tried: TriedSets,
    /// Which other scenarios were asked what the repairs do to them.
    pub elsewhere: Option<OtherScenarios>,
}

/// Other scenarios.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OtherScenarios {
    /// The folder in which they are.
    pub folder: String,
    /// Their number.
    pub scenarios: usize,
}

/// A change of scenarios. It leaves those as they are that have it already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Amendment {
    /// A variant gets another value.
    Variant {
        /// The variant.
        name: String,
        /// The value.
        value: String,
    },
    /// A clause that is switched off is switched on: its name, as scenarios have it.
    Clause(String),
    /// The asserts of a clause are switched on, where they are switched off.
    Asserts(String),
}

impl fmt::Display for Amendment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variant { name, value } => write!(f, "{name} = {value}"),
            Self::Clause(name) => write!(f, "{name} switched on"),
            Self::Asserts(name) => write!(f, "{name} with its asserts"),
        }
    }
}

/// A claim of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimOf {
    /// The scenario.
    pub scenario: String,
    /// The claim.
    pub claim: String,
}

impl ClaimOf {
    /// This claim of this scenario.
    pub fn new(scenario: &str, claim: &str) -> Self {
        Self { scenario: scenario.to_owned(), claim: claim.to_owned() }
    }
}

/// A repair.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// The changes.
    pub changes: Vec<Amendment>,
    /// Whether no smaller set will do.
    pub minimal: bool,
    /// Its effect on other scenarios, if they were asked.
    pub elsewhere: Option<Elsewhere>,
}

/// The effect of a repair on other scenarios.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Elsewhere {
    /// The number of those that it changes.
    pub changed: usize,
    /// The claims that are not violated without it, and are with it.
    pub breaks: Vec<ClaimOf>,
    /// The claims that hold without it, and are vacuous with it.
    pub vacuous: Vec<ClaimOf>,
    /// The claims that are violated without it, and hold with it.
    pub mends: Vec<ClaimOf>,
    /// The scenarios that are not possible with it: a step of a script is not.
    pub impossible: Vec<String>,
    /// The scenarios of which something is undecided, with it or without.
    pub open: Vec<String>,
}

/// A set with which claims are vacuous that are not without.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptiedBy {
    /// The changes.
    pub changes: Vec<Amendment>,
    /// The claims.
    pub claims: Vec<ClaimOf>,
}

/// A set that could not be decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenSet {
    /// The changes.
    pub changes: Vec<Amendment>,
    /// Why it could not be decided.
    pub reason: String,
}

/// The sets that were tried.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TriedSets {
    /// Their number, the empty one included.
    pub sets: usize,
    /// The number of those with which a run that was found before violates a claim.
    pub filtered: usize,
    /// The number of those with which a scenario is not possible.
    pub impossible: usize,
    /// The number of those whose worlds were searched.
    pub searched: usize,
    /// The size of the greatest.
    pub most: usize,
    /// Why larger ones were not tried.
    pub others: Option<String>,
}
