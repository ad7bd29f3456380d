//! The rows of a state: the smallest things that a step touches, packs and takes back.
//!
//! A row's fields are declared once, in the file of its type: name, meaning, type, bound and texts.
//! Packing, unpacking, the width of a packed state, descriptions, expectations and the start of
//! scenarios are walks through these declarations; a new field is a line there, and nothing else.
//! The walks are made by macros, so that each is as fast as if it were written by hand. Keys of
//! rows are listed here, and tables are kept by the store and the runtime.

mod about;
mod application;
pub(crate) mod bits;
pub(crate) mod bounds;
mod client;
mod columns;
mod counts;
pub(crate) mod declare;
mod document;
mod entity;
pub(crate) mod field;
mod kind;
mod machine;
mod machine_runtime;
mod manager_task;
mod membership;
mod model;
pub(crate) mod number;
mod relation;
pub(crate) mod set;
pub(crate) mod sets;
mod settings;
mod sighting;
#[cfg(test)]
mod tests;
mod touched;
mod unit;
mod unit_charm;
mod unit_hooks;
mod unit_runtime;
mod unit_workflow;
mod upgrade;
mod user;
pub(crate) mod value;

pub use application::{Application, ApplicationDocs};
pub use bounds::{AtStart, WorldBounds};
pub use client::Client;
pub use declare::See;
pub use field::{Field, FieldKind, FieldText, Parts, ShownValue, ValueText};
pub use kind::RowKind;
pub use machine::{Machine, MachineDocs};
pub use machine_runtime::{Former, Hardware, MachineRuntime, Strays};
pub use manager_task::{ManagerTask, Stage, TaskRuntime};
pub use membership::{Membership, Memberships};
pub use model::ModelDocs;
pub use relation::{Relation, RelationDocs, ScopeDoc, ScopeDocs};
pub use set::Unset;
pub use settings::{SettingsDoc, SettingsDocs};
pub use sighting::{Container, Sighting};
pub use touched::Touched;
pub use unit::{Unit, UnitDocs};
pub use unit_charm::{ConfigRead, Directory, Owed, PortAsked, UnitCharm, UpgradeDue};
pub use unit_hooks::{Phase, Request, UnitHooks};
pub use unit_runtime::{Charm, Pending, UnitRuntime};
pub use unit_workflow::{Startup, Transition, UnitWorkflow, Workflow};
pub use upgrade::Upgrade;
pub use user::{Session, User, UserState};
pub use value::PendingTxn;
pub(crate) use {
    bits::{RowReader, RowWriter, read_bits, write_bits},
    declare::{Record, row},
    field::{hidden, shown},
    number::states,
    value::{Slot, TXN_BITS, below, flag, txn_interner},
};

use crate::{
    history::{MachineHistory, RelationHistory, UnitHistory},
    ids::{ApplicationId, ClientId, EntityId, Id, IdSet, MachineId, RelationId, UnitId, UserId},
    state::State,
};

/// The key of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// A machine's documents.
    Machine(MachineId),
    /// An application's documents.
    Application(ApplicationId),
    /// A unit's documents.
    Unit(UnitId),
    /// A relation's documents, without its scope documents.
    Relation(RelationId),
    /// A unit's scope document in a relation.
    Scope(RelationId, UnitId),
    /// A unit's settings document in a relation, in worlds that have the detail `relations` or
    /// `workflow`.
    Settings(RelationId, UnitId),
    /// The model's document, in worlds that have the detail `constraints`.
    Model,
    /// A machine's hardware and agent.
    MachineRuntime(MachineId),
    /// A unit's agent.
    UnitRuntime(UnitId),
    /// How far a unit's hooks have come, in worlds that have the detail `hooks`.
    UnitHooks(UnitId),
    /// A unit's charm and port, in worlds that have the detail `charm`.
    UnitCharm(UnitId),
    /// The workflow of a unit, in worlds that have the detail `workflow`.
    UnitWorkflow(UnitId),
    /// The knowledge of one unit's agent about a relation.
    Membership(RelationId, UnitId),
    /// What one unit's agent has seen of the others in a relation, in worlds that have the detail
    /// `relations`.
    Sighting(RelationId, UnitId),
    /// A user's transaction and command in progress, and the commands given.
    User(UserId),
    /// A task in a manager machine's agent.
    Task(ManagerTask),
    /// A scripted client.
    Client(ClientId),
    /// Whether agents that neglect duties have been upgraded.
    Upgrade,
    /// What has happened to a unit, as far as an asked claim reads it.
    UnitHistory(UnitId),
    /// What has happened to a unit in a relation, as far as an asked claim reads it.
    RelationHistory(RelationId, UnitId),
    /// What has happened to a machine, as far as an asked claim reads it.
    MachineHistory(MachineId),
}

