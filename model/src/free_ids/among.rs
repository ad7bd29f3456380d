//! The free identifiers among a process's own units and machines.

use std::sync::Arc;

use super::{FreeIds, constraints, is_clean, is_new, satisfies};
use crate::{
    actor::Client,
    ids::{ApplicationId, MachineId, UnitId},
    ops::suits,
    runtime::ManagerTask,
    state::State,
    txn::Txn,
    world::World,
};

/// A scan of these units and machines alone. Only their own agents' and the non-agents' pending
/// transactions name them, so no others are read.
#[derive(Clone, Copy, Debug)]
pub struct ScannedEntities<'a> {
    /// The units, in order.
    pub units: &'a [UnitId],
    /// The machines, in order.
    pub machines: &'a [MachineId],
}

impl ScannedEntities<'_> {
    /// The pending transactions that may name a unit or machine of these: their agents', the
    /// manager tasks' and the users'.
    fn pending<'s>(&self, state: &'s State) -> impl Iterator<Item = &'s Arc<Txn>> {
        let units = self.units.iter().copied().map(Client::Unit);
        let agents = units.chain(self.machines.iter().copied().map(Client::Machine));
        let agents = agents.filter_map(|client| state.runtime.pending_txn(client));
        let tasks = ManagerTask::ALL.into_iter();
        let tasks = tasks.filter_map(|task| state.runtime.task(task).pending.as_ref());
        agents.chain(tasks).chain(state.runtime.users().iter().filter_map(|it| it.state.txn()))
    }

    /// Whether no trace is left of one of the units.
    pub fn is_unit_free(&self, world: &World, state: &State, id: UnitId) -> bool {
        state.has_left_nothing(world, id)
            && !state.is_remembered(world, id)
            && !self.pending(state).any(|txn| txn.units().any(|unit| unit == id))
    }
}

impl FreeIds for ScannedEntities<'_> {
    fn unit(&self, world: &World, state: &State, application: ApplicationId) -> Option<UnitId> {
        let mut units = self.units.iter().copied();
        let is_of = |id: UnitId| world.unit(id).application == application;
        units.find(|id| is_of(*id) && self.is_unit_free(world, state, *id))
    }

    fn machine(&self, world: &World, state: &State, unit: UnitId) -> Option<MachineId> {
        let suiting = || self.machines.iter().copied().filter(|id| suits(world, unit, *id));
        let clean = suiting().find(|id| {
            is_clean(world, state, *id) && satisfies(world, state, constraints(state, *id), unit)
        });
        clean.or_else(|| suiting().find(|id| is_new(self, world, state, *id)))
    }

    fn is_machine_unused(&self, state: &State, id: MachineId) -> bool {
        state.has_machine_left_nothing(id)
            && !self.pending(state).any(|txn| txn.machines().any(|machine| machine == id))
    }
}
