//! Read trails: the bits of a packed state that were read, in order.

use super::Bits;

/// The bits of a packed state that a computation read, in the order of the first reads.
#[derive(Clone, Debug, Default)]
pub struct ReadTrail {
    /// The bits that were read so far.
    seen: Vec<u64>,
    /// The bits of one read after the other, each bit once.
    bits: Bits,
    /// The ends of the reads that had a new bit.
    ends: Vec<usize>,
}

impl ReadTrail {
    /// Begins anew, for states of this number of words.
    pub fn clear(&mut self, words: usize) {
        self.seen.clear();
        self.seen.resize(words, 0);
        self.bits.clear();
        self.ends.clear();
    }

    /// Adds bits of a word to the present read.
    #[inline]
    pub fn add(&mut self, word: usize, bits: u64) {
        let new = bits & !self.seen[word];
        if new != 0 {
            self.seen[word] |= new;
            self.bits.push((word, new));
        }
    }

    #[inline]
    pub fn end(&mut self) {
        if self.ends.last().copied().unwrap_or(0) < self.bits.len() {
            self.ends.push(self.bits.len());
        }
    }

    /// The number of reads that had a new bit.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bits of each word that were read.
    pub(super) fn bits(&self) -> &[u64] {
        &self.seen
    }

    /// The new bits of a read.
    pub(super) fn read(&self, index: usize) -> &[(usize, u64)] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bits[start..self.ends[index]]
    }

    /// The new bits of each read from this one on.
    pub(super) fn reads_from(&self, first: usize) -> Vec<Bits> {
        (first..self.len()).map(|index| self.read(index).to_vec()).collect()
    }
}
