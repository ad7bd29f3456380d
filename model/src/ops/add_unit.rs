//! Create a principal unit: the first transaction of `juju add-unit`.
//!
//! Entity lifecycle, "juju add-unit"; What We Run, and Why, "Series" and
//! "Constraints":
//!
//! 1. The application must be a principal one.
//! 2. The application must be Alive; it gains a unit.
//! 3. Create the unit, Alive.
//! 4. Where the variant says so, the unit gets its machine in the same transaction. (Ours:
//!    `unit-assignment = "with-unit"`.)
//! 5. Where it gets its machine so, the machine must have the series of its application.
//! 6. The unit captures its constraints: of each key the application's, else the model's, else
//!    none. That is so in worlds with the detail `constraints`, as the variant
//!    `constraints-captured` says.
//! 7. Where it gets its machine so and that is new, the machine copies the unit's constraints.
//! 8. Where it gets its machine so and the variant says so, a machine that is there must have what
//!    the unit asks for. (Ours: `machine-constraints = "asserted"`.)
//!
//! A subordinate unit comes into being in `enter-scope`.

use crate::{
    ids::{MachineId, Placement, UnitId},
    life::Life::Alive,
    ops::{
        Draft, Planned,
        assign_unit::{ClauseNumbers, assign},
    },
    txn::{ApplicationChange::AddUnit, Assert, UnitChange::Create, Why, life_is},
    variants::ConstraintsCaptured,
};

pub(super) fn add_unit(txn: &mut Draft<'_>, id: UnitId) -> Planned {
    create(txn, id, Placement::Nowhere)?;
    match txn.world.variants.constraints_captured {
        ConstraintsCaptured::AsCreated | ConstraintsCaptured::AsRead => txn.capture(6, id),
        ConstraintsCaptured::WithMachine => {}
    }
    Ok(())
}

/// The clauses by which a unit gets its machine with its creation.
pub(super) const WITH_UNIT: ClauseNumbers =
    ClauseNumbers { present: 4, new: 4, series: 5, copied: 7, satisfied: 8 };

/// Both transactions of `juju add-unit` in one: the variant `unit-assignment = "with-unit"`.
pub(super) fn add_unit_on(txn: &mut Draft<'_>, id: UnitId, machine: MachineId) -> Planned {
    create(txn, id, Placement::Machine(machine))?;
    txn.capture(6, id);
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
