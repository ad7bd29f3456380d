//! Sleepers: who is on the schedule, who is not, and what rouses them.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_model::{
    action::Agent,
    ids::{EntityId, UnitId},
    runtime::Hardware,
    state::State,
    world::World,
};

use super::{
    desk::Desk,
    party::{Awake, ManagerTask, Party},
    schedule::Schedule,
    wake::Call,
};
use crate::{dice::Dice, scenario::Latency};

/// Everybody's turns.
pub(super) struct Sleepers {
    /// Who moves when.
    pub(super) schedule: Schedule<Party>,
    awake: Awake,
    desks: [Desk; 2],
    /// Agents that are on their way back from a crash, and when they arrive.
    absent: BTreeMap<Agent, u64>,
    /// For each application the units that found no place for a subordinate of it.
    queues: Vec<BTreeSet<UnitId>>,
    latency: Latency,
    /// Decides how long everything takes, and who chooses what.
    pub(super) dice: Dice,
}

impl Sleepers {
    /// Nobody has a turn yet.
    pub(super) fn new(world: &World, latency: Latency, dice: Dice) -> Self {
        Self {
            schedule: Schedule::new(),
            awake: Awake::nobody(world.machines.len(), world.units.len()),
            desks: [Desk::new(world), Desk::new(world)],
            absent: BTreeMap::new(),
            queues: vec![BTreeSet::new(); world.applications.len()],
            latency,
            dice,
        }
    }

    /// Somebody is called.
    pub(super) fn hear(&mut self, world: &World, state: &State, call: Call) {
        match call {
            Call::Party(party) => self.rouse(party),
            Call::ManagerTask(task, subject) => {
                self.desk(task).put(subject);
                self.rouse(Party::ManagerTask(task));
            }
            Call::Everybody => self.rouse_everybody(world, state),
        }
    }

    /// Gives everybody a turn who may have something to do, and puts on the desks what the tasks
    /// may have to do with.
    pub(super) fn rouse_everybody(&mut self, world: &World, state: &State) {
        for id in world.unit_ids() {
            let (docs, host) = (state.store.unit_docs(id), state.runtime.unit(id));
            self.rouse(Party::Agent(Agent::Unit(id)));
            self.rouse_if(host.down, Party::Restart(Agent::Unit(id)));
            self.rouse_if(host.hook_error.is_some(), Party::Resolve(id));
            self.put_if(docs.force, ManagerTask::Cleaner, EntityId::Unit(id));
        }
        for id in world.machine_ids() {
            let (docs, host) = (state.store.machine_docs(id), state.runtime.machine(id));
            self.rouse(Party::Agent(Agent::Machine(id)));
            self.rouse_if(host.down, Party::Restart(Agent::Machine(id)));
            self.rouse_if(host.hardware == Hardware::Silent, Party::Terminate(id));
            self.put_if(docs.force, ManagerTask::Cleaner, EntityId::Machine(id));
            self.put_if(docs.machine.is_some(), ManagerTask::Provisioner, EntityId::Machine(id));
        }
        for id in world.application_ids() {
            let is_due = state.store.application_docs(id).units_cleanup;
            self.put_if(is_due, ManagerTask::Cleaner, EntityId::Application(id));
        }
        for id in world.relation_ids() {
            let is_due = state.store.relation_docs(id).cleanup;
            self.put_if(is_due, ManagerTask::Cleaner, EntityId::Relation(id));
        }
        for task in ManagerTask::ALL {
            self.rouse(Party::ManagerTask(task));
        }
        self.rouse(Party::Upgrade);
    }

    fn rouse_if(&mut self, is_due: bool, party: Party) {
        if is_due {
            self.rouse(party);
        }
    }

    fn put_if(&mut self, is_due: bool, task: ManagerTask, subject: EntityId) {
        if is_due {
            self.desk(task).put(subject);
        }
    }

    /// Gives `party` a turn, unless it has one coming.
    fn rouse(&mut self, party: Party) {
        if self.awake.rouse(party) {
            let latency = match party {
                Party::Restart(_) => &self.latency.restart,
                Party::Resolve(_) | Party::Terminate(_) | Party::Upgrade => &self.latency.operator,
                Party::Agent(_)
                | Party::ManagerTask(_)
                | Party::User
                | Party::Strike(_)
                | Party::Calm => &self.latency.watch,
            };
            let delay = self.dice.within(latency);
            self.schedule.after(delay, party);
        }
    }

    /// Gives `party`, whose turn it is, another one after `delay`.
    pub(super) fn again(&mut self, party: Party, delay: u64) {
        self.schedule.after(delay, party);
    }

    /// `party`, whose turn it is, gets no other until it is roused.
    pub(super) fn rest(&mut self, party: Party) {
        self.awake.rest(party);
    }

    /// The turn of `party` has come; says whether it can take it now.
    pub(super) fn takes(&mut self, party: Party) -> bool {
        let until = match party {
            Party::Agent(agent) => self.back_at(agent),
            Party::ManagerTask(task) => self.desk(task).away_until,
            _ => 0,
        };
        let now = self.schedule.now();
        if until > now {
            self.again(party, until - now);
        }
        until <= now
    }

    /// When `agent` is back. Few are ever away at a time, so that is looked up only for those who
    /// are marked as such.
    fn back_at(&mut self, agent: Agent) -> u64 {
        if !self.awake.is_away(agent) {
            return 0;
        }
        let until = self.absent.get(&agent).copied().unwrap_or(0);
        if until <= self.schedule.now() {
            self.absent.remove(&agent);
            self.awake.set_away(agent, false);
        }
        until
    }

    /// The agent is gone for a while.
    pub(super) fn absent(&mut self, agent: Agent) {
        let until = self.schedule.now() + self.dice.within(&self.latency.restart);
        self.absent.insert(agent, until);
        self.awake.set_away(agent, true);
    }

    /// Provisioner and cleaner are gone for a while.
    pub(super) fn outage(&mut self) {
        let until = self.schedule.now() + self.dice.within(&self.latency.outage);
        self.desks.iter_mut().for_each(|desk| desk.away_until = until);
    }

    /// The desk of `task`.
    pub(super) fn desk(&mut self, task: ManagerTask) -> &mut Desk {
        &mut self.desks[task as usize]
    }

    /// Takes any document from the desk of `task`.
    pub(super) fn take(&mut self, task: ManagerTask) -> Option<EntityId> {
        self.desks[task as usize].take(&mut self.dice)
    }

    /// `unit` waits for a place for a subordinate of the application with this index.
    pub(super) fn queue(&mut self, application: usize, unit: UnitId) {
        self.queues[application].insert(unit);
    }

    /// Whether anybody waits for a place in the application with this index.
    pub(super) fn is_queued(&self, application: usize) -> bool {
        !self.queues[application].is_empty()
    }

    /// Rouses those who wait for a place in the application with this index.
    pub(super) fn admit(&mut self, application: usize) {
        for unit in std::mem::take(&mut self.queues[application]) {
            self.rouse(Party::Agent(Agent::Unit(unit)));
        }
    }

    /// Whether `party` has a turn coming.
    pub(super) fn is_awake(&mut self, party: Party) -> bool {
        self.awake.is_awake(party)
    }

    /// Whether `subject` lies on the desk of `task`.
    pub(super) fn is_on_desk(&mut self, task: ManagerTask, subject: EntityId) -> bool {
        self.desk(task).has(subject)
    }

    /// How long steps take.
    pub(super) fn latency(&self) -> &Latency {
        &self.latency
    }
}
