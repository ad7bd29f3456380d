//! Make a machine Dead: its agent's last act, or the provisioner's where there never was one.
//!
//! Death and Destruction, "juju destroy-machine"; Entity lifecycle, "Machines":
//!
//! 1. Set the machine to Dead.
//! 2. It may have no containers.
//! 3. It may have no units.
//! 4. Where the variant says so, a manager stays until another one has an instance. (Ours:
//!    `manager-machine = "last-that-runs-is-protected"`.)

use crate::{
    ids::MachineId,
    life::Life::{Dead, Dying},
    ops::{Draft, Planned, destroy_machine::another_manager},
    txn::{
        MachineChange::SetLife,
        MachinePredicate::{HasContainers, HasPrincipals},
        Why, life_is, none,
    },
    variants::ManagerMachine,
};

pub(super) fn set_machine_dead(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    let otherwise = Why::NotDying.unless(txn.store.machine_life(id) == Some(Dead));
    txn.require(1, id, life_is(Dying), otherwise)?.change(SetLife(Dead));
    txn.require(2, id, none([HasContainers]), Why::HasContainers)?;
    txn.require(3, id, none([HasPrincipals]), Why::HasUnits)?;
    let protects = txn.world.variants.manager_machine == ManagerMachine::LastThatRunsIsProtected;
    if protects && txn.world.machine(id).manages_model {
        txn.require(4, id, another_manager(txn.world), Why::LastManager)?;
    }
    Ok(())
}
