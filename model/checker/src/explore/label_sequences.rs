//! The different sequences of labels of the edges out of a state, each with a number.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use crate::{
    Stop,
    budget::{MemoryBudget, bytes_of},
    graph::Label,
    index::HashIndex,
};

#[derive(Debug)]
pub(super) struct LabelSequences {
    labels: Vec<Label>,
    ends: Vec<u32>,
    index: HashIndex,
}

impl LabelSequences {
    pub(super) fn new() -> Self {
        Self { labels: Vec::new(), ends: Vec::new(), index: HashIndex::new(1) }
    }

    pub(super) fn len(&self) -> u32 {
        edge_number(self.ends.len()).expect("sequences have numbers")
    }

    /// The bytes of the sequences and their table.
    pub(super) fn bytes(&self) -> u64 {
        bytes_of(&self.labels) + bytes_of(&self.ends) + self.index.bytes()
    }

    #[inline]
    pub(super) fn of(&self, sequence: u32) -> &[Label] {
        let sequence = sequence as usize;
        let from = if sequence == 0 { 0 } else { self.ends[sequence - 1] };
        &self.labels[from as usize..self.ends[sequence] as usize]
    }

    /// The number of a sequence, if it has one.
    pub(super) fn find(&self, labels: &[Label]) -> Option<u32> {
        self.index.find(hash_of(labels), |number| is_same(self.of(number), labels))
    }

    /// The number of a sequence, which is given to it if it has none.
    pub(super) fn number(
        &mut self,
        labels: &[Label],
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        if let Some(number) = self.find(labels) {
            return Ok(number);
        }
        let hash = hash_of(labels);
        let end = edge_number(self.labels.len() + labels.len())?;
        let Self { labels: all, ends, index } = self;
        budget.reserve(all, labels.len())?;
        budget.reserve(ends, 1)?;
        index.reserve(hash, budget, |number| {
            let number = number as usize;
            let from = if number == 0 { 0 } else { ends[number - 1] };
            hash_of(&all[from as usize..ends[number] as usize])
        })?;
        let number = edge_number(ends.len())?;
        index.insert(hash, number);
        all.extend_from_slice(labels);
        ends.push(end);
        Ok(number)
    }
}

/// The hash of a sequence of labels: the same on every machine.
fn hash_of(labels: &[Label]) -> u32 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    let word_of = |labels: &[Label]| {
        labels.iter().fold(0, |word, label| word << 16 | u64::from(label.code()))
    };
    // Four at a time need no loop.
    let (fours, rest) = labels.as_chunks::<4>();
    for four in fours {
        hasher.write_u64(word_of(four));
    }
    hasher.write_u64(word_of(rest));
    (hasher.finish() >> 32) as u32
}

/// Whether two sequences are the same, without a branch for each label.
fn is_same(one: &[Label], other: &[Label]) -> bool {
    let both = one.iter().zip(other);
    let different = both.fold(0, |all, (one, other)| all | one.code() ^ other.code());
    different == 0 && one.len() == other.len()
}

/// A count of edges as it is stored.
pub(super) fn edge_number(edges: usize) -> Result<u32, Stop> {
    u32::try_from(edges).map_err(|_| Stop::Edges)
}
