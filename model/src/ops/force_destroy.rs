//! Ask for a unit or a machine to be forced: `--force`.
//!
//! Entity lifecycle, "Implementation", which promises in the end that force sets an entity Dead and
//! keeps all references in order. That takes many transactions, so force leaves word for the
//! cleaner, which takes the references apart one by one.
//!
//! A unit:
//!
//! 1. The unit becomes Dying, if it is Alive; a Dying one is acted on too.
//! 2. Ask the cleaner to set it Dead, references in order.
//! 3. The user cannot force a subordinate.
//!
//! A machine:
//!
//! 1. If the machine is the last one with the manage-model job, refuse.
//! 2. Ask the cleaner to set it Dead, with its containers and units.

use crate::{
    ids::{MachineId, UnitId},
    life::Life::{Alive, Dead, Dying},
    ops::{
        Decline, Draft, Planned, Requester, destroy_machine::protect_manager,
        destroy_unit::protect_subordinate,
    },
    txn::{
        Assert, MachineChange, MachinePredicate, Marker, MarkerChange::Create, UnitChange,
        UnitPredicate, life_is, none,
    },
    variants::{ForcedMachine, ForcedUnit},
};

pub(super) fn force_destroy_unit(txn: &mut Draft<'_>, id: UnitId, requester: Requester) -> Planned {
    protect_subordinate(txn, 3, id, requester)?;
    let is_left = match txn.world.variants.forced_unit {
        ForcedUnit::SetDead | ForcedUnit::Removed => none([UnitPredicate::Life(Dead)]),
        ForcedUnit::SetDeadIfAlive => life_is(Alive),
    };
    txn.require(1, id, is_left, Decline::NoOp)?;
    if txn.branch(1, id, life_is(Alive)) {
        txn.change(1, id, UnitChange::SetLife(Dying));
    }
    txn.require(2, Marker::ForceUnit(id), Assert::Missing, Decline::NoOp)?.change(Create);
    Ok(())
}

pub(super) fn force_destroy_machine(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    protect_manager(txn, 1, id)?;
    txn.require(2, id, none([MachinePredicate::Life(Dead)]), Decline::NoOp)?;
    let dies_at_once = txn.world.variants.forced_machine == ForcedMachine::DyingAtOnce;
    if dies_at_once && txn.branch(2, id, life_is(Alive)) {
        txn.change(2, id, MachineChange::SetLife(Dying));
    }
    txn.require(2, Marker::ForceMachine(id), Assert::Missing, Decline::NoOp)?.change(Create);
    Ok(())
}
