//! Make an application Dying, or remove it: `juju destroy-application`.
//!
//! Death and Destruction, "juju destroy-service":
//!
//! 1. if the application is not Alive, there is nothing to do;
//! 2. do the following for each relation it is in (they are counted, so that one that comes or
//!    goes before the commit is noticed):
//! 3. if it is Dying, skip it (asserting that it is still Dying in the variant
//!    `dying-relation-skipped = "asserted"`);
//! 4. if it is Alive, destroy it without touching this application's count, and count it if that
//!    removes it;
//! 5. if the application has units, or more relations than were removed, something will still
//!    refer to it: it becomes Dying and loses the removed relations;
//! 6. otherwise remove it;
//! 7. in the variant `units-of-dying-application = "agents-and-cleanup"`, leave word to destroy
//!    its units (ours).

use crate::{
    ids::ApplicationId,
    life::Life::{Alive, Dying},
    operation::Operation,
    ops::{destroy_relation::end_relation, remove_application::remove_application},
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, Why, any, life_is},
    variants::{DyingRelationSkipped, UnitsOfDyingApplication},
    world::World,
};

pub(super) fn destroy_application(world: &World, store: &Store, id: ApplicationId) -> Plan {
    let Some(application) = store.application(id) else { return Plan::Refuse(Why::NotFound) };
    if application.life != Alive {
        return Plan::NoOp;
    }
    let document = Doc::Application(id);
    let mut txn = Txn::new(Operation::DestroyApplication(id));
    txn.on(1, document, life_is(Alive), Change::Keep);
    txn.on(2, document, any([Predicate::RelationsAre(application.relations)]), Change::Keep);
    let removed = end_relations(world, store, id, &mut txn);
    if txn.when(
        5,
        store,
        world,
        document,
        any([Predicate::Units(1), Predicate::Relations(removed + 1)]),
    ) {
        txn.change(5, document, Change::SetLife(Dying));
        if removed > 0 {
            txn.change(5, document, Change::DropRelations(removed));
        }
        let reading = world.variants.units_of_dying_application;
        if reading == UnitsOfDyingApplication::AgentsAndCleanup
            && txn.when(7, store, world, document, any([Predicate::Units(1)]))
        {
            txn.on(7, Doc::UnitsCleanup(id), Assert::Nothing, Change::Create(Placement::Nowhere));
        }
    } else {
        txn.change(6, document, Change::Keep);
        remove_application(id, &mut txn);
    }
    Plan::Submit(txn)
}

/// Sentences 3 and 4; says how many relations are removed.
fn end_relations(world: &World, store: &Store, id: ApplicationId, txn: &mut Txn) -> u32 {
    let mut removed = 0;
    for &relation in &world.application(id).relations {
        let document = Doc::Relation(relation);
        match store.relation_life(relation) {
            None => {}
            Some(Alive) => {
                txn.on(4, document, life_is(Alive), Change::Keep);
                removed += u32::from(end_relation(world, store, relation, Some(id), txn));
            }
            Some(_) if world.variants.dying_relation_skipped == DyingRelationSkipped::Asserted => {
                txn.on(3, document, life_is(Dying), Change::Keep);
            }
            Some(_) => txn.on(3, document, Assert::Nothing, Change::Keep),
        }
    }
    removed
}
