//! Leave the scope of a relation; the last unit to leave a Dying one takes it along.
//!
//! Death and Destruction, "juju destroy-relation", of the last unit to leave:
//!
//! 1. Delete the unit's scope document.
//! 2. Unless the relation is Dying and this is its last unit, it loses one unit in scope.
//! 3. The relation's last unit takes one relation from its own application. That cannot be ready
//!    to be removed, as it has at least this unit.
//! 4. The relation's last unit deletes the Dying relation.
//! 5. The relation's last unit marks the settings documents for cleanup, or deletes them where the
//!    variant says so. The variant is `settings-cleanup = "last-leaver"`.
//! 6. The counterpart application, if Alive or with a unit or with another relation, loses one
//!    relation; otherwise it is removed.

use crate::{
    ids::{ApplicationId, RelationId, UnitId},
    life::Life::Alive,
    ops::{Decline, Draft, Planned, remove_application::remove_application},
    txn::{
        ApplicationChange::DropRelations, ApplicationPredicate, Assert, Marker, MarkerChange,
        RelationChange, RelationPredicate, any,
    },
    variants::{CounterpartRemoval, SettingsCleanup},
};

pub(super) fn leave_scope(txn: &mut Draft<'_>, id: UnitId, relation: RelationId) -> Planned {
    let scope = Marker::Scope(relation, id);
    txn.require(1, scope, Assert::Exists, Decline::NoOp)?.change(MarkerChange::Remove);
    // A relation that is Alive stays however few are in it, and so does one with others in it.
    let stays = any([RelationPredicate::Life(Alive), RelationPredicate::InScope(2)]);
    if txn.branch(2, relation, stays) {
        txn.change(2, relation, RelationChange::Leave);
        return Ok(());
    }
    let own = txn.world.application_of(id).0;
    txn.on(3, own, any([ApplicationPredicate::Units(1)]), DropRelations(1));
    txn.change(4, relation, RelationChange::Remove);
    end_settings(txn, 5, relation);
    if let Some(counterpart) = txn.world.relation(relation).counterpart(own) {
        release_counterpart(txn, counterpart);
    }
    Ok(())
}

/// Clause 6.
fn release_counterpart(txn: &mut Draft<'_>, id: ApplicationId) {
    use ApplicationPredicate::{Life, Relations, Units};
    let stays = any([Life(Alive), Units(1), Relations(2)]);
    let unasserted = txn.world.variants.counterpart_removal == CounterpartRemoval::Unasserted;
    if unasserted && txn.finds(id, stays) || txn.branch(6, id, stays) {
        txn.change(6, id, DropRelations(1));
    } else {
        remove_application(txn, 6, id);
    }
}

/// Leaves word for the cleaner to delete the settings documents of a relation that is removed; or
/// deletes them.
pub(super) fn end_settings(txn: &mut Draft<'_>, number: u8, relation: RelationId) {
    match txn.world.variants.settings_cleanup {
        SettingsCleanup::NoCleaner | SettingsCleanup::Cleaner => {
            let cleanup = Marker::SettingsCleanup(relation);
            txn.on(number, cleanup, Assert::Nothing, MarkerChange::Create);
        }
        SettingsCleanup::LastLeaver => {
            let leftovers = Marker::LeftSettings(relation);
            txn.on(number, leftovers, Assert::Nothing, MarkerChange::Remove);
        }
    }
}
