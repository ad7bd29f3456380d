//! Statistics as data.

use std::collections::BTreeMap;

use deathwatch_simulator::stats::Histogram;
use schemars::JsonSchema;
use serde::Serialize;

/// The statistics of all runs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stats {
    /// The number of the user's commands.
    pub commands: u64,
    /// The transactions.
    pub transactions: Transactions,
    /// The faults that struck, by kind.
    pub faults: BTreeMap<String, u64>,
    /// For each fault that struck, the number of seeds in which it did.
    pub fault_seeds: BTreeMap<String, u64>,
    /// The virtual time of the longest run, in milliseconds.
    pub longest_ms: u64,
    /// The most entities of each kind that there were at a time.
    pub largest: ByKind<u64>,
    /// The times from Dying to removed, of what was removed.
    pub removal_ms: ByKind<Removal>,
    /// What was Dying or Dead at the end of its run: the times above leave it out.
    pub unfinished: ByKind<Unfinished>,
    /// The clauses that were carried out.
    pub exercised: Vec<String>,
    /// Those that were not, and could have been.
    pub never_exercised: Vec<String>,
    /// For each clause that was carried out, the number of seeds that did; only with `--verbose`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub clause_seeds: BTreeMap<String, u64>,
}

/// Numbers of transactions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Transactions {
    /// Planned.
    pub planned: u64,
    /// Committed.
    pub committed: u64,
    /// Aborted; they are planned again.
    pub aborted: u64,
    /// Commands that gave up, as theirs were aborted too often.
    pub contended: u64,
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
    /// What `of` says of each kind, in the order of `KINDS`.
    pub fn new(mut of: impl FnMut(usize) -> T) -> Self {
        Self { machines: of(0), applications: of(1), units: of(2), relations: of(3) }
    }

    /// Each with its name.
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

/// How long removals took.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// How many there were.
    pub count: u64,
    /// Half of them took no longer.
    pub p50: Option<u64>,
    /// Nine in ten of them took no longer.
    pub p90: Option<u64>,
    /// Ninety-nine in a hundred took no longer.
    pub p99: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
    /// How they are distributed; only with `--verbose`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bins: Vec<Bin>,
}

/// What was never removed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unfinished {
    /// How many entities.
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

impl Removal {
    /// The percentiles of these times, and their distribution, if it is shown.
    pub fn of(spread: &Histogram, bins: Bins) -> Self {
        Self {
            count: spread.len(),
            p50: spread.percentile(50),
            p90: spread.percentile(90),
            p99: spread.percentile(99),
            max: (!spread.is_empty()).then_some(spread.max),
            bins: match bins {
                Bins::Shown => distribution(spread),
                Bins::LeftOut => Vec::new(),
            },
        }
    }
}

impl Unfinished {
    /// What is known of these times.
    pub fn of(spread: &Histogram) -> Self {
        Self {
            count: spread.len(),
            p50: spread.percentile(50),
            max: (!spread.is_empty()).then_some(spread.max),
        }
    }
}

/// Whether distributions are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bins {
    /// They are.
    Shown,
    /// Percentiles are enough.
    LeftOut,
}

/// The values in ranges whose ends are 1, 2 and 5 in each decade: times are of all sizes. What is 0 has a
/// range of its own.
fn distribution(spread: &Histogram) -> Vec<Bin> {
    let mut bins: Vec<Bin> = Vec::new();
    for (&value, &count) in &spread.counts {
        match bins.last_mut() {
            Some(last) if value < last.to => last.count = last.count.saturating_add(count),
            _ => {
                let (from, to) = range_of(value);
                bins.push(Bin { from, to, count });
            }
        }
    }
    bins
}

/// The range that has `value`.
fn range_of(value: u64) -> (u64, u64) {
    if value == 0 {
        return (0, 1);
    }
    let mut unit: u64 = 1;
    while value / unit >= 10 {
        unit *= 10;
    }
    let (from, to) = match value / unit {
        1 => (1, 2),
        2..=4 => (2, 5),
        _ => (5, 10),
    };
    (from * unit, unit.saturating_mul(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_in_its_range() {
        for value in (0..3_000).chain([9_999, 10_000, 49_999, 50_000, u64::MAX / 2]) {
            let (from, to) = range_of(value);
            assert!((from..to).contains(&value), "{value}: {from}..{to}");
        }
        assert_eq!([range_of(0), range_of(7), range_of(300)], [(0, 1), (5, 10), (200, 500)]);
    }

    #[test]
    fn ranges_have_all_values_and_do_not_overlap() {
        let mut spread = Histogram::default();
        (0..5_000).step_by(7).for_each(|value| spread.insert(value));
        let bins = distribution(&spread);
        assert!(bins.is_sorted_by(|one, next| one.to <= next.from), "{bins:?}");
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), spread.len());
    }
}
