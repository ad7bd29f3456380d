//! Subjects: entities, agents and users with fields that can be expected and set. An entity has
//! those of its documents, of its agent and of its hardware; the user, the manager tasks and the
//! clients of scripts have rows of their own.

use deathwatch_model::ids::EntityId;
use deathwatch_model::{
    actor::Actor,
    ids::{ClientId, Id as _},
    rows::{Field, FieldKind, ManagerTask, Row, RowKind, See, ShownValue, Unset, WorldBounds},
    state::State,
    world::World,
};

use crate::describe;

/// The name of the agents that neglect duties until they are upgraded.
pub(super) const AGENTS: &str = "agents";

/// The name of the model, which has constraints.
const MODEL: &str = "model";

/// A subject: an entity, agent or user with fields that can be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedSubject {
    Entity(EntityId),
    /// A row that belongs to no entity.
    Row(Row),
}

/// A field of a subject, and the kind of its values.
pub(super) struct Expectable {
    pub(super) field: &'static Field,
    pub(super) kind: FieldKind,
}

impl NamedSubject {
    /// The subject that is no entity and is called `name`.
    pub(super) fn named(world: &World, name: &str) -> Option<Self> {
        if name == AGENTS {
            return Some(Self::Row(Row::Upgrade));
        }
        if name == MODEL {
            return world.detail.constraints.then_some(Self::Row(Row::Model));
        }
        if let Some(sighting) = sighting_named(world, name) {
            return Some(Self::Row(sighting));
        }
        if let Some(history) = history_named(world, name) {
            return Some(Self::Row(history));
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
    pub fn name(self, world: &World) -> String {
        match self {
            Self::Entity(entity) => describe::name(world, entity),
            Self::Row(row) => describe::row_name(world, row),
        }
    }

    /// Its name as a key, by which it is read.
    pub fn key(self, world: &World) -> String {
        match self {
            Self::Entity(entity) => describe::bare_name(world, entity).to_owned(),
            Self::Row(Row::Upgrade) => AGENTS.to_owned(),
            Self::Row(row) => describe::row_name(world, row),
        }
    }

    /// All subjects that a world is described by. Clients of scripts are left out, and so is
    /// history, which begins anew where a run does.
    pub fn all(world: &World) -> impl Iterator<Item = Self> {
        let kinds = RowKind::ALL.into_iter().filter(|kind| !kind.is_history());
        let rows = kinds.flat_map(|kind| kind.rows(world));
        let others = rows.filter(|row| row.entity().is_none()).map(Self::Row);
        EntityId::all(world).map(Self::Entity).chain(others)
    }

    /// Gives `see` each of its fields, with the shown value.
    pub fn fields(self, state: &State, see: &mut See<'_>) {
        match self {
            Self::Entity(entity) => state.entity_fields(entity, see),
            Self::Row(row) => state.fields(row, see),
        }
    }

    /// Sets its field of this name.
    ///
    /// # Errors
    /// If the field does not have this value in any state of a world with these bounds.
    pub fn set(
        self,
        state: &mut State,
        bounds: &WorldBounds<'_>,
        field: &str,
        value: Option<ShownValue<'_>>,
    ) -> Result<(), Unset> {
        match self {
            Self::Entity(entity) => state.set_of_entity(bounds, entity, field, value),
            Self::Row(row) => state.set(bounds, row, field, value),
        }
    }

    /// The fields of this subject that can be expected. The life of an entity is expected in lists,
    /// and only the first user has counts of commands.
    pub(super) fn expectable(self, state: &State) -> Vec<Expectable> {
        let mut fields = Vec::new();
        self.fields(state, &mut |field, shown| {
            // What concerns the units of a relation one by one is shown as a set.
            let kind =
                if let Some(ShownValue::Units(_)) = shown { FieldKind::Units } else { field.kind };
            let is_empty = shown == Some(ShownValue::Commands(&[]));
            if is_expectable(kind) && !is_empty {
                fields.push(Expectable { field, kind });
            }
        });
        fields
    }
}

/// The settings of a related unit as a unit has seen them, by the names of the two: "wordpress/0 in
/// wordpress:cluster".
fn sighting_named(world: &World, name: &str) -> Option<Row> {
    let (unit, relation) = name.split_once(" in ")?;
    let (unit, relation) = (world.unit_named(unit)?, world.relation_named(relation)?);
    let is_there = world.has_sightings() && world.pair_index(relation, unit).is_some();
    is_there.then_some(Row::Sighting(relation, unit))
}

/// The history of this name, "history of wordpress/0", if any field of it is kept.
fn history_named(world: &World, name: &str) -> Option<Row> {
    let kinds = RowKind::ALL.into_iter().filter(|kind| kind.is_history());
    let mut rows = kinds.flat_map(|kind| kind.rows(world));
    let is_meant = |row: &Row| describe::row_name(world, *row) == name;
    name.starts_with("history of ").then(|| rows.find(is_meant)).flatten()
}

/// Whether fields of this kind can be expected, each by its name.
pub(super) fn is_expectable(kind: FieldKind) -> bool {
    !matches!(kind, FieldKind::Life | FieldKind::Document)
}
