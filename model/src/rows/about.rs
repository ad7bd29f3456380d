//! What each row is about: the entity whose own document it is, or that acts for it, and its
//! relation.

use super::Row;
use crate::{
    ids::{EntityId, RelationId},
    life::Life,
    state::State,
};

impl Row {
    /// The entity whose own document is in the row, if there is one.
    pub fn own_entity(self) -> Option<EntityId> {
        match self {
            Self::Machine(id) => Some(EntityId::Machine(id)),
            Self::Application(id) => Some(EntityId::Application(id)),
            Self::Unit(id) => Some(EntityId::Unit(id)),
            Self::Relation(id) => Some(EntityId::Relation(id)),
            Self::Scope(..)
            | Self::Settings(..)
            | Self::MachineRuntime(_)
            | Self::UnitRuntime(_)
            | Self::UnitHooks(_)
            | Self::UnitCharm(_)
            | Self::UnitWorkflow(_)
            | Self::Membership(..)
            | Self::Sighting(..)
            | Self::User(_)
            | Self::Task(_)
            | Self::Client(_)
            | Self::Model
            | Self::Upgrade
            | Self::UnitHistory(_)
            | Self::RelationHistory(..)
            | Self::MachineHistory(_) => None,
        }
    }

    /// The entity that acts for the row, if there is one: the unit of a unit and a relation, and
    /// the entity of an agent.
    pub fn actor(self) -> Option<EntityId> {
        match self {
            Self::MachineRuntime(id) | Self::MachineHistory(id) => Some(EntityId::Machine(id)),
            Self::UnitRuntime(id)
            | Self::UnitHistory(id)
            | Self::RelationHistory(_, id)
            | Self::UnitHooks(id)
            | Self::UnitCharm(id)
            | Self::UnitWorkflow(id)
            | Self::Scope(_, id)
            | Self::Settings(_, id)
            | Self::Membership(_, id)
            | Self::Sighting(_, id) => Some(EntityId::Unit(id)),
            Self::Machine(_)
            | Self::Application(_)
            | Self::Unit(_)
            | Self::Relation(_)
            | Self::User(_)
            | Self::Task(_)
            | Self::Client(_)
            | Self::Model
            | Self::Upgrade => self.own_entity(),
        }
    }

    /// The relation that the row is about, if it is about one.
    pub fn relation(self) -> Option<RelationId> {
        match self {
            Self::Relation(id)
            | Self::Scope(id, _)
            | Self::Settings(id, _)
            | Self::Membership(id, _)
            | Self::Sighting(id, _)
            | Self::RelationHistory(id, _) => Some(id),
            Self::Machine(_)
            | Self::Application(_)
            | Self::Unit(_)
            | Self::MachineRuntime(_)
            | Self::UnitRuntime(_)
            | Self::UnitHooks(_)
            | Self::UnitCharm(_)
            | Self::UnitWorkflow(_)
            | Self::User(_)
            | Self::Task(_)
            | Self::Client(_)
            | Self::Model
            | Self::Upgrade
            | Self::UnitHistory(_)
            | Self::MachineHistory(_) => None,
        }
    }

    /// The entities that the row is about: one, or a unit and a relation. None if it is about
    /// users, tasks of the manager, clients or the whole model.
    pub fn about(self) -> impl Iterator<Item = EntityId> {
        let actor = self.actor();
        let relation = self.relation().map(EntityId::Relation).filter(|it| actor != Some(*it));
        actor.into_iter().chain(relation)
    }

    /// The life of the entity whose own document is in the row, if that exists.
    #[inline]
    pub fn life(self, state: &State) -> Option<Life> {
        self.own_entity()?.life(state)
    }
}
