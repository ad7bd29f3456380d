//! Processes: everything that has events of its own in the queue.

use deathwatch_model::ids::EntityId;
use deathwatch_model::{
    actor::{Agent, Client},
    agents::Task,
    ids::{MachineId, UnitId, UserId},
    runtime::ManagerTask,
};

use crate::settings::TimedFault;

/// A source of events: at each of its events it does at most one action of one actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Process {
    Agent(Agent),
    Restart(Agent),
    Resolve(UnitId),
    /// The operator, about the failed start of one machine.
    ResolveStart(MachineId),
    Terminate(MachineId),
    /// The operator, about the agents of one machine that neglect a duty.
    Replace(MachineId),
    /// The operator, about the agents that neglect a duty.
    Upgrade,
    /// A task in a manager machine's agent.
    ManagerTask(ManagerTask),
    User(UserId),
    /// A fault that is injected now and then.
    Fault(TimedFault),
    /// The end of the storm, and so the beginning of the calm: one event.
    Calm,
}

impl Process {
    /// The process that carries out `task`, and the document that has to be in the work queue of a
    /// manager task for that. `None` for tasks that come by the clock.
    pub(crate) fn of(task: Task) -> Option<(Self, Option<EntityId>)> {
        Some(match task {
            Task::UnitAgent(id) => (Self::Agent(Agent::Unit(id)), None),
            Task::MachineAgent(id) => (Self::Agent(Agent::Machine(id)), None),
            Task::Provisioner => (Self::ManagerTask(ManagerTask::Provisioner), None),
            Task::Provision(id) => {
                (Self::ManagerTask(ManagerTask::Provisioner), Some(EntityId::Machine(id)))
            }
            Task::Cleaner => (Self::ManagerTask(ManagerTask::Cleaner), None),
            Task::Clean(about) => (Self::ManagerTask(ManagerTask::Cleaner), Some(about)),
            Task::Resolve(id) => (Self::Resolve(id), None),
            Task::ResolveStart(id) => (Self::ResolveStart(id), None),
            Task::Terminate(id) => (Self::Terminate(id), None),
            Task::Replace(id) => (Self::Replace(id), None),
            Task::Upgrade => (Self::Upgrade, None),
            Task::Restart(agent) => (Self::Restart(agent), None),
            Task::User(_) | Task::Faults => return None,
        })
    }

    /// The task of the model that this process carries out. A manager task takes its documents
    /// from a work queue, so here it has only its pending transaction. `None` if the process is
    /// not an actor.
    pub(crate) fn task(self) -> Option<Task> {
        Some(match self {
            Self::Agent(Agent::Unit(id)) => Task::UnitAgent(id),
            Self::Agent(Agent::Machine(id)) => Task::MachineAgent(id),
            Self::Restart(agent) => Task::Restart(agent),
            Self::Resolve(id) => Task::Resolve(id),
            Self::ResolveStart(id) => Task::ResolveStart(id),
            Self::Terminate(id) => Task::Terminate(id),
            Self::Replace(id) => Task::Replace(id),
            Self::Upgrade => Task::Upgrade,
            Self::ManagerTask(ManagerTask::Provisioner) => Task::Provisioner,
            Self::ManagerTask(ManagerTask::Cleaner) => Task::Cleaner,
            Self::User(id) => Task::User(id),
            Self::Fault(_) | Self::Calm => return None,
        })
    }
}

/// The client whose transactions a manager task plans.
pub(crate) fn client_of(task: ManagerTask) -> Client {
    match task {
        ManagerTask::Provisioner => Client::Provisioner,
        ManagerTask::Cleaner => Client::Cleaner,
    }
}

/// The task of a manager that looks after `subject`.
pub(crate) fn task_about(task: ManagerTask, subject: EntityId) -> Option<Task> {
    match (task, subject) {
        (ManagerTask::Provisioner, EntityId::Machine(id)) => Some(Task::Provision(id)),
        (
            ManagerTask::Provisioner,
            EntityId::Application(_) | EntityId::Unit(_) | EntityId::Relation(_),
        ) => None,
        (ManagerTask::Cleaner, subject) => Some(Task::Clean(subject)),
    }
}
