//! Listers, which collect the actions of an actor and leave out those that would change nothing.

use std::collections::BTreeSet;

use super::{neglect, own_rules, plan_for};
use crate::{
    action::{Act, Action, Hook, HookAct, TxnAct},
    actor::{Actor, Client},
    clause::{Clause, Rule},
    free_ids::FreeIds,
    ids::{Id, UnitId},
    operation::Operation,
    ops::Plan,
    state::State,
    txn::Txn,
    world::{Transactions, World},
};

/// Enabled actions, each with the transaction that it would plan, which need not be planned again
/// if the action is taken in the same state. Reused from step to step.
#[derive(Clone, Debug, Default)]
pub struct Enabled {
    pub actions: Vec<Action>,
    /// For each action the transaction, if it plans one.
    pub plans: Vec<Option<Txn>>,
    /// A number that picks one unit where an agent may do the same to any of very many; all units
    /// are listed by default.
    pub sample: Option<u64>,
}

impl Enabled {
    pub fn clear(&mut self) {
        self.actions.clear();
        self.plans.clear();
    }
}

/// Duties that a lister lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    Done,
    /// Duties that are neglected, and that the new version of the agent would do.
    Neglected,
}

/// A sink that gets one unit after the other, and returns true when it wants no more.
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
    /// The acts of this actor, once they are many.
    pub(super) many: ManyActs,
}

/// The number of acts up to which each new one is compared with all.
const FEW: usize = 32;

/// A set of the acts that an actor has listed, and how many of its actions are in it. A unit in a
/// thousand relations has a thousand acts, which would take a million comparisons.
#[derive(Default)]
pub(super) struct ManyActs(Option<Box<(BTreeSet<Act>, usize)>>);

impl ManyActs {
    /// Whether `act` is none of `listed`, which are more than at the call before, or the same.
    fn is_new(&mut self, act: Act, listed: &[Action]) -> bool {
        let (acts, count) = &mut **self.0.get_or_insert_default();
        acts.extend(listed[*count..].iter().map(|it| it.act));
        *count = listed.len();
        !acts.contains(&act)
    }
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
        let (listed, sample, many) = (Listed::Done, *sample, ManyActs::default());
        Self { world, state, free_ids, listed, sample, first, actions, plans, many }
    }

    /// The number of actions listed so far, including those of other actors.
    pub(super) fn len(&self) -> usize {
        self.actions.len()
    }

    /// Drops all actions after the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.actions.truncate(len);
        self.many = ManyActs::default();
        if let Some(plans) = &mut self.plans {
            plans.truncate(len);
        }
    }

    pub(super) fn any(&self) -> bool {
        self.actions.len() > self.first
    }

    /// Lists an act, if the scenario's own rules allow it.
    fn push(&mut self, act: Act, duty: Option<Clause>, plan: Option<Txn>) {
        if own_rules::allows(self.world, self.state, act, duty) {
            self.push_anyway(act, duty, plan);
        }
    }

    /// Lists an act that ends something begun or decided, even if rules forbid it by now.
    pub(super) fn push_anyway(&mut self, act: Act, duty: Option<Clause>, plan: Option<Txn>) {
        let listed = &self.actions[self.first..];
        let is_new = if listed.len() <= FEW {
            listed.iter().all(|action| action.act != act)
        } else {
            self.many.is_new(act, listed)
        };
        if is_new {
            self.actions.push(Action { act, duty });
            if let Some(plans) = &mut self.plans {
                plans.push(plan);
            }
        }
    }

    /// Lists actions on each unit that `find` finds until it has to stop; or on only one of them,
    /// if a sample is asked for.
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

    /// Whether a duty of `actor` is of the kind that is listed.
    pub(super) fn lists(&self, actor: Actor, clause: Clause) -> bool {
        match self.listed {
            Listed::Done => neglect::performs(self.world, self.state, actor, clause),
            Listed::Neglected => neglect::neglects(self.world, self.state, actor, clause),
        }
    }

    /// The first of two duties of `client` by `rule` that is performed; if neither is, the first
    /// that is listed.
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
    /// decision on it. The hooks of the outline follow from the end of a life, which nothing
    /// undoes, so these take no decision.
    pub(super) fn hook(&mut self, me: UnitId, rule: Rule, number: u8, hook: Hook) {
        let is_decided = hook.is_detail() && self.world.charm_of(me).has(hook);
        let act = if is_decided && self.world.decides_late() {
            HookAct::Decide(hook)
        } else {
            self.first_act(me, hook)
        };
        self.duty(rule, number, Act::Hook(me, act));
    }

    /// Lists the failed hook that is to run again. It is noted on the disk, and follows from no
    /// view of the store.
    pub(super) fn retry(&mut self, me: UnitId, rule: Rule, number: u8, hook: Hook) {
        self.duty(rule, number, Act::Hook(me, self.first_act(me, hook)));
    }

    /// The first act of a hook, which begins and ends as a transaction is planned and committed.
    pub(super) fn first_act(&self, me: UnitId, hook: Hook) -> HookAct {
        let is_missing = !self.world.charm_of(me).has(hook);
        match self.world.transactions {
            // A hook that the charm lacks is never begun (D4:18-19).
            _ if hook.other().is_some() && is_missing => HookAct::Run(hook),
            // The outline lacks these hooks, so no step of it ends them.
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

    /// Lists one of many transactions that are duties and differ from all before. To compare each
    /// with all before it would take quadratic time.
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

    /// As `submit`, but lists a transaction that is refused or does nothing, too, so that its
    /// client learns of it.
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
}

/// The act that ends a pending transaction.
pub(super) fn finishing(world: &World, state: &State, txn: &Txn) -> TxnAct {
    match txn.obstacle(&state.store, world) {
        None => TxnAct::Commit,
        Some(_) => TxnAct::Abort,
    }
}
