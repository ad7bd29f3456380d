//! Statistics of runs: what happened how often, and how long removal took.
//!
//! Statistics add up in any order, so those of a sweep are the same however it was divided. That is
//! why times are kept as histograms of rounded values and not as averages.

use std::{borrow::Cow, collections::BTreeMap};

use deathwatch_model::clause::Clauses;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::duties::{Duties, named};

/// The kinds of documents, in the order in which `largest` and `removal` have them.
pub const KINDS: [&str; 4] = ["machine", "application", "unit", "relation"];

/// The words of a figure in texts and on pages.
#[derive(Clone, Copy, Debug)]
pub struct FigureWords {
    /// Its words in the text of a sweep, where `#` stands for the number. One that begins with a
    /// letter begins a line; nothing, if a sentence of another line has it.
    pub text: &'static str,
    /// Its words among the totals of a page, if it stands there.
    pub total: Option<&'static str>,
}

/// Makes statistics, and the figures of a sweep, from a row for each figure: its field, what it is
/// (for the schema), its words, and its words as a total. The figures of transactions are an object
/// of their own in documents.
macro_rules! figures {
    (
        [$($alone:ident $alone_is:literal $alone_text:literal $($alone_total:literal)?;)+]
        transactions
        [$($txn:ident $txn_is:literal $txn_text:literal $($txn_total:literal)?;)+]
        $(#[$stats:meta])* { $($rest:tt)* }
    ) => {
        $(#[$stats])*
        pub struct Stats {
            pub steps: u64,
            /// Virtual time, in milliseconds; the longest, of many runs.
            pub time: u64,
            $(#[doc = $alone_is] pub $alone: u64,)+
            $(#[doc = $txn_is] pub $txn: u64,)+
            $($rest)*
        }

        /// The figures, as documents have them.
        #[derive(Clone, Debug, Serialize, JsonSchema)]
        pub struct SweepFigures {
            $(#[doc = $alone_is] pub $alone: u64,)+
            /// The transactions.
            pub transactions: TransactionCounts,
        }

        /// Numbers of transactions.
        #[derive(Clone, Debug, Serialize, JsonSchema)]
        #[schemars(deny_unknown_fields)]
        pub struct TransactionCounts {
            $(#[doc = $txn_is] pub $txn: u64,)+
        }

        impl Stats {
            /// The figures.
            pub fn figures(&self) -> SweepFigures {
                SweepFigures {
                    $($alone: self.$alone,)+
                    transactions: TransactionCounts { $($txn: self.$txn,)+ },
                }
            }

            /// Adds the figures of other runs.
            fn add_figures(&mut self, other: &Self) {
                $(add(&mut self.$alone, other.$alone);)+
                $(add(&mut self.$txn, other.$txn);)+
            }
        }

        impl SweepFigures {
            /// Every figure, with its words.
            pub fn iter(&self) -> impl Iterator<Item = (FigureWords, u64)> {
                let words = |text, total: &[&'static str]| FigureWords {
                    text,
                    total: total.first().copied(),
                };
                [
                    $((words($alone_text, &[$($alone_total)?]), self.$alone),)+
                    $((words($txn_text, &[$($txn_total)?]), self.transactions.$txn),)+
                ].into_iter()
            }
        }
    };
}

figures! {
    [
        commands "The number of the user's commands." "" "commands of users";
    ]
    transactions
    [
        planned "Planned." "transactions: # planned";
        committed "Committed." ", # committed" "transactions committed";
        aborted "Aborted; they are planned again." ", # aborted";
        contended "Commands that gave up, as theirs were aborted too often." "; # contended";
    ]
    /// The statistics of a run, or of many: they add up.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    {
        /// Faults that were injected, by kind.
        pub faults: BTreeMap<Cow<'static, str>, u64>,
        #[serde(serialize_with = "write_clauses", deserialize_with = "read_clauses")]
        pub clauses: Clauses,
        /// The duties of agents that were carried out, or begun; none in a world without faults.
        pub duties: Duties,
        /// The duties that agents had carried out last when a fault struck, by kind.
        pub struck: BTreeMap<Cow<'static, str>, Duties>,
        /// The most documents of each kind that there were at a time: machines, applications,
        /// units, relations.
        pub largest: [u64; 4],
        /// The times from Dying to removed in virtual milliseconds, for each kind.
        pub removal: [Histogram; 4],
        /// The same of what was never removed: the times from Dying to the end of the run.
        pub unfinished: [Histogram; 4],
    }
}

impl Stats {
    /// Counts a fault of this kind.
    pub fn count_fault(&mut self, fault: impl Into<Cow<'static, str>>) {
        add(self.faults.entry(fault.into()).or_default(), 1);
    }

    /// Adds what happened in other runs.
    pub fn extend(&mut self, other: &Self) {
        add(&mut self.steps, other.steps);
        self.time = self.time.max(other.time);
        self.add_figures(other);
        for (fault, count) in &other.faults {
            match self.faults.get_mut(fault) {
                Some(mine) => add(mine, *count),
                None => drop(self.faults.insert(fault.clone(), *count)),
            }
        }
        self.clauses.extend(&other.clauses);
        self.duties.extend(&other.duties);
        for (fault, duties) in &other.struck {
            self.struck.entry(fault.clone()).or_default().extend(duties);
        }
        for (mine, theirs) in self.largest.iter_mut().zip(other.largest) {
            *mine = (*mine).max(theirs);
        }
        for (mine, theirs) in self.removal.iter_mut().zip(&other.removal) {
            mine.extend(theirs);
        }
        for (mine, theirs) in self.unfinished.iter_mut().zip(&other.unfinished) {
            mine.extend(theirs);
        }
    }
}

/// A histogram: how often each value occurred.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histogram {
    /// The number of times that each value occurred, values being rounded to three significant
    /// digits.
    pub counts: BTreeMap<u64, u64>,
    pub max: u64,
}

impl Histogram {
    pub fn insert(&mut self, value: u64) {
        add(self.counts.entry(rounded(value)).or_default(), 1);
        self.max = self.max.max(value);
    }

    /// Adds other values.
    pub fn extend(&mut self, other: &Self) {
        for (value, count) in &other.counts {
            add(self.counts.entry(*value).or_default(), *count);
        }
        self.max = self.max.max(other.max);
    }

    pub fn len(&self) -> u64 {
        self.counts.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The least value that at least `percent` in a hundred of the values do not exceed; rounded.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let all = u128::from(self.len());
        let mut seen = 0_u128;
        let mut reached = self.counts.iter().filter(|(_, count)| {
            seen += u128::from(**count);
            seen * 100 >= all * u128::from(percent)
        });
        // Rounding up must not lead beyond the greatest value, which is exact.
        reached.next().map(|(value, _)| (*value).min(self.max))
    }
}

/// A virtual time in its largest unit.
pub fn time(milliseconds: u64) -> String {
    let (seconds, minutes) = (milliseconds / 1000, milliseconds / 60_000);
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{seconds}.{} s", milliseconds % 1000 / 100),
        60_000..3_600_000 => format!("{minutes} min {} s", seconds % 60),
        3_600_000..86_400_000 => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => format!("{} d {} h", minutes / 1440, minutes / 60 % 24),
    }
}

/// `value` rounded to three significant digits, so that a million values need some hundred entries.
fn rounded(value: u64) -> u64 {
    let mut unit = 1;
    while value / unit >= 1000 {
        unit *= 10;
    }
    let is_up = unit > 1 && value % unit >= unit / 2;
    (value / unit * unit).saturating_add(if is_up { unit } else { 0 })
}

/// Adds up to the greatest number: what is added may come from a file, which may say anything.
fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

/// Writes the numbers of each rule's clauses, which is shorter than their names.
fn write_clauses<S: Serializer>(clauses: &Clauses, to: S) -> Result<S::Ok, S::Error> {
    let mut numbers: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for clause in clauses.iter() {
        numbers.entry(clause.rule.name()).or_default().push(clause.number);
    }
    numbers.serialize(to)
}

fn read_clauses<'de, D: Deserializer<'de>>(from: D) -> Result<Clauses, D::Error> {
    let rules = BTreeMap::<String, Vec<u8>>::deserialize(from)?;
    named(rules).collect::<Result<_, _>>().map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use deathwatch_model::clause::{Clause, Rule};

    use super::*;
    use crate::duties::DutyStage;

    #[test]
    fn values_are_rounded_to_three_digits() {
        for (value, is) in [(0, 0), (7, 7), (999, 999), (1004, 1000), (1005, 1010), (9995, 10_000)]
        {
            assert_eq!(rounded(value), is, "{value}");
        }
        assert_eq!(rounded(1_234_567), 1_230_000);
        assert_eq!(rounded(u64::MAX), 18_400_000_000_000_000_000);
    }

    #[test]
    fn times_have_two_units_at_most() {
        for (milliseconds, is) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (59_999, "59.9 s"),
            (61_000, "1 min 1 s"),
            (3_600_000, "1 h 0 min"),
            (90_000_000, "1 d 1 h"),
        ] {
            assert_eq!(time(milliseconds), is);
        }
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let mut histogram = Histogram::default();
        assert_eq!((histogram.percentile(50), histogram.len()), (None, 0));
        (1..=100).for_each(|value| histogram.insert(value));
        assert_eq!(histogram.percentile(50), Some(50));
        assert_eq!(histogram.percentile(99), Some(99));
        assert_eq!(histogram.percentile(100), Some(100));
        histogram.insert(1_006_000);
        assert_eq!(histogram.percentile(100), Some(1_006_000), "the greatest is exact");
    }

    #[test]
    fn adding_up_does_not_depend_on_the_order() {
        let one = |seed: u64| {
            let mut stats = Stats { steps: seed, time: seed * 7 % 5, ..Stats::default() };
            let fault = if seed.is_multiple_of(2) { "crash" } else { "abort" };
            stats.count_fault(fault);
            let duty =
                Clause { rule: Rule::UnitAgent, number: u8::try_from(seed % 7 + 1).unwrap() };
            stats.duties.insert(DutyStage::Planned, duty);
            stats.struck.entry(fault.into()).or_default().insert(DutyStage::Planned, duty);
            stats.largest[2] = seed % 3;
            stats.removal[2].insert(seed * 1_001);
            stats.unfinished[3].insert(seed * 13);
            stats
        };
        let sum = |seeds: &mut dyn Iterator<Item = u64>| {
            seeds.fold(Stats::default(), |mut sum, seed| {
                sum.extend(&one(seed));
                sum
            })
        };
        assert_eq!(sum(&mut (0..20)), sum(&mut (0..20).rev()));
        assert_eq!(sum(&mut (0..20)).faults["crash"], 10);
    }

    #[test]
    fn statistics_are_read_as_they_were_written() {
        let mut stats = Stats { steps: u64::MAX, ..Stats::default() };
        stats.count_fault("crash");
        stats.removal[0].insert(12_345);
        Clause::all().step_by(3).for_each(|clause| stats.clauses.insert(clause));
        let duties = stats.struck.entry("crash".into()).or_default();
        Clause::all().step_by(5).for_each(|clause| duties.insert(DutyStage::Hook, clause));
        let text = serde_json::to_string(&stats).expect("it can be written");
        assert_eq!(serde_json::from_str::<Stats>(&text).expect("it can be read"), stats);
        let wrong = text.replace("\"remove-unit\":[", "\"remove-unit\":[99,");
        let error = serde_json::from_str::<Stats>(&wrong).expect_err("there is no such clause");
        assert!(error.to_string().contains("remove-unit.99"), "{error}");
    }
}
