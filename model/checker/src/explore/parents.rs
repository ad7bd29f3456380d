//! Parents: for each state, the one from which it was first found.
//!
//! States are numbered in the order of the states they were found from, so their parents never
//! fall, and two bits a state will do: for each parent in turn, a one for each of its children and
//! then a zero.

use super::segmented::Segmented;
use crate::{Stop, budget::MemoryBudget};

/// The distance of samples: the place of every 1,024th child is noted. A look-up begins at the one
/// before, or it would read all bits.
const SAMPLE: u32 = 1 << 10;

/// The parents of all states but those in which runs begin.
#[derive(Debug, Default)]
pub(super) struct Parents {
    bits: Segmented<u64>,
    samples: Segmented<u64>,
    /// The word that is being written.
    last: u64,
    /// The number of bits in all.
    len: u64,
    /// The number of children so far.
    children: u32,
    /// The parent of the last child. A smaller one can no longer be added.
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

    /// Adds the children of some parents, of which the first comes after all parents so far, or is
    /// the last of these.
    pub(super) fn append(&mut self, new: &Children, budget: &mut MemoryBudget) -> Result<(), Stop> {
        if new.count == 0 {
            return Ok(());
        }
        assert!(self.parent <= new.first, "parents do not fall");
        while self.parent < new.first {
            self.push_bit(0, budget)?;
            self.parent += 1;
        }
        let before = self.children.next_multiple_of(SAMPLE) - self.children;
        for sampled in (before..new.count).step_by(SAMPLE as usize) {
            self.samples.reserve(budget)?;
            self.samples.push(self.len + new.place_of(sampled));
        }
        for (word, bits) in new.words() {
            self.push_bits(word, bits, budget)?;
        }
        (self.parent, self.children) = (new.last, self.children + new.count);
        Ok(())
    }

    fn push_bit(&mut self, bit: u64, budget: &mut MemoryBudget) -> Result<(), Stop> {
        self.push_bits(bit, 1, budget)
    }

    /// Adds the lowest bits of a word, which has no others.
    fn push_bits(&mut self, word: u64, bits: u64, budget: &mut MemoryBudget) -> Result<(), Stop> {
        let place = self.len % 64;
        let full = self.last | word << place;
        if place + bits >= 64 {
            self.bits.reserve(budget)?;
            self.bits.push(full);
            self.last = if place == 0 { 0 } else { word >> (64 - place) };
        } else {
            self.last = full;
        }
        self.len += bits;
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

    /// The bytes of the parents.
    pub(super) fn bytes(&self) -> u64 {
        self.bits.bytes() + self.samples.bytes()
    }
}

/// The children of some states in a row, to be [appended](Parents::append) at once.
#[derive(Debug, Default)]
pub(super) struct Children {
    /// The first of these states, and the last one that has a child.
    first: u32,
    last: u32,
    count: u32,
    /// Bits as in [`Parents`], from the first state on, up to the last child.
    bits: Vec<u64>,
    len: u64,
}

impl Children {
    /// Begins anew with this state.
    pub(super) fn begin(&mut self, first: u32) {
        self.bits.clear();
        (self.first, self.last, self.count, self.len) = (first, first, 0, 0);
    }

    /// The words that this number of parents and of children take.
    pub(super) fn words_for(parents: usize, children: usize) -> usize {
        (parents + children).div_ceil(64)
    }

    /// Adds a child of `parent`, which is not less than that of the child before.
    pub(super) fn push(&mut self, parent: u32) {
        let place = self.len + u64::from(parent - self.last);
        let (word, bit) = (place / 64, place % 64);
        self.bits.resize(usize::try_from(word).expect("it is the index of a word") + 1, 0);
        *self.bits.last_mut().expect("it has this word") |= 1 << bit;
        (self.last, self.count, self.len) = (parent, self.count + 1, place + 1);
    }

    /// The words, and how many bits of each there are.
    fn words(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.bits.iter().zip((0..).step_by(64)).map(|(word, at)| (*word, (self.len - at).min(64)))
    }

    /// The place of the bit of this child.
    fn place_of(&self, mut child: u32) -> u64 {
        for (word, before) in self.bits.iter().zip((0..).step_by(64)) {
            if child < word.count_ones() {
                let rest = (0..child).fold(*word, |rest, _| rest & (rest - 1));
                return before + u64::from(rest.trailing_zeros());
            }
            child -= word.count_ones();
        }
        unreachable!("there are more children")
    }

    /// The memory for bits.
    pub(super) fn bits_mut(&mut self) -> &mut Vec<u64> {
        &mut self.bits
    }

    pub(super) fn bits(&self) -> &Vec<u64> {
        &self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_that_are_appended_at_once_are_those_that_are_added_one_by_one() {
        let parents_of: [fn(u32) -> u32; 4] =
            [|child| child, |child| child / 7, |child| child * 3, |child| 90 + child.pow(2) / 5];
        for parent_of in parents_of {
            for size in [1, 5, 64, 700, 3000] {
                let (mut one_by_one, mut at_once) = (Parents::default(), Parents::default());
                let mut budget = [MemoryBudget::unlimited(), MemoryBudget::unlimited()];
                let mut new = Children::default();
                for first in (0..6000).step_by(size) {
                    new.begin(if first % 2 == 0 { at_once.parent } else { parent_of(first) });
                    for child in first..6000.min(first + u32::try_from(size).unwrap()) {
                        one_by_one.push(parent_of(child), &mut budget[0]).unwrap();
                        new.push(parent_of(child));
                    }
                    at_once.append(&new, &mut budget[1]).unwrap();
                    let most = Children::words_for((new.last - new.first) as usize, size);
                    assert!(new.bits.len() <= most);
                    new.begin(new.last);
                    at_once.append(&new, &mut budget[1]).unwrap();
                }
                assert_eq!(at_once.len, one_by_one.len);
                assert!((0..6000).all(|child| at_once.of(child) == parent_of(child)));
                assert_eq!(budget[0].used(), budget[1].used());
            }
        }
    }

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
