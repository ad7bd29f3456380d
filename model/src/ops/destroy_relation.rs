//! Make a relation Dying, or remove it: `juju destroy-relation`.
//!
//! Death and Destruction, "juju destroy-relation":
//!
//! 1. if the relation is not Alive, there is nothing to do;
//! 2. a peer relation goes with its application only;
//! 3. if any unit is in scope, set it to Dying;
//! 4. otherwise each application loses one relation, but not one that is being destroyed itself,
//!    as that keeps its own account;
//! 5. the relation is deleted;
//! 6. and its settings documents are marked for cleanup.

use crate::{
    clause::{Clause, Rule},
    ids::{ApplicationId, RelationId},
    life::Life::{Alive, Dying},
    operation::Operation,
    ops::leave_scope::mark_settings,
    store::Store,
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, Why, any, holds, life_is, none},
    world::{Scope, World},
};

pub(super) fn destroy_relation(world: &World, store: &Store, id: RelationId) -> Plan {
    match store.relation_life(id) {
        None => return Plan::Refuse(Why::NotFound),
        Some(life) if life != Alive => return Plan::NoOp,
        Some(_) => {}
    }
    if world.relation(id).scope == Scope::Peer {
        return Plan::Refuse(Why::Peer);
    }
    let mut txn = Txn::new(Operation::DestroyRelation(id));
    txn.on(1, Doc::Relation(id), life_is(Alive), Change::Keep);
    end_relation(world, store, id, None, &mut txn);
    Plan::Submit(txn)
}

/// Sentences 3 to 6, on a relation that the caller asserts to be Alive; says whether the relation is removed. `destroyed` is
/// the application whose destruction this is part of.
pub(super) fn end_relation(
    world: &World,
    store: &Store,
    id: RelationId,
    destroyed: Option<ApplicationId>,
    txn: &mut Txn,
) -> bool {
    let on = |number| Clause { rule: Rule::DestroyRelation, number };
    let document = Doc::Relation(id);
    let in_scope = any([Predicate::InScope(1)]);
    if holds(store, world, document, in_scope) {
        txn.on_behalf(on(3), document, in_scope, Change::SetLife(Dying));
        return false;
    }
    let nobody_in_scope = none([Predicate::InScope(1)]);
    for end in world.relation(id).applications().filter(|end| Some(*end) != destroyed) {
        txn.on_behalf(on(4), Doc::Application(end), Assert::Exists, Change::DropRelations(1));
    }
    txn.on_behalf(on(5), document, nobody_in_scope, Change::Remove);
    mark_settings(txn, on(6), id);
    true
}
