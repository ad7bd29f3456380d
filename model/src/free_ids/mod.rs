//! Free lists: the identifiers that new units and machines can take.
//!
//! A new unit takes the identifier of a unit that has left no trace. The explorer, which jumps from
//! state to state, scans for one (`Scan`). The simulator follows one run and keeps an index
//! (`FreeIdIndex`). Both give the same answers.

mod among;
mod index;
mod machines;

use crate::{
    ids::{ApplicationId, Constraints, MachineId, UnitId},
    ops::suits,
    state::State,
    variants::Placement,
    world::World,
};

pub use among::ScannedEntities;
pub use index::FreeIdIndex;

/// The free identifiers of a state.
pub trait FreeIds {
    /// The identifier of a new unit of `application`: its first unused one.
    fn unit(&self, world: &World, state: &State, application: ApplicationId) -> Option<UnitId>;

    /// The machine for a new principal, of those that suit it: the first one without units, else
    /// the first unused identifier, which is created (D2:47).
    fn machine(&self, world: &World, state: &State, unit: UnitId) -> Option<MachineId>;

    /// Whether the identifier of this machine is unused.
    fn is_machine_unused(&self, state: &State, id: MachineId) -> bool;
}

/// A scan of everything: for small worlds, and for states in any order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scan;

impl FreeIds for Scan {
    fn unit(&self, world: &World, state: &State, application: ApplicationId) -> Option<UnitId> {
        state.free_unit(world, application)
    }

    fn machine(&self, world: &World, state: &State, unit: UnitId) -> Option<MachineId> {
        let is_clean = |id: &MachineId| {
            is_clean(world, state, *id) && satisfies(world, state, constraints(state, *id), unit)
        };
        let clean = machines(world, unit).find(is_clean);
        clean.or_else(|| machines(world, unit).find(|id| is_new(self, world, state, *id)))
    }

    fn is_machine_unused(&self, state: &State, id: MachineId) -> bool {
        state.is_machine_unused(id)
    }
}

/// Calls `each` with the machines that a new principal may get: one, or each suitable one where the
/// provider chooses freely.
pub(crate) fn each_machine(
    free_ids: &dyn FreeIds,
    world: &World,
    state: &State,
    unit: UnitId,
    each: &mut dyn FnMut(MachineId),
) {
    match world.variants.placement {
        Placement::CleanMachine
        | Placement::SatisfyingMachine
        | Placement::AnySeries
        | Placement::NewMachine => {
            free_ids.machine(world, state, unit).into_iter().for_each(each);
        }
        Placement::AnyMachine => {
            let may =
                |id: &MachineId| is_clean(world, state, *id) || is_new(free_ids, world, state, *id);
            machines(world, unit).filter(may).for_each(each);
        }
    }
}

/// The machines that suit the unit.
fn machines(world: &World, unit: UnitId) -> impl Iterator<Item = MachineId> + '_ {
    world.machine_ids().filter(move |id| suits(world, unit, *id))
}

/// Whether units can go to the machine because it has no units.
fn is_clean(world: &World, state: &State, id: MachineId) -> bool {
    world.variants.placement != Placement::NewMachine && state.is_machine_free(id)
}

/// The constraints by which the machine was made.
fn constraints(state: &State, id: MachineId) -> Constraints {
    state.store.machine(id).map_or(Constraints::NONE, |machine| machine.constraints)
}

/// Whether a machine made by these constraints satisfies a unit's, where the variant asks for that.
fn satisfies(world: &World, state: &State, made: Constraints, unit: UnitId) -> bool {
    match world.variants.placement {
        Placement::SatisfyingMachine => {
            world.constraints.satisfies(made, state.store.constraints_for(world, unit))
        }
        Placement::CleanMachine
        | Placement::AnySeries
        | Placement::NewMachine
        | Placement::AnyMachine => true,
    }
}

/// Whether a machine can be created under this identifier together with a unit.
fn is_new(free_ids: &(impl FreeIds + ?Sized), world: &World, state: &State, id: MachineId) -> bool {
    world.machine(id).parent.is_none() && free_ids.is_machine_unused(state, id)
}

/// An empty list, for queries in which no new units occur.
pub(crate) struct NoFreeIds;

impl FreeIds for NoFreeIds {
    fn unit(&self, _: &World, _: &State, _: ApplicationId) -> Option<UnitId> {
        None
    }

    fn machine(&self, _: &World, _: &State, _: UnitId) -> Option<MachineId> {
        None
    }

    fn is_machine_unused(&self, _: &State, _: MachineId) -> bool {
        false
    }
}
