//! Parts of keys of rows: an entity, a relation and a unit, or another value.

use super::ManagerTask;
use crate::{
    ids::{ApplicationId, ClientId, EntityId, Id, MachineId, RelationId, UnitId, UserId},
    world::World,
};

/// A type of keys of rows.
pub(super) trait RowKey: Copy {
    const SHAPE: Shape;

    /// The number of such keys in a world.
    fn count(world: &World) -> usize;

    fn nth(world: &World, index: usize) -> Self;

    /// The index of the key; `None` if a relation does not concern a unit.
    fn number(self, world: &World) -> Option<usize>;

    fn parts(self) -> KeyParts;

    /// The entity that acts for the row, if there is one: the unit of a pair, or the entity of the
    /// key.
    #[inline]
    fn actor(self) -> Option<EntityId> {
        match self.parts() {
            KeyParts::Entity(entity) => Some(entity),
            KeyParts::Pair(_, unit) => Some(EntityId::Unit(unit)),
            KeyParts::Other(_) => None,
        }
    }

    /// The relation that the row is about, if it is about one.
    #[inline]
    fn relation(self) -> Option<RelationId> {
        match self.parts() {
            KeyParts::Entity(EntityId::Relation(id)) | KeyParts::Pair(id, _) => Some(id),
            KeyParts::Entity(_) | KeyParts::Other(_) => None,
        }
    }

    /// The key of an entity, if keys of this type are entities.
    fn of_entity(_: EntityId) -> Option<Self> {
        None
    }

    /// The key of a pair, if keys of this type are pairs.
    fn of_pair(_: RelationId, _: UnitId) -> Option<Self> {
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Entity,
    Pair,
    /// Something else, or nothing.
    Other,
}

#[derive(Clone, Copy)]
pub(crate) enum KeyParts {
    Entity(EntityId),
    Pair(RelationId, UnitId),
    /// An index among the rows of the kind.
    Other(usize),
}

macro_rules! entity_keys {
    ($($id:ident $entity:ident $table:ident)+) => {$(
        impl RowKey for $id {
            const SHAPE: Shape = Shape::Entity;

            #[inline]
            fn count(world: &World) -> usize {
                world.$table.len()
            }

            #[inline]
            fn nth(_: &World, index: usize) -> Self {
                Id::new(index)
            }

            #[inline]
            fn number(self, _: &World) -> Option<usize> {
                Some(Id::index(self))
            }

            #[inline]
            fn parts(self) -> KeyParts {
                KeyParts::Entity(EntityId::$entity(self))
            }

            #[inline]
            fn of_entity(entity: EntityId) -> Option<Self> {
                if let EntityId::$entity(id) = entity { Some(id) } else { None }
            }
        }
    )+};
}

entity_keys! {
    MachineId Machine machines
    ApplicationId Application applications
    UnitId Unit units
    RelationId Relation relations
}

macro_rules! other_keys {
    ($($id:ident |$world:ident| $count:expr;)+) => {$(
        impl RowKey for $id {
            const SHAPE: Shape = Shape::Other;

            #[inline]
            fn count($world: &World) -> usize {
                $count
            }

            #[inline]
            fn nth(_: &World, index: usize) -> Self {
                Id::new(index)
            }

            #[inline]
            fn number(self, _: &World) -> Option<usize> {
                Some(Id::index(self))
            }

            #[inline]
            fn parts(self) -> KeyParts {
                KeyParts::Other(Id::index(self))
            }
        }
    )+};
}

other_keys! {
    UserId |world| world.user_ids().count();
    ManagerTask |_world| ManagerTask::ALL.len();
    // The script determines their number.
    ClientId |_world| 0;
}

impl RowKey for () {
    const SHAPE: Shape = Shape::Other;

    fn count(_: &World) -> usize {
        1
    }

    fn nth(_: &World, _: usize) -> Self {}

    fn number(self, _: &World) -> Option<usize> {
        Some(0)
    }

    #[inline]
    fn parts(self) -> KeyParts {
        KeyParts::Other(0)
    }
}

impl RowKey for (RelationId, UnitId) {
    const SHAPE: Shape = Shape::Pair;

    #[inline]
    fn count(world: &World) -> usize {
        world.pairs()
    }

    #[inline]
    fn nth(world: &World, index: usize) -> Self {
        world.pair(index)
    }

    #[inline]
    fn number(self, world: &World) -> Option<usize> {
        world.pair_index(self.0, self.1)
    }

    #[inline]
    fn parts(self) -> KeyParts {
        KeyParts::Pair(self.0, self.1)
    }

    #[inline]
    fn of_pair(relation: RelationId, unit: UnitId) -> Option<Self> {
        Some((relation, unit))
    }
}
