//! What a claim of a scenario's own reads, and the way back from a row to its subjects.

use crate::rows::{Row, RowKind};

/// A set of kinds of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u32);

impl Kinds {
    /// Adds a kind.
    pub fn add(&mut self, kind: RowKind) {
        self.0 |= 1 << kind as u32;
    }

    /// Whether the kind is one of them.
    pub fn contains(self, kind: RowKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }
}

/// The rows that a condition may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Rows of these kinds that belong to the subject.
    pub own: Kinds,
    /// Any rows of these kinds.
    pub any: Kinds,
    /// These rows.
    pub fixed: Vec<Row>,
}

impl Reads {
    /// What is read by this condition or the other.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.own.0 |= other.own.0;
        self.any.0 |= other.any.0;
        for row in &other.fixed {
            self.add(*row);
        }
        self
    }

    /// Adds a row.
    pub fn add(&mut self, row: Row) {
        if !self.fixed.contains(&row) {
            self.fixed.push(row);
        }
    }

    /// Whether rows of this kind are read.
    pub fn contains(&self, kind: RowKind) -> bool {
        let is_fixed = self.fixed.iter().any(|row| row.kind() == kind);
        is_fixed || self.own.contains(kind) || self.any.contains(kind)
    }

    /// Whether a row is read for every subject.
    pub(super) fn concerns_all(&self, row: Row) -> bool {
        self.any.contains(row.kind()) || self.fixed.contains(&row)
    }

    /// The subject of this kind that reads a row as its own.
    pub(super) fn subject_of(&self, row: Row, kind: RowKind) -> Option<Row> {
        self.own.contains(row.kind()).then(|| Self::reader_of(row, kind))
    }

    /// The row of this kind that has fields which are read from a row.
    ///
    /// # Panics
    /// If none has.
    pub fn reader_of(row: Row, kind: RowKind) -> Row {
        if row.kind() == kind {
            return row;
        }
        match (kind, row) {
            (RowKind::Machine, Row::MachineRuntime(id)) => Row::Machine(id),
            (RowKind::MachineRuntime, Row::Machine(id)) => Row::MachineRuntime(id),
            (RowKind::Unit, Row::UnitRuntime(id) | Row::Scope(_, id)) => Row::Unit(id),
            (RowKind::UnitRuntime, Row::Unit(id)) => Row::UnitRuntime(id),
            (RowKind::Relation, Row::Scope(id, _)) => Row::Relation(id),
            (RowKind::Scope, Row::Membership(id, unit)) => Row::Scope(id, unit),
            (RowKind::Membership, Row::Scope(id, unit)) => Row::Membership(id, unit),
            _ => unreachable!("no field of a row is read from others than these"),
        }
    }
}
