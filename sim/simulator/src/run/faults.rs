//! Faults of a run: those that come by the clock, and those right after a step.

use deathwatch_model::{
    action::{Act, Action, Fault},
    agents,
};

use super::Simulator;
use crate::{
    process::Process,
    settings::{Chance, TimedFault},
};

impl Simulator<'_> {
    /// `fault` is due.
    pub(super) fn run_fault(&mut self, fault: TimedFault) {
        if self.is_calm {
            return;
        }
        let now = self.scheduler.queue.now();
        let latency = self.scheduler.latency();
        let faults = self.injector.inject(fault, self.world, &self.state, now, latency);
        for fault in faults {
            // A machine that failed with its parent, say, cannot fail again.
            if agents::can_inject(self.world, &self.state, fault) {
                self.inject(fault);
            }
        }
        if fault == TimedFault::ProvisionerOutage {
            self.scheduler.begin_outage();
        }
        if let Some(delay) = self.injector.interval(fault) {
            self.scheduler.queue.insert_after(delay, Process::Fault(fault));
        }
    }

    /// Does `fault`.
    pub(super) fn inject(&mut self, fault: Fault) {
        self.perform(1, Action { act: Act::Faults(fault), duty: None }, None);
        if let Fault::Crash(agent) = fault {
            self.scheduler.set_absent(agent);
        }
    }

    /// Lets the agent crash that `process` is, or has just restarted, if the seed says so.
    pub(super) fn maybe_crash_after(&mut self, process: Process) {
        let (chance, agent) = match process {
            Process::Agent(agent) => (Chance::CrashBeforeCommit, agent),
            Process::Restart(agent) => (Chance::CrashAtRestart, agent),
            Process::Resolve(_)
            | Process::ResolveStart(_)
            | Process::Terminate(_)
            | Process::Replace(_)
            | Process::Upgrade
            | Process::ManagerTask(_)
            | Process::User(_)
            | Process::Fault(_)
            | Process::Calm => return,
        };
        let crash = Fault::Crash(agent);
        if self.injector.strikes(chance, crash, self.world, &self.state) {
            self.inject(crash);
        }
    }
}
