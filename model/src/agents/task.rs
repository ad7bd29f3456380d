//! Tasks: the parts of an actor's work, most of them about one entity.
//!
//! In a large world an actor must not check everything after every change. The agent of a unit or a
//! machine has one task. The provisioner has one for each machine, and the cleaner one for each
//! entity that may have cleanup documents. The actions of an actor are those of all its tasks.

use crate::{
    actor::{Actor, Agent},
    ids::{EntityId, MachineId, Rename, Renaming, UnitId, UserId},
    world::{Obligation, World},
};

/// An actor, and the entity that it works on, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    User(UserId),
    UnitAgent(UnitId),
    MachineAgent(MachineId),
    /// The provisioner finishes its pending transaction.
    Provisioner,
    /// The provisioner works on a machine.
    Provision(MachineId),
    /// The cleaner finishes its pending transaction.
    Cleaner,
    /// The cleaner works on the cleanup documents of an entity.
    Clean(EntityId),
    /// The operator resolves the hook error of a unit.
    Resolve(UnitId),
    /// The operator resolves the failed start of a machine.
    ResolveStart(MachineId),
    /// The operator terminates the hardware of a machine.
    Terminate(MachineId),
    /// The operator terminates the hardware of agents that neglect a duty.
    Replace(MachineId),
    Upgrade,
    Restart(Agent),
    Faults,
}

impl Rename for Task {
    fn renamed(&self, by: &Renaming) -> Self {
        match *self {
            Self::UnitAgent(id) => Self::UnitAgent(id.renamed(by)),
            Self::MachineAgent(id) => Self::MachineAgent(id.renamed(by)),
            Self::Provision(id) => Self::Provision(id.renamed(by)),
            Self::Clean(id) => Self::Clean(id.renamed(by)),
            Self::Resolve(id) => Self::Resolve(id.renamed(by)),
            Self::ResolveStart(id) => Self::ResolveStart(id.renamed(by)),
            Self::Terminate(id) => Self::Terminate(id.renamed(by)),
            Self::Replace(id) => Self::Replace(id.renamed(by)),
            Self::Restart(agent) => Self::Restart(agent.renamed(by)),
            Self::User(_) | Self::Provisioner | Self::Cleaner | Self::Upgrade | Self::Faults => {
                *self
            }
        }
    }
}

impl Task {
    /// The actor whose task it is.
    pub fn actor(self) -> Actor {
        match self {
            Task::User(id) => Actor::User(id),
            Task::UnitAgent(id) => Actor::UnitAgent(id),
            Task::MachineAgent(id) => Actor::MachineAgent(id),
            Task::Provisioner | Task::Provision(_) => Actor::Provisioner,
            Task::Cleaner | Task::Clean(_) => Actor::Cleaner,
            Task::Resolve(_)
            | Task::ResolveStart(_)
            | Task::Terminate(_)
            | Task::Replace(_)
            | Task::Upgrade => Actor::Operator,
            Task::Restart(_) => Actor::Supervisor,
            Task::Faults => Actor::Faults,
        }
    }

    /// The obligation that the scenario's assumptions put on the task. Obligations are defined here
    /// alone. The user owes only the end of a command in progress; a new command is never owed.
    pub fn obligation(self, world: &World) -> Obligation {
        let assumed = &world.assumptions;
        let owed = |is_assumed: bool| {
            if is_assumed { Obligation::Weak } else { Obligation::Nothing }
        };
        match self {
            Task::User(_) => owed(assumed.commands_finish),
            Task::UnitAgent(_)
            | Task::MachineAgent(_)
            | Task::Provisioner
            | Task::Provision(_)
            | Task::Cleaner
            | Task::Clean(_) => match (assumed.agents_act, assumed.strong) {
                (true, true) => Obligation::Strong,
                (acts, _) => owed(acts),
            },
            Task::Resolve(_) => owed(assumed.hook_errors_are_resolved),
            Task::ResolveStart(_) => owed(assumed.failed_starts_are_resolved),
            Task::Terminate(_) => owed(assumed.failed_hardware_is_terminated),
            Task::Replace(_) => owed(assumed.agents_are_redeployed),
            Task::Upgrade => owed(assumed.agents_are_upgraded),
            Task::Restart(_) => owed(assumed.crashed_agents_restart),
            Task::Faults => Obligation::Nothing,
        }
    }

    /// Whether the scenario assumes that an enabled action of the task is taken eventually.
    pub fn is_owed(self, world: &World) -> bool {
        self.obligation(world) != Obligation::Nothing
    }
}
