//! Remove a machine: the provisioner's duty once it is Dead.
//!
//! Death and Destruction, "juju destroy-machine", of the removal of a Dead one:
//!
//! 1. If the machine is not Dead, refuse.
//! 2. Delete the machine document; a container leaves its host's list.

use crate::{
    ids::MachineId,
    life::Life::Dead,
    ops::{Decline, Draft, Planned},
    txn::{
        MachineChange::{DropContainer, Remove},
        Why, life_is,
    },
};

pub(super) fn remove_machine(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    if txn.store.machine(id).is_none() {
        return Err(Decline::NoOp);
    }
    txn.require(1, id, life_is(Dead), Why::NotDead)?;
    txn.change(2, id, Remove);
    if let Some(host) = txn.world.machine(id).parent {
        txn.change(2, host, DropContainer(id));
    }
    Ok(())
}
