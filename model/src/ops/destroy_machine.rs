//! Make a machine Dying: `juju destroy-machine`.
//!
//! Death and Destruction, "juju destroy-machine"; Entity lifecycle, "Machines":
//!
//! 1. If the machine is not Alive, there is nothing to do.
//! 2. If it is the last one with the manage-model job, refuse.
//! 3. If it has units assigned, refuse.
//! 4. If it has containers, refuse.
//! 5. Set the machine to Dying.

use crate::{
    ids::MachineId,
    life::Life::Dying,
    ops::{Draft, Planned, require_alive},
    txn::{
        Assert,
        MachineChange::SetLife,
        MachinePredicate::{
            self, AnotherManager, AnotherRunningManager, HasAlivePrincipals, HasContainers,
            HasPrincipals,
        },
        Why, any, none,
    },
    variants::{MachineWithDyingUnits, ManagerMachine},
    world::World,
};

pub(super) fn destroy_machine(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    spare(txn, id)?;
    txn.require(4, id, none([HasContainers]), Why::HasContainers)?;
    txn.change(5, id, SetLife(Dying));
    Ok(())
}

/// Clauses 1 to 3, which `destroy-model` shares.
pub(super) fn spare(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    require_alive(txn, 1, id)?;
    protect_manager(txn, 2, id)?;
    let unused = match txn.world.variants.machine_with_dying_units {
        MachineWithDyingUnits::Refused => none([HasPrincipals]),
        MachineWithDyingUnits::Allowed => none([HasAlivePrincipals]),
    };
    txn.require(3, id, unused, Why::HasUnits)?;
    Ok(())
}

/// Clause 2, which force shares.
pub(super) fn protect_manager(txn: &mut Draft<'_>, number: u8, id: MachineId) -> Planned {
    if txn.world.machine(id).manages_model {
        let may_die = txn.world.variants.manager_machine != ManagerMachine::NeverDies;
        txn.permit(number, may_die, Why::Manager)?;
        txn.require(number, id, another_manager(txn.world), Why::LastManager)?;
    }
    Ok(())
}

/// The predicate that the last manager machine does not satisfy.
pub(super) fn another_manager(world: &World) -> Assert<MachinePredicate> {
    match world.variants.manager_machine {
        ManagerMachine::LastIsProtected | ManagerMachine::NeverDies => any([AnotherManager]),
        ManagerMachine::LastThatRunsIsProtected => any([AnotherRunningManager]),
    }
}
