//! Create a principal unit: the first transaction of `juju add-unit`.
//!
//! Entity lifecycle, "juju add-unit":
//!
//! 1. it applies to principal applications only;
//! 2. the application must be Alive, and counts one unit more;
//! 3. create the unit;
//! 4. in the variant `unit-assignment = "with-unit"`, it gets its machine in the same transaction
//!    (ours).
//!
//! A subordinate unit comes into being in `enter-scope`.

use crate::{
    ids::{MachineId, UnitId},
    life::Life::Alive,
    operation::Operation,
    ops::assign_unit::assign,
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Txn, Why, life_is},
    world::World,
};

pub(super) fn add_unit(world: &World, store: &Store, id: UnitId) -> Plan {
    match create(world, store, id, Operation::AddUnit(id), Placement::Nowhere) {
        Ok(txn) => Plan::Submit(txn),
        Err(why) => Plan::Refuse(why),
    }
}

/// Both transactions of `juju add-unit` in one: the variant `unit-assignment = "with-unit"`.
pub(super) fn add_unit_on(world: &World, store: &Store, id: UnitId, machine: MachineId) -> Plan {
    let operation = Operation::AddUnitOn(id, machine);
    let mut txn = match create(world, store, id, operation, Placement::Machine(machine)) {
        Ok(txn) => txn,
        Err(why) => return Plan::Refuse(why),
    };
    match assign(world, store, id, machine, 4, &mut txn) {
        Ok(()) => Plan::Submit(txn),
        Err(why) => Plan::Refuse(why),
    }
}

/// Sentences 1 to 3.
fn create(
    world: &World,
    store: &Store,
    id: UnitId,
    operation: Operation,
    host: Placement,
) -> Result<Txn, Why> {
    let (application, constants) = world.application_of(id);
    if constants.subordinate {
        return Err(Why::SubordinateApplication);
    }
    match store.application_life(application) {
        None => return Err(Why::NotFound),
        Some(life) if life != Alive => return Err(Why::NotAlive),
        Some(_) if store.unit(id).is_some() => return Err(Why::AlreadyExists),
        Some(_) => {}
    }
    let mut txn = Txn::new(operation);
    txn.on(2, Doc::Application(application), life_is(Alive), Change::AddUnit);
    txn.on(3, Doc::Unit(id), Assert::Missing, Change::Create(host));
    Ok(txn)
}
