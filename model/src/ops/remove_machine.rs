//! Remove a machine: the provisioner's duty once it is Dead.
//!
//! Death and Destruction, "Removing a machine involves a single transaction":
//!
//! 1. if the machine is not Dead, refuse;
//! 2. delete the machine document; a container leaves the list of its host.

use crate::{
    ids::MachineId,
    life::Life::Dead,
    operation::Operation,
    store::Store,
    txn::{Change, Doc, Plan, Txn, Why, life_is},
    world::World,
};

pub(super) fn remove_machine(world: &World, store: &Store, id: MachineId) -> Plan {
    match store.machine_life(id) {
        None => return Plan::NoOp,
        Some(Dead) => {}
        Some(_) => return Plan::Refuse(Why::NotDead),
    }
    let mut txn = Txn::new(Operation::RemoveMachine(id));
    txn.on(1, Doc::Machine(id), life_is(Dead), Change::Keep);
    txn.change(2, Doc::Machine(id), Change::Remove);
    if let Some(host) = world.machine(id).parent {
        txn.change(2, Doc::Machine(host), Change::DropContainer(id));
    }
    Plan::Submit(txn)
}
