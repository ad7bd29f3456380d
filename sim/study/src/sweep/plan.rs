//! The plan of a sweep: its seeds in order. First come those known to have failed, then those asked
//! for one by one, then the ranges.
//!
//! A plan is never a list, as a range may have more seeds than fit in memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::seeds::{Seeds, Shard};

/// The greatest number of parts of a report; a few more if there are several ranges.
const MOST_PARTS: u64 = 20;

/// The seeds to run, in order.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    /// The seeds before all ranges.
    first: Vec<u64>,
    /// The index in `first` of each of them.
    index: BTreeMap<u64, usize>,
    /// The ranges in order, with gaps between them.
    ranges: Vec<Range<u64>>,
    shard: Shard,
}

/// The position of a seed in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeedPosition {
    /// The number of the seeds before all ranges that come before it.
    after: usize,
    seed: u64,
}

impl SweepPlan {
    /// The plan of the `known` seeds and of those asked for, as far as they belong to `shard`.
    pub fn new(known: &[u64], asked: &Seeds, shard: Shard) -> Self {
        let (mut first, mut index) = (Vec::new(), BTreeMap::new());
        for seed in known.iter().chain(asked.singles()).copied() {
            if shard.has(seed) && !index.contains_key(&seed) {
                index.insert(seed, first.len());
                first.push(seed);
            }
        }
        Self { first, index, ranges: asked.ranges().collect(), shard }
    }

    /// The seeds in order, each once.
    pub fn iter(&self) -> impl Iterator<Item = u64> + Send + '_ {
        let rest = self.ranges.iter().flat_map(|range| self.shard.of_range(range.clone()));
        self.first.iter().copied().chain(rest.filter(|seed| !self.index.contains_key(seed)))
    }

    /// The position of `seed`, if it is in the plan.
    pub fn position(&self, seed: u64) -> Option<SeedPosition> {
        if let Some(after) = self.index.get(&seed) {
            return Some(SeedPosition { after: *after, seed });
        }
        let is_in = self.shard.has(seed) && self.is_in_a_range(seed);
        is_in.then_some(SeedPosition { after: self.first.len(), seed })
    }

    pub fn len(&self) -> u64 {
        self.first.len() as u64 + self.count(&(0..u64::MAX))
    }

    /// Whether the plan has no seeds.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of seeds up to `position`.
    pub fn len_to(&self, position: SeedPosition) -> u64 {
        match position.after.cmp(&self.first.len()) {
            std::cmp::Ordering::Less => position.after as u64 + 1,
            _ => self.first.len() as u64 + self.count(&(0..position.seed + 1)),
        }
    }

    /// Whether the plan has only a part of the seeds.
    pub fn is_part(&self) -> bool {
        self.shard != Shard::WHOLE
    }

    /// The seeds of `window` that are in a range and not before all ranges.
    fn count(&self, window: &Range<u64>) -> u64 {
        let begin = self.ranges.partition_point(|range| range.end <= window.start);
        let ranges = self.ranges[begin..].iter().take_while(|range| range.start < window.end);
        let shared = |range: &Range<u64>| range.start.max(window.start)..range.end.min(window.end);
        let all: u64 = ranges.map(|range| self.shard.count(&shared(range))).sum();
        if all == 0 {
            return 0;
        }
        let first = self.index.range(window.clone()).map(|(seed, _)| *seed);
        all - first.filter(|seed| self.is_in_a_range(*seed)).count() as u64
    }

    fn is_in_a_range(&self, seed: u64) -> bool {
        let at = self.ranges.partition_point(|range| range.end <= seed);
        self.ranges.get(at).is_some_and(|range| range.contains(&seed))
    }

    /// A few of the seeds up to `last` that are not `done`, as "17" and "40..60".
    pub fn gaps(&self, done: &BTreeSet<u64>, last: Option<SeedPosition>) -> Vec<String> {
        const FEW: usize = 8;
        let is_asked = |seed: &u64| last.is_none_or(|last| self.position(*seed) <= Some(last));
        let is_lacking = |seed: &&u64| is_asked(seed) && !done.contains(seed);
        let first = self.first.iter().filter(is_lacking).map(u64::to_string);
        let end = match last {
            None => u64::MAX,
            Some(last) if last.after < self.first.len() => 0,
            Some(last) => last.seed,
        };
        let rest = self.ranges.iter().flat_map(|range| self.gaps_in(range, end, done));
        let mut gaps: Vec<String> = first.chain(rest).take(FEW + 1).collect();
        if gaps.len() > FEW {
            gaps.truncate(FEW);
            gaps.push("…".to_owned());
        }
        gaps
    }

    /// The gaps in one range, up to `end`.
    fn gaps_in<'a>(
        &'a self,
        range: &Range<u64>,
        end: u64,
        done: &'a BTreeSet<u64>,
    ) -> impl Iterator<Item = String> + 'a {
        let (mut from, to) = (range.start, range.end.min(end).max(range.start));
        let ends = done.range(from..to).copied().chain([to]);
        ends.filter_map(move |end| {
            let gap = from..end;
            from = end + 1;
            match self.count(&gap) {
                0 => None,
                1 if gap.end - gap.start == 1 => Some(gap.start.to_string()),
                _ => Some(format!("{}..{}", gap.start, gap.end)),
            }
        })
    }

    /// The parts of a report: the seeds before all ranges, unless there are none, then the ranges
    /// in equal parts.
    pub(super) fn parts(&self) -> PlanParts {
        let all: u64 = self.ranges.iter().map(|range| range.end - range.start).sum();
        let size = all.div_ceil(MOST_PARTS).max(1);
        let mut parts = Vec::new();
        for range in &self.ranges {
            let mut from = range.start;
            while from < range.end {
                let to = from.saturating_add(size).min(range.end);
                parts.push(from..to);
                from = to;
            }
        }
        PlanParts { first: self.first.clone(), index: self.index.clone(), ranges: parts }
    }
}

