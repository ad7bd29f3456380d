//! Dice: the pseudo-random numbers of the simulator, and their only source.
//!
//! The interface is small and knows integers only, so that the same seed gives the same numbers on
//! any machine. Each use of random numbers in a run has a stream of its own: if one of them draws
//! more or fewer numbers than before, the others still get the same.

use std::ops::RangeInclusive;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng as _, SeedableRng as _},
};

/// The use of the numbers of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Settings,
    Workload,
    /// Delays, and which enabled action a process does.
    Schedule,
    Faults,
    Details,
}

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// One of the streams of `seed`.
    pub fn new(seed: u64, stream: Stream) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(match stream {
            Stream::Settings => 0,
            Stream::Workload => 1,
            Stream::Schedule => 2,
            Stream::Faults => 3,
            Stream::Details => 4,
        });
        Self(rng)
    }

    /// A number below `bound`, which is not zero. All are as likely, to within one in 2^32.
    ///
    /// # Panics
    /// Never: what is scaled to below a bound is below it.
    pub fn below(&mut self, bound: u32) -> u32 {
        let scaled = u64::from(self.0.next_u32()) * u64::from(bound);
        u32::try_from(scaled >> 32).expect("it is below the bound")
    }

    /// The index of one of `count` things, of which there is at least one.
    ///
    /// # Panics
    /// If there are 2^32 of them or more.
    pub fn index(&mut self, count: usize) -> usize {
        self.below(u32::try_from(count).expect("a world has fewer than 2^32 of anything")) as usize
    }

    /// A number within `range`; its width is below 2^32.
    pub fn within(&mut self, range: &RangeInclusive<u64>) -> u64 {
        let width = u32::try_from(range.end().saturating_sub(*range.start())).unwrap_or(u32::MAX);
        range.start() + u64::from(self.below(width.saturating_add(1)))
    }

    /// True `chances` times in a thousand.
    pub fn per_mille(&mut self, chances: u32) -> bool {
        chances > 0 && self.below(1000) < chances
    }

    /// The index of one of the `weights`, each as likely as it weighs; `None` if none weighs
    /// anything.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let sum: u32 = weights.iter().sum();
        if sum == 0 {
            return None;
        }
        let mut rest = self.below(sum);
        weights.iter().position(|weight| {
            let is_it = rest < *weight;
            rest = rest.saturating_sub(*weight);
            is_it
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Old seeds must stay what they were: if an update of a library changes these numbers, every
    /// seed that somebody has written down is lost.
    #[test]
    fn a_seed_stays_what_it_is() {
        let numbers = |stream| {
            let mut dice = Dice::new(1729, stream);
            [dice.below(1 << 31), dice.below(1000), dice.below(6), dice.below(u32::MAX)]
        };
        assert_eq!(numbers(Stream::Settings), [272_196_473, 17, 2, 1_869_437_263]);
        assert_eq!(numbers(Stream::Workload), [2_096_146_516, 912, 4, 4_184_845_478]);
        assert_eq!(numbers(Stream::Schedule), [679_148_543, 24, 2, 203_695_771]);
        assert_eq!(numbers(Stream::Faults), [1_164_676_898, 698, 1, 2_836_742_216]);
    }

    #[test]
    fn weights_are_kept_to() {
        let mut dice = Dice::new(7, Stream::Workload);
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[dice.weighted(&[1, 0, 3]).expect("something weighs")] += 1;
        }
        assert!(counts[0] > 900 && counts[0] < 1100 && counts[1] == 0, "{counts:?}");
        assert_eq!(dice.weighted(&[0, 0]), None);
    }

    #[test]
    fn every_number_of_a_range_comes_up() {
        let mut dice = Dice::new(7, Stream::Schedule);
        let mut seen = [false; 5];
        (0..200)
            .for_each(|_| seen[usize::try_from(dice.within(&(3..=7)) - 3).expect("small")] = true);
        assert_eq!(seen, [true; 5]);
        assert_eq!(dice.within(&(9..=9)), 9);
    }
}
