//! Seeds as data: one by one, in columns, and by what they drew.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::ByKind;

/// Seeds that are next to each other in the order in which they are run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The first of them.
    pub first: u64,
    /// The last of them.
    pub last: u64,
    /// Their number.
    pub seeds: u64,
    /// The number of them that violate a claim.
    pub violating: u64,
    /// The number of steps of all their runs.
    pub steps: u64,
    /// The groups of failures that any of them belongs to.
    pub groups: Vec<ColumnGroup>,
}

/// A group of failures, and how many seeds of a column belong to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnGroup {
    /// Its place in `groups`, from 0 on.
    pub group: usize,
    /// The number of seeds.
    pub seeds: u64,
}

/// A seed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The seed.
    pub seed: u64,
    /// Why its run did not settle, or how a second run differed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odd: Option<String>,
    /// The groups of failures that it belongs to, by their places in `groups`, from 0 on.
    pub groups: Vec<usize>,
    /// The number of claims that it violates.
    pub violated: usize,
    /// The number of steps of its run.
    pub steps: u64,
    /// The virtual time that it took, in milliseconds.
    pub milliseconds: u64,
    /// The number of the user's commands.
    pub commands: u64,
    /// The faults that struck, by kind.
    pub faults: BTreeMap<String, u64>,
    /// The numbers of entities that were never removed though they were Dying.
    pub unfinished: ByKind<u64>,
}

/// Seeds that did not settle, or whose second run differed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Odd {
    /// Their number.
    pub seeds: u64,
    /// The smallest of them.
    pub first_seed: u64,
    /// The reason for that one.
    pub reason: String,
}

/// A selection of details that seeds may draw.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// The details.
    pub details: Vec<String>,
    /// The number of seeds that drew it.
    pub seeds: u64,
    /// The smallest of them.
    pub first_seed: Option<u64>,
}
