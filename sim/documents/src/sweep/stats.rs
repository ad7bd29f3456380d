//! The statistics of a sweep: numbers and times of all its runs together.

use std::collections::BTreeMap;

use deathwatch_simulator::stats::SweepFigures;
use schemars::JsonSchema;
use serde::Serialize;

/// The statistics of all runs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepStats {
    /// The figures, each of which adds up.
    #[serde(flatten)]
    pub figures: SweepFigures,
    /// The faults that struck, by kind.
    pub faults: BTreeMap<String, u64>,
    /// For each fault that struck, the number of seeds in which it did.
    pub fault_seeds: BTreeMap<String, u64>,
    /// The faults that seeds may have, and that struck in none.
    pub never_struck: Vec<String>,
    /// For each fault that struck, the duties of agents at which it could have and never did.
    /// Faults that strike in one place only have none.
    pub never_struck_at: BTreeMap<String, DutiesMissed>,
    /// The virtual time of the longest run, in milliseconds.
    pub longest_ms: u64,
    /// The most entities of each kind that there were at a time.
    pub largest: ByKind<u64>,
    /// The times from Dying to removed, of what was removed.
    pub removal_ms: ByKind<RemovalTimes>,
    /// The entities that were Dying or Dead at the end of their run: the times above leave them
    /// out.
    pub unfinished: ByKind<UnfinishedTimes>,
    /// The clauses that were carried out.
    pub exercised: Vec<String>,
    /// The clauses that were not, and could have been.
    pub never_exercised: Vec<String>,
    /// For each clause that was carried out, the number of seeds that did; only with `--verbose`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub clause_seeds: BTreeMap<String, u64>,
}

/// The duties of agents at which a fault never struck, by how far an agent would have been.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DutiesMissed {
    /// The duties whose transaction is planned and not committed.
    pub planned: Vec<String>,
    /// The duties by which its unit has entered a scope whose directory may not be written.
    pub entered: Vec<String>,
    /// The duties whose hook runs.
    pub in_hook: Vec<String>,
    /// The duties that are done, and are the last that it has done.
    pub done: Vec<String>,
}

impl DutiesMissed {
    /// The duties that the fault never struck, with the moment in words.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        let all = [
            ("between plan and commit of", &self.planned),
            ("before the directory of", &self.entered),
            ("during a hook of", &self.in_hook),
            ("right after", &self.done),
        ];
        all.into_iter().map(|(place, duties)| (place, &**duties)).filter(|it| !it.1.is_empty())
    }
}

/// One of something for each kind of entity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByKind<T> {
    /// Machines.
    pub machines: T,
    /// Applications.
    pub applications: T,
    /// Units.
    pub units: T,
    /// Relations.
    pub relations: T,
}

impl<T> ByKind<T> {
    /// The value of `of` for each kind, in the order of `KINDS`.
    pub fn new(mut of: impl FnMut(usize) -> T) -> Self {
        Self { machines: of(0), applications: of(1), units: of(2), relations: of(3) }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &T)> {
        let Self { machines, applications, units, relations } = self;
        let all = [
            ("machines", machines),
            ("applications", applications),
            ("units", units),
            ("relations", relations),
        ];
        all.into_iter()
    }
}

/// The times that removals took.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemovalTimes {
    /// Their number.
    pub count: u64,
    /// Half of them took no longer.
    pub p50: Option<u64>,
    /// Nine in ten of them took no longer.
    pub p90: Option<u64>,
    /// Ninety-nine in a hundred took no longer.
    pub p99: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
    /// Their distribution; only with `--verbose`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bins: Vec<Bin>,
}

/// The entities that were never removed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnfinishedTimes {
    /// Their number.
    pub count: u64,
    /// Half of them were Dying for no longer, when their runs ended.
    pub p50: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
}

/// The number of values in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bin {
    /// The least value.
    pub from: u64,
    /// The least value that is too great.
    pub to: u64,
    /// The number of values.
    pub count: u64,
}
