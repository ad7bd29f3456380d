//! Transactions: how any client plans and commits them, and the effects of a commit besides the
//! changes of the transaction.

use std::sync::Arc;

use super::{
    changed_by,
    charm::{directory, hooks, requests, settings},
    context::StepContext,
    lifecycle::unit_agent,
    plan_for,
    provisioning::{former, instances},
    startup::{watch_events, workflow},
    user,
};
use crate::{
    action::{Outcome, TxnAct},
    actor::Client,
    clause::{Clause, Rule},
    ids::MachineId,
    operation::Operation,
    ops::Plan,
    runtime::ClientWork,
    txn::{AnyOn, On, RelationChange, Txn},
};

impl StepContext<'_> {
    /// Plans or finishes a transaction of `client`.
    pub(super) fn transact(&mut self, client: Client, act: TxnAct) -> Outcome {
        match act {
            TxnAct::Run(operation) => self.run(client, operation),
            TxnAct::Begin(operation) => self.begin(client, operation),
            TxnAct::Commit => self.finish(client),
            TxnAct::Abort => self.abort(client),
        }
    }

    /// The plan of `operation`: the listed one, if any, which debug builds compare with a new one.
    fn plan(&mut self, client: Client, operation: Operation) -> Plan {
        let new = |it: &Self| plan_for(it.world, it.state, client, operation, it.free_ids);
        let Some(planned) = self.planned.take() else { return new(self) };
        let plan = Plan::Submit(planned);
        debug_assert_eq!(plan, new(self), "what was planned is not what would be planned now");
        plan
    }

    /// Plans and commits. The asserts of a listed plan hold, as it was listed in this very state.
    fn run(&mut self, client: Client, operation: Operation) -> Outcome {
        let is_listed = self.planned.is_some();
        match self.plan(client, operation) {
            Plan::NoOp => self.plans_nothing(client, operation, Outcome::NoOp),
            Plan::Refuse(why) => self.plans_nothing(client, operation, Outcome::Refused(why)),
            Plan::Submit(txn)
                if !is_listed && txn.obstacle(&self.state.store, self.world).is_some() =>
            {
                Outcome::Aborted
            }
            Plan::Submit(txn) => {
                debug_assert_eq!(
                    txn.obstacle(&self.state.store, self.world),
                    None,
                    "it can commit"
                );
                self.commit(client, &txn);
                Outcome::Committed
            }
        }
    }

    fn begin(&mut self, client: Client, operation: Operation) -> Outcome {
        if self.state.runtime.pending(client).is_some() {
            return Outcome::NotEnabled;
        }
        match self.plan(client, operation) {
            Plan::NoOp => self.plans_nothing(client, operation, Outcome::NoOp),
            Plan::Refuse(why) => self.plans_nothing(client, operation, Outcome::Refused(why)),
            Plan::Submit(txn) => {
                let touched = &mut self.effects.touched;
                self.state.runtime.set_pending(client, Arc::new(txn), touched);
                Outcome::Planned
            }
        }
    }

    /// Ends an operation that was refused or would do nothing.
    fn plans_nothing(&mut self, client: Client, operation: Operation, outcome: Outcome) -> Outcome {
        let rule = changed_by(self.world, self.state, client, operation, self.free_ids);
        self.effects.clauses.extend(rule);
        if let Client::User(id) = client {
            user::plans_nothing(id, self);
        }
        outcome
    }

    /// Commits the pending transaction. Its asserts hold, as it was listed in this very state.
    fn finish(&mut self, client: Client) -> Outcome {
        let runtime = &mut self.state.runtime;
        let Some(txn) = runtime.pending_txn(client).cloned() else { return Outcome::NotEnabled };
        debug_assert_eq!(txn.obstacle(&self.state.store, self.world), None, "it can commit");
        runtime.clear_pending(client, &mut self.effects.touched);
        self.commit(client, &txn);
        Outcome::Committed
    }

    /// Aborts the pending transaction. A user's is planned again, up to a limit. An agent starts
    /// over, which plans it again if it is still due.
    pub(super) fn abort(&mut self, client: Client) -> Outcome {
        if self.state.runtime.pending_txn(client).is_none() {
            return Outcome::NotEnabled;
        }
        if let Client::User(id) = client {
            return user::aborts(id, self);
        }
        instances::loses_pending(client, self);
        self.state.runtime.clear_pending(client, &mut self.effects.touched);
        Outcome::Aborted
    }

    /// Makes the changes of `txn`, and the effects of its commit on the runtime.
    fn commit(&mut self, client: Client, txn: &Txn) {
        let (world, clauses) = (self.world, &mut self.effects.clauses);
        for op in txn.ops.iter().filter(|op| op.carries_out) {
            if clauses.last() != Some(&op.clause) {
                clauses.push(op.clause);
            }
        }
        let ending = self.ending(txn.operation);
        let touched = &mut self.effects.touched;
        txn.apply(&mut self.state.store, world, touched);
        self.state.committed(world, txn, &mut self.effects.touched);
        for op in &txn.ops {
            if world.has_sightings() {
                settings::committed(txn.operation, op, self);
            }
            let touched = &mut self.effects.touched;
            if let AnyOn::Relation(On { doc, change: Some(RelationChange::Remove), .. }) = op.on {
                self.state.runtime.forget(doc, touched);
            }
        }
        directory::committed(txn, self);
        requests::committed(txn, self);
        workflow::committed(txn, self);
        watch_events::committed(txn, self);
        instances::committed(txn.operation, self);
        if let Some((client, manager)) = ending {
            self.terminate(client, manager);
        }
        match client {
            Client::Unit(me) => unit_agent::committed(me, txn.operation, self),
            Client::User(id) => user::committed(id, txn.operation, self),
            Client::Script(_) | Client::Machine(_) | Client::Provisioner | Client::Cleaner => {}
        }
    }

    /// The client whose agent terminates itself after `operation`, and the active manager until
    /// then.
    fn ending(&self, operation: Operation) -> Option<(Client, Option<MachineId>)> {
        let (client, rule, number) = match operation {
            Operation::SetUnitDead(unit) => (Client::Unit(unit), Rule::UnitAgent, 16),
            Operation::SetMachineDead(machine) => (Client::Machine(machine), Rule::MachineAgent, 6),
            _ => return None,
        };
        let runs_on = self.world.is_off(Clause { rule, number });
        (!runs_on).then(|| (client, self.state.active_manager(self.world)))
    }

    /// Terminates the agent of an entity that has become Dead, which loses its pending transaction;
    /// so do the tasks that ran in it (D1:71, D1:100).
    fn terminate(&mut self, client: Client, manager: Option<MachineId>) {
        let is_deaf = matches!(client, Client::Unit(me) if self.state.runtime.is_cut_off(me));
        if let Client::Unit(me) = client
            && !is_deaf
        {
            hooks::terminate(me, self);
        }
        // An agent that is cut off goes on with its hook; its transaction is lost.
        let runtime = &mut self.state.runtime;
        let is_lost = |begun: ClientWork<'_>| !is_deaf || matches!(begun, ClientWork::Txn(_));
        if runtime.pending(client).is_some_and(is_lost) {
            runtime.clear_pending(client, &mut self.effects.touched);
        }
        if manager != self.state.active_manager(self.world) {
            self.lose_manager();
        }
        if let Client::Machine(id) = client {
            former::ends_on(id, self);
        }
    }

    /// Drops the pending transactions of the tasks that ran in a lost manager's agent.
    pub(super) fn lose_manager(&mut self) {
        for task in [Client::Provisioner, Client::Cleaner] {
            if self.state.runtime.pending(task).is_some() {
                instances::loses_pending(task, self);
                self.state.runtime.clear_pending(task, &mut self.effects.touched);
            }
        }
    }
}
