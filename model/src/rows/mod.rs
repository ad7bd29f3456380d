//! The rows of a state: the smallest things that a step touches, packs and takes back.

mod client;
mod manager_task;
mod upgrade;
mod user;

use crate::ids::{
    ApplicationId, ClientId, EntityId, Id, IdSet, MachineId, RelationId, UnitId, UserId,
};

pub use client::Client;
pub use manager_task::{ManagerTask, TaskRuntime};
pub use upgrade::Upgrade;
pub use user::{Session, User, UserState};

/// The key of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// A machine's documents.
    Machine(MachineId),
    /// An application's documents.
    Application(ApplicationId),
    /// A unit's documents.
    Unit(UnitId),
    /// A relation's documents, but for its scope documents.
    Relation(RelationId),
    /// A unit's scope document in a relation.
    Scope(RelationId, UnitId),
    /// A machine's hardware and agent.
    MachineRuntime(MachineId),
    /// A unit's agent.
    UnitRuntime(UnitId),
    /// What the agents of a relation's units remember of it, all of them.
    Memberships(RelationId),
    /// What one unit's agent remembers of a relation.
    Membership(RelationId, UnitId),
    /// A user's transaction and command in progress, and the commands given.
    User(UserId),
    /// A task in a manager machine's agent.
    Task(ManagerTask),
    /// A scripted client.
    Client(ClientId),
    /// Whether neglectful agents have been upgraded.
    Upgrade,
}

impl Row {
    /// The entity whose own document is there, if it is that of one.
    pub fn subject(self) -> Option<EntityId> {
        match self {
            Self::Machine(id) => Some(EntityId::Machine(id)),
            Self::Application(id) => Some(EntityId::Application(id)),
            Self::Unit(id) => Some(EntityId::Unit(id)),
            Self::Relation(id) => Some(EntityId::Relation(id)),
            Self::Scope(..)
            | Self::MachineRuntime(_)
            | Self::UnitRuntime(_)
            | Self::Memberships(_)
            | Self::Membership(..)
            | Self::User(_)
            | Self::Task(_)
            | Self::Client(_)
            | Self::Upgrade => None,
        }
    }
}

/// What a step touched; a row may occur twice.
pub type Touched = Vec<Row>;

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
