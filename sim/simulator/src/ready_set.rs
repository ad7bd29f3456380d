//! The ready set: which processes have an event in the queue.

use deathwatch_model::{actor::Agent, ids::Id, prefetch::prefetch, runtime::ManagerTask};

use crate::process::Process;

/// The bit of an agent that is on its way back from a crash.
const AWAY: u8 = 8;

/// A bit for each process that wakes when something is touched: set while an event of the process
/// is in the queue. An agent has one more, while it is on its way back from a crash.
#[derive(Debug)]
pub(crate) struct ReadySet {
    units: Vec<u8>,
    machines: Vec<u8>,
    others: u8,
}

impl ReadySet {
    /// The empty set, for a world with this number of machines and of units.
    pub(crate) fn new(machines: usize, units: usize) -> Self {
        Self { units: vec![0; units], machines: vec![0; machines], others: 0 }
    }

    /// Adds `process`; says whether it is new. One that nothing wakes is never added.
    #[inline]
    pub(crate) fn insert(&mut self, process: Process) -> bool {
        let Some((bits, bit)) = self.bit(process) else { return false };
        let was = *bits & bit != 0;
        *bits |= bit;
        !was
    }

    /// Takes `process` out.
    pub(crate) fn remove(&mut self, process: Process) {
        if let Some((bits, bit)) = self.bit(process) {
            *bits &= !bit;
        }
    }

    /// Whether `process` is in the set.
    pub(crate) fn contains(&mut self, process: Process) -> bool {
        self.bit(process).is_some_and(|(bits, bit)| *bits & bit != 0)
    }

    /// Whether `agent` is on its way back from a crash.
    pub(crate) fn is_away(&self, agent: Agent) -> bool {
        let bits = match agent {
            Agent::Unit(id) => self.units[id.index()],
            Agent::Machine(id) => self.machines[id.index()],
        };
        bits & AWAY != 0
    }

    /// Asks the processor for the bits of `agent`.
    pub(crate) fn prefetch(&self, agent: Agent) {
        match agent {
            Agent::Unit(id) => prefetch(&self.units[id.index()]),
            Agent::Machine(id) => prefetch(&self.machines[id.index()]),
        }
    }

    /// Notes whether `agent` is on its way back from a crash.
    pub(crate) fn set_away(&mut self, agent: Agent, is_away: bool) {
        let bits = match agent {
            Agent::Unit(id) => &mut self.units[id.index()],
            Agent::Machine(id) => &mut self.machines[id.index()],
        };
        *bits = if is_away { *bits | AWAY } else { *bits & !AWAY };
    }

    /// The bit of `process`; `None` if it comes by the clock, and nothing wakes it.
    #[inline]
    fn bit(&mut self, process: Process) -> Option<(&mut u8, u8)> {
        Some(match process {
            Process::Agent(Agent::Unit(id)) => (&mut self.units[id.index()], 1),
            Process::Restart(Agent::Unit(id)) => (&mut self.units[id.index()], 2),
            Process::Resolve(id) => (&mut self.units[id.index()], 4),
            Process::Agent(Agent::Machine(id)) => (&mut self.machines[id.index()], 1),
            Process::Restart(Agent::Machine(id)) => (&mut self.machines[id.index()], 2),
            Process::Terminate(id) => (&mut self.machines[id.index()], 4),
            Process::ResolveStart(id) => (&mut self.machines[id.index()], 32),
            Process::Replace(id) => (&mut self.machines[id.index()], 16),
            Process::ManagerTask(ManagerTask::Provisioner) => (&mut self.others, 1),
            Process::ManagerTask(ManagerTask::Cleaner) => (&mut self.others, 2),
            Process::Upgrade => (&mut self.others, 4),
            Process::User(_) | Process::Calm | Process::Fault(_) => return None,
        })
    }
}
