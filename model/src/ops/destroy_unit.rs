//! Make a unit Dying: `juju destroy-unit`, and what agents do to their own unit.
//!
//! Death and Destruction, "juju destroy-unit":
//!
//! 1. If the unit is not Alive, there is nothing to do.
//! 2. Set the unit to Dying.
//! 3. A unit without a provisioned machine can be removed directly. So it is in the variant
//!    `unprovisioned-unit = "removed-directly"`, if it has no machine or one without an instance,
//!    and no subordinates ("What We Run, and Why", current).
//! 4. The user cannot destroy a subordinate. Its own agent and its principal's can.

use crate::{
    clause::Rule,
    ids::UnitId,
    life::Life::{Alive, Dying},
    ops::{Planned, Requester, remove_unit::drop_references},
    store::Placement,
    txn::{
        Assert, Decline, Draft, MachineChange,
        MachinePredicate::HasInstance,
        Marker,
        UnitChange::{Remove, SetLife},
        UnitPredicate::{HasSubordinates, IsAt},
        Why, any, life_is, none,
    },
    variants::UnprovisionedUnit,
};

pub(super) fn destroy_unit(txn: &mut Draft<'_>, id: UnitId, requester: Requester) -> Planned {
    protect_subordinate(txn, 4, id, requester)?;
    let Some(unit) = txn.store.unit(id) else { return Err(Why::NotFound.into()) };
    txn.require(1, id, life_is(Alive), Decline::NoOp)?;
    if goes_directly(txn, id, unit.placement) {
        if let Placement::Machine(machine) = unit.placement {
            txn.change(3, machine, MachineChange::Unassign(id));
        }
        txn.change(3, id, Remove);
        txn.on_behalf(3, Rule::RemoveUnit, |txn| drop_references(txn, id));
    } else {
        txn.change(2, id, SetLife(Dying));
    }
    Ok(())
}

/// Clause 4, which force has too.
pub(super) fn protect_subordinate(
    txn: &Draft<'_>,
    number: u8,
    id: UnitId,
    requester: Requester,
) -> Planned {
    let is_protected = requester == Requester::User && txn.world.is_subordinate(id);
    txn.permit(number, !is_protected, Why::Subordinate)
}

/// The condition of clause 3: nobody can have deployed the unit, and nothing is to be waited for.
fn goes_directly(txn: &mut Draft<'_>, id: UnitId, placement: Placement) -> bool {
    let is_unprovisioned = |txn: &mut Draft<'_>| match placement {
        Placement::Nowhere => true,
        Placement::Machine(machine) => txn.branch(3, machine, none([HasInstance])),
        Placement::Principal(_) => false,
    };
    let is_free = |txn: &mut Draft<'_>| {
        let mut relations = txn.world.relations_of(id).iter();
        relations.all(|relation| txn.branch(3, Marker::Scope(*relation, id), Assert::Missing))
    };
    let may_go = match txn.world.variants.unprovisioned_unit {
        UnprovisionedUnit::SetDying => false,
        UnprovisionedUnit::RemovedDirectly => is_unprovisioned(txn),
        UnprovisionedUnit::RemovedDirectlyIfFree => is_unprovisioned(txn) && is_free(txn),
    };
    may_go
        && txn.branch(3, id, any([IsAt(placement)]))
        && txn.branch(3, id, none([HasSubordinates]))
}
