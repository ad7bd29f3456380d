//! Bounds of fields, and the slots that are made from them: the bits in which a field is packed.

use std::ops::Range;

/// A slot: the bits in which a field is packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The exclusive upper bound of its numbers.
    pub(super) below: u32,
    pub(super) width: u32,
    /// The number that stands for 0, where it depends on the world.
    pub(super) base: u32,
}

/// The base of a slot that holds the number of a transaction.
const TXN: u32 = u32::MAX - 1;

impl Slot {
    /// A slot for numbers below a bound.
    pub(super) fn below(values: u64) -> Self {
        let below = u32::try_from(values).expect("a field has fewer than 2^32 values");
        Self { below, width: bits_for(values), base: 0 }
    }

    /// Its width, in bits; the slots of a row are adjacent.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// The range of indices that its bits stand for, if it is a word of a set.
    pub(crate) fn members(&self) -> Option<Range<usize>> {
        let first = self.base as usize;
        (self.below == 0 && self.width > 0).then(|| first..first + self.width as usize)
    }

    /// The bound of its numbers, and the number that stands for 0.
    pub(crate) fn numbers(&self) -> (u32, u32) {
        (self.below, self.base)
    }

    /// Whether it holds the number of a transaction.
    pub(crate) fn is_txn(&self) -> bool {
        self.base == TXN
    }
}

/// The bound of a number: the number of values that it can take.
#[derive(Clone, Copy)]
pub(crate) struct Below {
    pub(super) values: u64,
    pub(super) base: u32,
}

/// The bound of a field with this number of values. With one value it takes no bits.
pub(crate) fn below(values: usize) -> Below {
    Below { values: values as u64, base: 0 }
}

/// The bound of a flag, which never is set unless `is_possible`.
pub(crate) fn flag(is_possible: bool) -> Below {
    below(1 + usize::from(is_possible))
}

/// The width of the number of a transaction, in bits, if there is one.
pub(crate) const TXN_BITS: u32 = 14;

/// The bound of a transaction: whether there can be one.
#[derive(Clone, Copy)]
pub(crate) struct Txns(pub(super) bool);

impl Txns {
    pub(super) fn slot(self) -> Slot {
        let slot = Slot::below(if self.0 { 1 << TXN_BITS } else { 1 });
        Slot { base: if self.0 { TXN } else { 0 }, ..slot }
    }
}

/// The number of bits that distinguish `values` values.
pub(crate) fn bits_for(values: u64) -> u32 {
    u64::BITS - values.saturating_sub(1).leading_zeros()
}
