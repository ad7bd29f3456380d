//! Sweeps: what many seeds of a scenario say together, in words and numbers that programs can read.
//!
//! What depends on the machine (the time that it took) is there only if it was asked for.

mod stats;

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;

pub use self::stats::{Bin, ByKind, DutiesMissed, RemovalTimes, SweepStats, UnfinishedTimes};
use crate::{
    Expected, Limit, Outcome, QuestionKind, Run, Status, WaitFor,
    made::{Made, to_json},
};

/// The version of the form of documents. It grows with each change that a reader might notice.
const VERSION: u32 = 4;

/// The document of sweeps.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweeps<'a> {
    /// The program and the form that wrote it.
    #[serde(flatten)]
    pub made: Made,
    /// The scenarios.
    pub runs: &'a [Sweep],
    /// Why there are none, if a limit was reached before they were loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

impl<'a> Sweeps<'a> {
    /// The document of `command` on these scenarios.
    pub fn document(command: &str, runs: &'a [Sweep]) -> Value {
        to_json(&Self { made: Made::by(command, VERSION), runs, undecided: None })
    }
}

/// One scenario, and what all its seeds say together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Its name.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// The variants that the command sets, as in "relation-tracking=remote-scope".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// Whether every answer is the one that it expects.
    #[serde(rename = "expected", serialize_with = "is_as_expected")]
    #[schemars(with = "bool")]
    pub status: Status,
    /// Whether a baseline has all failures that are not expected, if one is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
    /// The answer to its script and its claims together: violated if any is, else undecided if
    /// any is, else they hold.
    pub answer: Outcome,
    /// The number of seeds that were run.
    pub seeds: u64,
    /// The number of seeds that were to be run.
    pub planned: u64,
    /// The number of steps of all runs.
    pub steps: u64,
    /// The time that it took; only with `--timings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The number of seeds in a second; only with `--timings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds_per_second: Option<u64>,
    /// The number of steps in a second; only with `--timings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_per_second: Option<u64>,
    /// The claims, each with its answer.
    pub claims: Vec<SweptClaim>,
    /// The failures by what they come from: those that are not expected first, then those of most
    /// seeds.
    pub groups: Vec<FailureGroup>,
    /// The seeds that did not settle.
    pub unsettled: Option<OddSeeds>,
    /// The seeds whose second run differed from the first.
    pub diverged: Option<OddSeeds>,
    /// The expectations that the script does not meet.
    pub failures: Vec<String>,
    /// The seed whose unexpected result ended the sweep before its end.
    pub ended_by: Option<u64>,
    /// A few of the seeds that were not run, as "17" or "40..60".
    pub missing: Vec<String>,
    /// The limit that ended the sweep early: the time, or an interruption.
    pub stopped: Option<Limit>,
    /// Why it is undecided, if it is.
    pub reason: Option<String>,
    /// The selections of details that seeds draw, if they draw any.
    pub drawn: Vec<DrawnDetails>,
    /// The statistics of all runs.
    pub stats: SweepStats,
    /// The seeds in columns, each of as many that are next to each other; only with `--verbose`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// The first seeds one by one; only with `--verbose`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<SeedRow>,
    /// The number of seeds that have no row; only with `--verbose`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_left_out: Option<u64>,
    /// A hash of every run, in hexadecimal digits.
    pub digest: String,
    /// The seeds in parts, for build servers: a case for each seed would be too many.
    #[serde(skip)]
    pub parts: Vec<SeedPart>,
}

impl Sweep {
    /// Says why seeds are missing, if any are.
    pub fn lacks(&mut self, stopped: Option<Limit>, why: String) {
        if !self.missing.is_empty() {
            (self.stopped, self.reason) = (stopped, Some(why));
        }
    }

