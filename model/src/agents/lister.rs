//! Listers: they collect the actions that an actor lists, and leave out those that would change
//! nothing.

use super::{charm::hooks, neglect, own_rules, plan_for};
use crate::{
    action::{Act, Action, Hook, HookAct, TxnAct},
    actor::{Actor, Client},
    clause::{Clause, Rule},
    free_ids::FreeIds,
    ids::{Id, UnitId},
    operation::Operation,
    ops::Plan,
    runtime::Begun,
    state::State,
    txn::Txn,
    world::{Transactions, World},
};

/// Enabled actions, and for each the transaction that it would plan, so that it need not be planned
/// again to be done in the same state. Reused from step to step.
#[derive(Clone, Debug, Default)]
pub struct Enabled {
    pub actions: Vec<Action>,
    /// For each action the transaction, if it plans one.
    pub plans: Vec<Option<Txn>>,
    /// The number that picks the unit which is listed where an agent may do the same to any of very
    /// many units; all are listed by default.
    pub sample: Option<u64>,
}

impl Enabled {
    pub fn clear(&mut self) {
        self.actions.clear();
        self.plans.clear();
    }
}

/// The duties that a lister lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    Done,
    /// Duties that are neglected, and that the new version of the agent would do.
    Neglected,
}

/// Receives one unit after the other; says whether it wants no more.
pub(super) type UnitSink<'a> = &'a mut dyn FnMut(UnitId) -> bool;

/// The actions that one actor lists.
pub(crate) struct Lister<'a> {
    pub(super) world: &'a World,
    pub(super) state: &'a State,
    pub(super) free_ids: &'a dyn FreeIds,
    pub(super) listed: Listed,
    /// As in [`Enabled`].
    pub(super) sample: Option<u64>,
    /// The index of this actor's first action.
    pub(super) first: usize,
    pub(super) actions: &'a mut Vec<Action>,
    /// For each action the transaction that it would plan, if the caller wants them.
    pub(super) plans: Option<&'a mut Vec<Option<Txn>>>,
}

impl<'a> Lister<'a> {
    pub(super) fn new(
        world: &'a World,
        state: &'a State,
        free_ids: &'a dyn FreeIds,
        enabled: &'a mut Enabled,
    ) -> Self {
        let Enabled { actions, plans, sample } = enabled;
        let first = actions.len();
        let plans = Some(plans);
        let (listed, sample) = (Listed::Done, *sample);
        Self { world, state, free_ids, listed, sample, first, actions, plans }
    }

    /// The number of actions that were listed, by others, too.
    pub(super) fn len(&self) -> usize {
        self.actions.len()
    }

    /// Takes back what was listed since there was this number of actions.
    pub(super) fn truncate(&mut self, len: usize) {
        self.actions.truncate(len);
        if let Some(plans) = &mut self.plans {
            plans.truncate(len);
        }
    }

    pub(super) fn any(&self) -> bool {
        self.actions.len() > self.first
    }

    /// Lists an act, if the rules of the scenario's own allow it.
    fn push(&mut self, act: Act, duty: Option<Clause>, plan: Option<Txn>) {
        if own_rules::allows(self.world, self.state, act, duty) {
            self.push_anyway(act, duty, plan);
        }
    }

    /// Lists an act that goes on with what was begun or decided on, whatever rules say by now.
    fn push_anyway(&mut self, act: Act, duty: Option<Clause>, plan: Option<Txn>) {
        if !self.actions[self.first..].iter().any(|action| action.act == act) {
            self.actions.push(Action { act, duty });
            if let Some(plans) = &mut self.plans {
                plans.push(plan);
            }
        }
    }

