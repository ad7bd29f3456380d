//! Actions: an actor and its act.
//!
//! An act belongs to its actor: each actor's acts are a type of their own, so no actor can be asked
//! to do another's act. `acts` has a row for each act.

mod acts;
mod hook;
mod renaming;

pub(crate) use acts::with_unit_acts;
pub use acts::{
    CleanerAct, Fault, Hook, MachineAct, OperatorAct, ProvisionerAct, SupervisorAct, UnitAct,
};
pub use hook::HookKind;

use crate::{
    actor::{Actor, Client},
    clause::Clause,
    ids::{MachineId, UnitId},
    operation::Operation,
    refusal::Why,
    table::{Arguments, RowEnum},
};

/// The word before an operation that is only planned, or a hook that is only begun.
pub const BEGIN: &str = "begin";
/// The word before a hook that its agent has decided on, and begins next.
pub const DECIDE: &str = "decide";
/// The word for committing a pending transaction.
pub const COMMIT: &str = "commit";
/// The word for a pending transaction that aborts, as some assert does not hold.
pub const ABORT: &str = "abort";
/// The word for a hook that exits with success, which its agent has yet to record.
pub const EXIT: &str = "exit";
/// The word for a hook that has run.
pub const END: &str = "end";

/// An action that can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    pub act: Act,
    /// The clause that obliges an agent to do it.
    pub duty: Option<Clause>,
}

impl Action {
    pub fn actor(&self) -> Actor {
        self.act.actor()
    }
}

/// An act with its actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// A client plans or finishes a transaction.
    Txn(Client, TxnAct),
    /// The agent of a unit runs a hook of its charm.
    Hook(UnitId, HookAct),
    /// The agent of a unit does something of its own.
    UnitAgent(UnitId, UnitAct),
    /// The agent of a machine does something of its own.
    MachineAgent(MachineId, MachineAct),
    /// The provisioner does something of its own.
    Provisioner(ProvisionerAct),
    /// The cleaner does something of its own.
    Cleaner(CleanerAct),
    Faults(Fault),
    Operator(OperatorAct),
    Supervisor(SupervisorAct),
}

impl Act {
    pub fn actor(self) -> Actor {
        match self {
            Act::Txn(client, _) => client.actor(),
            Act::Hook(id, _) | Act::UnitAgent(id, _) => Actor::UnitAgent(id),
            Act::MachineAgent(id, _) => Actor::MachineAgent(id),
            Act::Provisioner(_) => Actor::Provisioner,
            Act::Cleaner(_) => Actor::Cleaner,
            Act::Faults(_) => Actor::Faults,
            Act::Operator(_) => Actor::Operator,
            Act::Supervisor(_) => Actor::Supervisor,
        }
    }

    /// Its verb and its arguments; those of the operation, for an act that plans one.
    pub fn verb(self) -> (&'static str, Arguments) {
        fn of(act: impl RowEnum) -> (&'static str, Arguments) {
            (act.row().verb, act.arguments())
        }
        match self {
            Act::Txn(_, TxnAct::Run(act) | TxnAct::Begin(act)) => of(act),
            Act::Txn(_, TxnAct::Commit) => (COMMIT, Arguments::default()),
            Act::Txn(_, TxnAct::Abort) => (ABORT, Arguments::default()),
            Act::Hook(_, HookAct::Decide(hook) | HookAct::Run(hook) | HookAct::Begin(hook)) => {
                of(hook)
            }
            Act::Hook(_, HookAct::Exit) => (EXIT, Arguments::default()),
            Act::Hook(_, HookAct::End) => (END, Arguments::default()),
            Act::UnitAgent(_, act) => of(act),
            Act::MachineAgent(_, act) => of(act),
            Act::Provisioner(act) => of(act),
            Act::Cleaner(act) => of(act),
            Act::Faults(act) => of(act),
            Act::Operator(act) => of(act),
            Act::Supervisor(act) => of(act),
        }
    }

    /// The word before its verb, if it does only the first part of what the verb says.
    pub fn first_part(self) -> Option<&'static str> {
        match self {
            Act::Txn(_, TxnAct::Begin(_)) | Act::Hook(_, HookAct::Begin(_)) => Some(BEGIN),
            Act::Hook(_, HookAct::Decide(_)) => Some(DECIDE),
            Act::Txn(_, TxnAct::Run(_) | TxnAct::Commit | TxnAct::Abort)
            | Act::Hook(_, HookAct::Run(_) | HookAct::Exit | HookAct::End)
            | Act::UnitAgent(..)
            | Act::MachineAgent(..)
            | Act::Provisioner(_)
            | Act::Cleaner(_)
            | Act::Faults(_)
            | Act::Operator(_)
            | Act::Supervisor(_) => None,
        }
    }

    /// Its dealings with a transaction; `None` if it has none.
    pub fn txn(self) -> Option<TxnAct> {
        match self {
            Act::Txn(_, act) => Some(act),
            Act::Hook(..)
            | Act::UnitAgent(..)
            | Act::MachineAgent(..)
            | Act::Provisioner(_)
            | Act::Cleaner(_)
            | Act::Faults(_)
            | Act::Operator(_)
            | Act::Supervisor(_) => None,
        }
    }
}

/// A client's dealings with a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TxnAct {
    /// Plan a transaction and commit it, as one action.
    Run(Operation),
    Begin(Operation),
    /// Commit the pending transaction; all its asserts hold.
    Commit,
    /// Try to commit the pending transaction; some assert does not hold.
    Abort,
}

impl TxnAct {
    pub fn plans(self) -> Option<Operation> {
        match self {
            TxnAct::Run(operation) | TxnAct::Begin(operation) => Some(operation),
            TxnAct::Commit | TxnAct::Abort => None,
        }
    }
}

/// The beginning or the end of a hook, which is planned and committed as a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HookAct {
    /// Decide on a hook, which is begun next whatever changes meanwhile.
    Decide(Hook),
    /// Begin a hook and end it, as one action.
    Run(Hook),
    Begin(Hook),
    /// The hook that was begun exits with success. A crash can come before its end is recorded.
    Exit,
    /// The hook that was begun has run.
    End,
}

/// The outcome of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    Planned,
    Committed,
    /// A transaction was aborted and will be planned again.
    Aborted,
    /// A transaction was aborted so often that its client gives up: excessive contention.
    Contended,
    NoOp,
    /// It was not allowed.
    Refused(Why),
    /// The action is not enabled, and nothing happened.
    NotEnabled,
}
