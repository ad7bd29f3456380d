//! An index of the free identifiers, for a caller that follows one run.
//!
//! It gets the rows that a step touched, and checks their identifiers again. So an update costs
//! time in proportion to the step, and a query logarithmic time in the size of the world.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{FreeIds, constraints, is_clean, is_new, machines::Machines, satisfies};
use crate::{
    actor::{Agent, Client},
    ids::{ApplicationId, Constraints, Id, IdSet, MachineId, RelationId, UnitId, UserId},
    prefetch::prefetch,
    rows::RowKind,
    runtime::{ManagerTask, PendingTxn},
    state::State,
    store::Row,
    txn::{Doc, Txn},
    world::World,
};

/// The identifiers that are free for new units and machines.
#[derive(Clone, Debug)]
pub struct FreeIdIndex {
    /// For each application, the unused identifiers of units.
    units: Vec<BTreeSet<UnitId>>,
    /// Whether each unit is in the set of its application.
    is_unit_free: Vec<bool>,
    /// The machines that can take units, and have none.
    free: Machines,
    /// The unused identifiers of machines that a transaction may create for a new unit.
    new: Machines,
    /// The number of times that pending transactions name each unit, and each machine.
    named_units: Vec<u32>,
    named_machines: Vec<u32>,
    /// The counted pending transactions: those of machine agents, of unit agents, and of users,
    /// manager tasks and clients.
    of_machines: Vec<PendingTxn>,
    of_units: Vec<PendingTxn>,
    of_others: BTreeMap<Row, PendingTxn>,
    /// The number of agents that have seen each unit, or marked or decided on a hook about it, in
    /// worlds with the detail `relations`; and the units that are counted for each agent.
    remembered: Vec<u32>,
    of_sightings: BTreeMap<(RelationId, UnitId), IdSet<UnitId>>,
    of_hooks: Vec<[Option<UnitId>; 2]>,
    /// The unit that the command in progress of each user is to assign.
    of_sessions: Vec<Option<UnitId>>,
    /// The applications that have got free units since `take_freed` was called last.
    freed: Vec<ApplicationId>,
}

impl FreeIdIndex {
    /// The index of `state`.
    pub fn of(world: &World, state: &State) -> Self {
        let mut index = Self {
            units: vec![BTreeSet::new(); world.applications.len()],
            is_unit_free: vec![false; world.units.len()],
            free: Machines::of(world),
            new: Machines::of(world),
            named_units: vec![0; world.units.len()],
            named_machines: vec![0; world.machines.len()],
            of_machines: vec![None; world.machines.len()],
            of_units: vec![None; world.units.len()],
            of_others: BTreeMap::new(),
            remembered: vec![0; world.units.len()],
            of_sightings: BTreeMap::new(),
            of_hooks: vec![[None; 2]; RowKind::UnitHooks.count(world)],
            of_sessions: vec![None; state.runtime.users().len()],
            freed: Vec::new(),
        };
        for id in world.machine_ids() {
            index.update(world, state, &[Row::Machine(id), Row::MachineRuntime(id)]);
        }
        for id in world.unit_ids() {
            index.update(world, state, &[Row::Unit(id), Row::UnitRuntime(id)]);
        }
        let users = world.user_ids().map(Row::User);
        let tasks = ManagerTask::ALL.into_iter().map(Row::Task);
        let clients = (0..state.runtime.clients().len()).map(|index| Row::Client(Id::new(index)));
        let hooks = RowKind::UnitHooks.rows(world).chain(RowKind::Sighting.rows(world));
        let others: Vec<Row> = users.chain(tasks).chain(clients).chain(hooks).collect();
        index.update(world, state, &others);
        index
    }

    /// Brings the index up to date after a step that `touched` these rows and led to `state`.
    pub fn update(&mut self, world: &World, state: &State, touched: &[Row]) {
        for row in touched {
            match *row {
                Row::Machine(id) => self.check_machine(world, state, id),
                Row::MachineRuntime(id) => {
                    let pending = state.runtime.machine(id).pending.as_ref();
                    if let Some(old) = exchange(&mut self.of_machines[id.index()], pending) {
                        self.count(world, state, old.as_ref(), pending);
                    }
                    self.check_machine(world, state, id);
                }
                Row::Unit(id) | Row::Scope(_, id) | Row::UnitCharm(id) => {
                    self.check_unit(world, state, id);
                }
                Row::UnitRuntime(id) => {
                    let pending = state.runtime.pending_txn(Client::Unit(id));
                    if let Some(old) = exchange(&mut self.of_units[id.index()], pending) {
                        self.count(world, state, old.as_ref(), pending);
                    }
                    self.check_unit(world, state, id);
                }
                Row::User(id) => {
                    self.check_session(world, state, id);
                    let pending = state.runtime.user(id).state.txn();
                    self.check_pending(world, state, *row, pending);
                }
                Row::Task(task) => {
                    let pending = state.runtime.task(task).pending.as_ref();
                    self.check_pending(world, state, *row, pending);
                }
                Row::Client(id) => {
                    let client = state.runtime.client(id);
                    let pending = client.and_then(|client| client.pending.as_ref());
                    self.check_pending(world, state, *row, pending);
                }
                Row::UnitHooks(id) => {
                    let new = state.runtime.hooks(id).named();
                    let old = std::mem::replace(&mut self.of_hooks[id.index()], new);
                    for (old, new) in old.into_iter().zip(new) {
                        if old != new {
                            self.remember(world, state, old, new);
                        }
                    }
                }
                Row::Sighting(relation, id) => self.check_sighting(world, state, relation, id),
                // Other rows name no unit and no machine.
                _ => {}
            }
        }
    }

