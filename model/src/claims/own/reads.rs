//! What a claim of a scenario's own reads, and the way back from a row to its subjects.

use crate::{
    ids::{EntityId, RelationId, UnitId},
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
}

/// The rows that a condition may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Rows of these kinds that belong to the subject.
    pub own: Kinds,
    /// Rows of the first kind, of which fields of the row of the second kind are made that the key of the
    /// subject names.
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
        self.own.0 |= other.own.0;
        self.any.0 |= other.any.0;
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

    /// Whether rows of this kind are read.
    pub fn contains(&self, kind: RowKind) -> bool {
        let is_fixed = self.fixed.iter().any(|row| row.kind() == kind);
        let is_linked = self.linked.iter().any(|(read, _)| *read == kind);
        is_fixed || is_linked || self.own.contains(kind) || self.any.contains(kind)
    }

    /// Whether a row is read for every subject.
    pub(super) fn concerns_all(&self, row: Row) -> bool {
        self.any.contains(row.kind()) || self.fixed.contains(&row)
    }

    /// The subject of this kind that reads a row as its own.
    pub(super) fn subject_of(&self, row: Row, kind: RowKind) -> Option<Row> {
        self.own.contains(row.kind()).then(|| Self::reader_of(row, kind))
    }

    /// Adds the subjects of this kind whose keys name a row that has fields which are read from this one.
    pub(super) fn linked_to(&self, world: &World, row: Row, kind: RowKind, all: &mut Vec<Row>) {
        if kind.count(world) == 0 {
            return;
        }
        for (_, found) in self.linked.iter().filter(|(read, _)| *read == row.kind()) {
            let found = Self::reader_of(row, *found);
            match (found.actor(), found.relation()) {
                (Some(EntityId::Unit(unit)), _) if Self::pair(kind).is_some() => {
                    let pair = Self::pair(kind).into_iter();
                    let relations = world.relations_of(unit).iter();
                    all.extend(
                        pair.flat_map(|pair| relations.clone().map(move |id| pair(*id, unit))),
                    );
                }
                (_, Some(relation)) if Self::pair(kind).is_some() => {
                    let pair = Self::pair(kind).into_iter();
                    let ends = world.relation(relation).applications();
                    let units: Vec<UnitId> =
                        ends.flat_map(|end| world.application(end).units()).collect();
                    all.extend(
                        pair.flat_map(|pair| units.iter().map(move |id| pair(relation, *id))),
                    );
                }
                (Some(entity), _) => all.extend(Self::of_entity(kind, entity)),
                (None, _) => all.extend(kind.rows(world)),
            }
        }
    }

    /// The rows of this kind, if each is one of a relation and a unit.
    fn pair(kind: RowKind) -> Option<fn(RelationId, UnitId) -> Row> {
        Some(match kind {
            RowKind::Scope => Row::Scope,
            RowKind::Settings => Row::Settings,
            RowKind::Membership => Row::Membership,
            RowKind::Sighting => Row::Sighting,
            RowKind::RelationHistory => Row::RelationHistory,
            _ => return None,
        })
    }

    /// The row of this kind that an entity has.
    fn of_entity(kind: RowKind, entity: EntityId) -> Option<Row> {
        Some(match (kind, entity) {
            (RowKind::Machine, EntityId::Machine(id)) => Row::Machine(id),
            (RowKind::MachineRuntime, EntityId::Machine(id)) => Row::MachineRuntime(id),
            (RowKind::MachineHistory, EntityId::Machine(id)) => Row::MachineHistory(id),
            (RowKind::Application, EntityId::Application(id)) => Row::Application(id),
            (RowKind::Relation, EntityId::Relation(id)) => Row::Relation(id),
            (RowKind::Unit, EntityId::Unit(id)) => Row::Unit(id),
            (RowKind::UnitRuntime, EntityId::Unit(id)) => Row::UnitRuntime(id),
            (RowKind::UnitHooks, EntityId::Unit(id)) => Row::UnitHooks(id),
            (RowKind::UnitCharm, EntityId::Unit(id)) => Row::UnitCharm(id),
            (RowKind::UnitWorkflow, EntityId::Unit(id)) => Row::UnitWorkflow(id),
            (RowKind::UnitHistory, EntityId::Unit(id)) => Row::UnitHistory(id),
            _ => return None,
        })
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
