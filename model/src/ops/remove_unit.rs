//! Remove a unit: its deployer's duty once the unit is Dead.
//!
//! Death and Destruction, "Removing a unit involves a single transaction":
//!
//! 1. unassign a principal from its machine;
//! 2. unassign a subordinate from its principal;
//! 3. delete the Dead unit's document;
//! 4. if its application is Alive, or has another unit, or is in a relation, it counts one unit
//!    less; otherwise it goes too.

use crate::{
    clause::{Clause, Rule},
    ids::UnitId,
    life::Life::{Alive, Dead},
    operation::Operation,
    ops::remove_application::remove_application,
    store::{Placement, Store},
    txn::{Change, Doc, Plan, Predicate, Txn, Why, any, holds, life_is, none},
    variants::LastUnitRemoval,
    world::World,
};

pub(super) fn remove_unit(world: &World, store: &Store, id: UnitId) -> Plan {
    let Some(unit) = store.unit(id) else { return Plan::NoOp };
    if unit.life != Dead {
        return Plan::Refuse(Why::NotDead);
    }
    let mut txn = Txn::new(Operation::RemoveUnit(id));
    match unit.placement {
        Placement::Machine(machine) => txn.change(1, Doc::Machine(machine), Change::Unassign(id)),
        Placement::Principal(principal) => {
            txn.change(2, Doc::Unit(principal), Change::Unassign(id))
        }
        Placement::Nowhere => {}
    }
    txn.on(3, Doc::Unit(id), life_is(Dead), Change::Remove);
    drop_references(world, store, id, &mut txn);
    Plan::Submit(txn)
}

/// Sentence 4, which a unit that is removed directly shares.
pub(super) fn drop_references(world: &World, store: &Store, id: UnitId, txn: &mut Txn) {
    let on = Clause { rule: Rule::RemoveUnit, number: 4 };
    let application = world.application_of(id).0;
    let document = Doc::Application(application);
    let stays = any([Predicate::Life(Alive), Predicate::Units(2), Predicate::Relations(1)]);
    if holds(store, world, document, stays) {
        let asserted = match world.variants.last_unit_removal {
            LastUnitRemoval::UnitsOrRelations => stays,
            LastUnitRemoval::UnitsOnly => any([Predicate::Life(Alive), Predicate::Units(2)]),
        };
        txn.on_behalf(on, document, asserted, Change::DropUnit);
    } else {
        let unheld = none([Predicate::Life(Alive), Predicate::Units(2), Predicate::Relations(1)]);
        txn.on_behalf(on, document, unheld, Change::Keep);
        remove_application(application, txn);
    }
}