    /// Prefetches the counted transaction of an agent.
    pub fn prefetch(&self, agent: Agent) {
        match agent {
            Agent::Unit(id) => {
                prefetch(&self.of_units[id.index()]);
                prefetch(&self.is_unit_free[id.index()]);
                prefetch(&self.named_units[id.index()]);
            }
            Agent::Machine(id) => {
                prefetch(&self.of_machines[id.index()]);
                prefetch(&self.named_machines[id.index()]);
            }
        }
    }

    /// Takes the applications that have got free units since the last call; one may be there twice.
    /// Only so can an agent that waits for a free unit be woken.
    pub fn take_freed(&mut self) -> impl Iterator<Item = ApplicationId> + '_ {
        self.freed.drain(..)
    }

    /// Counts the units in an agent's sighting, instead of those that it had before.
    fn check_sighting(&mut self, world: &World, state: &State, relation: RelationId, id: UnitId) {
        let new = state.runtime.sighting(relation, id).named();
        let old = self.of_sightings.insert((relation, id), new.clone()).unwrap_or_default();
        for unit in new.outside(&old) {
            self.remember(world, state, None, Some(unit));
        }
        for unit in old.outside(&new) {
            self.remember(world, state, Some(unit), None);
        }
        if new.is_empty() {
            self.of_sightings.remove(&(relation, id));
        }
    }

    /// Counts a unit that an agent remembers now, instead of another one.
    fn remember(&mut self, world: &World, state: &State, old: Option<UnitId>, new: Option<UnitId>) {
        if let Some(unit) = new {
            self.remembered[unit.index()] += 1;
            self.check_unit(world, state, unit);
        }
        if let Some(unit) = old {
            self.remembered[unit.index()] -= 1;
            self.check_unit(world, state, unit);
        }
    }

    fn check_session(&mut self, world: &World, state: &State, id: UserId) {
        let new = state.runtime.user(id).unassigned();
        let old = std::mem::replace(&mut self.of_sessions[id.index()], new);
        for unit in old.into_iter().chain(new) {
            self.check_unit(world, state, unit);
        }
    }

    fn check_pending(
        &mut self,
        world: &World,
        state: &State,
        row: Row,
        pending: Option<&Arc<Txn>>,
    ) {
        if let Some(old) = exchange(self.of_others.entry(row).or_default(), pending) {
            self.count(world, state, old.as_ref(), pending);
        }
    }

    /// Counts the entities that a new pending transaction names, instead of those of the old one.
    fn count(
        &mut self,
        world: &World,
        state: &State,
        old: Option<&Arc<Txn>>,
        new: Option<&Arc<Txn>>,
    ) {
        for doc in new.into_iter().flat_map(|txn| txn.docs()) {
            self.count_doc(world, state, doc, |count| count + 1);
        }
        for doc in old.into_iter().flat_map(|txn| txn.docs()) {
            self.count_doc(world, state, doc, |count| count - 1);
        }
    }

    /// Counts the entity that `doc` belongs to, and checks it if its count is 0 or 1 now: no other
    /// change of the count matters.
    fn count_doc(&mut self, world: &World, state: &State, doc: Doc, next: fn(u32) -> u32) {
        if let Some(unit) = doc.unit() {
            let count = &mut self.named_units[unit.index()];
            *count = next(*count);
            if *count <= 1 {
                self.check_unit(world, state, unit);
            }
        } else if let Some(machine) = doc.machine() {
            let count = &mut self.named_machines[machine.index()];
            *count = next(*count);
            if *count <= 1 {
                self.check_machine(world, state, machine);
            }
        }
    }

    fn check_unit(&mut self, world: &World, state: &State, id: UnitId) {
        let is_free = self.named_units[id.index()] == 0
            && self.remembered[id.index()] == 0
            && state.has_left_nothing(world, id);
        if is_free != std::mem::replace(&mut self.is_unit_free[id.index()], is_free) {
            let application = world.unit(id).application;
            if is_free {
                self.units[application.index()].insert(id);
                self.freed.push(application);
            } else {
                self.units[application.index()].remove(&id);
            }
        }
    }

    fn check_machine(&mut self, world: &World, state: &State, id: MachineId) {
        if world.machine(id).hosts_units {
            let made = is_clean(world, state, id).then(|| constraints(state, id));
            self.free.put(world, id, made);
            let made = is_new(self, world, state, id).then_some(Constraints::NONE);
            self.new.put(world, id, made);
        }
    }
}

impl FreeIds for FreeIdIndex {
    fn unit(&self, _: &World, _: &State, application: ApplicationId) -> Option<UnitId> {
        self.units[application.index()].first().copied()
    }

    fn machine(&self, world: &World, state: &State, unit: UnitId) -> Option<MachineId> {
        let clean = self.free.first(world, unit, |made| satisfies(world, state, made, unit));
        clean.or_else(|| self.new.first(world, unit, |_| true))
    }

    fn is_machine_unused(&self, state: &State, id: MachineId) -> bool {
        self.named_machines[id.index()] == 0 && state.has_machine_left_nothing(id)
    }
}

/// Replaces `known` by `pending`. Returns the old transaction, if it was another one.
fn exchange(known: &mut PendingTxn, pending: Option<&Arc<Txn>>) -> Option<PendingTxn> {
    let is_known = match (known.as_ref(), pending) {
        (None, None) => true,
        (Some(known), Some(pending)) => Arc::ptr_eq(known, pending),
        (None, Some(_)) | (Some(_), None) => false,
    };
    (!is_known).then(|| std::mem::replace(known, pending.cloned()))
}
