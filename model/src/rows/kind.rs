//! Kinds of rows, and the rows of each kind that a world may have.
//!
//! Rows of a kind are numbered densely, so that a bit for each of them takes no more than a bit.

use super::{ManagerTask, ROW_TYPES, Row, RowType};
use crate::{
    ids::{EntityId, Id, RelationId, UnitId},
    world::{HistoryOf, World},
};

/// A kind of row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// Machines' documents.
    Machine,
    /// Applications' documents.
    Application,
    /// Units' documents.
    Unit,
    /// Relations' documents.
    Relation,
    /// Scope documents: one for each relation and unit of its ends.
    Scope,
    /// Settings documents: one for each relation and unit of its ends, where the world has the
    /// detail `relations` or `workflow`.
    Settings,
    /// The model's document, where the world has the detail `constraints`.
    Model,
    /// Machines' hardware and agents.
    MachineRuntime,
    /// Units' agents.
    UnitRuntime,
    /// How far units' hooks have come, where the world has the detail `hooks`.
    UnitHooks,
    /// Units' charms and ports, where the world has the detail `charm`.
    UnitCharm,
    /// The workflows of units, where the world has the detail `workflow`.
    UnitWorkflow,
    /// The knowledge of agents: one for each relation and unit of its ends.
    Membership,
    /// What agents have seen of the other units in a relation: one for each relation and unit of
    /// its ends, where the world has the detail `relations` or `workflow`.
    Sighting,
    /// Users.
    User,
    /// The provisioner and the cleaner.
    Task,
    /// Scripted clients.
    Client,
    /// The upgrade of agents.
    Upgrade,
    /// What has happened to units, where an asked claim reads it.
    UnitHistory,
    /// What has happened to units in relations: one for each relation and unit of its ends, where
    /// an asked claim reads it.
    RelationHistory,
    /// What has happened to machines, where an asked claim reads it.
    MachineHistory,
}

impl RowKind {
    /// Every kind, in the order of the rows.
    pub const ALL: [Self; 21] = [
        RowKind::Machine,
        RowKind::Application,
        RowKind::Unit,
        RowKind::Relation,
        RowKind::Scope,
        RowKind::Settings,
        RowKind::Model,
        RowKind::MachineRuntime,
        RowKind::UnitRuntime,
        RowKind::UnitHooks,
        RowKind::UnitCharm,
        RowKind::UnitWorkflow,
        RowKind::Membership,
        RowKind::Sighting,
        RowKind::User,
        RowKind::Task,
        RowKind::Client,
        RowKind::Upgrade,
        RowKind::UnitHistory,
        RowKind::RelationHistory,
        RowKind::MachineHistory,
    ];

    /// The kinds of rows that hold an entity's own document.
    pub const ENTITIES: [Self; 4] =
        [RowKind::Machine, RowKind::Application, RowKind::Unit, RowKind::Relation];

    /// The kinds of which each row is one of a relation and a unit.
    pub const PAIRS: [Self; 5] = [
        RowKind::Scope,
        RowKind::Settings,
        RowKind::Membership,
        RowKind::Sighting,
        RowKind::RelationHistory,
    ];

