//! Prefetching: the processor is asked for what coming events will read.
//!
//! In a large world nothing of it is in a cache, and waiting for memory took more time than all the
//! rest. What is found by following references is asked for in stages, some events apart: each
//! stage reads only what the stage before it has asked for. Nothing depends on it but time.

use deathwatch_model::{actor::Agent, ids::Placement, prefetch::prefetch, rows::Row};

use super::Simulator;
use crate::process::Process;

/// The number of units and machines of a world whose rows fit the caches.
const SMALL: usize = 4_000;

impl Simulator<'_> {
    /// Asks for what the next few events will read, if the world is large.
    #[inline]
    pub(super) fn prefetch(&self) {
        if self.world.units.len() + self.world.machines.len() > SMALL {
            self.prefetch_next();
        }
    }

    /// Asks for what the next few events will read.
    #[inline(never)]
    fn prefetch_next(&self) {
        let agent = |others| match self.scheduler.queue.peek(others) {
            Some(Process::Agent(agent)) => Some(agent),
            _ => None,
        };
        if let Some(agent) = agent(4) {
            self.prefetch_agent(agent);
        }
        if let Some(agent) = agent(2) {
            self.prefetch_neighbours(agent);
        }
        if let Some(agent) = agent(1) {
            self.prefetch_ops(agent);
        }
        if let Some(agent) = agent(0) {
            self.prefetch_named(agent);
        }
    }

    /// Asks for a row of the state and of the monitor's mirror.
    fn prefetch_row(&self, row: Row) {
        self.state.prefetch(row);
        self.judge.monitor.mirror().prefetch(row);
    }

    /// Asks for the rows of an agent.
    fn prefetch_agent(&self, agent: Agent) {
        self.free_ids.prefetch(agent);
        self.scheduler.ready.prefetch(agent);
        self.record.metrics.prefetch(agent);
        match agent {
            Agent::Unit(id) => {
                self.prefetch_row(Row::Unit(id));
                self.prefetch_row(Row::UnitRuntime(id));
                prefetch(self.world.unit(id));
            }
            Agent::Machine(id) => {
                self.prefetch_row(Row::Machine(id));
                self.prefetch_row(Row::MachineRuntime(id));
                prefetch(self.world.machine(id));
            }
        }
    }

    /// Asks for what the rows of an agent refer to.
    fn prefetch_neighbours(&self, agent: Agent) {
        if let Some(txn) = self.state.runtime.pending_txn(agent.client()) {
            prefetch(&**txn);
        }
        let store = &self.state.store;
        match agent {
            Agent::Unit(id) => match store.unit(id).map(|unit| unit.placement) {
                Some(Placement::Machine(machine)) => self.prefetch_row(Row::Machine(machine)),
                Some(Placement::Principal(unit)) => self.prefetch_row(Row::Unit(unit)),
                Some(Placement::Nowhere) | None => {}
            },
            Agent::Machine(id) => {
                let principals = store.machine(id).into_iter().flat_map(|it| it.principals.iter());
                for unit in principals.take(2) {
                    self.prefetch_row(Row::Unit(unit));
                    self.prefetch_row(Row::UnitRuntime(unit));
                }
            }
        }
    }

    /// Asks for the ops of an agent's pending transaction.
    fn prefetch_ops(&self, agent: Agent) {
        if let Some(txn) = self.state.runtime.pending_txn(agent.client()) {
            txn.ops.iter().for_each(prefetch);
        }
    }

    /// Asks for the rows that an agent's pending transaction names.
    fn prefetch_named(&self, agent: Agent) {
        if let Some(txn) = self.state.runtime.pending_txn(agent.client()) {
            txn.units().for_each(|id| self.prefetch_row(Row::Unit(id)));
            txn.machines().for_each(|id| self.prefetch_row(Row::Machine(id)));
        }
    }
}
