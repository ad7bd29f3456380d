//! The setting of a field by its name: the inverse of describing it.
//!
//! A walk through the fields of a row passes the field to set, and the slots of all. A value that
//! does not fit its slot is refused here, so that every state can be packed.

use std::slice;

use super::{
    Record, WorldBounds,
    field::{Field, ShownValue, Unset},
    packed_number::PackedNumber,
    slot::Slot,
};

/// A field that gets a value, and the slots of its row.
pub(crate) struct Setter<'a> {
    name: &'a str,
    /// The value; `None` if the document with this first field is to be missing.
    value: Option<ShownValue<'a>>,
    slots: slice::Iter<'a, Slot>,
    outcome: Result<(), Unset>,
}

/// The change of a document's first field, which exists exactly when the document does.
pub(super) enum FirstField<T> {
    /// Nothing, or not by this field.
    Kept,
    Missing,
    /// It is to exist, with this value.
    Value(T),
}

/// Sets the field of this name in a row; `change` calls its argument with the row.
pub(crate) fn set_field<R: Record>(
    bounds: &WorldBounds<'_>,
    key: R::Key,
    name: &str,
    value: Option<ShownValue<'_>>,
    change: impl FnOnce(&mut dyn FnMut(&mut R)),
) -> Result<(), Unset> {
    let mut slots = Vec::new();
    R::lay_out(bounds, key, &mut slots);
    let mut setter = Setter { name, value, slots: slots.iter(), outcome: Err(Unset::NoField) };
    change(&mut |row| row.set(&mut setter));
    setter.outcome
}

impl<'a> Setter<'a> {
    /// The slot of the next field.
    pub(super) fn slot(&mut self) -> &'a Slot {
        self.slots.next().expect("each field has a slot")
    }

    pub(super) fn slots(&mut self, count: u32) -> &'a [Slot] {
        let (these, rest) = self.slots.as_slice().split_at(count as usize);
        self.slots = rest.iter();
        these
    }

    /// Sets a field, if it is the one to set, by a function of the value.
    pub(super) fn set(
        &mut self,
        field: &Field,
        set: impl FnOnce(ShownValue<'a>) -> Result<(), Unset>,
    ) {
        if field.name == self.name {
            self.outcome = self.value.ok_or(Unset::Kind).and_then(set);
        }
    }

    /// Calls `change` for the container of a field, if it is the one to set and was set.
    pub(super) fn set_too(&mut self, field: &Field, change: impl FnOnce()) {
        if field.name == self.name && self.outcome.is_ok() {
            change();
        }
    }

    /// The change of a document with this first field, whose existence has this slot.
    pub(super) fn first<T: PackedNumber>(&mut self, field: &Field, head: &Slot) -> FirstField<T> {
        if field.name != self.name {
            return FirstField::Kept;
        }
        let first = match self.value {
            None | Some(ShownValue::Name(None)) => Ok(FirstField::Missing),
            Some(shown) => T::read(shown, head).and_then(|value| {
                let fits = 1 + value.number(head) < u64::from(head.below);
                if fits { Ok(FirstField::Value(value)) } else { Err(Unset::Bound(head.below)) }
            }),
        };
        self.outcome = first.as_ref().map(|_| ()).map_err(|unset| *unset);
        first.unwrap_or(FirstField::Kept)
    }

    /// Skips the fields of a document that does not exist.
    pub(super) fn skip(&mut self, slots: u32, fields: &[Field]) {
        self.slots(slots);
        if fields.iter().any(|field| field.name == self.name) {
            self.outcome = Err(Unset::NoDocument);
        }
    }
}
