//! Ends of what an actor has begun or decided, which come before all else.

use super::{Lister, charm::hooks, lister::finishing};
use crate::{action::Act, actor::Client, ids::UnitId, runtime::ClientWork};

impl Lister<'_> {
    /// Lists the hook that the agent of `me` has decided on; returns whether there is one.
    pub(super) fn decided(&mut self, me: UnitId) -> bool {
        let decided = hooks::decided(me, self.world, self.state);
        if let Some(hook) = decided {
            self.push_anyway(Act::Hook(me, self.first_act(me, hook)), None, None);
        }
        decided.is_some()
    }

    /// Lists the end of the transaction or hook that `client` has begun; returns whether there is
    /// one.
    pub(super) fn finish(&mut self, client: Client) -> bool {
        let act = match self.state.runtime.pending(client) {
            None => return false,
            Some(ClientWork::Txn(txn)) => Act::Txn(client, finishing(self.world, self.state, txn)),
            Some(ClientWork::Hook(me, hook)) => {
                Act::Hook(me, hooks::going_on(me, hook, self.world, self.state))
            }
        };
        self.push_anyway(act, None, None);
        true
    }
}
