//! Record the instance of a machine: the second step of the provisioner, after it has started one.
//!
//! What We Run, and Why, and Entity lifecycle, "Agents":
//!
//! 1. The machine must still be one that is to have an instance.
//! 2. If it has an instance id, there is nothing to do. (Ours: another provisioner was faster.)
//! 3. Record the instance id. No failed start is left.
//!
//! An instance that is not recorded is a stray.

use crate::{
    ids::MachineId,
    life::Life::{Alive, Dead},
    life::StartStatus,
    ops::{Decline, Draft, Planned},
    store::Store,
    txn::{
        Assert,
        MachineChange::{Record, SetStart},
        MachinePredicate::{self, HasContainers, HasInstance, HasPrincipals},
        Why, any, life_is, none,
    },
    variants::DyingMachineWithoutInstance,
    world::World,
};

pub(super) fn record_instance(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    txn.require(1, id, to_have_an_instance(txn.world), Why::NotAlive)?;
    txn.require(2, id, none([HasInstance]), Decline::NoOp)?;
    txn.change(3, id, Record);
    txn.change(3, id, SetStart(StartStatus::Pending));
    Ok(())
}

/// Whether the machine needs an instance.
pub(crate) fn has_to_run(id: MachineId, world: &World, store: &Store) -> bool {
    store.satisfies(id, to_have_an_instance(world), world)
}

/// The condition of machines that need an instance: Alive ones, and Dying ones as far as the
/// variant says so, as only their agents can remove their units and containers.
fn to_have_an_instance(world: &World) -> Assert<MachinePredicate> {
    match world.variants.dying_machine_without_instance {
        DyingMachineWithoutInstance::NotStarted => life_is(Alive),
        DyingMachineWithoutInstance::StartedWhileInUse => {
            any([Alive.into(), HasPrincipals, HasContainers])
        }
        DyingMachineWithoutInstance::Started => none([Dead.into()]),
    }
}
