//! Create a relation: `juju integrate`.
//!
//! Entity lifecycle, "juju integrate" and "Relations":
//!
//! 1. both applications must be Alive, and each counts one relation more;
//! 2. no identical relation may exist; create it.

use crate::{
    ids::RelationId,
    life::Life::Alive,
    operation::Operation,
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Txn, Why, life_is},
    world::{Scope, World},
};

pub(super) fn integrate(world: &World, store: &Store, id: RelationId) -> Plan {
    let constants = world.relation(id);
    if constants.scope == Scope::Peer {
        return Plan::Refuse(Why::Peer);
    }
    if store.relation(id).is_some() {
        return Plan::Refuse(Why::AlreadyExists);
    }
    for end in constants.ends {
        match store.application_life(end) {
            None => return Plan::Refuse(Why::NotFound),
            Some(life) if life != Alive => return Plan::Refuse(Why::NotAlive),
            Some(_) => {}
        }
    }
    let mut txn = Txn::new(Operation::Integrate(id));
    for end in constants.ends {
        txn.on(1, Doc::Application(end), life_is(Alive), Change::AddRelations(1));
    }
    txn.on(2, Doc::Relation(id), Assert::Missing, Change::Create(Placement::Nowhere));
    Plan::Submit(txn)
}
