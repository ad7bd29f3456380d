//! Resolve the failed start of a machine: `juju resolved 1`.
//!
//! What We Run, and Why, "Machine Status and Provisioning Errors (WIP)":
//!
//! 1. If the machine is not in error, there is nothing to do.
//! 2. Let the provisioner try again.

use crate::{
    ids::MachineId,
    ops::Planned,
    rows::StartStatus,
    txn::{Decline, Draft, MachineChange::SetStart, MachinePredicate::IsInError, any},
};

pub(super) fn resolved(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    txn.require(1, id, any([IsInError]), Decline::NoOp)?;
    txn.change(2, id, SetStart(StartStatus::Resolved));
    Ok(())
}
