//! Create a relation: `juju integrate`.
//!
//! Entity lifecycle, "juju integrate" and "Relations"; What We Run, and Why, "Series":
//!
//! 1. Both applications must be Alive; each gains a relation.
//! 2. No identical relation may exist, whatever its life; create it, Alive.
//! 3. A peer relation comes with its application only: refuse.
//! 4. In a container scope both applications must have one series. That is so in worlds with the
//!    detail `series`.

use crate::{
    ids::RelationId,
    life::Life::Alive,
    ops::{Draft, Planned},
    txn::{ApplicationChange::AddRelations, Assert, RelationChange::Create, Why, life_is},
    world::Scope,
};

pub(super) fn integrate(txn: &mut Draft<'_>, id: RelationId) -> Planned {
    let constants = txn.world.relation(id);
    txn.permit(3, constants.scope != Scope::Peer, Why::Peer)?;
    let [one, other] = constants.ends.map(|end| txn.world.series_of(end));
    txn.permit(4, constants.scope != Scope::Container || one == other, Why::OtherSeries)?;
    for end in constants.ends {
        txn.require(1, end, life_is(Alive), Why::NotAlive)?.change(AddRelations(1));
    }
    txn.require(2, id, Assert::Missing, Why::AlreadyExists)?.change(Create);
    Ok(())
}