#[derive(Clone, Debug)]
pub(super) struct PlanParts {
    first: Vec<u64>,
    index: BTreeMap<u64, usize>,
    ranges: Vec<Range<u64>>,
}

impl PlanParts {
    pub(super) fn names(&self) -> Vec<String> {
        const FEW: usize = 8;
        let few: Vec<String> = self.first.iter().take(FEW).map(u64::to_string).collect();
        let first = match self.first.len() {
            0 => "no seed by itself".to_owned(),
            1 => format!("seed {}", few[0]),
            len if len > FEW => format!("{len} seeds by themselves: {}, …", few.join(", ")),
            _ => format!("seeds {}", few.join(", ")),
        };
        let ranges = self.ranges.iter().map(|range| match range.end - range.start {
            1 => format!("seed {}", range.start),
            _ => format!("seeds {}..{}", range.start, range.end),
        });
        std::iter::once(first).chain(ranges).collect()
    }

    /// The part in which `seed` is.
    pub(super) fn of(&self, seed: u64) -> usize {
        if self.index.contains_key(&seed) {
            return 0;
        }
        // The first range that ends after the seed; the first part is no range.
        self.ranges.partition_point(|range| range.end <= seed) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::seeds::SeedRange;

    fn plan(shard: &str) -> SweepPlan {
        let asked = Seeds::new(&[SeedRange::new(0, 10), SeedRange::new(20, 23)], &[4, 99, 4]);
        SweepPlan::new(&[7, 300], &asked, shard.parse().expect("a shard"))
    }

    #[test]
    fn known_seeds_come_first_and_each_seed_once() {
        let plan = plan("1/1");
        let seeds: Vec<u64> = plan.iter().collect();
        assert_eq!(seeds, [7, 300, 4, 99, 0, 1, 2, 3, 5, 6, 8, 9, 20, 21, 22]);
        assert_eq!(plan.len(), seeds.len() as u64);
        assert!(plan.iter().map(|seed| plan.position(seed)).is_sorted());
        assert_eq!((plan.position(10), plan.position(301)), (None, None));
        for (index, seed) in plan.iter().enumerate() {
            let position = plan.position(seed).expect("it is in the plan");
            assert_eq!(plan.len_to(position), index as u64 + 1);
        }
    }

    #[test]
    fn shards_are_all_of_it_and_keep_the_order() {
        let whole = plan("1/1");
        let mut all = Vec::new();
        for shard in ["1/3", "2/3", "3/3"] {
            let part = plan(shard);
            assert_eq!(part.len(), part.iter().count() as u64);
            assert!(part.iter().map(|seed| whole.position(seed)).is_sorted());
            all.extend(part.iter());
        }
        all.sort_by_key(|seed| whole.position(*seed));
        assert_eq!(all, whole.iter().collect::<Vec<_>>());
    }

    #[test]
    fn gaps_are_what_is_not_done() {
        let plan = plan("1/1");
        let gaps = |done: &[u64], last: Option<u64>| {
            let last = last.map(|seed| plan.position(seed).expect("it is in the plan"));
            plan.gaps(&done.iter().copied().collect(), last).join(" ")
        };
        assert_eq!(gaps(&plan.iter().collect::<Vec<_>>(), None), "");
        assert_eq!(gaps(&[], None), "7 300 4 99 0..10 20..23");
        assert_eq!(gaps(&[7, 300, 4, 99, 0, 1, 3, 20, 22], None), "2 5..7 8..10 21");
        assert_eq!(gaps(&[7, 99, 0, 1, 3], Some(3)), "300 4 2");
        assert_eq!(gaps(&[7], Some(300)), "300");
    }

    #[test]
    fn a_plan_may_be_larger_than_any_memory() {
        let asked = Seeds::new(&[SeedRange::new(0, super::super::seeds::GREATEST)], &[]);
        let plan = SweepPlan::new(&[], &asked, Shard { number: 3, of: 7 });
        assert_eq!(plan.iter().nth(1), Some(9));
        assert!(plan.len() > 1 << 60);
        assert!(plan.parts().names().len() < 30);
        assert_eq!(plan.gaps(&BTreeSet::from([2, 9]), None).len(), 1);
    }

    #[test]
    fn every_seed_is_in_the_part_that_is_named_after_it() {
        let parts = plan("1/1").parts();
        let names = parts.names();
        assert_eq!(names[parts.of(300)], "seeds 7, 300, 4, 99");
        assert_eq!(names[parts.of(0)], "seed 0");
        assert_eq!(names[parts.of(22)], "seed 22");
        let asked = Seeds::new(&[SeedRange::new(0, 10_000)], &[]);
        let parts = SweepPlan::new(&[], &asked, Shard::WHOLE).parts();
        assert_eq!(parts.names()[parts.of(9_999)], "seeds 9500..10000");
        assert_eq!(parts.names().len(), 21);
    }
}
