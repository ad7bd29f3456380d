//! The set of fields of history that a world keeps. Rows of history declare the fields' meanings.

use std::ops::BitOr;

/// A set of fields of history.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept(u128);

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
const MOST_FIELDS: usize = 42;

impl Kept {
    /// The field at this place of a row.
    ///
    /// # Panics
    /// If no row has as many fields.
    pub(crate) fn one(of: HistoryOf, place: usize) -> Self {
        assert!(place < MOST_FIELDS, "a row of history has too many fields");
        Self(1 << (of as usize * MOST_FIELDS + place))
    }

    /// Whether no field is kept.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether each of `fields` is kept.
    pub fn has_all(self, fields: Self) -> bool {
        fields.0 & !self.0 == 0
    }

    /// Whether a field of rows of this type is kept.
    pub fn has_rows(self, of: HistoryOf) -> bool {
        self.0 >> (of as usize * MOST_FIELDS) & ((1 << MOST_FIELDS) - 1) != 0
    }
}

impl BitOr for Kept {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