/// A record that a state keeps in one of its tables.
pub(crate) trait Stored: Record {
    /// Reads a row.
    fn look<T>(state: &State, key: Self::Key, look: impl FnOnce(&Self) -> T) -> T;

    /// Changes a row, and the rows that are kept in agreement with it.
    fn change(
        state: &mut State,
        key: Self::Key,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    );

    /// Makes a row equal to that of another state.
    fn restore(state: &mut State, key: Self::Key, other: &State);
}

/// A function of rows of all types.
pub(crate) trait RowVisitor {
    /// The result.
    type Out;

    /// Calls the function with the row that has this key.
    fn visit<R: Stored>(self, key: R::Key) -> Self::Out;
}

impl Row {
    /// Calls a function with the row.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what a visitor holds stays in registers")]
    pub(crate) fn visit<V: RowVisitor>(self, visitor: V) -> V::Out {
        match self {
            Self::Machine(id) => visitor.visit::<MachineDocs>(id),
            Self::Application(id) => visitor.visit::<ApplicationDocs>(id),
            Self::Unit(id) => visitor.visit::<UnitDocs>(id),
            Self::Relation(id) => visitor.visit::<RelationDocs>(id),
            Self::Scope(id, unit) => visitor.visit::<ScopeDoc>((id, unit)),
            Self::Settings(id, unit) => visitor.visit::<SettingsDoc>((id, unit)),
            Self::Model => visitor.visit::<ModelDocs>(()),
            Self::MachineRuntime(id) => visitor.visit::<MachineRuntime>(id),
            Self::UnitRuntime(id) => visitor.visit::<UnitRuntime>(id),
            Self::UnitHooks(id) => visitor.visit::<UnitHooks>(id),
            Self::UnitCharm(id) => visitor.visit::<UnitCharm>(id),
            Self::UnitWorkflow(id) => visitor.visit::<UnitWorkflow>(id),
            Self::Membership(id, unit) => visitor.visit::<Membership>((id, unit)),
            Self::Sighting(id, unit) => visitor.visit::<Sighting>((id, unit)),
            Self::User(id) => visitor.visit::<User>(id),
            Self::Task(task) => visitor.visit::<TaskRuntime>(task),
            Self::Client(id) => visitor.visit::<Client>(id),
            Self::Upgrade => visitor.visit::<Upgrade>(()),
            Self::UnitHistory(id) => visitor.visit::<UnitHistory>(id),
            Self::RelationHistory(id, unit) => visitor.visit::<RelationHistory>((id, unit)),
            Self::MachineHistory(id) => visitor.visit::<MachineHistory>(id),
        }
    }

    /// The entity that the row belongs to, if there is one. A row of a unit and a relation belongs
    /// to the relation if it can be told of all units together.
    pub fn entity(self) -> Option<EntityId> {
        match self {
            Self::Machine(id) | Self::MachineRuntime(id) => Some(EntityId::Machine(id)),
            Self::Application(id) => Some(EntityId::Application(id)),
            Self::Unit(id)
            | Self::UnitRuntime(id)
            | Self::UnitHooks(id)
            | Self::UnitCharm(id)
            | Self::UnitWorkflow(id) => Some(EntityId::Unit(id)),
            Self::Relation(id)
            | Self::Scope(id, _)
            | Self::Settings(id, _)
            | Self::Membership(id, _) => Some(EntityId::Relation(id)),
            Self::Model
            | Self::Sighting(..)
            | Self::User(_)
            | Self::Task(_)
            | Self::Client(_)
            | Self::Upgrade
            | Self::UnitHistory(_)
            | Self::RelationHistory(..)
            | Self::MachineHistory(_) => None,
        }
    }
}

