//! The fields of history by name, and the declaration of its rows.

use std::{borrow::Cow, fmt};

use super::{MachineHistory, RelationHistory, UnitHistory};
use crate::{
    rows::{Record, RowKind, WorldBounds},
    world::{Details, HistoryOf, KeptHistory, World},
};

/// A field of a row of history, besides what every field of a row declares.
#[derive(Debug)]
pub(super) struct KeptField {
    pub(super) name: &'static str,
    /// The detail without which its events do not happen.
    pub(super) detail: &'static str,
    /// The fields of the same row that its fold reads.
    pub(super) reads: &'static [&'static str],
}

/// The types of rows of history, with their fields.
const ROWS: [(RowKind, HistoryOf, &[KeptField]); 3] = [
    (RowKind::UnitHistory, HistoryOf::Unit, UnitHistory::KEPT),
    (RowKind::RelationHistory, HistoryOf::Relation, RelationHistory::KEPT),
    (RowKind::MachineHistory, HistoryOf::Machine, MachineHistory::KEPT),
];

/// Every field of history, and the set of it alone.
fn fields() -> impl Iterator<Item = (&'static KeptField, KeptHistory)> {
    ROWS.iter().flat_map(|(_, of, fields)| {
        let fields = fields.iter().enumerate();
        fields.map(|(place, field)| (field, KeptHistory::one(*of, place)))
    })
}

impl KeptHistory {
    /// The field of this name of a row of history, with the fields that its fold reads; `None` if
    /// the kind is none of history, or has no such field.
    pub fn of(kind: RowKind, name: &str) -> Option<Self> {
        let (_, of, fields) = ROWS.iter().find(|(it, ..)| *it == kind)?;
        let place = fields.iter().position(|field| field.name == name)?;
        let reads = fields[place].reads.iter().filter_map(|other| Self::of(kind, other));
        Some(reads.fold(Self::one(*of, place), |all, it| all | it))
    }

    /// The rows of a kind, without a field; none if the kind is none of history.
    pub fn rows_of(kind: RowKind) -> Self {
        let of = ROWS.iter().find(|(it, ..)| *it == kind);
        of.map(|(_, of, _)| Self::rows(*of)).unwrap_or_default()
    }

    /// Every field whose detail is on, with the rows that have one.
    pub fn all(details: Details) -> Self {
        let all = fields().filter(|(field, _)| details.has(field.detail));
        all.fold(Self::default(), |all, (_, it)| all | it)
    }

    /// The first of the fields whose detail is off, with that detail.
    pub fn lacks(self, details: Details) -> Option<(&'static str, &'static str)> {
        let mut all = fields().filter(|(_, it)| self.has_all(*it));
        let (field, _) = all.find(|(field, _)| !details.has(field.detail))?;
        Some((field.name, field.detail))
    }
}

impl fmt::Debug for KeptHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = fields().filter(|(_, it)| self.has_all(*it)).map(|(field, _)| field.name);
        f.debug_set().entries(all).finish()
    }
}

impl World {
    /// The world with all rows of history, which keep all fields of its details.
    pub fn keeping_all(&self) -> Cow<'_, Self> {
        let rows = ROWS.iter().map(|(_, of, _)| KeptHistory::rows(*of));
        let all = rows.fold(KeptHistory::all(self.detail), |all, it| all | it);
        if self.history == all {
            Cow::Borrowed(self)
        } else {
            Cow::Owned(self.changed(|it| it.history = all))
        }
    }
}

/// Whether the field of this name is kept in a world with these bounds.
pub(super) fn keeps(bounds: &WorldBounds<'_>, kind: RowKind, name: &str) -> bool {
    let field = KeptHistory::of(kind, name).expect("the row declares it");
    bounds.world().history.has_all(field)
}

pub(super) trait HistoryRow: Record + Clone {
    const OF: HistoryOf;

    /// Sets all fields that are not kept to their defaults.
    fn keep_only(&mut self, kept: KeptHistory);
}

/// Declares a row of history: each field with its meaning, name, detail, the fields that its fold
/// reads, its bound and its texts. A field that is not kept has its default value and takes no bit.
macro_rules! history {
    (
        $(#[doc = $about:literal])*
        $name:ident of $key:ty as $of:ident {$(
            $(#[doc = $meaning:literal])*
            $field:ident: $type:ty = $label:literal of $detail:literal from [$($reads:literal),*],
                $bound:expr, $texts:expr;
        )*}
    ) => {
        $crate::rows::row! {
            $(#[doc = $about])*
            $name of $key [Default] {$(
                $(#[doc = $meaning])*
                $field: $type = $label, |of, key| {
                    let is_kept = $crate::history::kept::keeps(of, $crate::rows::RowKind::$name, $label);
                    of.kept(is_kept, |of| $crate::rows::declare::bound(of, key, $bound))
                }, $texts;
            )*}
        }

        impl $name {
            /// For each field, in order, the parts of its declaration that other rows' fields lack.
            pub(super) const KEPT: &'static [$crate::history::kept::KeptField] = &[$(
                $crate::history::kept::KeptField {
                    name: $label,
                    detail: $detail,
                    reads: &[$($reads),*],
                }
            ),*];
        }

        impl $crate::history::kept::HistoryRow for $name {
            const OF: $crate::world::HistoryOf = $crate::world::HistoryOf::$of;

            fn keep_only(&mut self, kept: $crate::world::KeptHistory) {
                let mut place = 0;
                $(
                    if !kept.has_all($crate::world::KeptHistory::one(Self::OF, place)) {
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
        for (kind, of, fields) in ROWS {
            for field in fields {
                let kept = KeptHistory::of(kind, field.name).expect("it is a field");
                for other in field.reads {
                    let read = KeptHistory::of(kind, other).expect("it is a field of the same row");
                    assert!(kept.has_all(read), "{} keeps {other}", field.name);
                }
                assert!(Details::NAMES.contains(&field.detail), "{}", field.name);
                assert_eq!(kept.lacks(Details::default()).map(|it| it.1), Some(field.detail));
            }
            assert!(
                KeptHistory::all(Details::default()).is_empty()
                    && !KeptHistory::default().has_rows(of)
            );
            assert!(KeptHistory::one(of, fields.len() - 1).has_rows(of), "there is a bit for each");
        }
        assert_eq!(KeptHistory::of(RowKind::Unit, "life"), None);
        assert_eq!(KeptHistory::of(RowKind::UnitHistory, "life"), None);
    }
}
