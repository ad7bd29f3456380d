//! Create a machine or a container.
//!
//! Entity lifecycle, "Machines"; What We Run, and Why, "Constraints", of machines that are added
//! without a unit:
//!
//! 1. Create the machine, Alive.
//! 2. A container's host must be Alive, and lists it. (Ours: the documents only say what containers
//!    stand against.)
//! 3. The machine copies the model's constraints. That is so in worlds with the detail
//!    `constraints`.

use crate::{
    ids::MachineId,
    life::Life::Alive,
    ops::{Draft, Planned},
    txn::{
        Assert,
        MachineChange::{AddContainer, CopyModel, Create},
        Why, life_is,
    },
};

pub(super) fn add_machine(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    txn.require(1, id, Assert::Missing, Why::AlreadyExists)?.change(Create);
    if let Some(host) = txn.world.machine(id).parent {
        txn.require(2, host, life_is(Alive), Why::NotAlive)?.change(AddContainer(id));
    }
    if txn.world.detail.constraints {
        txn.on(3, id, Assert::Nothing, CopyModel);
    }
    Ok(())
}
