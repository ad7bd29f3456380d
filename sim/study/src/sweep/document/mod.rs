//! The types of a sweep as data: what `simulate` and `merge` write as JSON, and what pages show.
//!
//! They hold what a report says in words and numbers that programs can read; the schema is made of
//! them. What depends on the machine (the time that it took) is there only if it was asked for.

mod failures;
mod figures;
mod seeds;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

pub use self::{
    failures::{ClaimSeeds, Group, ShrunkRun},
    figures::{Bin, Bins, ByKind, Removal, Stats, Transactions, Unfinished},
    seeds::{Column, ColumnGroup, Drawn, Odd, Row},
};
use deathwatch_documents::{Made, to_json};

/// The version of the form of documents. It grows with each change that a reader might notice.
const VERSION: u32 = 1;

/// What a sweep says.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// What wrote it.
    #[serde(flatten)]
    pub made: Made,
    /// The scenarios.
    pub runs: Vec<Swept>,
    /// Why there are none, if a limit was reached before they were loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

impl Document {
    /// What `command` says of these scenarios.
    pub fn new(command: &str, runs: Vec<Swept>) -> Self {
        Self { made: Made::by(command, VERSION), runs, undecided: None }
    }

    /// The document as JSON.
    pub fn to_value(&self) -> Value {
        to_json(self)
    }
}

/// The schema that every such document satisfies.
pub fn schema() -> Value {
    deathwatch_documents::schema_of::<Document>("Sweeps of deathwatch").to_value()
}

/// One scenario, and what all its seeds say together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Swept {
    /// Its name.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// Whether every answer is the one that it expects.
    pub expected: bool,
    /// The answer to its script and its claims together.
    pub answer: String,
    /// The number of seeds that were run.
    pub seeds: u64,
    /// The number of seeds that were to be run.
    pub planned: u64,
    /// The number of steps of all runs.
    pub steps: u64,
    /// How long it took; only with `--timings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The number of seeds in a second; only with `--timings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds_per_second: Option<u64>,
    /// The number of steps in a second; only with `--timings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_per_second: Option<u64>,
    /// The claims, each with its answer.
    pub claims: Vec<Claim>,
    /// The failures by what they come from: those that are not expected first, then those of most seeds.
    pub groups: Vec<Group>,
    /// The seeds that did not settle.
    pub unsettled: Option<Odd>,
    /// The seeds whose second run differed from the first.
    pub diverged: Option<Odd>,
    /// The expectations that the script does not meet.
    pub failures: Vec<String>,
    /// The seed whose unexpected result ended the sweep before its end.
    pub ended_by: Option<u64>,
    /// A few of the seeds that were not run, as "17" or "40..60".
    pub missing: Vec<String>,
    /// What ended the sweep early: the time, or an interruption.
    pub stopped: Option<String>,
    /// Why it is undecided, if it is.
    pub reason: Option<String>,
    /// The selections of details that seeds draw, if they draw any.
    pub drawn: Vec<Drawn>,
    /// The statistics of all runs.
    pub stats: Stats,
    /// The seeds in columns, each of as many that are next to each other; only with `--verbose`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// The first seeds one by one; only with `--verbose`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
    /// The number of seeds that have no row; only with `--verbose`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_left_out: Option<u64>,
    /// A hash of every run, in hexadecimal digits.
    pub digest: String,
}

/// A claim, and the answer of the seeds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The passages that it rests on.
    pub source: String,
    /// The answer.
    pub answer: String,
    /// The expected answer.
    pub expected: String,
    /// Whether the answer is the expected one.
    pub as_expected: bool,
    /// The number of seeds that violate it, or that show what it says.
    pub seeds: u64,
    /// The smallest of them.
    pub first_seed: Option<u64>,
    /// The number of groups of its failures.
    pub groups: u64,
}
