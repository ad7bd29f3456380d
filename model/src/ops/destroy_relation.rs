//! Make a relation Dying, or remove it: `juju destroy-relation`.
//!
//! Death and Destruction, "juju destroy-relation":
//!
//! 1. If the relation is not Alive, there is nothing to do.
//! 2. A peer relation goes with its application only: refuse.
//! 3. If any unit is in scope, set the relation to Dying.
//! 4. Otherwise each application loses one relation, except one that is being destroyed. That one
//!    keeps its own account.
//! 5. Otherwise delete the relation.
//! 6. Otherwise mark the settings documents for cleanup, or delete them where the variant says so.
//!    The variant is `settings-cleanup = "last-leaver"`.

use crate::{
    ids::{ApplicationId, RelationId},
    life::Life::Dying,
    ops::{Draft, Planned, leave_scope::end_settings, require_alive},
    txn::{
        ApplicationChange::DropRelations,
        RelationChange::{Remove, SetLife},
        RelationPredicate::InScope,
        Why, any,
    },
    world::Scope,
};

pub(super) fn destroy_relation(txn: &mut Draft<'_>, id: RelationId) -> Planned {
    require_alive(txn, 1, id)?;
    txn.permit(2, txn.world.relation(id).scope != Scope::Peer, Why::Peer)?;
    end_relation(txn, id, None);
    Ok(())
}

/// Clauses 3 to 6, on a relation that the caller asserts to be Alive; returns whether the relation
/// is removed. `destroyed` is the application that is being destroyed, if this is part of that.
pub(super) fn end_relation(
    txn: &mut Draft<'_>,
    id: RelationId,
    destroyed: Option<ApplicationId>,
) -> bool {
    if txn.branch(3, id, any([InScope(1)])) {
        txn.change(3, id, SetLife(Dying));
        return false;
    }
    let ends = txn.world.relation(id).applications();
    for end in ends.filter(|end| Some(*end) != destroyed) {
        txn.change(4, end, DropRelations(1));
    }
    txn.change(5, id, Remove);
    end_settings(txn, 6, id);
    true
}
