//! The subjects for which a claim has open obligations.

use deathwatch_model::{
    rows::{Row, RowKind},
    world::World,
};

/// A set of subjects of one kind, a bit each.
#[derive(Clone)]
pub(super) struct OpenSubjects {
    kind: RowKind,
    words: Vec<u64>,
    count: usize,
}

impl OpenSubjects {
    /// The empty subset of the first `count` subjects of a kind.
    pub(super) fn none_of(kind: RowKind, count: usize) -> Self {
        Self { kind, words: vec![0; count.div_ceil(64)], count: 0 }
    }

    /// Updates the membership of the subject with this index; `is_open` gets whether it was a
    /// member.
    pub(super) fn update(&mut self, index: usize, is_open: impl FnOnce(bool) -> bool) {
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        let was_open = *word & bit != 0;
        match (was_open, is_open(was_open)) {
            (false, true) => self.count += 1,
            (true, false) => self.count -= 1,
            (false, false) | (true, true) => return,
        }
        *word ^= bit;
    }

    /// Whether the set is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The members, in order.
    pub(super) fn rows<'a>(&'a self, world: &'a World) -> impl Iterator<Item = Row> + 'a {
        self.words.iter().enumerate().flat_map(move |(index, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| self.kind.row(world, 64 * index + bit))
        })
    }
}
