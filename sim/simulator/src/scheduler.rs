//! The scheduler: which processes have an event in the queue, which are parked, and what wakes
//! them.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_model::{
    actor::Agent,
    agents::Task,
    ids::{ApplicationId, EntityId, Id},
    runtime::ManagerTask,
    world::World,
};

use crate::{
    dice::Dice, event_queue::EventQueue, process::Process, ready_set::ReadySet, settings::Latency,
    work_queue::WorkQueue,
};

/// The events of all processes. A process that has none is parked until a notification wakes it.
pub(crate) struct Scheduler {
    /// The events that are to come.
    pub(crate) queue: EventQueue<Process>,
    pub(crate) ready: ReadySet,
    work_queues: [WorkQueue; 2],
    /// The agents that are on their way back from a crash, and when they arrive.
    absent: BTreeMap<Agent, u64>,
    /// For each application the tasks that wait for a free unit of it.
    waiting: Vec<BTreeSet<Task>>,
    latency: Latency,
    /// Decides how long everything takes, and which of its actions a process does.
    pub(crate) dice: Dice,
}

impl Scheduler {
    /// Without events.
    pub(crate) fn new(world: &World, latency: Latency, dice: Dice) -> Self {
        Self {
            queue: EventQueue::new(),
            ready: ReadySet::new(world.machines.len(), world.units.len()),
            work_queues: [WorkQueue::new(world), WorkQueue::new(world)],
            absent: BTreeMap::new(),
            waiting: vec![BTreeSet::new(); world.applications.len()],
            latency,
            dice,
        }
    }

    /// Wakes the process that carries out `task`.
    pub(crate) fn notify(&mut self, task: Task) {
        let Some((process, about)) = Process::of(task) else { return };
        if let (Process::ManagerTask(task), Some(about)) = (process, about) {
            self.work_queue(task).push(about);
        }
        self.wake(process);
    }

    /// Gives `process` an event, unless it has one.
    fn wake(&mut self, process: Process) {
        if self.ready.insert(process) {
            let latency = match process {
                Process::Restart(_) => &self.latency.restart,
                Process::Resolve(_)
                | Process::ResolveStart(_)
                | Process::Terminate(_)
                | Process::Replace(_)
                | Process::Upgrade => &self.latency.operator,
                Process::Agent(_)
                | Process::ManagerTask(_)
                | Process::User(_)
                | Process::Fault(_)
                | Process::Calm => &self.latency.watch,
            };
            let delay = self.dice.within(latency);
            self.queue.insert_after(delay, process);
        }
    }

    /// Gives `process`, whose event this is, another one after `delay` milliseconds.
    pub(crate) fn repeat(&mut self, process: Process, delay: u64) {
        self.queue.insert_after(delay, process);
    }

    /// Parks `process`, whose event this is: it has no other until it is woken.
    pub(crate) fn park(&mut self, process: Process) {
        self.ready.remove(process);
    }

    /// Whether `process`, whose event this is, is there. If it is away, the event is put off
    /// until it is back.
    pub(crate) fn is_present(&mut self, process: Process) -> bool {
        let until = match process {
            Process::Agent(agent) => self.back_at(agent),
            Process::ManagerTask(task) => self.work_queue(task).away_until,
            Process::Restart(_)
            | Process::Resolve(_)
            | Process::ResolveStart(_)
            | Process::Terminate(_)
            | Process::Replace(_)
            | Process::Upgrade
            | Process::User(_)
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
    pub(crate) fn set_absent(&mut self, agent: Agent) {
        let until = self.queue.now() + self.dice.within(&self.latency.restart);
        self.absent.insert(agent, until);
        self.ready.set_away(agent, true);
    }

    /// Provisioner and cleaner are away for the time that an outage takes.
    pub(crate) fn begin_outage(&mut self) {
        let until = self.queue.now() + self.dice.within(&self.latency.outage);
        self.work_queues.iter_mut().for_each(|queue| queue.away_until = until);
    }

    /// The work queue of `task`.
    pub(crate) fn work_queue(&mut self, task: ManagerTask) -> &mut WorkQueue {
        &mut self.work_queues[task as usize]
    }

    /// Takes any document out of the work queue of `task`.
    pub(crate) fn take_work(&mut self, task: ManagerTask) -> Option<EntityId> {
        self.work_queues[task as usize].take_any(&mut self.dice)
    }

    /// `task` waits for a free unit of the application.
    pub(crate) fn wait_for_free(&mut self, application: ApplicationId, task: Task) {
        self.waiting[application.index()].insert(task);
    }

    /// Wakes the tasks that wait for a free unit of the application.
    pub(crate) fn wake_waiting(&mut self, application: ApplicationId) {
        for task in std::mem::take(&mut self.waiting[application.index()]) {
            self.notify(task);
        }
    }

    /// Whether `process` has an event in the queue.
    pub(crate) fn is_ready(&mut self, process: Process) -> bool {
        self.ready.contains(process)
    }

    pub(crate) fn latency(&self) -> &Latency {
        &self.latency
    }
}
