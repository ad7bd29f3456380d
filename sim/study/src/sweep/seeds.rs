//! The seeds that are asked for, and those of them that belong to a shard.

use std::{collections::BTreeSet, fmt, ops::Range, str::FromStr};

use serde::{Deserialize, Serialize};

/// The greatest seed: the greatest number of TOML, so that a scenario can record it.
pub const GREATEST: u64 = i64::MAX.cast_unsigned();
/// The greatest number of shards, more than there are machines to run them.
const MOST_SHARDS: u64 = 1_000_000;

/// A range of seeds without its end, as in "0..100".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SeedRange {
    from: u64,
    to: u64,
}

impl SeedRange {
    /// The seeds from `from` to before `to`.
    pub const fn new(from: u64, to: u64) -> Self {
        Self { from, to }
    }
}

impl FromStr for SeedRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const EXPECTED: &str =
            "expected a range such as 0..10000, which ends before its last number";
        let (from, to) = text.split_once("..").ok_or(EXPECTED)?;
        let range = Self { from: number(from, EXPECTED)?, to: number(to, EXPECTED)? };
        if range.from >= range.to {
            return Err(format!("there is no seed in it; {EXPECTED}"));
        }
        Ok(range)
    }
}

/// Reads a seed.
///
/// # Errors
/// If it is none. The text says what was expected.
pub fn seed(text: &str) -> Result<u64, String> {
    number(text, &format!("expected a number from 0 to {GREATEST}"))
}

fn number(text: &str, expected: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected.to_owned());
    }
    let number = text.parse().ok().filter(|number| *number <= GREATEST);
    number.ok_or_else(|| format!("{GREATEST} is the greatest seed; {expected}"))
}

/// The seeds that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// The ranges in order, with gaps between them.
    ranges: Vec<SeedRange>,
    /// The seeds that are asked for one by one.
    singles: Vec<u64>,
}

impl Seeds {
    /// The seeds of all `ranges`, and `singles`.
    pub fn new(ranges: &[SeedRange], singles: &[u64]) -> Self {
        let mut ranges = ranges.to_vec();
        ranges.sort_unstable();
        let mut joined: Vec<SeedRange> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.from <= last.to => last.to = last.to.max(range.to),
                _ => joined.push(range),
            }
        }
        let mut seen = BTreeSet::new();
        let singles = singles.iter().copied().filter(|seed| seen.insert(*seed)).collect();
        Self { ranges: joined, singles }
    }

    /// Whether all of them are asked for by others, too.
    pub(super) fn are_among(&self, others: &Self) -> bool {
        let has = |seed: &u64| {
            others.singles.contains(seed) || others.ranges().any(|range| range.contains(seed))
        };
        let is_in = |range: &SeedRange| {
            others.ranges.iter().any(|it| it.from <= range.from && range.to <= it.to)
        };
        self.ranges.iter().all(is_in) && self.singles.iter().all(has)
    }

    /// Whether these seeds are as [`Self::new`] makes them: sorted, joined and within bounds. A
    /// sweep writes no others, so others come from a changed file.
    pub(super) fn is_in_order(&self) -> bool {
        *self == Self::new(&self.ranges, &self.singles)
            && self.singles.iter().all(|seed| *seed <= GREATEST)
    }

    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.ranges.iter().map(|range| range.from..range.to)
    }

    pub(super) fn singles(&self) -> &[u64] {
        &self.singles
    }
}

/// A shard: one of several parts of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Its number, from 1.
    pub number: u64,
    pub of: u64,
}

impl Shard {
    /// The whole sweep as one shard.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Whether `seed` belongs to this shard. The remainder decides, so that every shard gets its
    /// share of long and of short runs.
    pub fn has(self, seed: u64) -> bool {
        seed % self.of == self.number - 1
    }

    /// The number of seeds of `range` that belong to it.
    pub(super) fn count(self, range: &Range<u64>) -> u64 {
        let below = |end: u64| (end + self.of - self.number) / self.of;
        below(range.end.max(range.start)) - below(range.start)
    }

