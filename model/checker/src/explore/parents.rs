//! From which state each was first found.
//!
//! States are numbered in the order of the states they were found from, so their parents never
//! fall, and two bits a state will do: for each parent in turn, a one for each of its children and
//! then a zero.

use super::segmented::Segmented;
use crate::{Stop, budget::MemoryBudget};

/// A sample has the place of every one with a number that this divides.
const SAMPLE: u32 = 1 << 10;

/// The parents of all states but those in which runs begin.
#[derive(Debug, Default)]
pub(super) struct Parents {
    bits: Segmented<u64>,
    samples: Segmented<u64>,
    /// The word that is being written, and the number of bits in all.
    last: u64,
    len: u64,
    children: u32,
    parent: u32,
}

impl Parents {
    /// Adds a child of `parent`, which is not less than that of the child before. Changes nothing
    /// that can be seen if there is no room for it.
    pub(super) fn push(&mut self, parent: u32, budget: &mut MemoryBudget) -> Result<(), Stop> {
        assert!(self.parent <= parent, "parents do not fall");
        while self.parent < parent {
            self.push_bit(0, budget)?;
            self.parent += 1;
        }
        if self.children.is_multiple_of(SAMPLE) {
            self.samples.reserve(budget)?;
            self.push_bit(1, budget)?;
            self.samples.push(self.len - 1);
        } else {
            self.push_bit(1, budget)?;
        }
        self.children += 1;
        Ok(())
    }

    fn push_bit(&mut self, bit: u64, budget: &mut MemoryBudget) -> Result<(), Stop> {
        let place = self.len % 64;
        if place == 63 {
            self.bits.reserve(budget)?;
            self.bits.push(self.last | bit << 63);
            self.last = 0;
        } else {
            self.last |= bit << place;
        }
        self.len += 1;
        Ok(())
    }

    /// The parent of the child with this number, counted from 0.
    pub(super) fn of(&self, child: u32) -> u32 {
        let place = self.samples.get((child / SAMPLE) as usize);
        // Ones from the sampled one on that come before the child.
        let mut before = child % SAMPLE;
        let mut at = place / 64;
        let mut word = self.word(at) & u64::MAX << (place % 64);
        while before >= word.count_ones() {
            before -= word.count_ones();
            at += 1;
            word = self.word(at);
        }
        for _ in 0..before {
            word &= word - 1;
        }
        let zeros = at * 64 + u64::from(word.trailing_zeros()) - u64::from(child);
        u32::try_from(zeros).expect("a parent is the number of a state")
    }

    fn word(&self, at: u64) -> u64 {
        if at == self.len / 64 {
            return self.last;
        }
        self.bits.get(usize::try_from(at).expect("it is the index of a word"))
    }

    /// How many bytes the parents take.
    pub(super) fn bytes(&self) -> u64 {
        self.bits.bytes() + self.samples.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_child_leads_to_its_parent() {
        let fans: [fn(u32) -> u32; 4] =
            [|child| child, |child| child / 7, |child| child.pow(2) / 5, |_| 0];
        for fan in fans {
            let mut parents = Parents::default();
            let mut budget = MemoryBudget::unlimited();
            for child in 0..5 * SAMPLE {
                parents.push(fan(child), &mut budget).unwrap();
            }
            for child in 0..5 * SAMPLE {
                assert_eq!(parents.of(child), fan(child), "child {child}");
            }
            assert_eq!(budget.used(), parents.bytes());
        }
    }
}
