//! Assign a principal unit to a machine: the second transaction of `juju add-unit`.
//!
//! Entity lifecycle, "juju add-unit", "Machines" and "Units":
//!
//! 1. the unit must be Alive, a principal, and without a machine;
//! 2. the machine must be Alive and have the host-units job, and lists the unit;
//! 3. a machine that does not exist yet is created in the same transaction.

use crate::{
    ids::{MachineId, UnitId},
    life::Life::Alive,
    operation::Operation,
    store::{Host, Store},
    txn::{Assert, Change, Doc, Plan, Test, Txn, Why, any, life_is},
    world::World,
};

pub(super) fn assign_unit(world: &World, store: &Store, id: UnitId, machine: MachineId) -> Plan {
    let Some(unit) = store.unit(id) else { return Plan::Refuse(Why::NotFound) };
    if world.is_subordinate(id) {
        return Plan::Refuse(Why::Subordinate);
    }
    if unit.host == Host::Machine(machine) {
        return Plan::NoOp;
    }
    if unit.host != Host::Nowhere {
        return Plan::Refuse(Why::AlreadyAssigned);
    }
    let life = store.machine_life(machine);
    if unit.life != Alive || life.is_some_and(|life| life != Alive) {
        return Plan::Refuse(Why::NotAlive);
    }
    if life.is_none() && world.machine(machine).host.is_some() {
        return Plan::Refuse(Why::NotFound); // a container is not created in passing
    }
    if !world.machine(machine).hosts_units {
        return Plan::Refuse(Why::HostsNoUnits);
    }
    let mut txn = Txn::new(Operation::AssignUnit(id, machine));
    txn.on(1, Doc::Unit(id), life_is(Alive), Change::Keep);
    txn.on(1, Doc::Unit(id), any([Test::IsAt(Host::Nowhere)]), Change::PlaceOn(machine));
    if life.is_some() {
        txn.on(2, Doc::Machine(machine), life_is(Alive), Change::Assign(id));
    } else {
        txn.on(3, Doc::Machine(machine), Assert::Missing, Change::Create(Host::Nowhere));
        txn.on(3, Doc::Machine(machine), Assert::Nothing, Change::Assign(id));
    }
    Plan::Submit(txn)
}
