//! Assign a principal unit to a machine: the second transaction of `juju add-unit`.
//!
//! Entity lifecycle, "juju add-unit", "Machines" and "Units":
//!
//! 1. The unit must be Alive and a principal, and not be assigned yet.
//! 2. The machine must be Alive, have the host-units job and, where the variant says so, no units;
//!    it lists the unit. The variant is `clean-machine = "asserted"`.
//! 3. If the machine does not exist yet, create it in the same transaction. A container is not
//!    created in passing.

use crate::{
    ids::{MachineId, UnitId},
    life::Life::Alive,
    ops::Planned,
    store::Placement,
    txn::{
        Assert, Draft,
        MachineChange::{Assign, Create},
        MachinePredicate::HasPrincipals,
        UnitChange::PlaceOn,
        UnitPredicate::IsAt,
        Why, any, life_is, none,
    },
    variants::CleanMachine,
};

pub(super) fn assign_unit(txn: &mut Draft<'_>, id: UnitId, machine: MachineId) -> Planned {
    let Some(unit) = txn.store.unit(id) else { return Err(Why::NotFound.into()) };
    txn.permit(1, !txn.world.is_subordinate(id), Why::Subordinate)?;
    let otherwise = Why::AlreadyAssigned.unless(unit.placement == Placement::Machine(machine));
    let unassigned = any([IsAt(Placement::Nowhere)]);
    txn.require(1, id, unassigned, otherwise)?.change(PlaceOn(machine));
    txn.require(1, id, life_is(Alive), Why::NotAlive)?;
    assign(txn, Numbers { present: 2, new: 3 }, id, machine)?;
    Ok(())
}

/// The clauses by which a machine gets a unit.
pub(super) struct Numbers {
    /// The clause for a machine that is there.
    pub(super) present: u8,
    /// The clause for one that comes into being with the unit.
    pub(super) new: u8,
}

/// The machine's part: clauses 2 and 3.
pub(super) fn assign(
    txn: &mut Draft<'_>,
    Numbers { present, new }: Numbers,
    id: UnitId,
    machine: MachineId,
) -> Planned {
    let constants = txn.world.machine(machine);
    if txn.branch(new, machine, Assert::Missing) {
        // A container is not created in passing.
        txn.permit(new, constants.parent.is_none(), Why::NotFound)?;
        txn.permit(new, constants.hosts_units, Why::HostsNoUnits)?;
        txn.on(new, machine, Assert::Nothing, Create);
        txn.on(new, machine, Assert::Nothing, Assign(id));
    } else {
        txn.require(present, machine, life_is(Alive), Why::NotAlive)?.change(Assign(id));
        if txn.world.variants.clean_machine == CleanMachine::Asserted {
            txn.require(present, machine, none([HasPrincipals]), Why::HasUnits)?;
        }
        txn.permit(present, constants.hosts_units, Why::HostsNoUnits)?;
    }
    Ok(())
}