    /// Sets the time that it took to run these numbers of seeds and steps, and the rates.
    pub fn took(&mut self, time: Duration, seeds: u64, steps: u64) {
        let rate = |of: u64| {
            let rate = u128::from(of) * 1000 / time.as_millis().max(1);
            Some(u64::try_from(rate).unwrap_or(u64::MAX))
        };
        self.seconds = Some(time.as_secs_f64());
        (self.seeds_per_second, self.steps_per_second) = (rate(seeds), rate(steps));
    }

    /// Drops what is said of single seeds, and distributions.
    pub fn drop_details(&mut self) {
        self.columns.clear();
        self.rows.clear();
        self.rows_left_out = None;
        self.stats.clause_seeds.clear();
        let ByKind { machines, applications, units, relations } = &mut self.stats.removal_ms;
        for times in [machines, applications, units, relations] {
            times.bins.clear();
        }
    }

    /// The smallest seed of each group of unexpected failures.
    pub fn surprising_seeds(&self) -> Vec<u64> {
        let surprises = self.groups.iter().filter(|group| !group.expected);
        let mut seeds: Vec<u64> = surprises.map(|group| group.first_seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        seeds
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_as_expected<S: Serializer>(status: &Status, to: S) -> Result<S::Ok, S::Error> {
    (*status == Status::AsExpected).serialize(to)
}

/// A claim, and the answer of the seeds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweptClaim {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: QuestionKind,
    /// The passages that it rests on.
    pub source: String,
    /// The answer. What no seed reaches is open.
    pub answer: Outcome,
    /// The expected answer.
    pub expected: Expected,
    /// Whether the answer is the expected one.
    #[serde(rename = "as_expected", serialize_with = "is_as_expected")]
    #[schemars(with = "bool")]
    pub status: Status,
    /// Whether a baseline has failures of each of its kinds, if one is given and they are not
    /// expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
    /// The number of seeds that violate it, or that show what it says.
    pub seeds: u64,
    /// The smallest of them.
    pub first_seed: Option<u64>,
    /// The number of groups of its failures.
    pub groups: u64,
}

impl SweptClaim {
    /// Whether some seed has to violate it, or to show what it says.
    pub fn needs_a_seed(&self) -> bool {
        match self.kind {
            QuestionKind::Reachable => self.expected == Expected::Holds,
            _ => self.expected == Expected::Violated,
        }
    }
}

/// A part of the seeds.
#[derive(Clone, Debug)]
pub struct SeedPart {
    /// The name of the part, as in "seeds 0..500".
    pub name: String,
    /// The number of its seeds that were run.
    pub seeds: u64,
    /// For each claim that is violated unexpectedly, the failure of the smallest seed.
    pub surprises: Vec<Surprise>,
    /// The seeds that did not settle.
    pub unsettled: Option<OddSeeds>,
    /// The seeds whose second run differed from the first.
    pub diverged: Option<OddSeeds>,
}

/// A claim that seeds of a part violate unexpectedly.
#[derive(Clone, Debug)]
pub struct Surprise {
    pub seeds: u64,
    /// The smallest of them. What follows is about its failure.
    pub first_seed: u64,
    pub claim: String,
    /// The number of steps up to the violation.
    pub step: u64,
    /// The number of steps of its run.
    pub steps: u64,
    /// The document that violates the claim.
    pub subject: String,
    /// The things that are stuck and their holders.
    pub wait_for: Option<WaitFor>,
    /// The commands that replay the run, and shrink it.
    pub commands: [String; 2],
}

/// Failures that come from the same.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailureGroup {
    /// Their cause: a kind of root, or a claim and the rule of the step that violates it.
    pub kind: String,
    /// The same in words, if it is a kind of root.
    pub text: Option<String>,
    /// The passages that it rests on, if it is a kind of root.
    pub passage: Option<String>,
    /// Whether they are expected.
    pub expected: bool,
    /// Whether a baseline has failures of this kind that violate the same claims, if one is given
    /// and they are not expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
    /// The number of seeds.
    pub seeds: u64,
    /// The number of seeds among them in which everything stuck comes from this alone.
    pub alone: u64,
    /// The claims that are violated.
    pub claims: Vec<ClaimSeeds>,
    /// For each fault that struck in these seeds, the number of them in which it did.
    pub faults: BTreeMap<String, u64>,
    /// The smallest seed. What follows is about its failure.
    pub first_seed: u64,
    /// The claim that it violates.
    pub claim: String,
    /// The number of steps up to the violation.
    pub step: u64,
    /// The number of steps of its run.
    pub steps: u64,
    /// The document that violates the claim.
    pub subject: String,
    /// The rule of the step that violates it, if it is about states or steps.
    pub rule: Option<String>,
    /// The things that are stuck and their holders, in words.
    pub diagnosis: Option<String>,
    /// The same as a graph.
    pub wait_for: Option<WaitFor>,
    /// The command that replays the run.
    pub replay: String,
    /// The command that shrinks it.
    pub shrink: String,
    /// The seed that explains most: of fewest roots, then of fewest steps.
    pub clearest_seed: u64,
    /// The number of steps up to its violation.
    #[serde(skip)]
    pub clearest_step: u64,
    /// The number of steps of its run.
    pub clearest_steps: u64,
    /// The document that violates a claim in it.
    #[serde(skip)]
    pub clearest_subject: String,
    /// The things that are stuck in it and their holders, as a graph.
    pub clearest_wait_for: Option<WaitFor>,
    /// The command that replays its run.
    pub replay_clearest: String,
    /// The command that shrinks it.
    pub shrink_clearest: String,
    /// The shortest of both runs after shrinking; only with `--shrink-kinds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<ShrunkRun>,
    /// The run of the clearest seed; for pages only.
    #[serde(skip)]
    pub run: Option<Box<Run>>,
}

/// A claim, and how many of the seeds violate it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimSeeds {
    /// The claim.
    pub name: String,
    /// The number of seeds.
    pub seeds: u64,
}

