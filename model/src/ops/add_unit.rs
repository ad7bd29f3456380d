//! Create a principal unit: the first transaction of `juju add-unit`.
//!
//! Entity lifecycle, "juju add-unit"; What We Run, and Why, "Series":
//!
//! 1. The application must be a principal one.
//! 2. The application must be Alive; it gains a unit.
//! 3. Create the unit, Alive.
//! 4. Where the variant says so, the unit gets its machine in the same transaction. (Ours:
//!    `unit-assignment = "with-unit"`.)
//! 5. Where it gets its machine so, the machine must have the series of its application.
//!
//! A subordinate unit comes into being in `enter-scope`.

use crate::{
    ids::{MachineId, UnitId},
    life::Life::Alive,
    ops::{
        Planned,
        assign_unit::{Numbers, assign},
    },
    store::Placement,
    txn::{ApplicationChange::AddUnit, Assert, Draft, UnitChange::Create, Why, life_is},
};

pub(super) fn add_unit(txn: &mut Draft<'_>, id: UnitId) -> Planned {
    create(txn, id, Placement::Nowhere)?;
    Ok(())
}

/// The clauses by which a unit gets its machine with its creation.
pub(super) const WITH_UNIT: Numbers = Numbers { present: 4, new: 4, series: 5 };

/// Both transactions of `juju add-unit` in one: the variant `unit-assignment = "with-unit"`.
pub(super) fn add_unit_on(txn: &mut Draft<'_>, id: UnitId, machine: MachineId) -> Planned {
    create(txn, id, Placement::Machine(machine))?;
    assign(txn, WITH_UNIT, id, machine)?;
    Ok(())
}

/// Clauses 1 to 3.
fn create(txn: &mut Draft<'_>, id: UnitId, placement: Placement) -> Planned {
    let (application, constants) = txn.world.application_of(id);
    txn.permit(1, !constants.subordinate, Why::SubordinateApplication)?;
    txn.require(2, application, life_is(Alive), Why::NotAlive)?.change(AddUnit);
    txn.require(3, id, Assert::Missing, Why::AlreadyExists)?.change(Create(placement));
    Ok(())
}
