//! Free lists: the identifiers that new units and machines can take.
//!
//! A new unit takes the identifier of a unit of which nothing is left. The explorer, which jumps
//! from state to state, scans for one (`Scan`). The simulator goes through one history and keeps an
//! index (`Index`). Both answer the same.

mod index;

use crate::{
    ids::{ApplicationId, MachineId, UnitId},
    state::State,
    world::World,
};

pub use index::Index;

/// The free identifiers of a state.
pub trait FreeIds {
    /// The identifier of a new unit of `application`: the first of which nothing is left.
    fn unit(&self, world: &World, state: &State, application: ApplicationId) -> Option<UnitId>;

    /// The machine for a new principal: the first without units if there is one, else the first
    /// of which nothing is left, which is created (D2:47).
    fn machine(&self, world: &World, state: &State) -> Option<MachineId>;

    /// Whether nothing is left of a machine with this identifier.
    fn is_machine_unused(&self, state: &State, id: MachineId) -> bool;
}

/// Scans everything: for small worlds, and for states in any order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scan;

impl FreeIds for Scan {
    fn unit(&self, world: &World, state: &State, application: ApplicationId) -> Option<UnitId> {
        state.free_unit(world, application)
    }

    fn machine(&self, world: &World, state: &State) -> Option<MachineId> {
        let hosts = || world.machine_ids().filter(|id| world.machine(*id).hosts_units);
        let is_new =
            |id: &MachineId| world.machine(*id).parent.is_none() && state.is_machine_unused(*id);
        hosts().find(|id| state.is_machine_free(*id)).or_else(|| hosts().find(is_new))
    }

    fn is_machine_unused(&self, state: &State, id: MachineId) -> bool {
        state.is_machine_unused(id)
    }
}

/// An empty list, for queries in which no new units occur.
pub(crate) struct NoFreeIds;

impl FreeIds for NoFreeIds {
    fn unit(&self, _: &World, _: &State, _: ApplicationId) -> Option<UnitId> {
        None
    }

    fn machine(&self, _: &World, _: &State) -> Option<MachineId> {
        None
    }

    fn is_machine_unused(&self, _: &State, _: MachineId) -> bool {
        false
    }
}
