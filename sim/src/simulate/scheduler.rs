//! The scheduler: which processes have an event in the queue, which are parked, and what wakes
//! them.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_model::{
    action::Agent,
    ids::{EntityId, UnitId},
    runtime::Hardware,
    state::State,
    world::World,
};

use super::{
    event_queue::EventQueue,
    notifier::Notification,
    process::{ManagerTask, Process},
    ready_set::ReadySet,
    work_queue::WorkQueue,
};
use crate::{dice::Dice, scenario::Latency};

/// The events of all processes. A process that has none is parked until a notification wakes it.
pub(super) struct Scheduler {
    /// The events that are to come.
    pub(super) queue: EventQueue<Process>,
    ready: ReadySet,
    work_queues: [WorkQueue; 2],
    /// The agents that are on their way back from a crash, and when they arrive.
    absent: BTreeMap<Agent, u64>,
    /// For each application the units that found no free unit of it to be their subordinate.
    waiting_for_subordinate: Vec<BTreeSet<UnitId>>,
    latency: Latency,
    /// Decides how long everything takes, and which of its actions a process does.
    pub(super) dice: Dice,
}

impl Scheduler {
    /// Without events.
    pub(super) fn new(world: &World, latency: Latency, dice: Dice) -> Self {
        Self {
            queue: EventQueue::new(),
            ready: ReadySet::new(world.machines.len(), world.units.len()),
            work_queues: [WorkQueue::new(world), WorkQueue::new(world)],
            absent: BTreeMap::new(),
            waiting_for_subordinate: vec![BTreeSet::new(); world.applications.len()],
            latency,
            dice,
        }
    }

    /// Wakes what `notification` is for.
    pub(super) fn notify(&mut self, world: &World, state: &State, notification: Notification) {
        match notification {
            Notification::Process(process) => self.wake(process),
            Notification::Task(task, subject) => {
                self.work_queue(task).push(subject);
                self.wake(Process::ManagerTask(task));
            }
            Notification::All => self.wake_all(world, state),
        }
    }

    /// Wakes every process that may have something to do, and fills the work queues.
    pub(super) fn wake_all(&mut self, world: &World, state: &State) {
        for id in world.unit_ids() {
            let (docs, runtime) = (state.store.unit_docs(id), state.runtime.unit(id));
            self.wake(Process::Agent(Agent::Unit(id)));
            self.wake_if(runtime.down, Process::Restart(Agent::Unit(id)));
            self.wake_if(runtime.hook_error.is_some(), Process::Resolve(id));
            self.push_if(docs.force, ManagerTask::Cleaner, EntityId::Unit(id));
        }
        for id in world.machine_ids() {
            let (docs, runtime) = (state.store.machine_docs(id), state.runtime.machine(id));
            self.wake(Process::Agent(Agent::Machine(id)));
            self.wake_if(runtime.down, Process::Restart(Agent::Machine(id)));
            self.wake_if(runtime.hardware == Hardware::Silent, Process::Terminate(id));
            self.push_if(docs.force, ManagerTask::Cleaner, EntityId::Machine(id));
            self.push_if(docs.machine.is_some(), ManagerTask::Provisioner, EntityId::Machine(id));
        }
        for id in world.application_ids() {
            let is_due = state.store.application_docs(id).units_cleanup;
            self.push_if(is_due, ManagerTask::Cleaner, EntityId::Application(id));
        }
        for id in world.relation_ids() {
            let is_due = state.store.relation_docs(id).cleanup;
            self.push_if(is_due, ManagerTask::Cleaner, EntityId::Relation(id));
        }
        for task in ManagerTask::ALL {
            self.wake(Process::ManagerTask(task));
        }
        self.wake(Process::Upgrade);
    }

    fn wake_if(&mut self, is_due: bool, process: Process) {
        if is_due {
            self.wake(process);
        }
    }

    fn push_if(&mut self, is_due: bool, task: ManagerTask, subject: EntityId) {
        if is_due {
            self.work_queue(task).push(subject);
        }
    }