    /// The seeds of `range` that belong to it.
    pub(super) fn of_range(self, range: Range<u64>) -> impl Iterator<Item = u64> {
        let ahead = (self.number - 1 + self.of - range.start % self.of) % self.of;
        let mut next = Some(range.start + ahead);
        std::iter::from_fn(move || {
            let seed = next.filter(|seed| *seed < range.end)?;
            next = seed.checked_add(self.of);
            Some(seed)
        })
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected a shard such as 2/8, the second of eight";
        let (number, of) = text.split_once('/').ok_or(EXPECTED)?;
        let (number, of) = (self::number(number, EXPECTED)?, self::number(of, EXPECTED)?);
        let exists = (1..=MOST_SHARDS).contains(&of) && (1..=of).contains(&number);
        let shard = exists.then_some(Self { number, of });
        shard.ok_or_else(|| format!("there is no such shard; {EXPECTED}"))
    }
}

impl fmt::Display for SeedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.from, self.to)
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.ranges.iter().map(ToString::to_string);
        let all: Vec<String> = ranges.chain(self.singles.iter().map(u64::to_string)).collect();
        f.write_str(&all.join(", "))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Files have ranges and shards in the form in which they are shown.
macro_rules! as_text {
    ($($kind:ty)+) => { $(
        impl TryFrom<String> for $kind {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }

        impl From<$kind> for String {
            fn from(it: $kind) -> Self {
                it.to_string()
            }
        }
    )+ };
}

as_text!(SeedRange Shard);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_shards_are_read_and_shown_alike() {
        for text in ["0..1", "7..10000", "0..9223372036854775807"] {
            assert_eq!(text.parse::<SeedRange>().expect(text).to_string(), text);
        }
        for text in [
            "",
            "..",
            "1",
            "1..",
            "..1",
            "1..1",
            "2..1",
            "0..=9",
            "-1..3",
            "a..b",
            "0..9223372036854775808",
        ] {
            assert!(text.parse::<SeedRange>().is_err(), "{text}");
        }
        for text in ["1/1", "2/8", "8/8"] {
            assert_eq!(text.parse::<Shard>().expect(text).to_string(), text);
        }
        for text in ["", "/", "1", "0/8", "9/8", "1/0", "0/0", "+1/8", "1/1000001"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn seeds_are_among_those_that_have_each_of_them() {
        let seeds = |ranges: &[(u64, u64)], singles: &[u64]| {
            let ranges: Vec<SeedRange> =
                ranges.iter().map(|(from, to)| SeedRange::new(*from, *to)).collect();
            Seeds::new(&ranges, singles)
        };
        let few = seeds(&[(0, 3)], &[7]);
        for (more, are) in [
            (seeds(&[(0, 3)], &[7]), true),
            (seeds(&[(0, 2), (2, 9)], &[]), true),
            (seeds(&[(0, 3)], &[8, 7]), true),
            (seeds(&[(0, 2)], &[7]), false),
            (seeds(&[(1, 9)], &[]), false),
            (seeds(&[(0, 7)], &[]), false),
            (seeds(&[(0, 2), (3, 9)], &[]), false),
        ] {
            assert_eq!(few.are_among(&more), are, "{more:?}");
        }
    }

    #[test]
    fn every_seed_belongs_to_one_shard() {
        for of in 1..6 {
            let shards = || (1..=of).map(|number| Shard { number, of });
            for seed in [0, 1, 2, 77, GREATEST] {
                assert_eq!(shards().filter(|shard| shard.has(seed)).count(), 1);
            }
            for range in [0..0, 0..1, 3..17, 5..6] {
                for shard in shards() {
                    let its: Vec<u64> = range.clone().filter(|seed| shard.has(*seed)).collect();
                    assert_eq!(shard.of_range(range.clone()).collect::<Vec<_>>(), its);
                    assert_eq!(shard.count(&range), its.len() as u64);
                }
            }
        }
    }

    #[test]
    fn ranges_that_meet_are_one() {
        let range = |text: &str| text.parse::<SeedRange>().expect(text);
        let seeds = Seeds::new(&[range("5..9"), range("0..3"), range("3..4"), range("8..12")], &[]);
        assert_eq!(seeds.ranges().collect::<Vec<_>>(), [0..4, 5..12]);
    }
}
