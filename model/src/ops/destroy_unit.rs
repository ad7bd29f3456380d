//! Make a unit Dying: `juju destroy-unit`, and what agents do to their own unit.
//!
//! Death and Destruction, "juju destroy-unit":
//!
//! 1. if the unit is not Alive, there is nothing to do;
//! 2. set it to Dying;
//! 3. in the variant `unprovisioned-unit = "removed-directly"`, a unit without subordinates whose
//!    machine has no instance, or that has no machine, is removed instead ("What We Run, and
//!    Why", current);
//! 4. the user cannot destroy a subordinate; its own agent and its principal's can.

use crate::{
    clause::{Clause, Rule},
    ids::{RelationId, UnitId},
    life::Life::{Alive, Dying},
    operation::Operation,
    ops::{Requester, remove_unit::drop_references},
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, Why, any, life_is, none},
    variants::UnprovisionedUnit,
    world::World,
};

pub(super) fn destroy_unit(world: &World, store: &Store, id: UnitId, requester: Requester) -> Plan {
    if is_beyond_the_user(world, id, requester, Clause { rule: Rule::DestroyUnit, number: 4 }) {
        return Plan::Refuse(Why::Subordinate);
    }
    match store.unit_life(id) {
        None => return Plan::Refuse(Why::NotFound),
        Some(life) if life != Alive => return Plan::NoOp,
        Some(_) => {}
    }
    let direct = world.variants.unprovisioned_unit != UnprovisionedUnit::SetDying;
    let document = Doc::Unit(id);
    let mut txn = Txn::new(Operation::DestroyUnit(id));
    txn.on(1, document, life_is(Alive), Change::Keep);
    if direct && is_unprovisioned(world, store, id, &mut txn) {
        txn.change(3, document, Change::Remove);
        drop_references(world, store, id, &mut txn);
    } else {
        txn.change(2, document, Change::SetLife(Dying));
    }
    Plan::Submit(txn)
}

/// Clause 4, which force has too: whether the requester is the user and the unit a subordinate.
/// What a unit is never changes, so there is nothing to assert at commit.
pub(super) fn is_beyond_the_user(
    world: &World,
    id: UnitId,
    requester: Requester,
    clause: Clause,
) -> bool {
    requester == Requester::User && world.is_subordinate(id) && !world.is_off(clause)
}

/// Sentence 3: whether nobody can have deployed the unit, asserted either way.
fn is_unprovisioned(world: &World, store: &Store, id: UnitId, txn: &mut Txn) -> bool {
    let document = Doc::Unit(id);
    let host = store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement);
    txn.given(3, document, any([Predicate::IsAt(host)]));
    let unprovisioned = match host {
        Placement::Nowhere => true,
        Placement::Machine(machine) => {
            txn.when(3, store, world, Doc::Machine(machine), none([Predicate::HasInstance]))
        }
        Placement::Principal(_) => false,
    };
    let in_scope = |relation: &&RelationId| store.in_scope(**relation, id);
    if world.variants.unprovisioned_unit == UnprovisionedUnit::RemovedDirectlyIfFree {
        for relation in world.relations_of(id) {
            let assert = if in_scope(&relation) { Assert::Exists } else { Assert::Missing };
            txn.given(3, Doc::Scope(*relation, id), assert);
        }
        if world.relations_of(id).iter().any(|relation| in_scope(&relation)) {
            return false;
        }
    }
    let removed =
        unprovisioned && txn.when(3, store, world, document, none([Predicate::HasSubordinates]));
    if let (true, Placement::Machine(machine)) = (removed, host) {
        txn.change(3, Doc::Machine(machine), Change::Unassign(id));
    }
    removed
}
