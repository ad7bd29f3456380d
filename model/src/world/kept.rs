//! The rows of history that a world has, and the set of their fields that it keeps. The rows
//! declare the fields' meanings.

use std::ops::BitOr;

/// A set of fields of history, and of types of its rows. A world with a field has the rows; it may
/// have rows of which it keeps no field, for claims that ask which rows there are.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct KeptHistory(u128);

/// A type of rows of history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryOf {
    /// The history of a unit.
    Unit,
    /// The history of a unit in a relation.
    Relation,
    /// The history of a machine.
    Machine,
}

/// The greatest number of fields of a row of history.
const MOST_FIELDS: usize = 41;

impl KeptHistory {
    /// The rows of a type, without a field.
    pub(crate) fn rows(of: HistoryOf) -> Self {
        Self(1 << (of as usize * (MOST_FIELDS + 1) + MOST_FIELDS))
    }

    /// The field at this place of a row, and the rows that have it.
    ///
    /// # Panics
    /// If no row has as many fields.
    pub(crate) fn one(of: HistoryOf, place: usize) -> Self {
        assert!(place < MOST_FIELDS, "a row of history has too many fields");
        Self(1 << (of as usize * (MOST_FIELDS + 1) + place)) | Self::rows(of)
    }

    /// Whether there are no rows of history.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether each of `fields` is kept, and each of its types of rows there.
    pub fn has_all(self, fields: Self) -> bool {
        fields.0 & !self.0 == 0
    }

    /// Whether there are rows of this type.
    pub fn has_rows(self, of: HistoryOf) -> bool {
        self.has_all(Self::rows(of))
    }
}

impl BitOr for KeptHistory {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
