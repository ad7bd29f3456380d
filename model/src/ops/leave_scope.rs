//! Leave the scope of a relation; the last unit to leave a Dying one takes it along.
//!
//! Death and Destruction, "juju destroy-relation", of the last unit to leave:
//!
//! 1. delete the unit's scope document;
//! 2. unless the relation is Dying and this is its last unit, it counts one unit less;
//! 3. otherwise the unit's own application loses one relation (it cannot be ready to be removed:
//!    it has at least this unit),
//! 4. the relation is deleted,
//! 5. its settings documents are marked for cleanup,
//! 6. and the counterpart application loses one relation, or goes too if nothing else refers to
//!    it.

use crate::{
    clause::{Clause, Rule},
    ids::{ApplicationId, RelationId, UnitId},
    life::Life::{Alive, Dying},
    operation::Operation,
    ops::remove_application::remove_application,
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, any, holds, life_is, none},
    variants::CounterpartRemoval,
    world::World,
};

pub(super) fn leave_scope(world: &World, store: &Store, id: UnitId, relation: RelationId) -> Plan {
    if !store.in_scope(relation, id) {
        return Plan::NoOp;
    }
    let mut txn = Txn::new(Operation::LeaveScope(id, relation));
    txn.change(1, Doc::Scope(relation, id), Change::Remove);
    let document = Doc::Relation(relation);
    // A relation that is Alive stays however few are in it, and so does one with others in it.
    if txn.when(2, store, world, document, any([Predicate::Life(Alive), Predicate::InScope(2)])) {
        txn.change(2, document, Change::Leave);
        return Plan::Submit(txn);
    }
    let own = world.application_of(id).0;
    txn.on(3, Doc::Application(own), any([Predicate::Units(1)]), Change::DropRelations(1));
    txn.change(4, document, Change::Remove);
    mark_settings(&mut txn, Clause { rule: Rule::LeaveScope, number: 5 }, relation);
    if let Some(counterpart) = world.relation(relation).counterpart(own) {
        release_counterpart(world, store, counterpart, &mut txn);
    }
    Plan::Submit(txn)
}

/// Sentence 6.
fn release_counterpart(world: &World, store: &Store, id: ApplicationId, txn: &mut Txn) {
    let document = Doc::Application(id);
    let stays = any([Predicate::Life(Alive), Predicate::Units(1), Predicate::Relations(2)]);
    if world.variants.counterpart_removal == CounterpartRemoval::Unasserted {
        if holds(store, world, document, stays) {
            txn.change(6, document, Change::DropRelations(1));
        } else {
            txn.on(6, document, life_is(Dying), Change::Keep);
            txn.on(6, document, none([Predicate::Units(1), Predicate::Relations(2)]), Change::Keep);
            remove_application(id, txn);
        }
    } else if txn.when(6, store, world, document, stays) {
        txn.change(6, document, Change::DropRelations(1));
    } else {
        remove_application(id, txn);
    }
}

/// Leaves word for the cleaner to delete the settings documents of a relation that is removed.
pub(super) fn mark_settings(txn: &mut Txn, clause: Clause, relation: RelationId) {
    let cleanup = Doc::SettingsCleanup(relation);
    txn.on_behalf(clause, cleanup, Assert::Nothing, Change::Create(Placement::Nowhere));
}
