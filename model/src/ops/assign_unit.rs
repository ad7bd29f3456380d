//! Assign a principal unit to a machine: the second transaction of `juju add-unit`.
//!
//! Entity lifecycle, "juju add-unit", "Machines" and "Units"; What We Run, and
//! Why, "Series" and "Constraints":
//!
//! 1. The unit must be Alive and a principal, and not be assigned yet.
//! 2. The machine must be Alive, have the host-units job and, where the variant says so, no units;
//!    it lists the unit. The variant is `clean-machine = "asserted"`.
//! 3. If the machine does not exist yet, create it in the same transaction. A container is not
//!    created in passing.
//! 4. The machine must have the series of the unit's application. That is so in worlds with the
//!    detail `series`.
//! 5. A machine that is new copies the unit's constraints. That is so in worlds with the detail
//!    `constraints`.
//! 6. Where the variant says so, the unit captures its constraints when its machine is made. The
//!    variant is `constraints-captured = "with-machine"`.
//! 7. Where the variant says so, a machine that is there must have what the unit asks for. (Ours:
//!    `machine-constraints = "asserted"`, in worlds with the detail `constraints`.)

use crate::{
    clause::{Clause, Rule},
    ids::{MachineId, Placement, UnitId},
    life::Life::Alive,
    ops::{Draft, Planned},
    txn::{
        Assert,
        MachineChange::{Assign, CopyUnit, Create},
        MachinePredicate::{HasPrincipals, Satisfies},
        UnitChange::PlaceOn,
        UnitPredicate::IsAt,
        Why, any, life_is, none,
    },
    variants::{self, CleanMachine, ConstraintsCaptured, MachineConstraints, UnitAssignment},
    world::World,
};

pub(super) fn assign_unit(txn: &mut Draft<'_>, id: UnitId, machine: MachineId) -> Planned {
    let Some(unit) = txn.store.unit(id) else { return Err(Why::NotFound.into()) };
    txn.permit(1, !txn.world.is_subordinate(id), Why::Subordinate)?;
    let otherwise = Why::AlreadyAssigned.unless(unit.placement == Placement::Machine(machine));
    let unassigned = any([IsAt(Placement::Nowhere)]);
    txn.require(1, id, unassigned, otherwise)?.change(PlaceOn(machine));
    txn.require(1, id, life_is(Alive), Why::NotAlive)?;
    if txn.world.variants.constraints_captured == ConstraintsCaptured::WithMachine
        && txn.finds(machine, Assert::Missing)
    {
        txn.capture(6, id);
    }
    assign(txn, NUMBERS, id, machine)?;
    Ok(())
}

/// The clauses by which a machine gets a unit.
pub(super) struct ClauseNumbers {
    /// The clause for an existing machine.
    pub(super) present: u8,
    /// The clause for a machine that is created with the unit.
    pub(super) new: u8,
    pub(super) series: u8,
    /// The clause for the constraints of a new machine.
    pub(super) copied: u8,
    /// The clause for the constraints of an existing machine.
    pub(super) satisfied: u8,
}

const NUMBERS: ClauseNumbers =
    ClauseNumbers { present: 2, new: 3, series: 4, copied: 5, satisfied: 7 };

/// Whether the unit can be assigned to the machine, which exists or will: it hosts units, and has
/// the unit's series unless that clause is off.
pub(crate) fn suits(world: &World, unit: UnitId, machine: MachineId) -> bool {
    let series = match world.variants.unit_assignment {
        UnitAssignment::SeparateTransaction => Clause { rule: Rule::AssignUnit, number: 4 },
        UnitAssignment::WithUnit => Clause { rule: Rule::AddUnit, number: 5 },
    };
    let asks = world.variants.placement != variants::Placement::AnySeries && !world.is_off(series);
    let is_same = || world.series_of_machine(machine) == world.series_of_unit(unit);
    world.machine(machine).hosts_units && (!asks || is_same())
}

/// The machine's part: clauses 2 to 5, and 7.
pub(super) fn assign(
    txn: &mut Draft<'_>,
    ClauseNumbers { present, new, series, copied, satisfied }: ClauseNumbers,
    id: UnitId,
    machine: MachineId,
) -> Planned {
    let (world, constants) = (txn.world, txn.world.machine(machine));
    let is_same = world.series_of_machine(machine) == world.series_of_unit(id);
    txn.permit(series, is_same, Why::OtherSeries)?;
    // `assign-unit.3`, `add-unit.4`.
    if txn.branch(new, machine, Assert::Missing) {
        // A container is not created in passing.
        txn.permit(new, constants.parent.is_none(), Why::NotFound)?;
        txn.permit(new, constants.hosts_units, Why::HostsNoUnits)?;
        txn.on(new, machine, Assert::Nothing, Create);
        txn.on(new, machine, Assert::Nothing, Assign(id));
        if world.detail.constraints {
            // `assign-unit.5`, `add-unit.7`.
            txn.on(copied, machine, Assert::Nothing, CopyUnit(id));
        }
    } else {
        // `assign-unit.2`, `add-unit.4`.
        txn.require(present, machine, life_is(Alive), Why::NotAlive)?.change(Assign(id));
        if world.variants.clean_machine == CleanMachine::Asserted {
            txn.require(present, machine, none([HasPrincipals]), Why::HasUnits)?;
        }
        if world.variants.machine_constraints == MachineConstraints::Asserted {
            // `assign-unit.7`, `add-unit.8`.
            txn.require(satisfied, machine, any([Satisfies(id)]), Why::AsksForMore)?;
        }
        txn.permit(present, constants.hosts_units, Why::HostsNoUnits)?;
    }
    Ok(())
}
