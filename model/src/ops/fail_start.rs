//! Say that the start of a machine's instance has failed: the provisioner's duty.
//!
//! What We Run, and Why, "Machine Status and Provisioning Errors (WIP)":
//!
//! 1. If the machine has an instance id, there is nothing to do.
//! 2. Set the machine's error status.

use crate::{
    ids::MachineId,
    life::StartStatus,
    ops::{Decline, Draft, Planned},
    txn::{MachineChange::SetStart, MachinePredicate::HasInstance, none},
    variants::FailedStart,
};

pub(super) fn fail_start(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    match txn.world.variants.failed_start {
        FailedStart::ErrorStatus => {}
        FailedStart::TriedAgain => return Err(Decline::NoOp),
    }
    txn.require(1, id, none([HasInstance]), Decline::NoOp)?;
    txn.change(2, id, SetStart(StartStatus::Error));
    Ok(())
}
