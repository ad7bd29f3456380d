//! Resolve the failed start of a machine: `juju resolved 1`, `juju resolved 1 --constraints
//! mem=2G`.
//!
//! What We Run, and Why, "Machine Status and Provisioning Errors (WIP)":
//!
//! 1. If the machine is not in error, there is nothing to do.
//! 2. Let the provisioner try again.
//!
//! With other constraints:
//!
//! 1. The machine must be in error. (Ours: what the user says is not ignored without an error.)
//! 2. Replace all of its constraints.
//! 3. Let the provisioner try again.

use crate::{
    ids::{Constraints, MachineId},
    life::StartStatus,
    ops::{Decline, Draft, Planned},
    txn::{
        MachineChange::{SetConstraints, SetStart},
        MachinePredicate::IsInError,
        Why, any,
    },
};

pub(super) fn resolved(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    txn.require(1, id, any([IsInError]), Decline::NoOp)?;
    txn.change(2, id, SetStart(StartStatus::Resolved));
    Ok(())
}

pub(super) fn resolved_constraints(
    txn: &mut Draft<'_>,
    id: MachineId,
    constraints: Constraints,
) -> Planned {
    txn.require(1, id, any([IsInError]), Why::NotInError)?;
    txn.change(2, id, SetConstraints(constraints));
    txn.change(3, id, SetStart(StartStatus::Resolved));
    Ok(())
}
