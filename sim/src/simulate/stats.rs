//! Statistics of runs: what happened how often, and how long removal took.

use std::collections::BTreeMap;

use deathwatch_model::clause::Clauses;

/// What happened in a run, or in many: they add up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Steps of anybody.
    pub steps: u64,
    /// Virtual time, in milliseconds; the longest, of many runs.
    pub time: u64,
    /// The user's commands.
    pub commands: u64,
    /// Transactions that were planned.
    pub planned: u64,
    /// Transactions that were committed.
    pub committed: u64,
    /// Transactions that were aborted.
    pub aborted: u64,
    /// Commands that ended in excessive contention.
    pub contended: u64,
    /// Faults that struck, by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Sentences that were carried out.
    pub clauses: Clauses,
    /// The most documents of each kind that there were at a time: machines, applications, units,
    /// relations.
    pub largest: [u64; 4],
    /// How long it took from Dying to removed in virtual milliseconds, for each kind.
    pub removal: [Spread; 4],
}

/// How often each value occurred.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// Values, rounded to three significant digits, with their numbers.
    pub counts: BTreeMap<u64, u64>,
    /// The greatest value.
    pub max: u64,
}
