//! Make an application Dying, or remove it: `juju destroy-application`.
//!
//! Death and Destruction, "juju destroy-service":
//!
//! 1. If the application is not Alive, there is nothing to do.
//! 2. It is in the relations that were read, and in no others. They are counted, so that one that
//!    comes or goes before the commit is noticed.
//! 3. A relation that is Dying already is skipped. That it is Dying still is asserted, as the
//!    branch is an assert; the code of 2013 did not (`dying-relation-skipped = "unasserted"`).
//! 4. A relation that is Alive is destroyed; its removal is counted. This application keeps its
//!    own account.
//! 5. If it has units, or more relations than were removed, it becomes Dying and loses the removed
//!    ones. Something will still refer to it.
//! 6. Otherwise it is removed.
//! 7. Ask the cleaner to destroy its units, where there is one for that. (Ours:
//!    `units-of-dying-application = "agents-and-cleanup"`.)

use crate::{
    clause::Rule,
    ids::{ApplicationId, RelationId},
    life::Life::{Alive, Dead, Dying},
    ops::{
        Draft, Planned, destroy_relation::end_relation, remove_application::remove_application,
        require_alive,
    },
    txn::{
        ApplicationChange::{DropRelations, SetLife},
        ApplicationPredicate::{Relations, RelationsAre, Units},
        Assert, Marker, MarkerChange, Why, any, life_is,
    },
    variants::{DyingRelationSkipped, UnitsOfDyingApplication},
};

pub(super) fn destroy_application(txn: &mut Draft<'_>, id: ApplicationId) -> Planned {
    let Some(application) = txn.store.application(id) else { return Err(Why::NotFound.into()) };
    require_alive(txn, 1, id)?;
    txn.assert(2, id, any([RelationsAre(application.relations)]));
    let mut removed = 0;
    for &relation in &txn.world.application(id).relations {
        removed += u32::from(end(txn, relation, id));
    }
    if txn.branch(5, id, any([Units(1), Relations(removed + 1)])) {
        txn.change(5, id, SetLife(Dying));
        if removed > 0 {
            txn.change(5, id, DropRelations(removed));
        }
        let tells_cleaner = txn.world.variants.units_of_dying_application
            == UnitsOfDyingApplication::AgentsAndCleanup;
        if tells_cleaner && txn.branch(7, id, any([Units(1)])) {
            txn.on(7, Marker::UnitsCleanup(id), Assert::Nothing, MarkerChange::Create);
        }
    } else {
        remove_application(txn, 6, id);
    }
    Ok(())
}

/// Clauses 3 and 4; returns whether the relation is removed.
fn end(txn: &mut Draft<'_>, relation: RelationId, destroyed: ApplicationId) -> bool {
    match txn.store.relation_life(relation) {
        None => false,
        Some(Alive) => {
            txn.assert(4, relation, life_is(Alive));
            let lines = |txn: &mut Draft<'_>| end_relation(txn, relation, Some(destroyed));
            txn.on_behalf(4, Rule::DestroyRelation, lines).unwrap_or(false)
        }
        Some(life @ (Dying | Dead)) => {
            let still = match txn.world.variants.dying_relation_skipped {
                DyingRelationSkipped::Asserted => life_is(life),
                DyingRelationSkipped::Unasserted => Assert::Nothing,
            };
            txn.assert(3, relation, still);
            false
        }
    }
}
