//! Create an application: the first transaction of `juju deploy`.
//!
//! Entity lifecycle, "juju deploy":
//!
//! 1. No application of that name may exist, whatever its life.
//! 2. Create the application, Alive, and its settings document.
//! 3. Create a peer relation for each peer endpoint of the charm. As written this is a transaction
//!    of its own, and the documents call that a BUG; the variant `peer-relations =
//!    "with-application"` does it here. For no other relation: refuse.
//!
//! What We Run, and Why, "Constraints":
//!
//! 4. If the command names constraints, its charm must not be a subordinate one.
//! 5. If the command names constraints, the application has them from the start.

use crate::{
    ids::{ApplicationId, Constraints, RelationId},
    life::Life::Alive,
    ops::{Draft, Planned},
    txn::{
        ApplicationChange::{AddRelations, Create, SetConstraints},
        Assert, Marker, MarkerChange, RelationChange, Why, life_is,
    },
    variants::PeerRelations,
    world::{Scope, World},
};

pub(super) fn deploy(txn: &mut Draft<'_>, id: ApplicationId) -> Planned {
    txn.require(1, id, Assert::Missing, Why::AlreadyExists)?;
    txn.on(2, id, Assert::Nothing, Create);
    txn.on(2, Marker::ApplicationSettings(id), Assert::Nothing, MarkerChange::Create);
    if txn.world.variants.peer_relations == PeerRelations::WithApplication {
        for &peer in peers(txn.world, id) {
            txn.on(3, peer, Assert::Missing, RelationChange::Create);
            txn.on(3, id, Assert::Nothing, AddRelations(1));
        }
    }
    Ok(())
}

pub(super) fn deploy_constrained(
    txn: &mut Draft<'_>,
    id: ApplicationId,
    constraints: Constraints,
) -> Planned {
    deploy(txn, id)?;
    if txn.world.detail.constraints {
        txn.permit(4, !txn.world.application(id).subordinate, Why::SubordinateApplication)?;
        txn.on(5, id, Assert::Nothing, SetConstraints(constraints));
    }
    Ok(())
}

/// The later transaction that the BUG is about.
pub(super) fn add_peer(txn: &mut Draft<'_>, id: RelationId) -> Planned {
    let constants = txn.world.relation(id);
    let [application, _] = constants.ends;
    txn.permit(3, constants.scope == Scope::Peer, Why::NotPeer)?;
    txn.require(3, application, life_is(Alive), Why::NotAlive)?.change(AddRelations(1));
    txn.require(3, id, Assert::Missing, Why::AlreadyExists)?.change(RelationChange::Create);
    Ok(())
}

/// The peer relations of an application's charm.
fn peers(world: &World, id: ApplicationId) -> impl Iterator<Item = &RelationId> {
    let relations = world.application(id).relations.iter();
    relations.filter(|relation| world.relation(**relation).scope == Scope::Peer)
}
