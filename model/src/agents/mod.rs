//! Who does what, one file an actor: a line of code for each line of the "Agents" section.
//!
//! An actor lists what it could do next and changes nothing. What it lists goes through `Lister`,
//! which leaves out everything that would change nothing: an agent that looks and finds nothing
//! to do, or is refused, does not move.

mod cleaner;
mod deployer;
mod faults;
mod find_enabled;
mod machine_agent;
mod operator;
mod provisioner;
mod tasks;
mod unit_agent;
mod user;

pub use faults::can_strike;
pub use find_enabled::find_enabled;
pub use tasks::{Task, enabled_for_task, finish_for, tasks};
pub(crate) use unit_agent::knows;
pub(crate) use user::progress;
pub use user::{goes_on_with, user_gives, user_goes_on};

use std::sync::Arc;

use crate::{
    action::{Act, Action, Actor, Agent},
    clause::{Clause, Rule},
    free_ids::{FreeIds, Scan},
    ids::{ClientId, EntityId, Id, UserId},
    operation::Operation,
    ops::{self, Requester},
    runtime::ManagerTask,
    state::State,
    txn::{Plan, Txn},
    world::{Scope, Transactions, World},
};

/// Lists what `actor` can do next, always in the same order.
pub fn enabled_for(world: &World, state: &State, actor: Actor, actions: &mut Vec<Action>) {
    let first = actions.len();
    tasks::list_all(Lister { world, state, actor, free_ids: &Scan, first, actions, plans: None });
}

/// As [`enabled_for`] for every actor, and keeps the transaction that each action would plan, for
/// a caller who is going to take them all.
pub(crate) fn enabled_with_plans(
    world: &World,
    state: &State,
    actions: &mut Vec<Action>,
    plans: &mut Vec<Option<Txn>>,
) {
    for actor in actors(world) {
        let (first, plans) = (actions.len(), Some(&mut *plans));
        let free_ids = &Scan;
        tasks::list_all(Lister { world, state, actor, free_ids, first, actions, plans });
    }
}

/// What is offered, and for each action what it would plan, so that nobody has to plan it again
/// to do it in the same state. Reused from step to step.
#[derive(Clone, Debug, Default)]
pub struct Enabled {
    /// The actions.
    pub actions: Vec<Action>,
    /// For each of them the transaction, if it plans one.
    pub plans: Vec<Option<Txn>>,
}

impl Enabled {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.actions.clear();
        self.plans.clear();
    }
}

/// Every actor of a world that acts of its own accord, in the order in which actions are listed.
pub fn actors(world: &World) -> impl Iterator<Item = Actor> + '_ {
    [Actor::User]
        .into_iter()
        .chain(world.unit_ids().map(Actor::UnitAgent))
        .chain(world.machine_ids().map(Actor::MachineAgent))
        .chain([Actor::Provisioner, Actor::Cleaner])
        .chain([Actor::Operator, Actor::Supervisor, Actor::Faults])
}

/// What an operation takes when `actor` asks for it, including a place for a subordinate that may
/// have to be created.
pub fn plan_for(
    world: &World,
    state: &State,
    actor: Actor,
    operation: Operation,
    free_ids: &dyn FreeIds,
) -> Plan {
    let free = match operation {
        Operation::EnterScope(unit, relation)
            if world.relation(relation).scope == Scope::Container =>
        {
            world
                .relation(relation)
                .counterpart(world.unit(unit).application)
                .and_then(|other| free_ids.unit(world, state, other))
        }
        _ => None,
    };
    let requester = if actor == Actor::User { Requester::User } else { Requester::Agent };
    ops::plan(world, &state.store, operation, requester, free)
}

/// The transaction that `actor` has pending, or is to plan again.
pub fn pending(state: &State, actor: Actor) -> Option<&Txn> {
    match actor {
        Actor::User => state.runtime.user(UserId::FIRST).state.txn().map(AsRef::as_ref),
        Actor::UnitAgent(_)
        | Actor::MachineAgent(_)
        | Actor::Provisioner
        | Actor::Cleaner
        | Actor::Client(_)
        | Actor::Faults
        | Actor::Operator
        | Actor::Supervisor => planned(state, actor).map(AsRef::as_ref),
    }
}

