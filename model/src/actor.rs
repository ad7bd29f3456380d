//! Actors, and the clients of the store and agents with processes among them.

use crate::ids::{EntityId, MachineId, Rename, Renaming, UnitId, UserId};

/// An actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A user, whose commands are never owed.
    User(UserId),
    /// A client of a script, which plans any operation at any time.
    Client(u8),
    UnitAgent(UnitId),
    /// The agent of a machine; the deployer is part of it.
    MachineAgent(MachineId),
    /// The provisioner, a task in the agent of a manager machine.
    Provisioner,
    Cleaner,
    Faults,
    /// The operator, who resolves hook errors and terminates broken hardware.
    Operator,
    /// The supervisor, which restarts crashed agents.
    Supervisor,
}

impl Actor {
    /// The agent of an entity, if that has one.
    pub fn agent_of(entity: EntityId) -> Option<Self> {
        match entity {
            EntityId::Unit(id) => Some(Self::UnitAgent(id)),
            EntityId::Machine(id) => Some(Self::MachineAgent(id)),
            EntityId::Application(_) | EntityId::Relation(_) => None,
        }
    }

    /// The entity whose agent it is, if it is an agent.
    pub fn entity(self) -> Option<EntityId> {
        match self {
            Self::UnitAgent(id) => Some(EntityId::Unit(id)),
            Self::MachineAgent(id) => Some(EntityId::Machine(id)),
            Self::User(_)
            | Self::Client(_)
            | Self::Provisioner
            | Self::Cleaner
            | Self::Faults
            | Self::Operator
            | Self::Supervisor => None,
        }
    }

    /// The client that it is; `None` if it plans no transactions.
    pub fn client(self) -> Option<Client> {
        match self {
            Actor::User(id) => Some(Client::User(id)),
            Actor::Client(number) => Some(Client::Script(number)),
            Actor::UnitAgent(id) => Some(Client::Unit(id)),
            Actor::MachineAgent(id) => Some(Client::Machine(id)),
            Actor::Provisioner => Some(Client::Provisioner),
            Actor::Cleaner => Some(Client::Cleaner),
            Actor::Faults | Actor::Operator | Actor::Supervisor => None,
        }
    }
}

/// A client of the store: it plans and commits transactions, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    User(UserId),
    /// A client of a script, by number.
    Script(u8),
    Unit(UnitId),
    Machine(MachineId),
    Provisioner,
    Cleaner,
}

impl Client {
    /// The greatest number of clients of a script; they are numbered from 0.
    pub const SCRIPTED: u8 = 8;

    pub fn actor(self) -> Actor {
        match self {
            Client::User(id) => Actor::User(id),
            Client::Script(number) => Actor::Client(number),
            Client::Unit(id) => Actor::UnitAgent(id),
            Client::Machine(id) => Actor::MachineAgent(id),
            Client::Provisioner => Actor::Provisioner,
            Client::Cleaner => Actor::Cleaner,
        }
    }
}

/// An agent that is a process of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    Unit(UnitId),
    Machine(MachineId),
}

impl Agent {
    /// The client that it is to the store.
    pub fn client(self) -> Client {
        match self {
            Self::Unit(id) => Client::Unit(id),
            Self::Machine(id) => Client::Machine(id),
        }
    }
}

impl Rename for Agent {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Unit(id) => Self::Unit(id.renamed(by)),
            Self::Machine(id) => Self::Machine(id.renamed(by)),
        }
    }
}

impl Rename for Client {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Unit(id) => Self::Unit(id.renamed(by)),
            Self::Machine(id) => Self::Machine(id.renamed(by)),
            Self::User(_) | Self::Script(_) | Self::Provisioner | Self::Cleaner => *self,
        }
    }
}
