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
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, Why, any, life_is},
    world::World,
};

pub(super) fn assign_unit(world: &World, store: &Store, id: UnitId, machine: MachineId) -> Plan {
    let Some(unit) = store.unit(id) else { return Plan::Refuse(Why::NotFound) };
    if world.is_subordinate(id) {
        return Plan::Refuse(Why::Subordinate);
    }
    if unit.placement == Placement::Machine(machine) {
        return Plan::NoOp;
    }
    if unit.placement != Placement::Nowhere {
        return Plan::Refuse(Why::AlreadyAssigned);
    }
    if unit.life != Alive {
        return Plan::Refuse(Why::NotAlive);
    }
    let mut txn = Txn::new(Operation::AssignUnit(id, machine));
    txn.on(1, Doc::Unit(id), life_is(Alive), Change::Keep);
    txn.on(1, Doc::Unit(id), any([Predicate::IsAt(Placement::Nowhere)]), Change::PlaceOn(machine));
    let number = if store.machine(machine).is_some() { 2 } else { 3 };
    match assign(world, store, id, machine, number, &mut txn) {
        Ok(()) => Plan::Submit(txn),
        Err(why) => Plan::Refuse(why),
    }
}

/// What the machine has to say: sentences 2 and 3.
pub(super) fn assign(
    world: &World,
    store: &Store,
    id: UnitId,
    machine: MachineId,
    number: u8,
    txn: &mut Txn,
) -> Result<(), Why> {
    let (constants, document) = (world.machine(machine), Doc::Machine(machine));
    let life = store.machine_life(machine);
    if life.is_some_and(|life| life != Alive) {
        return Err(Why::NotAlive);
    }
    if life.is_none() && constants.parent.is_some() {
        return Err(Why::NotFound); // a container is not created in passing
    }
    if !constants.hosts_units {
        return Err(Why::HostsNoUnits);
    }
    if life.is_none() {
        txn.on(number, document, Assert::Missing, Change::Create(Placement::Nowhere));
        txn.on(number, document, Assert::Nothing, Change::Assign(id));
    } else {
        txn.on(number, document, life_is(Alive), Change::Assign(id));
    }
    Ok(())
}
