//! Numbers of states, of which only 32 bits each are stored.

use crate::{Stop, budget::MemoryBudget, explore::segmented::Segmented};

/// The lower 32 bits of a number.
#[expect(clippy::cast_possible_truncation, reason = "the upper bits are known otherwise")]
pub(super) fn low(number: u64) -> u32 {
    number as u32
}

/// A list of numbers that never falls. Its upper bits rise at few places, so only those are stored.
#[derive(Debug, Default)]
pub(super) struct RisingNumbers {
    lows: Segmented<u32>,
    /// The first place whose upper bits are at least 1, at least 2, and so on.
    rises: Vec<u32>,
    len: u32,
}

impl RisingNumbers {
    #[inline]
    pub(super) fn get(&self, place: u32) -> u64 {
        let upper = self.rises.partition_point(|first| *first <= place) as u64;
        upper << 32 | u64::from(self.lows.get(place as usize))
    }

    /// Adds a number.
    ///
    /// # Errors
    /// If memory does not suffice, or the number is less than the last one: [`Stop::Peer`], as
    /// another process sent it.
    pub(super) fn push(&mut self, number: u64, budget: &mut MemoryBudget) -> Result<(), Stop> {
        if self.len.checked_sub(1).is_some_and(|last| number < self.get(last)) {
            return Err(Stop::Peer);
        }
        self.lows.reserve(budget)?;
        while (self.rises.len() as u64) < number >> 32 {
            budget.reserve(&mut self.rises, 1)?;
            self.rises.push(self.len);
        }
        self.lows.push(low(number));
        self.len += 1;
        Ok(())
    }

    /// The memory of the list, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.lows.bytes() + crate::budget::bytes_of(&self.rises)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_on_both_sides_of_every_rise() {
        for first in [0, 5, (1 << 32) - 3, 1 << 33, (1 << 40) - 90] {
            let (mut rising, mut budget) = (RisingNumbers::default(), MemoryBudget::unlimited());
            let steps = [0, 0, 1, 2, 100, 1 << 31, 0, 1, (1 << 32) - 1, 1, 1 << 32, 3 << 33];
            let numbers = steps.into_iter().scan(first, |number, step| {
                *number += step;
                Some(*number)
            });
            let numbers: Vec<u64> = numbers.collect();
            for number in &numbers {
                rising.push(*number, &mut budget).unwrap();
            }
            assert!((0..).zip(&numbers).all(|(place, number)| rising.get(place) == *number));
            assert_eq!(budget.used(), rising.bytes());
            let last = numbers[numbers.len() - 1];
            for less in [last - 1, last - (1 << 32), 0] {
                assert_eq!(rising.push(less, &mut budget), Err(Stop::Peer));
            }
            assert_eq!(rising.push(last, &mut budget), Ok(()));
        }
    }

    #[test]
    fn numbers_without_upper_bits_take_no_more_than_these() {
        let (mut rising, mut budget) = (RisingNumbers::default(), MemoryBudget::unlimited());
        for number in 0..1000 {
            rising.push(number, &mut budget).unwrap();
        }
        assert_eq!(rising.bytes(), 4 * 1024);
    }
}
