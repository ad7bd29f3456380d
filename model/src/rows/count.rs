//! Counts of units, which the protocol only compares with thresholds.
//!
//! An answer of yes stays yes in a world with more units. Each answer is noted as a read (`reads`).

use super::{
    field::Unset,
    field::{FieldKind, ShownValue},
    packed_number::PackedNumber,
    reads::{Read, is_beyond, note},
    slot::Slot,
};

/// A number of units that a document counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(u32);

impl Count {
    pub const fn of(number: u32) -> Self {
        Self(number)
    }

    /// Whether it is at least this number.
    #[inline]
    pub fn is_at_least(self, least: u32) -> bool {
        let is_so = self.0 >= least;
        note(Read::Count(is_so));
        is_so
    }

    /// The number itself, for observers. More units may change their result, unless they only
    /// compare the number with smaller ones.
    #[inline]
    pub fn number(self) -> u32 {
        note(Read::Count(is_beyond(self.0)));
        self.0
    }

    /// Adds one, up to one more than `most`, the greatest correct number.
    pub(crate) fn grow(&mut self, most: usize) {
        self.0 = (self.0 + 1).min(u32::try_from(most).unwrap_or(u32::MAX - 1) + 1);
    }

    /// Subtracts one, down to 0.
    pub(crate) fn shrink(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }
}

impl PackedNumber for Count {
    const KIND: FieldKind = FieldKind::Count;

    #[inline]
    fn number(&self, _: &Slot) -> u64 {
        self.0.into()
    }

    #[inline]
    fn of(number: u64, _: &Slot) -> Self {
        Self(u32::try_from(number).expect("as it was put"))
    }

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Count(Count::number(*self).into())
    }

    fn read(shown: ShownValue<'_>, slot: &Slot) -> Result<Self, Unset> {
        let ShownValue::Count(count) = shown else { return Err(Unset::Kind) };
        u32::try_from(count).map(Self).map_err(|_| Unset::Bound(slot.below))
    }
}