/// The transaction that `actor` has planned and can finish.
pub(crate) fn planned(state: &State, actor: Actor) -> Option<&Arc<Txn>> {
    let runtime = &state.runtime;
    match actor {
        Actor::UnitAgent(unit) => runtime.unit(unit).pending.as_ref(),
        Actor::MachineAgent(machine) => runtime.machine(machine).pending.as_ref(),
        Actor::Provisioner => runtime.task(ManagerTask::Provisioner).pending.as_ref(),
        Actor::Cleaner => runtime.task(ManagerTask::Cleaner).pending.as_ref(),
        Actor::Client(number) => runtime.client(ClientId::new(number.into()))?.pending.as_ref(),
        Actor::User => runtime.user(UserId::FIRST).state.planned(),
        Actor::Faults | Actor::Operator | Actor::Supervisor => None,
    }
}

/// The actions that one actor is offered.
struct Lister<'a> {
    world: &'a World,
    state: &'a State,
    actor: Actor,
    free_ids: &'a dyn FreeIds,
    first: usize,
    actions: &'a mut Vec<Action>,
    /// For each action what it would plan, where somebody wants to know.
    plans: Option<&'a mut Vec<Option<Txn>>>,
}

impl<'a> Lister<'a> {
    fn new(
        world: &'a World,
        state: &'a State,
        actor: Actor,
        free_ids: &'a dyn FreeIds,
        offered: &'a mut Enabled,
    ) -> Self {
        let Enabled { actions, plans } = offered;
        let first = actions.len();
        Self { world, state, actor, free_ids, first, actions, plans: Some(plans) }
    }

    /// Whether anything has been offered.
    fn any(&self) -> bool {
        self.actions.len() > self.first
    }

    fn push(&mut self, act: Act, duty: Option<Clause>, plan: Option<Txn>) {
        if !self.actions[self.first..].iter().any(|action| action.act == act) {
            self.actions.push(Action { actor: self.actor, act, duty });
            if let Some(plans) = &mut self.plans {
                plans.push(plan);
            }
        }
    }

    /// Lister an act that is nobody's duty.
    fn act(&mut self, act: Act) {
        self.push(act, None, None);
    }

    /// Whether a duty is done at all: not switched off, and not neglected until an upgrade.
    fn performs(&self, clause: Clause) -> bool {
        !self.world.is_off(clause)
            && (!self.world.neglected.contains(clause) || self.state.runtime.upgrade().done)
    }

    /// Lister an act that is the duty of `rule`'s sentence `number`.
    fn duty(&mut self, rule: Rule, number: u8, act: Act) {
        let clause = Clause { rule, number };
        if self.performs(clause) {
            self.push(act, Some(clause), None);
        }
    }

    /// Lister a transaction that is a duty.
    fn transact(&mut self, rule: Rule, number: u8, operation: Operation) {
        let clause = Clause { rule, number };
        if self.performs(clause) {
            self.submit(operation, Some(clause));
        }
    }

    /// Lister one of many transactions that are duties, which cannot have been offered before: to
    /// look whether each has been would take the square of their number.
    fn transact_anew(&mut self, rule: Rule, number: u8, operation: Operation) {
        let first = std::mem::replace(&mut self.first, self.actions.len());
        self.transact(rule, number, operation);
        self.first = first;
    }

    /// Lister a transaction, if it is one that would change something.
    fn submit(&mut self, operation: Operation, duty: Option<Clause>) {
        let plan = plan_for(self.world, self.state, self.actor, operation, self.free_ids);
        let Plan::Submit(txn) = plan else { return };
        match self.world.transactions {
            Transactions::Split => self.push(Act::Begin(operation), duty, Some(txn)),
            Transactions::Atomic => {
                if txn.obstacle(&self.state.store, self.world).is_none() {
                    self.push(Act::Run(operation), duty, Some(txn));
                }
            }
        }
    }

    /// Lister to finish the transaction pending, if there is one.
    fn finish(&mut self, pending: Option<&Arc<Txn>>) -> bool {
        let Some(txn) = pending else { return false };
        let act = match txn.obstacle(&self.state.store, self.world) {
            None => Act::Commit,
            Some(_) => Act::Abort,
        };
        self.act(act);
        true
    }

    /// Whether the process of `agent` is up.
    fn is_up(&self, agent: Agent) -> bool {
        match agent {
            Agent::Unit(id) => self.state.unit_agent_runs(id),
            Agent::Machine(id) => self.state.machine_agent_runs(id),
        }
    }
}
