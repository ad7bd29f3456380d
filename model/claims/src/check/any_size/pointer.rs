//! Pointers: shared actors whose pending transaction is about a process.
//!
//! The provisioner, the cleaner and each user work on one thing at a time. If that is about a
//! process, the transaction is part of the process's local state. The shared part has only a count
//! of at most one: some process is the holder.

use std::{
    mem::{self, Discriminant},
    sync::Arc,
};

use deathwatch_model::{
    action::Fault,
    actor::Client,
    agents::{ActionPart, Task},
    ids::{EntityId, UserId},
    operation::Operation,
    rows::{ManagerTask, Row, Stage, TaskRuntime, Touched, UserState},
    state::State,
    table::{Argument, RowEnum as _},
    txn::Txn,
    world::{Transactions, World},
};

use super::family::Instance;

/// A shared actor that may be at work on a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    Task(ManagerTask),
    User(UserId),
}

/// A kind of operation, and its stage.
pub(super) type PendingKind = (Discriminant<Operation>, Stage);

impl Pointer {
    /// The pointers of a world. If transactions are atomic, nothing is pending but the record of an
    /// instance that was started.
    pub(super) fn all(world: &World) -> Vec<Self> {
        match world.transactions {
            Transactions::Atomic if world.detail.provisioning => {
                vec![Self::Task(ManagerTask::Provisioner)]
            }
            Transactions::Atomic => Vec::new(),
            Transactions::Split => {
                let tasks = ManagerTask::ALL.into_iter().map(Self::Task);
                tasks.chain(world.user_ids().map(Self::User)).collect()
            }
        }
    }

    /// The row that has the pending transaction.
    pub(super) fn row(self) -> Row {
        match self {
            Self::Task(task) => Row::Task(task),
            Self::User(id) => Row::User(id),
        }
    }

    fn client(self) -> Client {
        match self {
            Self::Task(ManagerTask::Provisioner) => Client::Provisioner,
            Self::Task(ManagerTask::Cleaner) => Client::Cleaner,
            Self::User(id) => Client::User(id),
        }
    }

    /// Whether this part of the actions continues the pending transaction.
    pub(super) fn goes_on_by(self, part: ActionPart) -> bool {
        match part {
            ActionPart::Task(Task::Provisioner) => self == Self::Task(ManagerTask::Provisioner),
            ActionPart::Task(Task::Cleaner) => self == Self::Task(ManagerTask::Cleaner),
            ActionPart::GoesOn(id) => self == Self::User(id),
            ActionPart::Fault(Fault::AbortTxn(client)) => self.client() == client,
            _ => false,
        }
    }

    pub(super) fn txn(self, state: &State) -> Option<&Arc<Txn>> {
        match self {
            Self::Task(task) => state.runtime.task(task).pending.as_ref(),
            Self::User(id) => state.runtime.user(id).state.txn(),
        }
    }

    /// The kind of the pending transaction, as far as others may distinguish it.
    pub(super) fn kind(self, state: &State) -> Option<PendingKind> {
        let reached = match self {
            Self::Task(task) => state.runtime.task(task).stage,
            Self::User(_) => Stage::default(),
        };
        self.txn(state).map(|txn| (mem::discriminant(&txn.operation), reached))
    }

    /// The process that the pending transaction is about: its type, and its index there. `Err` if
    /// it is about several.
    pub(super) fn target(
        self,
        instance: &Instance,
        state: &State,
    ) -> Result<Option<(usize, usize)>, ()> {
        let Some(txn) = self.txn(state) else { return Ok(None) };
        let arguments = txn.operation.arguments().into_iter().flatten();
        let named = arguments.filter_map(|argument| match argument {
            Argument::Unit(id) => Some(EntityId::Unit(id)),
            Argument::Machine(id) => Some(EntityId::Machine(id)),
            _ => None,
        });
        let written = txn.units().map(EntityId::Unit).chain(txn.machines().map(EntityId::Machine));
        let mut target = None;
        for owner in written.chain(named).filter_map(|it| instance.owner(Row::from(it))) {
            if target.is_some_and(|target| target != owner) {
                return Err(());
            }
            target = Some(owner);
        }
        Ok(target)
    }

    /// Copies the pending transaction from one state to another.
    pub(super) fn copy(self, from: &State, to: &mut State) {
        let touched = &mut Touched::new();
        match self {
            Self::Task(task) => {
                *to.runtime.task_mut(task, touched) = from.runtime.task(task).clone();
            }
            Self::User(id) => {
                let pending = from.runtime.user(id).state.clone();
                to.runtime.user_mut(id, touched).state = pending;
            }
        }
    }

    pub(super) fn clear(self, state: &mut State) {
        let touched = &mut Touched::new();
        match self {
            Self::Task(task) => *state.runtime.task_mut(task, touched) = TaskRuntime::default(),
            Self::User(id) => state.runtime.user_mut(id, touched).state = UserState::Idle,
        }
    }
}
