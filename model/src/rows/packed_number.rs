//! The trait of values that are packed as one number.

use super::{
    field::{FieldKind, ShownValue, Unset},
    slot::{Below, Slot},
};
use crate::ids::Renaming;

/// A value that is packed as one number.
pub(crate) trait PackedNumber: Copy + PartialEq {
    const KIND: FieldKind;

    fn number(&self, slot: &Slot) -> u64;

    /// The value with this number.
    fn of(number: u64, slot: &Slot) -> Self;

    /// The slot of a field with this bound.
    fn slot(bound: Below) -> Slot {
        Slot { base: bound.base, ..Slot::below(bound.values) }
    }

    /// The image of the value under a renaming of the units and machines that it mentions.
    #[must_use]
    fn renamed(self, _: &Renaming) -> Self {
        self
    }

    /// Its value as a description shows it.
    fn show(&self) -> ShownValue<'_>;

    /// The value that is shown in this way.
    ///
    /// # Errors
    /// If it shows no value of this type so.
    fn read(shown: ShownValue<'_>, slot: &Slot) -> Result<Self, Unset>;
}
