//! Actions: who does what.
//!
//! An act is written together with the one who does it, and each actor's acts are a type of their
//! own, so that nobody can be asked to do what belongs to another. `acts` has a row for each act.

mod acts;
mod every;
pub mod table;

pub use acts::{
    CleanerAct, Fault, MachineAct, OperatorAct, ProvisionerAct, SupervisorAct, UnitAct,
};
pub use every::{every, every_of};

use self::table::{Arguments, Table};
use crate::{
    clause::Clause,
    ids::{MachineId, UnitId},
    operation::Operation,
    txn::Why,
};

/// What precedes an operation that is planned only.
pub const BEGIN: &str = "begin";
/// A transaction pending is committed.
pub const COMMIT: &str = "commit";
/// A transaction pending is not committed, as some assert does not hold.
pub const ABORT: &str = "abort";

/// One thing that can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// Who does what.
    pub act: Act,
    /// The clause that obliges an agent to do it.
    pub duty: Option<Clause>,
}

impl Action {
    /// Who does it.
    pub fn actor(&self) -> Actor {
        self.act.actor()
    }
}

/// What is done, with whoever does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// A client plans or finishes a transaction.
    Txn(Client, TxnAct),
    /// The agent of a unit does something of its own.
    UnitAgent(UnitId, UnitAct),
    /// The agent of a machine does something of its own.
    MachineAgent(MachineId, MachineAct),
    /// The provisioner does something of its own.
    Provisioner(ProvisionerAct),
    /// The cleaner does something of its own.
    Cleaner(CleanerAct),
    /// Something goes wrong.
    Faults(Fault),
    /// The operator intervenes.
    Operator(OperatorAct),
    /// The supervisor intervenes.
    Supervisor(SupervisorAct),
}

impl Act {
    /// Who does it.
    pub fn actor(self) -> Actor {
        match self {
            Act::Txn(client, _) => client.actor(),
            Act::UnitAgent(id, _) => Actor::UnitAgent(id),
            Act::MachineAgent(id, _) => Actor::MachineAgent(id),
            Act::Provisioner(_) => Actor::Provisioner,
            Act::Cleaner(_) => Actor::Cleaner,
            Act::Faults(_) => Actor::Faults,
            Act::Operator(_) => Actor::Operator,
            Act::Supervisor(_) => Actor::Supervisor,
        }
    }

    /// What it is called, and its arguments; of an operation that is planned only, as if it were
    /// carried out.
    pub fn verb(self) -> (&'static str, Arguments) {
        fn of(act: impl Table) -> (&'static str, Arguments) {
            (act.row().verb, act.arguments())
        }
        match self {
            Act::Txn(_, TxnAct::Run(act) | TxnAct::Begin(act)) => of(act),
            Act::Txn(_, TxnAct::Commit) => (COMMIT, Arguments::default()),
            Act::Txn(_, TxnAct::Abort) => (ABORT, Arguments::default()),
            Act::UnitAgent(_, act) => of(act),
            Act::MachineAgent(_, act) => of(act),
            Act::Provisioner(act) => of(act),
            Act::Cleaner(act) => of(act),
            Act::Faults(act) => of(act),
            Act::Operator(act) => of(act),
            Act::Supervisor(act) => of(act),
        }
    }

    /// What is done about a transaction; `None` if it has nothing to do with one.
    pub fn txn(self) -> Option<TxnAct> {
        match self {
            Act::Txn(_, act) => Some(act),
            Act::UnitAgent(..)
            | Act::MachineAgent(..)
            | Act::Provisioner(_)
            | Act::Cleaner(_)
            | Act::Faults(_)
            | Act::Operator(_)
            | Act::Supervisor(_) => None,
        }
    }
}

/// What can be done about a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TxnAct {
    /// Plan a transaction and commit it, as one action.
    Run(Operation),
    /// Plan a transaction.
    Begin(Operation),
    /// Commit the transaction pending; all its asserts hold.
    Commit,
    /// Try to commit the transaction pending; some assert does not hold.
    Abort,
}

impl TxnAct {
    /// The operation that is planned.
    pub fn plans(self) -> Option<Operation> {
        match self {
            TxnAct::Run(operation) | TxnAct::Begin(operation) => Some(operation),
            TxnAct::Commit | TxnAct::Abort => None,
        }
    }
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

impl Actor {
    /// The client that it is; `None` if it plans no transactions.
    pub fn client(self) -> Option<Client> {
        match self {
            Actor::User => Some(Client::User),
            Actor::Client(number) => Some(Client::Script(number)),
            Actor::UnitAgent(id) => Some(Client::Unit(id)),
            Actor::MachineAgent(id) => Some(Client::Machine(id)),
            Actor::Provisioner => Some(Client::Provisioner),
            Actor::Cleaner => Some(Client::Cleaner),
            Actor::Faults | Actor::Operator | Actor::Supervisor => None,
        }
    }
}

/// Whoever plans and commits transactions, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    /// The user.
    User,
    /// A client that a script makes up, by number.
    Script(u8),
    /// The agent of a unit.
    Unit(UnitId),
    /// The agent of a machine.
    Machine(MachineId),
    /// The provisioner.
    Provisioner,
    /// The cleaner.
    Cleaner,
}

impl Client {
    /// A script may make up so many clients, numbered from 0.
    pub const SCRIPTED: u8 = 8;

    /// Who it is.
    pub fn actor(self) -> Actor {
        match self {
            Client::User => Actor::User,
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
    /// The agent of a unit.
    Unit(UnitId),
    /// The agent of a machine.
    Machine(MachineId),
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
    /// It cannot happen here, and nothing did.
    NotEnabled,
}
