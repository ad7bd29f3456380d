//! Remove a unit: its deployer's duty once the unit is Dead.
//!
//! Death and Destruction, "juju destroy-unit", of the removal of a Dead one:
//!
//! 1. Unassign a principal from its machine.
//! 2. Unassign a subordinate from its principal.
//! 3. Delete the Dead unit's document. What it is in scope of is left as well where the variant
//!    says so: `dead-while-in-scope = "allowed-and-left-with-removal"`.
//! 4. If its application is Alive, or has another unit, or is in a relation, it loses one unit;
//!    otherwise it is removed.

use crate::{
    clause::Rule,
    ids::{Placement, UnitId},
    life::Life::{Alive, Dead},
    ops::{
        Decline, Draft, Planned, leave_scope::leave_scope, remove_application::remove_application,
    },
    txn::{
        ApplicationChange::DropUnit,
        ApplicationPredicate::{Life, Relations, Units},
        MachineChange, UnitChange, Why, any, life_is,
    },
    variants::{DeadWhileInScope, LastUnitRemoval},
};

pub(super) fn remove_unit(txn: &mut Draft<'_>, id: UnitId) -> Planned {
    let Some(unit) = txn.store.unit(id) else { return Err(Decline::NoOp) };
    match unit.placement {
        Placement::Machine(machine) => txn.change(1, machine, MachineChange::Unassign(id)),
        Placement::Principal(unit) => txn.change(2, unit, UnitChange::DropSubordinate(id)),
        Placement::Nowhere => {}
    }
    txn.require(3, id, life_is(Dead), Why::NotDead)?.change(UnitChange::Remove);
    leave_scopes(txn, id);
    drop_references(txn, id);
    Ok(())
}

/// Leaves the scopes of the unit in the same transaction, where the variant says so.
fn leave_scopes(txn: &mut Draft<'_>, id: UnitId) {
    let (world, store) = (txn.world, txn.store);
    let leaves = world.variants.dead_while_in_scope == DeadWhileInScope::AllowedAndLeftWithRemoval;
    let relations = world.relations_of(id).iter().filter(|_| leaves);
    for &relation in relations.filter(|relation| store.in_scope(**relation, id)) {
        let left = txn.on_behalf(3, Rule::LeaveScope, |txn| leave_scope(txn, id, relation));
        debug_assert!(left.is_none_or(|left| left.is_ok()), "it is in scope");
    }
}

/// Clause 4, which a unit that is removed directly shares.
pub(super) fn drop_references(txn: &mut Draft<'_>, id: UnitId) {
    let application = txn.world.application_of(id).0;
    let stays = any([Life(Alive), Units(2), Relations(1)]);
    let value = txn.world.variants.last_unit_removal;
    if value == LastUnitRemoval::UnitsOnly && txn.finds(application, stays) {
        txn.on(4, application, any([Life(Alive), Units(2)]), DropUnit);
    } else if value == LastUnitRemoval::NeverRemoved || txn.branch(4, application, stays) {
        txn.change(4, application, DropUnit);
    } else {
        remove_application(txn, 4, application);
    }
}
