//! Times of a sweep as data: percentiles, and how the values are distributed.

use deathwatch_documents::sweep::{Bin, RemovalTimes, UnfinishedTimes};
use deathwatch_simulator::stats::Histogram;

/// The percentiles of these times, and their distribution.
pub fn removal(spread: &Histogram) -> RemovalTimes {
    RemovalTimes {
        count: spread.len(),
        p50: spread.percentile(50),
        p90: spread.percentile(90),
        p99: spread.percentile(99),
        max: (!spread.is_empty()).then_some(spread.max),
        bins: distribution(spread),
    }
}

/// Ages, at the end of the run, of entities that were never removed.
pub fn unfinished(spread: &Histogram) -> UnfinishedTimes {
    UnfinishedTimes {
        count: spread.len(),
        p50: spread.percentile(50),
        max: (!spread.is_empty()).then_some(spread.max),
    }
}

/// The values in ranges whose ends are 1, 2 and 5 in each decade: times are of all sizes. What is 0
/// has a range of its own.
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
