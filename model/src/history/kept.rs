//! Which fields of history a world keeps, and the declaration of its rows.

use std::{fmt, ops::BitOr};

use super::{MachineHistory, RelationHistory, UnitHistory};
use crate::{
    rows::{RowKind, Stored},
    world::Details,
};

/// A set of fields of history.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept(u128);

/// The greatest number of fields of a row of history.
const MOST_FIELDS: usize = 42;

/// A field of a row of history, besides what every field of a row declares.
#[derive(Debug)]
pub(super) struct KeptField {
    /// Its name in scenarios.
    pub(super) name: &'static str,
    /// The detail without which its events do not happen.
    pub(super) detail: &'static str,
    /// The fields of the same row that its fold reads.
    pub(super) reads: &'static [&'static str],
}

/// The kinds of rows of history, with their fields.
const ROWS: [(RowKind, &[KeptField]); 3] = [
    (RowKind::UnitHistory, UnitHistory::KEPT),
    (RowKind::RelationHistory, RelationHistory::KEPT),
    (RowKind::MachineHistory, MachineHistory::KEPT),
];

/// The number of the first field of a row of this kind; `None` if it is no row of history.
const fn first(kind: RowKind) -> Option<usize> {
    let place = match kind {
        RowKind::UnitHistory => 0,
        RowKind::RelationHistory => 1,
        RowKind::MachineHistory => 2,
        _ => return None,
    };
    Some(place * MOST_FIELDS)
}

impl Kept {
    /// The field of this name of a row of history, with the fields that its fold reads; `None` if
    /// the kind is none of history, or has no such field.
    pub fn of(kind: RowKind, name: &str) -> Option<Self> {
        let (_, fields) = ROWS.iter().find(|(it, _)| *it == kind)?;
        let place = fields.iter().position(|field| field.name == name)?;
        let reads = fields[place].reads.iter().map(|other| Self::of(kind, other));
        let reads = reads.flatten().fold(Self::default(), |all, it| all | it);
        Some(Self::bit(kind, place) | reads)
    }

    /// Every field whose detail is on.
    pub fn all(details: Details) -> Self {
        let all = ROWS.iter().flat_map(|(kind, fields)| {
            let fields = fields.iter().enumerate();
            let fields = fields.filter(|(_, field)| details.has(field.detail));
            fields.map(|(place, _)| Self::bit(*kind, place))
        });
        all.fold(Self::default(), |all, it| all | it)
    }

    /// The first of the fields whose detail is off, with that detail.
    pub fn lacks(self, details: Details) -> Option<(&'static str, &'static str)> {
        let all = ROWS.iter().flat_map(|(kind, fields)| {
            let fields = fields.iter().enumerate();
            fields.filter(|(place, _)| self.has(*kind, *place)).map(|(_, field)| field)
        });
        let mut all = all.filter(|field| !details.has(field.detail));
        all.next().map(|field| (field.name, field.detail))
    }

    /// Whether no field is kept.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether each of `fields` is kept.
    pub fn has_all(self, fields: Self) -> bool {
        fields.0 & !self.0 == 0
    }

    /// Whether a field of rows of this kind is kept.
    pub fn has_rows(self, kind: RowKind) -> bool {
        let mask = (1 << MOST_FIELDS) - 1;
        first(kind).is_some_and(|first| self.0 >> first & mask != 0)
    }

    /// Whether the field at this place of a row is kept.
    pub(super) fn has(self, kind: RowKind, place: usize) -> bool {
        self.has_all(Self::bit(kind, place))
    }

    fn bit(kind: RowKind, place: usize) -> Self {
        assert!(place < MOST_FIELDS, "a row of history has too many fields");
        Self(1 << (first(kind).expect("it is a kind of history") + place))
    }
}

impl BitOr for Kept {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = ROWS.iter().flat_map(|(kind, fields)| {
            let fields = fields.iter().enumerate();
            fields.filter(|(place, _)| self.has(*kind, *place)).map(|(_, field)| field.name)
        });
        f.debug_set().entries(all).finish()
    }
}

/// A row of history.
pub(super) trait HistoryRow: Stored + Clone {
    /// Its kind.
    const KIND: RowKind;

    /// Takes back what is not kept.
    fn keep_only(&mut self, kept: Kept);
}

/// Declares a row of history: each field with its meaning, name, detail, the fields that its fold
/// reads, its bound and its texts. A field that is not kept has its default value and takes no bit.
macro_rules! history {
    (
        $(#[doc = $about:literal])*
        $name:ident of $key:ty {$(
            $(#[doc = $meaning:literal])*
            $field:ident: $type:ty = $label:literal of $detail:literal from [$($reads:literal),*],
                $bound:expr, $told:expr;
        )*}
    ) => {
        $crate::rows::row! {
            $(#[doc = $about])*
            $name of $key [Default] {$(
                $(#[doc = $meaning])*
                $field: $type = $label, |of, key| {
                    let is_kept = of.keeps($crate::rows::RowKind::$name, $label);
                    of.kept(is_kept, |of| $crate::rows::declare::bound(of, key, $bound))
                }, $told;
            )*}
        }

        impl $name {
            /// What the fields need besides their declarations, in order.
            pub(super) const KEPT: &'static [$crate::history::kept::KeptField] = &[$(
                $crate::history::kept::KeptField {
                    name: $label,
                    detail: $detail,
                    reads: &[$($reads),*],
                }
            ),*];
        }

        impl $crate::history::kept::HistoryRow for $name {
            const KIND: $crate::rows::RowKind = $crate::rows::RowKind::$name;

            fn keep_only(&mut self, kept: $crate::history::Kept) {
                let mut place = 0;
                $(
                    if !kept.has(Self::KIND, place) {
                        self.$field = Default::default();
                    }
                    place += 1;
                )*
                debug_assert_eq!(place, Self::KEPT.len());
            }
        }
    };
}

pub(super) use history;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fold_reads_fields_of_its_own_row() {
        for (kind, fields) in ROWS {
            assert!(fields.len() <= MOST_FIELDS, "{kind:?}");
            for field in fields {
                let kept = Kept::of(kind, field.name).expect("it is a field");
                for other in field.reads {
                    let read = Kept::of(kind, other).expect("it is a field of the same row");
                    assert!(kept.has_all(read), "{} keeps {other}", field.name);
                }
                assert!(Details::NAMES.contains(&field.detail), "{}", field.name);
                assert_eq!(kept.lacks(Details::default()).map(|it| it.1), Some(field.detail));
            }
            assert!(!Kept::default().has_rows(kind));
        }
        assert_eq!(Kept::of(RowKind::Unit, "life"), None);
        assert_eq!(Kept::of(RowKind::UnitHistory, "life"), None);
    }
}
