//! Create a principal unit: the first transaction of `juju add-unit`.
//!
//! Entity lifecycle, "juju add-unit":
//!
//! 1. it applies to principal applications only;
//! 2. the application must be Alive, and counts one unit more;
//! 3. create the unit.
//!
//! A subordinate unit comes into being in `enter-scope`.

use crate::{
    ids::UnitId,
    life::Life::Alive,
    operation::Operation,
    store::{Host, Store},
    txn::{Assert, Change, Doc, Plan, Txn, Why, life_is},
    world::World,
};

pub(super) fn add_unit(world: &World, store: &Store, id: UnitId) -> Plan {
    let (application, constants) = world.application_of(id);
    if constants.subordinate {
        return Plan::Refuse(Why::SubordinateApplication);
    }
    match store.application_life(application) {
        None => return Plan::Refuse(Why::NotFound),
        Some(life) if life != Alive => return Plan::Refuse(Why::NotAlive),
        Some(_) if store.unit(id).is_some() => return Plan::Refuse(Why::AlreadyExists),
        Some(_) => {}
    }
    let mut txn = Txn::new(Operation::AddUnit(id));
    txn.on(2, Doc::Application(application), life_is(Alive), Change::AddUnit);
    txn.on(3, Doc::Unit(id), Assert::Missing, Change::Create(Host::Nowhere));
    Plan::Submit(txn)
}
