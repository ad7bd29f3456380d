//! Enter the scope of a relation: a unit signals that it takes part.
//!
//! Entity lifecycle, "juju integrate", "Units" and "Relations"; Charms in action, "Relations in
//! depth"; What We Run, and Why, "Constraints":
//!
//! 1. The unit must be Alive.
//! 2. The relation must be Alive; it gains a unit in scope. An Alive relation implies Alive
//!    applications, so their lives are not asserted.
//! 3. Write the unit's settings, so that they are there before anybody looks.
//! 4. Create the scope document; if it is there already, nothing is to be done.
//! 5. A principal that finds no subordinate of the other application creates one. This is so in a
//!    container scope.
//! 6. A principal whose subordinate is not Alive does not enter until it is gone. (Ours: the
//!    documents do not say whether such a subordinate is a suitable one.)
//! 7. The relation must concern the unit.
//! 8. The subordinate captures no constraints. That is so in worlds with the detail `constraints`.

use crate::{
    clause::{Clause, Rule},
    ids::{Placement, RelationId, UnitId},
    life::Life::Alive,
    ops::{Decline, Draft, Planned},
    store::Unit,
    txn::{
        ApplicationChange, Assert, Marker,
        MarkerChange::Create,
        RelationChange::Enter,
        UnitChange::{self, AddSubordinate},
        UnitPredicate::HasSubordinateOf,
        Why, life_is, none,
    },
    variants::ContainerMembers,
    world::{Scope, World},
};

/// Plans with `free`, a free identifier for a subordinate that it may create.
pub(super) fn enter_scope(
    txn: &mut Draft<'_>,
    id: UnitId,
    relation: RelationId,
    free: Option<UnitId>,
) -> Planned {
    let Some(unit) = txn.store.unit(id) else { return Err(Why::NotFound.into()) };
    txn.permit(7, may_enter(txn.world, id, unit.placement, relation), Why::NotConcerned)?;
    let scope = Marker::Scope(relation, id);
    let otherwise = Why::NotAlive.unless(txn.finds(scope, Assert::Exists));
    txn.require(1, id, life_is(Alive), otherwise)?;
    txn.require(2, relation, life_is(Alive), otherwise)?.change(Enter);
    // Settings left from an earlier visit are replaced, so nothing is asserted of them.
    txn.on(3, Marker::RelationSettings(relation), Assert::Nothing, Create);
    txn.require(4, scope, Assert::Missing, Decline::NoOp)?.change(Create);
    if txn.world.relation(relation).scope == Scope::Container && !txn.world.is_subordinate(id) {
        bring_subordinate(txn, id, unit, relation, free)?;
    }
    Ok(())
}

/// Whether the unit can be in scope of the relation: it belongs to one of the relation's
/// applications, and a subordinate takes part in container relations only with its principal's
/// application, or with another subordinate one, whose units may be beside it. Neither changes
/// while the unit exists.
pub fn is_member(world: &World, id: UnitId, placement: Placement, relation: RelationId) -> bool {
    let (application, constants) = (world.unit(id).application, world.relation(relation));
    let principal = match placement {
        Placement::Principal(principal) => Some(world.unit(principal).application),
        Placement::Machine(_) | Placement::Nowhere => None,
    };
    constants.ends.contains(&application)
        && (constants.scope != Scope::Container
            || principal.is_none()
            || constants.counterpart(application) == principal
            || constants.ends.into_iter().all(|end| world.application(end).subordinate))
}

/// Clause 7: whether the unit can be in scope of the relation, as far as the variant lets it.
fn may_enter(world: &World, id: UnitId, placement: Placement, relation: RelationId) -> bool {
    let is_alongside = || {
        let constants = world.relation(relation);
        constants.scope == Scope::Container
            && constants.ends.into_iter().all(|end| world.application(end).subordinate)
    };
    is_member(world, id, placement, relation)
        && (world.variants.container_members == ContainerMembers::Alongside || !is_alongside())
}

/// Clauses 5 and 6.
fn bring_subordinate(
    txn: &mut Draft<'_>,
    id: UnitId,
    unit: &Unit,
    relation: RelationId,
    free: Option<UnitId>,
) -> Planned {
    let world = txn.world;
    let Some(other) = world.relation(relation).counterpart(world.unit(id).application) else {
        return Ok(());
    };
    if txn.branch(5, id, none([HasSubordinateOf(other)])) {
        let free = free.ok_or(Why::Full)?;
        txn.change(5, id, AddSubordinate(free));
        txn.on(5, free, Assert::Missing, UnitChange::Create(Placement::Principal(id)));
        txn.change(5, other, ApplicationChange::AddUnit);
        if world.is_off(Clause { rule: Rule::EnterScope, number: 8 }) {
            txn.capture(5, free);
        }
    } else if let Some(present) =
        unit.subordinates.iter().find(|id| world.unit(*id).application == other)
    {
        txn.require(6, present, life_is(Alive), Why::SubordinateNotAlive)?;
    }
    Ok(())
}
