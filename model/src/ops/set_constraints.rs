//! Set the constraints of an application or of the model: `juju set-constraints`.
//!
//! What We Run, and Why, "Constraints". Of an application:
//!
//! 1. The application must be Alive. (Ours: no unit is added to one that goes.)
//! 2. Its charm must not be a subordinate one.
//! 3. Set its constraints, for the units that are added from now on.
//!
//! Of the model:
//!
//! 1. Set the model's constraints, for the units and machines that are added from now on.

use crate::{
    ids::{ApplicationId, Constraints},
    life::Life::Alive,
    ops::{Draft, Planned},
    txn::{ApplicationChange, Assert, Model, ModelChange, Why, life_is},
};

pub(super) fn set_constraints(
    txn: &mut Draft<'_>,
    id: ApplicationId,
    constraints: Constraints,
) -> Planned {
    txn.require(1, id, life_is(Alive), Why::NotAlive)?;
    txn.permit(2, !txn.world.application(id).subordinate, Why::SubordinateApplication)?;
    txn.change(3, id, ApplicationChange::SetConstraints(constraints));
    Ok(())
}

pub(super) fn set_model_constraints(txn: &mut Draft<'_>, constraints: Constraints) {
    txn.on(1, Model, Assert::Nothing, ModelChange::SetConstraints(constraints));
}