    /// Its name and its fields.
    pub fn row_type(self) -> &'static RowType {
        &ROW_TYPES[self as usize]
    }

    /// Whether it is in the store, and not in the runtime.
    pub fn is_document(self) -> bool {
        match self {
            RowKind::Machine
            | RowKind::Application
            | RowKind::Unit
            | RowKind::Relation
            | RowKind::Scope
            | RowKind::Settings
            | RowKind::Model => true,
            RowKind::MachineRuntime
            | RowKind::UnitRuntime
            | RowKind::UnitHooks
            | RowKind::UnitCharm
            | RowKind::UnitWorkflow
            | RowKind::Membership
            | RowKind::Sighting
            | RowKind::User
            | RowKind::Task
            | RowKind::Client
            | RowKind::Upgrade
            | RowKind::UnitHistory
            | RowKind::RelationHistory
            | RowKind::MachineHistory => false,
        }
    }

    /// Whether it says what has happened, and is read by claims alone.
    pub fn is_history(self) -> bool {
        self.history().is_some()
    }

    /// The type of rows of history that it is, if it is one.
    pub fn history(self) -> Option<HistoryOf> {
        match self {
            RowKind::UnitHistory => Some(HistoryOf::Unit),
            RowKind::RelationHistory => Some(HistoryOf::Relation),
            RowKind::MachineHistory => Some(HistoryOf::Machine),
            _ => None,
        }
    }

    /// The number of rows of this kind that a world may have. It does not know of scripted clients:
    /// there are as many as a script names.
    #[inline]
    pub fn count(self, world: &World) -> usize {
        match self {
            RowKind::Machine | RowKind::MachineRuntime => world.machines.len(),
            RowKind::Application => world.applications.len(),
            RowKind::Unit | RowKind::UnitRuntime => world.units.len(),
            RowKind::UnitHooks if world.detail.hooks => world.units.len(),
            RowKind::UnitCharm if world.detail.charm => world.units.len(),
            RowKind::UnitWorkflow if world.detail.workflow => world.units.len(),
            RowKind::Relation => world.relations.len(),
            RowKind::Scope | RowKind::Membership => world.pairs(),
            RowKind::Settings | RowKind::Sighting if world.has_sightings() => world.pairs(),
            RowKind::User => world.user_ids().count(),
            RowKind::Task => ManagerTask::ALL.len(),
            RowKind::UnitHistory if world.history.has_rows(HistoryOf::Unit) => world.units.len(),
            RowKind::RelationHistory if world.history.has_rows(HistoryOf::Relation) => {
                world.pairs()
            }
            RowKind::MachineHistory if world.history.has_rows(HistoryOf::Machine) => {
                world.machines.len()
            }
            RowKind::UnitHooks
            | RowKind::UnitCharm
            | RowKind::UnitWorkflow
            | RowKind::Settings
            | RowKind::Sighting
            | RowKind::UnitHistory
            | RowKind::RelationHistory
            | RowKind::MachineHistory
            | RowKind::Client => 0,
            RowKind::Model => usize::from(world.detail.constraints),
            RowKind::Upgrade => 1,
        }
    }

    /// The row with this index among those of its kind.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn row(self, world: &World, index: usize) -> Row {
        match self {
            RowKind::Machine => Row::Machine(Id::new(index)),
            RowKind::Application => Row::Application(Id::new(index)),
            RowKind::Unit => Row::Unit(Id::new(index)),
            RowKind::Relation => Row::Relation(Id::new(index)),
            RowKind::MachineRuntime => Row::MachineRuntime(Id::new(index)),
            RowKind::UnitRuntime => Row::UnitRuntime(Id::new(index)),
            RowKind::UnitHooks => Row::UnitHooks(Id::new(index)),
            RowKind::UnitCharm => Row::UnitCharm(Id::new(index)),
            RowKind::UnitWorkflow => Row::UnitWorkflow(Id::new(index)),
            RowKind::User => Row::User(Id::new(index)),
            RowKind::Task => Row::Task(ManagerTask::ALL[index]),
            RowKind::Client => Row::Client(Id::new(index)),
            RowKind::Model => Row::Model,
            RowKind::Upgrade => Row::Upgrade,
            RowKind::UnitHistory => Row::UnitHistory(Id::new(index)),
            RowKind::MachineHistory => Row::MachineHistory(Id::new(index)),
            RowKind::Scope
            | RowKind::Settings
            | RowKind::Membership
            | RowKind::Sighting
            | RowKind::RelationHistory => {
                let (relation, unit) = world.pair(index);
                self.of_pair(relation, unit).expect("its rows are of pairs")
            }
        }
    }

    /// The row of this kind that a relation and a unit have; `None` if it is no kind of pairs.
    #[inline]
    pub fn of_pair(self, relation: RelationId, unit: UnitId) -> Option<Row> {
        Some(match self {
            RowKind::Scope => Row::Scope(relation, unit),
            RowKind::Settings => Row::Settings(relation, unit),
            RowKind::Membership => Row::Membership(relation, unit),
            RowKind::Sighting => Row::Sighting(relation, unit),
            RowKind::RelationHistory => Row::RelationHistory(relation, unit),
            _ => return None,
        })
    }

    /// The row of this kind that an entity has; `None` if it has none.
    pub fn of_entity(self, entity: EntityId) -> Option<Row> {
        Some(match (self, entity) {
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

    /// The rows of this kind that a world may have, in order.
    #[inline]
    pub fn rows(self, world: &World) -> impl Iterator<Item = Row> + '_ {
        (0..self.count(world)).map(move |index| self.row(world, index))
    }
}

impl Row {
    /// Its kind.
    pub fn kind(self) -> RowKind {
        match self {
            Self::Machine(_) => RowKind::Machine,
            Self::Application(_) => RowKind::Application,
            Self::Unit(_) => RowKind::Unit,
            Self::Relation(_) => RowKind::Relation,
            Self::Scope(..) => RowKind::Scope,
            Self::Settings(..) => RowKind::Settings,
            Self::MachineRuntime(_) => RowKind::MachineRuntime,
            Self::UnitRuntime(_) => RowKind::UnitRuntime,
            Self::UnitHooks(_) => RowKind::UnitHooks,
            Self::UnitCharm(_) => RowKind::UnitCharm,
            Self::UnitWorkflow(_) => RowKind::UnitWorkflow,
            Self::Membership(..) => RowKind::Membership,
            Self::Sighting(..) => RowKind::Sighting,
            Self::User(_) => RowKind::User,
            Self::Task(_) => RowKind::Task,
            Self::Client(_) => RowKind::Client,
            Self::Model => RowKind::Model,
            Self::Upgrade => RowKind::Upgrade,
            Self::UnitHistory(_) => RowKind::UnitHistory,
            Self::RelationHistory(..) => RowKind::RelationHistory,
            Self::MachineHistory(_) => RowKind::MachineHistory,
        }
    }

    /// Its index among the rows of its kind. `None` if it is one of a relation and a unit that the
    /// relation does not concern, as a client may make one where `enter-scope.7` is switched off.
    pub fn index(self, world: &World) -> Option<usize> {
        Some(match self {
            Self::Machine(id) | Self::MachineRuntime(id) | Self::MachineHistory(id) => id.index(),
            Self::Application(id) => id.index(),
            Self::Unit(id)
            | Self::UnitRuntime(id)
            | Self::UnitHooks(id)
            | Self::UnitCharm(id)
            | Self::UnitWorkflow(id)
            | Self::UnitHistory(id) => id.index(),
            Self::Relation(id) => id.index(),
            Self::Scope(id, unit)
            | Self::Settings(id, unit)
            | Self::Membership(id, unit)
            | Self::Sighting(id, unit)
            | Self::RelationHistory(id, unit) => return world.pair_index(id, unit),
            Self::User(id) => id.index(),
            Self::Task(task) => task.index(),
            Self::Client(id) => id.index(),
            Self::Model | Self::Upgrade => 0,
        })
    }
}
