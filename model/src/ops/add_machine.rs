//! Create a machine or a container.
//!
//! Entity lifecycle, "Machines"; What We Run, and Why, "Constraints", of machines that are added
//! without a unit:
//!
//! 1. create the machine;
//! 2. a container's host must be Alive, and lists its containers, so that it can wait for them
//!    (ours: the documents only say what containers stand against).

use crate::{
    ids::MachineId,
    life::Life::Alive,
    operation::Operation,
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Txn, Why, life_is},
    world::World,
};

pub(super) fn add_machine(world: &World, store: &Store, id: MachineId) -> Plan {
    if store.machine(id).is_some() {
        return Plan::Refuse(Why::AlreadyExists);
    }
    let host = world.machine(id).parent;
    match host.map(|host| store.machine_life(host)) {
        None | Some(Some(Alive)) => {}
        Some(None) => return Plan::Refuse(Why::NotFound),
        Some(Some(_)) => return Plan::Refuse(Why::NotAlive),
    }
    let mut txn = Txn::new(Operation::AddMachine(id));
    txn.on(1, Doc::Machine(id), Assert::Missing, Change::Create(Placement::Nowhere));
    if let Some(host) = host {
        txn.on(2, Doc::Machine(host), life_is(Alive), Change::AddContainer(id));
    }
    Plan::Submit(txn)
}