/// A run after shrinking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShrunkRun {
    /// The seed whose run it was.
    pub seed: u64,
    /// The claim that it violates.
    pub claim: String,
    /// The document that violates it.
    pub subject: String,
    /// The number of steps of the run before.
    pub from_steps: usize,
    /// The steps, as scenarios and traces have them.
    pub steps: Vec<String>,
    /// Whether nothing more can be removed; else it was cut short.
    pub minimal: bool,
    /// The scenario, as a file.
    pub text: String,
}

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

impl Column {
    /// Adds the seeds of the next one.
    pub fn extend(&mut self, next: Self) {
        self.last = next.last;
        self.seeds += next.seeds;
        self.violating += next.violating;
        self.steps = self.steps.saturating_add(next.steps);
        for more in next.groups {
            match self.groups.iter_mut().find(|it| it.group == more.group) {
                Some(known) => known.seeds += more.seeds,
                None => self.groups.push(more),
            }
        }
    }
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
pub struct SeedRow {
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
pub struct OddSeeds {
    /// Their number.
    pub seeds: u64,
    /// The smallest of them.
    pub first_seed: u64,
    /// The reason for that one.
    pub reason: String,
}

impl OddSeeds {
    /// Adds a seed, which was not added before.
    pub fn add(odd: &mut Option<Self>, seed: u64, reason: &str) {
        let it = odd.get_or_insert_with(|| Self {
            seeds: 0,
            first_seed: seed,
            reason: reason.to_owned(),
        });
        it.seeds += 1;
        if seed < it.first_seed {
            (it.first_seed, it.reason) = (seed, reason.to_owned());
        }
    }
}

/// A selection of details that seeds may draw.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawnDetails {
    /// The details.
    pub details: Vec<String>,
    /// The number of seeds that drew it.
    pub seeds: u64,
    /// The smallest of them.
    pub first_seed: Option<u64>,
}
