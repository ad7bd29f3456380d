//! Make a unit Dying: `juju destroy-unit`, and what agents do to their own unit.
//!
//! Death and Destruction, "juju destroy-unit":
//!
//! 1. If the unit is not Alive, there is nothing to do.
//! 2. Set the unit to Dying.
//! 3. A unit without a provisioned machine can be removed directly. So it is where the variant
//!    `unprovisioned-unit` says so: on the user's request, if its machine never had an instance
//!    ("What We Run, and Why", current), or in more cases, each a value of its own. A unit with
//!    subordinates is not (ours).
//! 4. The user cannot destroy a subordinate. Its own agent and its principal's can.
//! 5. Where the variant says so, a subordinate that its own agent destroys is kept by no relation.
//!    (Ours: `kept-subordinate = "asserted"`.)

use crate::{
    clause::Rule,
    ids::{Placement, RelationId, UnitId},
    life::Life::{Alive, Dying},
    ops::{Decline, Draft, Planned, Requester, remove_unit::drop_references, require_alive},
    txn::{
        Assert, MachineChange,
        MachinePredicate::{HasInstance, LostInstance},
        Marker, RelationPredicate,
        UnitChange::{Remove, SetLife},
        UnitPredicate::{HasSubordinates, IsAt},
        Why, any, life_is, none,
    },
    variants::{KeptSubordinate, SubordinateDiesWhen, UnprovisionedUnit},
    world::{Scope, World},
};

pub(super) fn destroy_unit(txn: &mut Draft<'_>, id: UnitId, requester: Requester) -> Planned {
    protect_subordinate(txn, 4, id, requester)?;
    let Some(unit) = txn.store.unit(id) else { return Err(Why::NotFound.into()) };
    match requester {
        Requester::User => require_alive(txn, 1, id)?,
        Requester::Itself | Requester::Agent => {
            txn.require(1, id, life_is(Alive), Decline::NoOp)?;
        }
    }
    if requester == Requester::Itself {
        require_unkept(txn, id, unit.placement)?;
    }
    if goes_directly(txn, id, unit.placement, requester) {
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

/// Clause 4, which force shares.
pub(super) fn protect_subordinate(
    txn: &Draft<'_>,
    number: u8,
    id: UnitId,
    requester: Requester,
) -> Planned {
    let is_protected = requester == Requester::User && txn.world.is_subordinate(id);
    txn.permit(number, !is_protected, Why::Subordinate)
}

/// Clause 5: asserts that still no relation keeps the unit, as the agent of the subordinate has
/// found. A Dying application is another reason, and needs no assert.
fn require_unkept(txn: &mut Draft<'_>, id: UnitId, placement: Placement) -> Planned {
    let world = txn.world;
    let variants = &world.variants;
    let is_asserted = variants.kept_subordinate == KeptSubordinate::Asserted
        && variants.subordinate_dies_when != SubordinateDiesWhen::AnyContainerRelation;
    let is_dying = txn.store.application_life(world.unit(id).application) == Some(Dying);
    let Placement::Principal(principal) = placement else { return Ok(()) };
    if is_asserted && !is_dying {
        for &relation in keeping(world, id, principal) {
            if txn.branch(5, relation, Assert::Exists) {
                txn.require(5, relation, none([RelationPredicate::Life(Alive)]), Decline::NoOp)?;
            }
        }
    }
    Ok(())
}

/// The relations that may keep a subordinate beside its principal.
pub(crate) fn keeping(
    world: &World,
    id: UnitId,
    principal: UnitId,
) -> impl Iterator<Item = &RelationId> + Clone {
    let value = world.variants.subordinate_dies_when;
    let (application, of_principal) =
        (world.unit(id).application, world.unit(principal).application);
    world.relations_of(id).iter().filter(move |id| {
        let relation = world.relation(**id);
        let is_container = relation.scope == Scope::Container;
        let is_with_principal = relation.counterpart(application) == Some(of_principal);
        match value {
            SubordinateDiesWhen::LastRelationWithPrincipal
            | SubordinateDiesWhen::AnyContainerRelation => is_with_principal && is_container,
            SubordinateDiesWhen::LastRelationOfAnyScope => is_with_principal,
            SubordinateDiesWhen::LastContainerRelation => is_container,
        }
    })
}

/// The condition of clause 3: the unit is removed without waiting, as it cannot have been deployed,
/// or the variant does not care.
fn goes_directly(
    txn: &mut Draft<'_>,
    id: UnitId,
    placement: Placement,
    requester: Requester,
) -> bool {
    use UnprovisionedUnit as Value;

    let value = txn.world.variants.unprovisioned_unit;
    let may_ask = match value {
        Value::SetDying => false,
        Value::RemovedDirectly | Value::WithoutMachine => requester == Requester::User,
        Value::ByAnybody | Value::WithoutInstance | Value::IfFree | Value::AssertingMore => true,
    };
    let is_unprovisioned = |txn: &mut Draft<'_>| match placement {
        Placement::Nowhere => match value {
            Value::SetDying | Value::RemovedDirectly | Value::AssertingMore => false,
            Value::WithoutMachine | Value::ByAnybody | Value::WithoutInstance | Value::IfFree => {
                true
            }
        },
        Placement::Machine(machine) => match value {
            Value::SetDying => false,
            Value::RemovedDirectly | Value::WithoutMachine | Value::ByAnybody => {
                txn.branch(3, machine, none([HasInstance, LostInstance]))
            }
            Value::WithoutInstance | Value::IfFree => txn.branch(3, machine, none([HasInstance])),
            Value::AssertingMore => {
                let goes = txn.branch(3, machine, none([HasInstance]));
                if goes {
                    txn.assert(3, machine, none([LostInstance]));
                }
                goes
            }
        },
        Placement::Principal(_) => false,
    };
    may_ask
        && is_unprovisioned(txn)
        && (value != Value::IfFree || is_free(txn, id))
        && txn.branch(3, id, any([IsAt(placement)]))
        && txn.branch(3, id, none([HasSubordinates]))
}

/// Whether the unit is in no scope.
fn is_free(txn: &mut Draft<'_>, id: UnitId) -> bool {
    let mut relations = txn.world.relations_of(id).iter();
    relations.all(|relation| txn.branch(3, Marker::Scope(*relation, id), Assert::Missing))
}
