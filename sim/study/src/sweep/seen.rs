//! Seeds in reports: a row for each of the first ones, and columns in which all of them are added
//! up.
//!
//! A sweep may have more seeds than fit in memory. So rows end after some thousands, and whenever
//! the columns become too many, neighbours are put together. Seeds are added in the order of the
//! plan, so the columns are the same for any number of shards.

use std::{borrow::Cow, collections::BTreeMap};

use deathwatch_documents::sweep::{ByKind, Column, ColumnGroup, SeedRow};
use deathwatch_model::clause::Clause;

use super::result::{Ended, SeedResult};

const MOST_ROWS: usize = 10_000;
/// The greatest number of columns; even, as neighbours are put together.
const MOST_COLUMNS: usize = 200;

/// Seeds one by one, and in columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The first seeds of the plan, in its order.
    pub(super) rows: Vec<SeedRow>,
    /// The number of seeds that have no row.
    pub(super) left_out: u64,
    /// All seeds, in the order of the plan. Each column but the last has the same number.
    pub(super) columns: Vec<Column>,
    /// The number of seeds in which each fault struck.
    pub(super) faults: BTreeMap<Cow<'static, str>, u64>,
    /// The number of seeds that carried out each clause.
    pub(super) clauses: BTreeMap<Clause, u64>,
}

impl Seen {
    /// Adds a seed, which was not added before, and its groups.
    pub(super) fn add(&mut self, result: &SeedResult, groups: Vec<usize>) {
        let stats = &result.stats;
        for fault in stats.faults.keys() {
            *self.faults.entry(fault.clone()).or_default() += 1;
        }
        for clause in stats.clauses.iter() {
            *self.clauses.entry(clause).or_default() += 1;
        }
        self.add_column(Column {
            first: result.seed,
            last: result.seed,
            seeds: 1,
            violating: u64::from(!result.violations.is_empty()),
            steps: stats.steps,
            groups: groups.iter().map(|&group| ColumnGroup { group, seeds: 1 }).collect(),
        });
        if self.rows.len() == MOST_ROWS {
            self.left_out += 1;
            return;
        }
        self.rows.push(SeedRow {
            seed: result.seed,
            odd: match &result.end {
                Ended::Settled => None,
                Ended::Unsettled(why) => Some(format!("did not settle: {why}")),
                Ended::Diverged(how) => Some(format!("went another way when run again: {how}")),
            },
            groups,
            violated: result.violations.len(),
            steps: stats.steps,
            milliseconds: stats.time,
            commands: stats.commands,
            faults: stats.faults.iter().map(|(fault, times)| (fault.to_string(), *times)).collect(),
            unfinished: ByKind::new(|kind| stats.unfinished[kind].len()),
        });
    }

    fn add_column(&mut self, column: Column) {
        let width = self.columns.first().map_or(1, |first| first.seeds);
        match self.columns.last_mut() {
            Some(last) if last.seeds < width => last.extend(column),
            _ => self.columns.push(column),
        }
        let is_full = self.columns.last().is_some_and(|last| last.seeds == width);
        if self.columns.len() == MOST_COLUMNS && is_full {
            let mut columns = std::mem::take(&mut self.columns).into_iter();
            while let (Some(mut one), next) = (columns.next(), columns.next()) {
                if let Some(next) = next {
                    one.extend(next);
                }
                self.columns.push(one);
            }
        }
    }

    /// The same with the places of the groups in the report, in which `numbers` has the number of
    /// each.
    pub(super) fn numbered(mut self, numbers: &[usize]) -> Self {
        let mut places = vec![0; numbers.len()];
        for (place, number) in numbers.iter().enumerate() {
            places[*number] = place;
        }
        for row in &mut self.rows {
            for group in &mut row.groups {
                *group = places[*group];
            }
            row.groups.sort_unstable();
        }
        for column in &mut self.columns {
            for it in &mut column.groups {
                it.group = places[it.group];
            }
            column.groups.sort_unstable_by_key(|it| it.group);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deathwatch_simulator::stats::Stats;

    fn result(seed: u64) -> SeedResult {
        let mut stats = Stats { steps: seed, ..Stats::default() };
        if seed.is_multiple_of(3) {
            stats.count_fault("crash");
            stats.unfinished[2].insert(seed);
        }
        SeedResult { seed, end: Ended::Settled, violations: Vec::new(), stats, digest: seed }
    }

    fn of(seeds: u64) -> Seen {
        let mut seen = Seen::default();
        for seed in 0..seeds {
            let group = usize::from(seed.is_multiple_of(2));
            seen.add(&result(seed), vec![group]);
        }
        seen.numbered(&[1, 0])
    }

    #[test]
    fn every_seed_is_in_one_column() {
        for seeds in [0, 1, 199, 200, 201, 399, 400, 10_003] {
            let seen = of(seeds);
            assert!(seen.columns.len() <= MOST_COLUMNS, "{seeds}");
            let mut next = 0;
            for column in &seen.columns {
                assert_eq!(column.first, next, "{seeds}");
                assert_eq!(column.last - column.first + 1, column.seeds);
                assert_eq!(column.steps, (column.first..=column.last).sum::<u64>());
                assert_eq!(column.groups.iter().map(|it| it.seeds).sum::<u64>(), column.seeds);
                next = column.last + 1;
            }
            assert_eq!(next, seeds);
            let width = seen.columns.first().map_or(1, |column| column.seeds);
            let mut but_last = seen.columns.iter().rev().skip(1);
            assert!(but_last.all(|column| column.seeds == width), "{seeds}");
        }
    }

    #[test]
    fn rows_end_where_they_become_too_many() {
        let (few, many) = (of(7), of(10_003));
        assert_eq!((few.rows.len(), few.left_out), (7, 0));
        assert_eq!((many.rows.len(), many.left_out), (MOST_ROWS, 3));
        let unfinished = few.rows[3].unfinished.iter().map(|(_, count)| *count);
        assert_eq!(unfinished.collect::<Vec<_>>(), [0, 0, 1, 0]);
        assert_eq!(many.faults["crash"], 10_003_u64.div_ceil(3));
        let groups: Vec<usize> = few.rows.iter().map(|row| row.groups[0]).collect();
        assert_eq!(groups, [0, 1, 0, 1, 0, 1, 0], "as the groups are sorted");
    }
}
