//! Processes: everything that has events of its own in the queue.

use deathwatch_model::{
    action::{Actor, Agent},
    agents::Task,
    claims::EntityId,
    ids::{MachineId, UnitId},
};

/// A source of events: at each of its events it does at most one action of one actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Process {
    /// An agent.
    Agent(Agent),
    /// The supervisor, about one agent.
    Restart(Agent),
    /// The operator, about one unit.
    Resolve(UnitId),
    /// The operator, about one machine.
    Terminate(MachineId),
    /// The operator, about the agents that neglect a duty.
    Upgrade,
    /// A task in a manager machine's agent.
    ManagerTask(ManagerTask),
    /// The user.
    User,
    /// A fault that is injected now and then.
    Fault(TimedFault),
    /// The end of the storm, and so the beginning of the calm: one event.
    Calm,
}

/// The tasks that run in the agent of a manager machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ManagerTask {
    /// The provisioner.
    Provisioner,
    /// The cleaner.
    Cleaner,
}

impl ManagerTask {
    /// Both.
    pub(super) const ALL: [Self; 2] = [Self::Provisioner, Self::Cleaner];

    /// As the protocol knows it.
    pub(super) fn actor(self) -> Actor {
        match self {
            Self::Provisioner => Actor::Provisioner,
            Self::Cleaner => Actor::Cleaner,
        }
    }
}

/// The faults that are injected now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimedFault {
    /// An agent crashes.
    Crash,
    /// A machine fails, which is noticed.
    HardwareFailure,
    /// A machine fails, which nobody notices.
    UndetectedHardwareFailure,
    /// Machines next to each other fail at once.
    RackFailure,
    /// Provisioner and cleaner are gone for a while.
    ProvisionerOutage,
    /// Every transaction on one document aborts for a while.
    AbortStorm,
}

impl Process {
    /// The task of the model that this process carries out. A manager task takes its documents
    /// from a work queue, so here it has only its pending transaction. `None` if the process is
    /// not an actor.
    pub(super) fn task(self) -> Option<Task> {
        let task = |actor, of| Some(Task { actor, of });
        match self {
            Self::Agent(Agent::Unit(id)) => task(Actor::UnitAgent(id), None),
            Self::Agent(Agent::Machine(id)) => task(Actor::MachineAgent(id), None),
            Self::Restart(Agent::Unit(id)) => task(Actor::Supervisor, Some(EntityId::Unit(id))),
            Self::Restart(Agent::Machine(id)) => {
                task(Actor::Supervisor, Some(EntityId::Machine(id)))
            }
            Self::Resolve(id) => task(Actor::Operator, Some(EntityId::Unit(id))),
            Self::Terminate(id) => task(Actor::Operator, Some(EntityId::Machine(id))),
            Self::Upgrade => task(Actor::Operator, None),
            Self::ManagerTask(it) => task(it.actor(), None),
            Self::User => task(Actor::User, None),
            Self::Fault(_) | Self::Calm => None,
        }
    }
}

/// The agent of a unit or a machine; nothing else has one.
pub(super) fn agent_of(subject: EntityId) -> Option<Agent> {
    match subject {
        EntityId::Unit(id) => Some(Agent::Unit(id)),
        EntityId::Machine(id) => Some(Agent::Machine(id)),
        EntityId::Application(_) | EntityId::Relation(_) => None,
    }
}
