//! What a claim of a scenario's own reads, and its reverse dependencies: from a row to the
//! subjects.

use crate::{
    ids::EntityId,
    rows::{Row, RowKind},
    world::World,
};

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

    /// The kinds of these rows.
    pub fn of(rows: impl IntoIterator<Item = Row>) -> Self {
        let mut kinds = Self::default();
        rows.into_iter().for_each(|row| kinds.add(row.kind()));
        kinds
    }

    /// These and the others.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether some kind is one of both.
    pub fn meet(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// The rows that a condition may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Rows of these kinds that belong to the subject.
    pub own: Kinds,
    /// Rows of the first kind, of which fields of the row of the second kind are made that the key
    /// of the subject names.
    pub linked: Vec<(RowKind, RowKind)>,
    /// Any rows of these kinds.
    pub any: Kinds,
    /// These rows.
    pub fixed: Vec<Row>,
}

impl Reads {
    /// What is read by this condition or the other.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.own = self.own.and(other.own);
        self.any = self.any.and(other.any);
        for row in &other.fixed {
            self.add(*row);
        }
        for (kind, found) in &other.linked {
            self.link(*kind, *found);
        }
        self
    }

    /// Adds rows of a kind, of which fields of the row that the key of the subject names are made.
    pub fn link(&mut self, kind: RowKind, found: RowKind) {
        if !self.linked.contains(&(kind, found)) {
            self.linked.push((kind, found));
        }
    }

    /// Adds a row.
    pub fn add(&mut self, row: Row) {
        if !self.fixed.contains(&row) {
            self.fixed.push(row);
        }
    }

    /// The kinds of rows that are read.
    pub fn kinds(&self) -> Kinds {
        let mut kinds = Kinds::of(self.fixed.iter().copied()).and(self.own).and(self.any);
        self.linked.iter().for_each(|(read, _)| kinds.add(*read));
        kinds
    }

    /// Whether a row is read for every subject.
    pub(super) fn concerns_all(&self, row: Row) -> bool {
        self.any.contains(row.kind()) || self.fixed.contains(&row)
    }

    /// The subject of this kind that reads a row as its own.
    pub(super) fn subject_of(&self, row: Row, kind: RowKind) -> Option<Row> {
        self.own.contains(row.kind()).then(|| Self::reader_of(row, kind))
    }

    /// Adds the subjects of this kind whose keys name a row that has fields which are read from
    /// this one.
    pub(super) fn linked_to(&self, world: &World, row: Row, kind: RowKind, all: &mut Vec<Row>) {
        if kind.count(world) == 0 {
            return;
        }
        let pair = |relation, unit| kind.of_pair(relation, unit);
        for (_, found) in self.linked.iter().filter(|(read, _)| *read == row.kind()) {
            let found = Self::reader_of(row, *found);
            let is_pair = RowKind::PAIRS.contains(&kind);
            match (found.relation(), found.actor()) {
                (Some(relation), Some(EntityId::Unit(unit))) if is_pair => {
                    // A client may make rows of a relation and a unit that it does not concern.
                    let concerned = world.pair_index(relation, unit);
                    all.extend(concerned.and(pair(relation, unit)));
                }
                (None, Some(EntityId::Unit(unit))) if is_pair => {
                    let relations = world.relations_of(unit).iter();
                    all.extend(relations.filter_map(|relation| pair(*relation, unit)));
                }
                (Some(relation), _) if is_pair => {
                    let ends = world.relation(relation).applications();
                    let units = ends.flat_map(|end| world.application(end).units());
                    all.extend(units.filter_map(|unit| pair(relation, unit)));
                }
                (_, Some(entity)) => all.extend(kind.of_entity(entity)),
                (_, None) => all.extend(kind.rows(world)),
            }
        }
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
