//! Observers: the other units that a unit sees in the scope of a relation.
//!
//! Charms in action, "Relations in depth" (D4:251-272).

use crate::{
    ids::{IdSet, Placement, RelationId, UnitId},
    state::State,
    world::{Scope, World},
};

/// Whether another unit is in the scope that `me` observes there.
pub(crate) fn sees_another(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    let mut scope = state.store.scope(relation).iter();
    scope.any(|other| observes(me, relation, other, world, state))
}

/// Whether `me` observes `other`, should it be in the scope (D4:251-256, D4:270-272).
pub(crate) fn observes(
    me: UnitId,
    relation: RelationId,
    other: UnitId,
    world: &World,
    state: &State,
) -> bool {
    let placement = |id| state.store.unit(id).map(|unit| unit.placement);
    let (mine, constants) = (world.unit(me).application, world.relation(relation));
    match constants.scope {
        Scope::Peer => other != me,
        Scope::Global => world.unit(other).application != mine,
        Scope::Container => {
            placement(other) == Some(Placement::Principal(me))
                || placement(me) == Some(Placement::Principal(other))
                || world.unit(other).application != mine && placement(other) == placement(me)
        }
    }
}

/// Whether `other` is in the scope, and `me` observes it there.
pub fn is_related(
    me: UnitId,
    relation: RelationId,
    other: UnitId,
    world: &World,
    state: &State,
) -> bool {
    state.store.in_scope(relation, other)
        && (world.sees_anybody() && other != me || observes(me, relation, other, world, state))
}

/// Calls `see` with each unit that is related to `me` and not in `known`, until `see` returns true.
/// Only candidates are looked at, as a relation may have very many units.
pub fn find_related(
    me: UnitId,
    relation: RelationId,
    known: &IdSet<UnitId>,
    world: &World,
    state: &State,
    see: &mut dyn FnMut(UnitId) -> bool,
) {
    let scope = state.store.scope(relation);
    let constants = world.relation(relation);
    let mine = world.unit(me).application;
    let theirs = constants.counterpart(mine).unwrap_or(mine);
    if world.sees_anybody() {
        scope.outside(known).filter(|other| *other != me).any(see);
    } else if constants.scope == Scope::Container {
        let is_new = |other: &UnitId| {
            is_related(me, relation, *other, world, state) && !known.contains(*other)
        };
        family(me, state).into_iter().filter(is_new).any(see);
    } else {
        let units = world.application(theirs).units.clone();
        scope.outside_within(known, units).filter(|other| *other != me).any(see);
    }
}

/// Whether some unit is related to `me` and not in `seen`.
pub fn is_anybody_new(
    me: UnitId,
    relation: RelationId,
    seen: &IdSet<UnitId>,
    world: &World,
    state: &State,
) -> bool {
    let mut found = false;
    find_related(me, relation, seen, world, state, &mut |_| {
        found = true;
        true
    });
    found
}

/// The units in `seen` that are no longer related to `me`.
pub fn gone<'a>(
    me: UnitId,
    relation: RelationId,
    seen: &'a IdSet<UnitId>,
    world: &'a World,
    state: &'a State,
) -> impl Iterator<Item = UnitId> + 'a {
    // Only in a container scope do the observed units depend on the placement of units.
    let is_container = world.relation(relation).scope == Scope::Container;
    let moved = seen.iter().filter(move |_| is_container);
    let moved = moved.filter(move |other| !is_related(me, relation, *other, world, state));
    let left = seen.outside(state.store.scope(relation)).filter(move |_| !is_container);
    left.chain(moved)
}

/// The units whose agents may see `unit` in a relation, or have seen it.
pub fn observers(unit: UnitId, relation: RelationId, world: &World, state: &State) -> Vec<UnitId> {
    if world.relation(relation).scope == Scope::Container && !world.sees_anybody() {
        return family(unit, state);
    }
    let mut all: Vec<UnitId> = state.store.scope(relation).iter().collect();
    all.extend(state.runtime.sighting_agents(relation));
    all
}

/// The units that are deployed alongside `me`: its principal, and the subordinates of either.
fn family(me: UnitId, state: &State) -> Vec<UnitId> {
    let unit = |id| state.store.unit(id);
    let principal = match unit(me).map(|unit| unit.placement) {
        Some(Placement::Principal(principal)) => principal,
        Some(Placement::Machine(_) | Placement::Nowhere) | None => me,
    };
    let beside = unit(principal).map(|unit| unit.subordinates.iter());
    std::iter::once(principal).chain(beside.into_iter().flatten()).collect()
}
