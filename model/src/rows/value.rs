//! Values of fields, and how they are packed.
//!
//! A field's bound is the set of values that it can take in a world; slots are made from the bounds
//! once. Packing and unpacking walk through fields and slots side by side.

use std::sync::Arc;

use super::{
    bits::{RowReader, RowWriter},
    field::{Field, FieldKind, ShownValue, Unset},
    set::Setter,
    slot::{Slot, TXN_BITS, Txns},
};
use crate::{
    ids::{Rename as _, Renaming},
    interner::Interner,
    txn::Txn,
};

/// A transaction that was planned and is not committed yet.
pub type PendingTxn = Option<Arc<Txn>>;

/// A type of fields, and how its values take their slots.
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

    /// Writes the value, slot by slot, in the order of [`Self::lay_out`].
    fn put(&self, w: &mut RowWriter<'_>);

    /// Reads what [`Self::put`] writes.
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

/// The numbering of transactions that fits the fields that hold them.
pub(crate) fn txn_interner() -> Interner<Txn> {
    Interner::with_bits(TXN_BITS)
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
