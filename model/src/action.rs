//! Actions: who does what.

use crate::{
    clause::Clause,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    operation::Operation,
    txn::Why,
};

/// One thing that can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// Who does it.
    pub actor: Actor,
    /// What is done.
    pub act: Act,
    /// The sentence that obliges an agent to do it.
    pub duty: Option<Clause>,
}

/// Who can act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The user, who owes nothing.
    User,
    /// Scripted scenarios only: plans any operation at any time.
    Client(u8),
    /// The agent of a unit.
    UnitAgent(UnitId),
    /// The agent of a machine; the deployer is part of it.
    MachineAgent(MachineId),
    /// The provisioner, a task in the agent of a manager machine.
    Provisioner,
    /// The cleaner, another such task.
    Cleaner,
    /// Whatever goes wrong.
    Faults,
    /// The operator, who resolves hook errors and terminates broken hardware.
    Operator,
    /// What restarts crashed agents.
    Supervisor,
}

/// An agent that is a process of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// The agent of a unit.
    Unit(UnitId),
    /// The agent of a machine.
    Machine(MachineId),
}

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Plan a transaction and commit it, as one action.
    Run(Operation),
    /// Plan a transaction.
    Begin(Operation),
    /// Commit the transaction pending; all its asserts hold.
    Commit,
    /// Try to commit the transaction pending; some assert does not hold.
    Abort,

    /// Install a unit's agent.
    DeployUnit(UnitId),
    /// Take a unit's agent away.
    Recall(UnitId),
    /// Write the directory of a relation whose scope was entered.
    WriteDirectory(RelationId),
    /// Delete the directory of a relation that somebody else left on the unit's behalf.
    DropDirectory(RelationId),
    /// Run the hooks of a departure from a relation.
    RunHooks(RelationId),
    /// Start an instance for a machine.
    StartInstance(MachineId),
    /// Give a machine's instance back.
    Decommission(MachineId),
    /// Delete the settings documents of a removed relation, and the cleanup document.
    DeleteSettings(RelationId),
    /// Delete the cleanup document of an application whose units are all destroyed.
    FinishUnitsCleanup(ApplicationId),

    /// An agent's process ends.
    Crash(Agent),
    /// The hardware of a machine fails, and the provisioner notices.
    FailHardware(MachineId),
    /// The hardware of a machine fails, and nobody notices.
    FailHardwareUnnoticed(MachineId),
    /// The hooks of a departure fail.
    FailHooks(UnitId, RelationId),
    /// A transaction pending aborts for no reason of ours.
    AbortTxn(Actor),
    /// The user's connection is lost between two transactions of one command.
    LoseConnection,

    /// A crashed agent's process starts again.
    Restart(Agent),
    /// A hook error is resolved: the hook counts as run.
    Resolve(UnitId),
    /// Hardware that failed unnoticed is terminated out of band.
    Terminate(MachineId),
    /// The agents that neglect a duty are upgraded.
    Upgrade,
}

/// What came of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Something local happened.
    Done,
    /// A transaction was planned.
    Planned,
    /// A transaction was committed.
    Committed,
    /// A transaction was aborted and will be planned again.
    Aborted,
    /// A transaction was aborted so often that its client gives up: excessive contention.
    Contended,
    /// There was nothing to do.
    NoOp,
    /// It was not allowed.
    Refused(Why),
}