    /// Lists what there is to do about the units that `find` finds until `find` has to stop; or
    /// about only one of them, where somebody asks for a sample.
    pub(super) fn some(
        &mut self,
        find: &mut dyn FnMut(UnitSink<'_>),
        list: &mut dyn FnMut(&mut Self, UnitId),
    ) {
        let Some(sample) = self.sample else {
            return find(&mut |other| {
                list(self, other);
                false
            });
        };
        let mut found = None;
        find(&mut |other| {
            let is_enough = other.index() as u64 >= sample % self.world.units.len() as u64;
            if is_enough || found.is_none() {
                found = Some(other);
            }
            is_enough
        });
        if let Some(other) = found {
            list(self, other);
        }
    }

    /// Lists an act that is no duty.
    pub(super) fn act(&mut self, act: Act) {
        self.push(act, None, None);
    }

    /// Whether a duty of `actor` is one of those that are listed.
    pub(super) fn lists(&self, actor: Actor, clause: Clause) -> bool {
        match self.listed {
            Listed::Done => neglect::performs(self.world, self.state, actor, clause),
            Listed::Neglected => neglect::neglects(self.world, self.state, actor, clause),
        }
    }

    /// The first of two duties of `client`, by `rule`, that is done at all; the first that is
    /// listed if neither is done.
    pub(super) fn first_performed(&self, client: Client, rule: Rule, duties: [u8; 2]) -> u8 {
        let (actor, [_, second]) = (client.actor(), duties);
        let performs = |number: &u8| {
            neglect::performs(self.world, self.state, actor, Clause { rule, number: *number })
        };
        let lists = |number: &u8| self.lists(actor, Clause { rule, number: *number });
        let done = duties.into_iter().find(performs);
        done.or_else(|| duties.into_iter().find(lists)).unwrap_or(second)
    }

    /// Lists an act that is the duty of `rule`'s clause `number`.
    pub(super) fn duty(&mut self, rule: Rule, number: u8, act: Act) {
        let clause = Clause { rule, number };
        if self.lists(act.actor(), clause) {
            self.push(act, Some(clause), None);
        }
    }

    /// Lists a hook of the charm of `me` that is the duty of `rule`'s clause `number`, or the
    /// decision on it. What the outline knows of follows from a life that is over, which nothing
    /// changes, so a decision on that would be none.
    pub(super) fn hook(&mut self, me: UnitId, rule: Rule, number: u8, hook: Hook) {
        let is_decided = hook.is_detail() && self.world.charm_of(me).has(hook);
        let act = if is_decided && self.world.decides_late() {
            HookAct::Decide(hook)
        } else {
            self.first_act(me, hook)
        };
        self.duty(rule, number, Act::Hook(me, act));
    }

    /// Lists the hook that has failed and is to run again: that is on the disk, and follows from no
    /// view of the store.
    pub(super) fn retry(&mut self, me: UnitId, rule: Rule, number: u8, hook: Hook) {
        self.duty(rule, number, Act::Hook(me, self.first_act(me, hook)));
    }

    /// Lists the hook that the agent of `me` has decided on, if it has; says whether it has.
    pub(super) fn decided(&mut self, me: UnitId) -> bool {
        let decided = hooks::decided(me, self.world, self.state);
        if let Some(hook) = decided {
            self.push_anyway(Act::Hook(me, self.first_act(me, hook)), None, None);
        }
        decided.is_some()
    }

    /// The act by which a hook runs: it begins and ends as a transaction is planned and committed.
    fn first_act(&self, me: UnitId, hook: Hook) -> HookAct {
        let is_missing = !self.world.charm_of(me).has(hook);
        match self.world.transactions {
            // Nothing is begun that the charm does not have (D4:18-19).
            _ if hook.other().is_some() && is_missing => HookAct::Run(hook),
            // The outline knows nothing of these, so no step of it ends them.
            _ if hook.other().is_some() => HookAct::Begin(hook),
            Transactions::Split => HookAct::Begin(hook),
            Transactions::Atomic => HookAct::Run(hook),
        }
    }

    /// Lists a transaction of `client` that is a duty.
    pub(super) fn transact(
        &mut self,
        client: Client,
        rule: Rule,
        number: u8,
        operation: Operation,
    ) {
        let clause = Clause { rule, number };
        if self.lists(client.actor(), clause) {
            self.submit(client, operation, Some(clause));
        }
    }

    /// Lists one of many transactions that are duties and that cannot have been listed before. To
    /// compare each with all before it would take the square of their number.
    pub(super) fn transact_anew(
        &mut self,
        client: Client,
        rule: Rule,
        number: u8,
        operation: Operation,
    ) {
        let first = std::mem::replace(&mut self.first, self.actions.len());
        self.transact(client, rule, number, operation);
        self.first = first;
    }

    /// Whether a transaction would change something.
    pub(super) fn would_submit(&self, client: Client, operation: Operation) -> bool {
        let plan = plan_for(self.world, self.state, client, operation, self.free_ids);
        matches!(plan, Plan::Submit(_))
    }

    /// Lists a transaction, if it would change something.
    pub(super) fn submit(&mut self, client: Client, operation: Operation, duty: Option<Clause>) {
        let plan = plan_for(self.world, self.state, client, operation, self.free_ids);
        let Plan::Submit(txn) = plan else { return };
        match self.world.transactions {
            Transactions::Split => {
                self.push(Act::Txn(client, TxnAct::Begin(operation)), duty, Some(txn));
            }
            Transactions::Atomic => {
                if txn.obstacle(&self.state.store, self.world).is_none() {
                    self.push(Act::Txn(client, TxnAct::Run(operation)), duty, Some(txn));
                }
            }
        }
    }

    /// As `submit`, but a transaction that is refused, or would do nothing, is listed, too: its
    /// client gets to know.
    pub(super) fn submit_or_fail(&mut self, client: Client, operation: Operation) {
        match plan_for(self.world, self.state, client, operation, self.free_ids) {
            Plan::Submit(_) => self.submit(client, operation, None),
            Plan::NoOp | Plan::Refuse(_) => {
                let act = match self.world.transactions {
                    Transactions::Split => TxnAct::Begin(operation),
                    Transactions::Atomic => TxnAct::Run(operation),
                };
                self.act(Act::Txn(client, act));
            }
        }
    }

    /// Lists the end of what `client` has begun, if it has begun anything; says whether it has.
    pub(super) fn finish(&mut self, client: Client) -> bool {
        let act = match self.state.runtime.pending(client) {
            None => return false,
            Some(Begun::Txn(txn)) => Act::Txn(client, finishing(self.world, self.state, txn)),
            Some(Begun::Hook(me, hook)) => {
                Act::Hook(me, hooks::going_on(me, hook, self.world, self.state))
            }
        };
        self.push_anyway(act, None, None);
        true
    }
}

/// The act that ends a pending transaction.
pub(super) fn finishing(world: &World, state: &State, txn: &Txn) -> TxnAct {
    match txn.obstacle(&state.store, world) {
        None => TxnAct::Commit,
        Some(_) => TxnAct::Abort,
    }
}
