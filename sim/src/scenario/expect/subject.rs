//! Subjects: what has fields that can be expected. An entity has those of its documents, of its
//! agent and of its hardware; the user, the manager tasks and the clients of scripts have rows of
//! their own.

use deathwatch_model::{
    action::Actor,
    claims::EntityId,
    ids::{ClientId, Id as _},
    rows::{Field, FieldKind, ManagerTask, Row, See, Shown},
    state::State,
    world::World,
};

use crate::describe;

/// The name of the agents that neglect duties until they are upgraded.
const AGENTS: &str = "agents";

/// What has fields that can be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An entity.
    Entity(EntityId),
    /// A row that belongs to no entity.
    Row(Row),
}

/// A field of a subject, and the kind of its values.
pub(super) struct Expectable {
    /// The field.
    pub(super) field: &'static Field,
    /// The kind of its values.
    pub(super) kind: FieldKind,
}

impl Subject {
    /// The subject that is no entity and is called `name`.
    pub(super) fn named(world: &World, name: &str) -> Option<Self> {
        if name == AGENTS {
            return Some(Self::Row(Row::Upgrade));
        }
        Some(Self::Row(match world.read_actor(name).ok()? {
            Actor::User(id) => Row::User(id),
            Actor::Client(number) => Row::Client(ClientId::new(number.into())),
            Actor::Provisioner => Row::Task(ManagerTask::Provisioner),
            Actor::Cleaner => Row::Task(ManagerTask::Cleaner),
            Actor::UnitAgent(id) => return Some(Self::Entity(EntityId::Unit(id))),
            Actor::MachineAgent(id) => return Some(Self::Entity(EntityId::Machine(id))),
            Actor::Faults | Actor::Operator | Actor::Supervisor => return None,
        }))
    }

    /// Its name, "unit wordpress/0".
    pub(crate) fn name(self, world: &World) -> String {
        match self {
            Self::Entity(entity) => describe::name(world, entity),
            Self::Row(row) => describe::row_name(world, row),
        }
    }

    /// Tells what there is to say of each of its fields.
    pub(crate) fn fields(self, state: &State, see: &mut See<'_>) {
        match self {
            Self::Entity(entity) => state.entity_fields(entity, see),
            Self::Row(row) => state.fields(row, see),
        }
    }

    /// Those of its fields that can be expected. The life of an entity is expected in lists, and
    /// numbers without a meaning of their own are not.
    pub(super) fn expectable(self, state: &State) -> Vec<Expectable> {
        let mut fields = Vec::new();
        self.fields(state, &mut |field, shown| {
            // What concerns the units of a relation one by one is shown as a set.
            let kind =
                if let Some(Shown::Units(_)) = shown { FieldKind::Units } else { field.kind };
            if is_expectable(kind) {
                fields.push(Expectable { field, kind });
            }
        });
        fields
    }
}

/// Whether fields of this kind can be expected, each by its name.
pub(super) fn is_expectable(kind: FieldKind) -> bool {
    match kind {
        FieldKind::Flag
        | FieldKind::Count
        | FieldKind::State(_)
        | FieldKind::Placement
        | FieldKind::Machine
        | FieldKind::Application
        | FieldKind::Unit
        | FieldKind::Relation
        | FieldKind::Units
        | FieldKind::Machines
        | FieldKind::Txn
        | FieldKind::Begun => true,
        FieldKind::Life | FieldKind::List | FieldKind::Document => false,
    }
}
