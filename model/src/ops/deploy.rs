//! Create an application: the first transaction of `juju deploy`.
//!
//! Entity lifecycle, "juju deploy":
//!
//! 1. no application of that name may exist;
//! 2. create the application and its settings;
//! 3. create a peer relation for each peer endpoint of the charm. As written this is a
//!    transaction of its own, and the documents call that a BUG; the variant
//!    `peer-relations = "with-application"` does it here.

use crate::{
    ids::{ApplicationId, RelationId},
    life::Life::Alive,
    operation::Operation,
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Txn, Why, life_is},
    variants::PeerRelations,
    world::{Scope, World},
};

pub(super) fn deploy(world: &World, store: &Store, id: ApplicationId) -> Plan {
    if store.application(id).is_some() {
        return Plan::Refuse(Why::AlreadyExists);
    }
    let mut txn = Txn::new(Operation::Deploy(id));
    let application = Doc::Application(id);
    txn.on(1, application, Assert::Missing, Change::Keep);
    txn.on(2, application, Assert::Missing, Change::Create(Placement::Nowhere));
    txn.on(2, Doc::ApplicationSettings(id), Assert::Missing, Change::Create(Placement::Nowhere));
    if world.variants.peer_relations == PeerRelations::WithApplication {
        for &peer in peers(world, id) {
            txn.on(3, Doc::Relation(peer), Assert::Missing, Change::Create(Placement::Nowhere));
            txn.on(3, application, Assert::Nothing, Change::AddRelations(1));
        }
    }
    Plan::Submit(txn)
}

/// The later transaction that the BUG is about.
pub(super) fn add_peer(world: &World, store: &Store, id: RelationId) -> Plan {
    let [end, _] = world.relation(id).ends;
    match store.application_life(end) {
        None => return Plan::Refuse(Why::NotFound),
        Some(life) if life != Alive => return Plan::Refuse(Why::NotAlive),
        Some(_) if store.relation(id).is_some() => return Plan::Refuse(Why::AlreadyExists),
        Some(_) => {}
    }
    let mut txn = Txn::new(Operation::AddPeer(id));
    txn.on(3, Doc::Application(end), life_is(Alive), Change::AddRelations(1));
    txn.on(3, Doc::Relation(id), Assert::Missing, Change::Create(Placement::Nowhere));
    Plan::Submit(txn)
}

/// The peer relations of an application's charm.
fn peers(world: &World, id: ApplicationId) -> impl Iterator<Item = &RelationId> {
    let relations = world.application(id).relations.iter();
    relations.filter(|relation| world.relation(**relation).scope == Scope::Peer)
}