/// The description of a type of row.
#[derive(Debug)]
pub struct RowType {
    /// The name in scenarios and traces.
    pub name: &'static str,
    /// The kind of entity that a row of it is about.
    pub of: &'static str,
    /// There is a row for each unit of a relation, and the rows are told together: of each field
    /// the units that have it set.
    pub per_unit: bool,
    /// Its fields.
    pub fields: &'static [Field],
}

impl RowType {
    const fn new(name: &'static str, of: &'static str, fields: &'static [Field]) -> Self {
        Self { name, of, per_unit: false, fields }
    }

    const fn per_unit(self) -> Self {
        Self { per_unit: true, ..self }
    }
}

/// Every type of row, in the order of the keys.
pub const ROW_TYPES: &[RowType] = &[
    RowType::new("machine", "a machine's documents", MachineDocs::FIELDS),
    RowType::new("application", "an application's documents", ApplicationDocs::FIELDS),
    RowType::new("unit", "a unit's documents", UnitDocs::FIELDS),
    RowType::new("relation", "a relation's documents", RelationDocs::FIELDS),
    RowType::new("scope", "a unit's scope document in a relation", ScopeDoc::FIELDS).per_unit(),
    RowType::new(
        "settings-document",
        "a unit's settings document in a relation",
        SettingsDoc::FIELDS,
    )
    .per_unit(),
    RowType::new("model", "the model's document", ModelDocs::FIELDS),
    RowType::new("machine-agent", "a machine's hardware and agent", MachineRuntime::FIELDS),
    RowType::new("unit-agent", "a unit's agent", UnitRuntime::FIELDS),
    RowType::new("unit-hooks", "a unit's hooks", UnitHooks::FIELDS),
    RowType::new("unit-charm", "a unit's charm and port", UnitCharm::FIELDS),
    RowType::new("unit-workflow", "a unit's workflow", UnitWorkflow::FIELDS),
    RowType::new("membership", "what a unit's agent knows of a relation", Membership::FIELDS)
        .per_unit(),
    RowType::new("sighting", "what a unit's agent has seen in a relation", Sighting::FIELDS),
    RowType::new("user", "a user", User::FIELDS),
    RowType::new("manager-task", "the provisioner or the cleaner", TaskRuntime::FIELDS),
    RowType::new("client", "a scripted client", Client::FIELDS),
    RowType::new("upgrade", "the upgrade of agents that neglect duties", Upgrade::FIELDS),
    RowType::new("unit-history", "what has happened to a unit", UnitHistory::FIELDS),
    RowType::new(
        "relation-history",
        "what has happened to a unit in a relation",
        RelationHistory::FIELDS,
    ),
    RowType::new("machine-history", "what has happened to a machine", MachineHistory::FIELDS),
];

/// The texts of the life of an entity.
const LIFE: FieldText = FieldText::at(10)
    .present([shown("Alive"), shown("Dying"), shown("Dead")])
    .absent([shown("gone")]);

/// The texts of an agent's pending transaction.
const AGENT_PENDING: FieldText = FieldText::at(90)
    .both([
        hidden("no transaction pending"),
        shown("its agent is about to commit {}"),
        shown("its agent is about to end {}"),
    ])
    .private();

/// Copies one row of a table.
pub(crate) fn put<T: Clone, I: Id>(table: &mut [T], other: &[T], id: I) {
    table[id.index()].clone_from(&other[id.index()]);
}

/// Makes `id` a member of `set`, or not.
pub(crate) fn put_member<T: Id>(set: &mut IdSet<T>, id: T, is_member: bool) {
    match (is_member, set.contains(id)) {
        (true, false) => set.insert(id),
        (false, true) => set.remove(id),
        (true, true) | (false, false) => {}
    }
}
