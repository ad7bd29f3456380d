//! Make a unit Dying: `juju destroy-unit`, and what agents do to their own unit.
//!
//! Death and Destruction, "juju destroy-unit":
//!
//! 1. if the unit is not Alive, there is nothing to do;
//! 2. set it to Dying;
//! 3. in the variant `unprovisioned-unit = "removed-directly"`, a unit that nobody can have
//!    deployed yet, as it has no machine, is removed instead ("What We Run, and Why", current);
//! 4. the user cannot destroy a subordinate (which the user's client looks after: an agent can).

use crate::{
    ids::UnitId,
    life::Life::{Alive, Dying},
    operation::Operation,
    ops::remove_unit::drop_references,
    store::{Host, Store},
    txn::{Change, Doc, Plan, Test, Txn, Why, any, life_is, none},
    variants::UnprovisionedUnit,
    world::World,
};

pub(super) fn destroy_unit(world: &World, store: &Store, id: UnitId) -> Plan {
    match store.unit_life(id) {
        None => return Plan::Refuse(Why::NotFound),
        Some(life) if life != Alive => return Plan::NoOp,
        Some(_) => {}
    }
    let document = Doc::Unit(id);
    let mut txn = Txn::new(Operation::DestroyUnit(id));
    txn.on(1, document, life_is(Alive), Change::Keep);
    if world.variants.unprovisioned_unit == UnprovisionedUnit::RemovedDirectly
        && txn.when(3, store, world, document, any([Test::IsAt(Host::Nowhere)]))
    {
        txn.on(3, document, none([Test::HasSubordinates]), Change::Remove);
        drop_references(world, store, id, &mut txn);
    } else {
        txn.change(2, document, Change::SetLife(Dying));
    }
    Plan::Submit(txn)
}
