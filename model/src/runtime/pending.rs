//! Pending work: what each client has begun and not finished yet.

use std::sync::Arc;

use super::{ManagerTask, Runtime, TaskRuntime, UnitWork, UserState};
use crate::{
    action::Hook,
    actor::Client,
    ids::{ClientId, Id, UnitId},
    store::Touched,
    txn::Txn,
};

/// Work that a client has begun, in whichever row it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientWork<'a> {
    /// A transaction that is planned and not committed.
    Txn(&'a Arc<Txn>),
    /// A hook of this unit's charm, which is running.
    Hook(UnitId, Hook),
}

impl Runtime {
    /// The work that `client` has begun and can finish.
    #[inline]
    pub fn pending(&self, client: Client) -> Option<ClientWork<'_>> {
        let txn = match client {
            Client::Unit(id) => {
                return self.unit(id).pending.as_ref().map(|pending| match pending {
                    UnitWork::Txn(txn) => ClientWork::Txn(txn),
                    UnitWork::Hook(hook) => ClientWork::Hook(id, *hook),
                });
            }
            Client::User(id) => self.user(id).state.planned(),
            Client::Script(number) => self.client(ClientId::new(number.into()))?.pending.as_ref(),
            Client::Machine(id) => self.machine(id).pending.as_ref(),
            Client::Provisioner => self.task(ManagerTask::Provisioner).pending.as_ref(),
            Client::Cleaner => self.task(ManagerTask::Cleaner).pending.as_ref(),
        };
        txn.map(ClientWork::Txn)
    }

    /// The transaction that `client` has planned and can finish.
    pub fn pending_txn(&self, client: Client) -> Option<&Arc<Txn>> {
        match self.pending(client)? {
            ClientWork::Txn(txn) => Some(txn),
            ClientWork::Hook(..) => None,
        }
    }

    /// The hook that `client` has begun and can end.
    pub fn pending_hook(&self, client: Client) -> Option<Hook> {
        match self.pending(client)? {
            ClientWork::Txn(_) => None,
            ClientWork::Hook(_, hook) => Some(hook),
        }
    }

    /// Makes `txn` the pending transaction of `client`.
    pub fn set_pending(&mut self, client: Client, txn: Arc<Txn>, touched: &mut Touched) {
        match client {
            Client::User(id) => self.user_mut(id, touched).plan(txn),
            Client::Script(number) => {
                self.client_mut(ClientId::new(number.into()), touched).pending = Some(txn);
            }
            Client::Unit(id) => self.unit_mut(id, touched).pending = Some(UnitWork::Txn(txn)),
            Client::Machine(id) => self.machine_mut(id, touched).pending = Some(txn),
            Client::Provisioner => {
                self.task_mut(ManagerTask::Provisioner, touched).pending = Some(txn);
            }
            Client::Cleaner => self.task_mut(ManagerTask::Cleaner, touched).pending = Some(txn),
        }
    }

    /// Drops the pending transaction of `client`.
    pub(crate) fn clear_pending(&mut self, client: Client, touched: &mut Touched) {
        match client {
            Client::User(id) => self.user_mut(id, touched).state = UserState::Idle,
            Client::Script(number) => {
                self.client_mut(ClientId::new(number.into()), touched).pending = None;
            }
            Client::Unit(id) => self.unit_mut(id, touched).pending = None,
            Client::Machine(id) => self.machine_mut(id, touched).pending = None,
            Client::Provisioner => {
                *self.task_mut(ManagerTask::Provisioner, touched) = TaskRuntime::default();
            }
            Client::Cleaner => self.task_mut(ManagerTask::Cleaner, touched).pending = None,
        }
    }
}