    /// Gives `process` an event, unless it has one.
    fn wake(&mut self, process: Process) {
        if self.ready.insert(process) {
            let latency = match process {
                Process::Restart(_) => &self.latency.restart,
                Process::Resolve(_) | Process::Terminate(_) | Process::Upgrade => {
                    &self.latency.operator
                }
                Process::Agent(_)
                | Process::ManagerTask(_)
                | Process::User
                | Process::Fault(_)
                | Process::Calm => &self.latency.watch,
            };
            let delay = self.dice.within(latency);
            self.queue.insert_after(delay, process);
        }
    }

    /// Gives `process`, whose event this is, another one after `delay` milliseconds.
    pub(super) fn repeat(&mut self, process: Process, delay: u64) {
        self.queue.insert_after(delay, process);
    }

    /// Parks `process`, whose event this is: it has no other until it is woken.
    pub(super) fn park(&mut self, process: Process) {
        self.ready.remove(process);
    }

    /// Whether `process`, whose event this is, is there. If it is away, the event is put off
    /// until it is back.
    pub(super) fn is_present(&mut self, process: Process) -> bool {
        let until = match process {
            Process::Agent(agent) => self.back_at(agent),
            Process::ManagerTask(task) => self.work_queue(task).away_until,
            Process::Restart(_)
            | Process::Resolve(_)
            | Process::Terminate(_)
            | Process::Upgrade
            | Process::User
            | Process::Fault(_)
            | Process::Calm => 0,
        };
        let now = self.queue.now();
        if until > now {
            self.repeat(process, until - now);
        }
        until <= now
    }

    /// When `agent` is back. Few agents are ever away at a time, so the map is read only for those
    /// that are marked.
    fn back_at(&mut self, agent: Agent) -> u64 {
        if !self.ready.is_away(agent) {
            return 0;
        }
        let until = self.absent.get(&agent).copied().unwrap_or(0);
        if until <= self.queue.now() {
            self.absent.remove(&agent);
            self.ready.set_away(agent, false);
        }
        until
    }

    /// The agent has crashed, and is away for the time that a restart takes.
    pub(super) fn set_absent(&mut self, agent: Agent) {
        let until = self.queue.now() + self.dice.within(&self.latency.restart);
        self.absent.insert(agent, until);
        self.ready.set_away(agent, true);
    }

    /// Provisioner and cleaner are away for the time that an outage takes.
    pub(super) fn begin_outage(&mut self) {
        let until = self.queue.now() + self.dice.within(&self.latency.outage);
        self.work_queues.iter_mut().for_each(|queue| queue.away_until = until);
    }

    /// The work queue of `task`.
    pub(super) fn work_queue(&mut self, task: ManagerTask) -> &mut WorkQueue {
        &mut self.work_queues[task as usize]
    }

    /// Takes any document out of the work queue of `task`.
    pub(super) fn take_work(&mut self, task: ManagerTask) -> Option<EntityId> {
        self.work_queues[task as usize].take_any(&mut self.dice)
    }

    /// `unit` waits for a free unit of the application with this index.
    pub(super) fn wait_for_subordinate(&mut self, application: usize, unit: UnitId) {
        self.waiting_for_subordinate[application].insert(unit);
    }

    /// Whether any unit waits for a free unit of the application with this index.
    pub(super) fn has_waiting(&self, application: usize) -> bool {
        !self.waiting_for_subordinate[application].is_empty()
    }

    /// Wakes the units that wait for a free unit of the application with this index.
    pub(super) fn wake_waiting(&mut self, application: usize) {
        for unit in std::mem::take(&mut self.waiting_for_subordinate[application]) {
            self.wake(Process::Agent(Agent::Unit(unit)));
        }
    }

    /// Whether `process` has an event in the queue.
    pub(super) fn is_ready(&mut self, process: Process) -> bool {
        self.ready.contains(process)
    }

    /// How long everything takes.
    pub(super) fn latency(&self) -> &Latency {
        &self.latency
    }
}
