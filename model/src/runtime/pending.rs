//! Where each client keeps the transaction that it has pending.

use std::sync::Arc;

use super::{ManagerTask, PendingTxn, Runtime, UserState};
use crate::{
    action::Client,
    ids::{ClientId, Id, UserId},
    store::Touched,
    txn::Txn,
};

impl Runtime {
    /// The transaction that `client` has planned and can finish.
    pub fn pending(&self, client: Client) -> Option<&Arc<Txn>> {
        match client {
            Client::User => self.user(UserId::FIRST).state.planned(),
            Client::Script(number) => self.client(ClientId::new(number.into()))?.pending.as_ref(),
            Client::Unit(id) => self.unit(id).pending.as_ref(),
            Client::Machine(id) => self.machine(id).pending.as_ref(),
            Client::Provisioner => self.task(ManagerTask::Provisioner).pending.as_ref(),
            Client::Cleaner => self.task(ManagerTask::Cleaner).pending.as_ref(),
        }
    }

    /// `client` has planned `txn`.
    pub(crate) fn set_pending(&mut self, client: Client, txn: Arc<Txn>, touched: &mut Touched) {
        if let Some(pending) = self.pending_mut(client, touched) {
            *pending = Some(txn);
        } else {
            self.user_mut(UserId::FIRST, touched).plan(txn);
        }
    }

    /// `client` has nothing pending any more.
    pub(crate) fn clear_pending(&mut self, client: Client, touched: &mut Touched) {
        if let Some(pending) = self.pending_mut(client, touched) {
            *pending = None;
        } else {
            self.user_mut(UserId::FIRST, touched).state = UserState::Idle;
        }
    }

    /// Where `client` keeps what it has pending; `None` for the user, who also counts the aborts.
    fn pending_mut(&mut self, client: Client, touched: &mut Touched) -> Option<&mut PendingTxn> {
        Some(match client {
            Client::User => return None,
            Client::Script(number) => {
                &mut self.client_mut(ClientId::new(number.into()), touched).pending
            }
            Client::Unit(id) => &mut self.unit_mut(id, touched).pending,
            Client::Machine(id) => &mut self.machine_mut(id, touched).pending,
            Client::Provisioner => &mut self.task_mut(ManagerTask::Provisioner, touched).pending,
            Client::Cleaner => &mut self.task_mut(ManagerTask::Cleaner, touched).pending,
        })
    }
}
