//! Entities, and the rows that hold their own documents.

use super::{Row, RowKind};
use crate::{
    ids::{EntityId, Id},
    life::Life,
    state::State,
    world::World,
};

impl From<EntityId> for Row {
    fn from(entity: EntityId) -> Self {
        match entity {
            EntityId::Machine(id) => Self::Machine(id),
            EntityId::Application(id) => Self::Application(id),
            EntityId::Unit(id) => Self::Unit(id),
            EntityId::Relation(id) => Self::Relation(id),
        }
    }
}

impl EntityId {
    /// Every entity that may exist in `world`, in the order of the kinds.
    pub fn all(world: &World) -> impl Iterator<Item = Self> {
        let rows = RowKind::ENTITIES.into_iter().flat_map(|kind| kind.rows(world));
        rows.filter_map(Row::own_entity)
    }

    /// The index among the entities of its kind.
    pub fn index(self) -> usize {
        match self {
            Self::Machine(id) => id.index(),
            Self::Application(id) => id.index(),
            Self::Unit(id) => id.index(),
            Self::Relation(id) => id.index(),
        }
    }

    /// Its life, if it exists.
    #[inline]
    pub fn life(self, state: &State) -> Option<Life> {
        match self {
            Self::Machine(id) => state.store.machine_life(id),
            Self::Application(id) => state.store.application_life(id),
            Self::Unit(id) => state.store.unit_life(id),
            Self::Relation(id) => state.store.relation_life(id),
        }
    }
}
