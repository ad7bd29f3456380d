//! Values of fields: their bounds, and how they are packed.
//!
//! A field's bound is the set of values that it can take in a world; slots are made from the bounds
//! once. Packing and unpacking walk through fields and slots side by side.

use std::{ops::Range, sync::Arc};

use super::{
    bits::{RowReader, RowWriter, bits_for},
    field::{Field, FieldKind, ShownValue},
    set::{Setter, Unset},
};
use crate::{
    ids::{Rename as _, Renaming},
    interner::Interner,
    txn::Txn,
};

/// A transaction that was planned and is not committed yet.
pub type PendingTxn = Option<Arc<Txn>>;

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

pub(crate) trait FieldType: PartialEq + Sized {
    type Bound;

    const KIND: FieldKind;

    /// The fields that it consists of, if it is a document.
    const PARTS: &'static [Field] = &[];

    /// Makes the slots of a field with this bound; returns its width in bits.
    fn lay_out(bound: Self::Bound, slots: &mut Vec<Slot>) -> u64;

    /// The parts that can have more than one value within a bound: a bit for each, the first part
    /// in the lowest one.
    fn room(bound: Self::Bound) -> u64 {
        u64::from(Self::lay_out(bound, &mut Vec::new()) > 0)
    }

    fn put(&self, w: &mut RowWriter<'_>);

    fn take(&mut self, r: &mut RowReader<'_>);

    /// Takes the value of another row, renamed.
    fn take_renamed(&mut self, other: &Self, by: &Renaming);

    /// Its value as a description shows it.
    fn show(&self) -> ShownValue<'_>;

    /// The part with this number; `None` if its document is missing.
    #[inline]
    fn look_at(&self, _number: usize) -> Option<ShownValue<'_>> {
        Some(self.show())
    }

    /// Describes a field; `None` if its document is missing.
    fn visit(
        value: Option<&Self>,
        field: &'static Field,
        see: &mut dyn FnMut(&'static Field, Option<ShownValue<'_>>),
    ) {
        see(field, value.map(Self::show));
    }

    /// The parts that differ between two values: a bit for each, the first part in the lowest one.
    #[inline]
    fn differing(&self, other: &Self) -> u64 {
        // If some part of a field with several differs, every part counts as different.
        if self == other { 0 } else { u64::MAX >> (64 - Self::PARTS.len().max(1)) }
    }

    /// Sets a field, if it is the one to set.
    fn set(&mut self, field: &'static Field, setter: &mut Setter<'_>);
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

/// The numbering of transactions that fits the fields that hold them.
pub(crate) fn txn_interner() -> Interner<Txn> {
    Interner::with_bits(TXN_BITS)
}

/// The bound of a transaction: whether there can be one.
#[derive(Clone, Copy)]
pub(crate) struct Txns(pub(super) bool);

impl Txns {
    pub(super) fn slot(self) -> Slot {
        let slot = Slot::below(if self.0 { 1 << TXN_BITS } else { 1 });
        Slot { base: if self.0 { TXN } else { 0 }, ..slot }
    }
}

impl FieldType for PendingTxn {
    type Bound = Txns;

    const KIND: FieldKind = FieldKind::Txn;

    fn lay_out(bound: Txns, slots: &mut Vec<Slot>) -> u64 {
        let slot = bound.slot();
        slots.push(slot);
        slot.width.into()
    }

    #[inline]
    fn put(&self, w: &mut RowWriter<'_>) {
        let slot = w.slot();
        w.txn(self.as_deref(), slot);
    }

    fn take(&mut self, r: &mut RowReader<'_>) {
        let slot = r.slot();
        *self = r.txn(slot);
    }

    fn take_renamed(&mut self, other: &Self, by: &Renaming) {
        *self = other.as_deref().map(|txn| Arc::new(txn.renamed(by)));
    }

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Txn(self.as_deref())
    }

    fn set(&mut self, field: &'static Field, setter: &mut Setter<'_>) {
        setter.slot();
        setter.set(field, |shown| match shown {
            ShownValue::Txn(None) => {
                *self = None;
                Ok(())
            }
            _ => Err(Unset::Txn),
        });
    }
}
