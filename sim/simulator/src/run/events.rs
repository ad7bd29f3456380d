//! Events: what a process does at each of its own.

use deathwatch_model::{
    action::Fault,
    agents::{self, Task},
    ids::UserId,
    runtime::ManagerTask,
    world::{FaultKind, World},
};

use super::Simulator;
use crate::{
    process::{Process, client_of, task_about},
    settings::Chance,
};

impl Simulator<'_> {
    /// A process that has one task does one of its enabled actions, or parks.
    pub(super) fn run_task(&mut self, process: Process) {
        if !self.scheduler.is_present(process) {
            return;
        }
        let Some(task) = process.task() else { return };
        if !may_act(process, self.is_calm, self.world) {
            return self.scheduler.park(process);
        }
        if !self.list(task) {
            return self.park(process);
        }
        let delay = self.choose();
        // Checking again at once is cheap, as everything is in the caches; later it would not be.
        let (state, enabled) = (&self.state, &mut self.enabled);
        if agents::has_enabled(self.world, state, task, &self.free_ids, enabled) {
            self.scheduler.repeat(process, delay);
        } else {
            self.park(process);
        }
        self.maybe_crash_after(process);
    }

    /// Lists the enabled actions of one task; says whether there is any.
    fn list(&mut self, task: Task) -> bool {
        self.enabled.clear();
        if self.world.detail.relations || self.world.detail.workflow {
            self.enabled.sample = Some(self.scheduler.dice.index(self.world.units.len()) as u64);
        }
        agents::enabled_for_task(self.world, &self.state, task, &self.free_ids, &mut self.enabled);
        !self.enabled.actions.is_empty()
    }

    /// Parks a process that has nothing to do. Its task may be waiting for a free unit.
    fn park(&mut self, process: Process) {
        self.scheduler.park(process);
        let Some(task) = process.task() else { return };
        for application in task.waits_for(self.world, &self.state, &self.free_ids) {
            self.scheduler.wait_for_free(application, task);
        }
    }

    /// A manager task finishes its pending transaction, or else takes documents out of its work
    /// queue until there is something to do about one of them.
    pub(super) fn run_manager_task(&mut self, task: ManagerTask) {
        let process = Process::ManagerTask(task);
        if !self.scheduler.is_present(process) {
            return;
        }
        let is_there = self.state.active_manager(self.world).is_some();
        if !is_there || !may_act(process, self.is_calm, self.world) {
            return self.scheduler.park(process); // the work queue waits for the next manager
        }
        self.enabled.clear();
        agents::finish_for(self.world, &self.state, client_of(task), &mut self.enabled);
        while self.enabled.actions.is_empty() {
            let Some(of) = self.scheduler.take_work(task) else {
                return self.scheduler.park(process);
            };
            let Some(about) = task_about(task, of) else { continue };
            let (state, enabled) = (&self.state, &mut self.enabled);
            agents::enabled_for_task(self.world, state, about, &self.free_ids, enabled);
            if self.enabled.actions.is_empty() {
                for application in about.waits_for(self.world, &self.state, &self.free_ids) {
                    self.scheduler.wait_for_free(application, about);
                }
            } else {
                self.scheduler.work_queue(task).push(of);
            }
        }
        let delay = self.choose();
        self.scheduler.repeat(process, delay);
    }

    /// A user goes on with the command in progress, or gives the next one.
    pub(super) fn run_user(&mut self, id: UserId) {
        let process = Process::User(id);
        if !may_act(process, self.is_calm, self.world) {
            return;
        }
        self.enabled.clear();
        let (state, enabled) = (&self.state, &mut self.enabled);
        let is_busy = agents::user_goes_on(self.world, state, id, &self.free_ids, enabled);
        if !self.enabled.actions.is_empty() {
            let (chance, fault) =
                (Chance::Of(FaultKind::LostConnection), Fault::LoseConnection(id));
            let delay = if self.injector.strikes(chance, fault, self.world, &self.state) {
                self.inject(fault);
                self.user.pause(&self.drawn)
            } else {
                self.choose()
            };
            return self.scheduler.queue.insert_after(delay, process);
        }
        if self.is_calm {
            if is_busy {
                self.waiting_users.push(id);
            }
            return;
        }
        let delay = if is_busy { None } else { self.give_command(id) };
        let delay = delay.unwrap_or_else(|| self.user.pause(&self.drawn));
        self.scheduler.queue.insert_after(delay, process);
    }

    /// A user gives a command, if there is one and it is possible. Returns how long that takes,
    /// in milliseconds.
    fn give_command(&mut self, id: UserId) -> Option<u64> {
        let (index, tries) = self.user.command(&self.state)?;
        let (state, enabled) = (&self.state, &mut self.enabled);
        agents::user_gives(self.world, state, id, index, &self.free_ids, enabled);
        if self.enabled.actions.is_empty() {
            self.user.put_off(index, tries);
            return None;
        }
        self.record.metrics.command();
        Some(self.choose())
    }
}

/// Whether `process` may act now. In the calm only those may that are assumed to act.
pub(super) fn may_act(process: Process, is_calm: bool, world: &World) -> bool {
    !is_calm || process.task().is_some_and(|task| task.is_owed(world))
}
