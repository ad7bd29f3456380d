//! The claims about relation hooks: the detail `relations` (D4:191-341).
//!
//! What is said of "once" counts hooks that ran or counted as run, on one disk: an agent that is
//! deployed anew, because its hardware is gone, has seen nobody.

use std::borrow::Cow;

use deathwatch_model::{
    action::Hook,
    agents::charm::observers::{gone, is_anybody_new, is_related},
    ids::{Placement, RelationId, UnitId},
    life::Life::Alive,
    rows::{Row, Sighting},
    state::State,
    world::{Scope, World},
};

use super::{
    Claim, ClaimView,
    Link::{LivesOfSighting, ObserversOfScope, SettingsOfSeen},
    RowEvent,
    begun::begun,
    forms::{always, each_hook, leads, step},
    settings::may_renew,
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "the joined hook runs once, before any other hook about the same unit",
        source: "D4:223",
        test: each_hook(joins_wrongly),
    },
    Claim {
        name: "the joined hook is followed by the changed hook for the same unit",
        source: "D4:225-226",
        test: step(&[RowEvent::Sight], is_joined_only),
    },
    Claim {
        name: "no other hook of the relation runs between joined and changed",
        source: "D4:226-233",
        test: each_hook(comes_between),
    },
    Claim {
        name: "the departed hook runs only for a unit that is not related any more, or on leaving",
        source: "D4:235; D4:242-244; D4:332-333",
        test: each_hook(departs_wrongly),
    },
    Claim {
        name: "the broken hook does not run while anybody is seen",
        source: "D4:242-244",
        test: each_hook(breaks_early),
    },
    Claim {
        name: "the broken hook runs once",
        source: "D4:241-242",
        test: each_hook(breaks_twice),
    },
    Claim {
        name: "a unit that is not forced leaves a scope only after its broken hook",
        source: "D4:24-29; D4:329-335",
        test: step(&[RowEvent::Exit], leaves_unbroken),
    },
    Claim {
        name: "a unit sees only units of its scope that play the other role",
        source: "D4:251-256; D4:267-272",
        test: each_hook(sees_wrongly),
    },
    Claim {
        name: "settings stay while their relation lives",
        source: "D4:236-239; D4:338-341",
        test: step(&[RowEvent::Settings], loses_settings),
    },
    Claim {
        name: "a unit writes settings first where it may enter the scope",
        source: "D2:53; D4:251-265",
        test: step(&[RowEvent::Settings], writes_where_it_cannot_enter),
    },
    Claim {
        name: "only a change of its settings makes a unit run changed for another one again",
        source: "D4:226-228; D4:321-324",
        test: step(&[RowEvent::Sight], is_stale_for_nothing),
    },
    Claim {
        name: "the changed hook runs only after joined, or after its unit's settings have changed",
        source: "D4:225-228; D4:306-311",
        test: each_hook(changes_for_nothing),
    },
    Claim {
        name: "whoever is seen has settings",
        source: "D4:258-265",
        test: always!(lacks_settings, Sighting[SettingsOfSeen]),
    },
    Claim {
        name: "a unit sees every related one that stays",
        source: "D4:223; D4:267-285",
        test: leads!(Sighting[ObserversOfScope, LivesOfSighting], has_to_see, has_not_to_see),
    },
    Claim {
        name: "changed follows joined in the end",
        source: "D4:225-226",
        test: leads!(Sighting[ObserversOfScope, LivesOfSighting], has_to_change, has_not_to_change),
    },
    Claim {
        name: "after the last change of settings a changed hook runs",
        source: "D4:226-228; D4:300-304",
        test: leads!(Sighting[ObserversOfScope, LivesOfSighting], is_stale, is_not_stale),
    },
    Claim {
        name: "a unit that was seen and leaves is seen to leave",
        source: "D4:235; D4:337-338",
        test: leads!(Sighting[ObserversOfScope, LivesOfSighting], has_to_miss, has_not_to_miss),
    },
];

/// The claims that read what an agent notes.
pub(super) const NOTED: &[&str] = &[
    "the joined hook runs once, before any other hook about the same unit",
    "the joined hook is followed by the changed hook for the same unit",
    "no other hook of the relation runs between joined and changed",
    "the departed hook runs only for a unit that is not related any more, or on leaving",
    "the broken hook does not run while anybody is seen",
    "the broken hook runs once",
    "a unit that is not forced leaves a scope only after its broken hook",
    "only a change of its settings makes a unit run changed for another one again",
    "the changed hook runs only after joined, or after its unit's settings have changed",
    "a unit sees every related one that stays",
    "changed follows joined in the end",
    "after the last change of settings a changed hook runs",
    "a unit that was seen and leaves is seen to leave",
];

fn joins_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let (relation, other) = (hook.relation()?, hook.other()?);
    let is_seen = before.runtime.sighting(relation, id).has_seen(other);
    (matches!(hook, Hook::Joined(..)) == is_seen).then_some(row)
}

/// Whether a unit is seen for the first time, and changed is not due for it.
fn is_joined_only(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Sighting(relation, id) = row else { return None };
    let (old, new) = (before.runtime.sighting(relation, id), after.runtime.sighting(relation, id));
    let joined = new.seen.outside(&old.seen).next()?;
    let has_hook = world.charm_of(id).has(Hook::Changed(joined, relation));
    (has_hook && new.changed != Some(joined)).then_some(row)
}

fn comes_between(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let relation = hook.relation()?;
    let due = before.runtime.sighting(relation, id).changed?;
    (hook != Hook::Changed(due, relation)).then_some(row)
}

fn departs_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let Hook::Departed(other, relation) = hook else { return None };
    let stays = before.store.unit_life(id) == Some(Alive)
        && before.store.relation_life(relation) == Some(Alive);
    let is_retried = before.runtime.hooks(id).retry
        || before.runtime.sighting(relation, id).left.contains(other);
    (stays && !is_retried && is_related(id, relation, other, world, before)).then_some(row)
}

fn breaks_early(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let Hook::Broken(relation) = hook else { return None };
    (!before.runtime.sighting(relation, id).seen.is_empty()).then_some(row)
}

fn breaks_twice(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let Hook::Broken(relation) = hook else { return None };
    before.runtime.membership(relation, id).departed.then_some(row)
}

fn leaves_unbroken(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Scope(relation, id) = row else { return None };
    let leaves = before.store.in_scope(relation, id) && !after.store.in_scope(relation, id);
    let has_hook = world.charm_of(id).has(Hook::Broken(relation));
    let has_run = before.runtime.membership(relation, id).departed;
    (leaves && has_hook && !has_run && !before.store.is_forced(id)).then_some(row)
}

fn sees_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let Hook::Joined(other, relation) = hook else { return None };
    let is_right =
        before.store.in_scope(relation, other) && is_of_scope(world, before, relation, id, other);
    // Whom a hook that runs again is about was seen before it failed.
    (!is_right && !before.runtime.hooks(id).retry).then_some(row)
}

/// Whether two units are in one scope, where they play roles that concern each other. Said again
/// here, and otherwise than where agents look for each other.
fn is_of_scope(
    world: &World,
    state: &State,
    relation: RelationId,
    one: UnitId,
    other: UnitId,
) -> bool {
    let constants = world.relation(relation);
    let host = |id: UnitId| match state.store.unit(id).map(|unit| unit.placement) {
        Some(Placement::Principal(principal)) => principal,
        Some(Placement::Machine(_) | Placement::Nowhere) | None => id,
    };
    let other_role =
        constants.counterpart(world.unit(one).application) == Some(world.unit(other).application);
    match constants.scope {
        Scope::Peer => one != other,
        Scope::Global => other_role,
        Scope::Container => other_role && host(one) == host(other),
    }
}

fn loses_settings(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Settings(relation, id) = row else { return None };
    let is_lost =
        before.store.settings(relation, id).exists && !after.store.settings(relation, id).exists;
    // A new unit takes the number of one that is gone, whose settings nobody reads any more.
    let is_new = before.store.unit(id).is_none() && after.store.unit(id).is_some();
    (is_lost && !is_new && after.store.relation(relation).is_some()).then_some(row)
}

/// Whether a unit writes its first settings in a relation whose scope it cannot enter. Said again
/// here, and otherwise than where it enters.
fn writes_where_it_cannot_enter(
    world: &World,
    before: &State,
    after: &State,
    row: Row,
) -> Option<Row> {
    let Row::Settings(relation, id) = row else { return None };
    let exists = |state: &State| state.store.settings(relation, id).exists;
    if exists(before) || !exists(after) {
        return None;
    }
    let (constants, mine) = (world.relation(relation), world.unit(id).application);
    let may_be_beside = |end| {
        world.application(end).subordinate
            || after.store.unit(id).is_some_and(|unit| match unit.placement {
                Placement::Principal(principal) => world.unit(principal).application == end,
                Placement::Machine(_) | Placement::Nowhere => false,
            })
    };
    let is_somebodys = constants.ends.contains(&mine)
        && (constants.scope != Scope::Container
            || constants.counterpart(mine).is_some_and(may_be_beside));
    let is_alive = after.store.unit_life(id) == Some(Alive)
        && after.store.relation_life(relation) == Some(Alive);
    (!is_somebodys || !is_alive).then_some(row)
}

fn is_stale_for_nothing(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Sighting(relation, id) = row else { return None };
    let (old, new) = (before.runtime.sighting(relation, id), after.runtime.sighting(relation, id));
    let is_same = |other: &UnitId| {
        before.store.settings(relation, *other) == after.store.settings(relation, *other)
            && !may_renew(world, before, after, relation, *other)
    };
    let mut stale = new.stale.outside(&old.stale);
    stale.any(|other| is_same(&other)).then_some(row)
}

fn changes_for_nothing(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let Hook::Changed(other, relation) = hook else { return None };
    let sighting = before.runtime.sighting(relation, id);
    let is_asked_for = sighting.changed == Some(other)
        || sighting.stale.contains(other)
        || before.runtime.hooks(id).retry;
    (!is_asked_for).then_some(row)
}

fn lacks_settings(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Sighting(relation, id) = subject else { return false };
    let sighting = view.state.runtime.sighting(relation, id);
    sighting.seen.iter().any(|other| !view.state.store.settings(relation, other).exists)
}

/// What the agent of a unit that stays in a relation has seen there.
fn staying(state: &State, subject: Row) -> Option<(RelationId, UnitId, Cow<'_, Sighting>)> {
    let Row::Sighting(relation, id) = subject else { return None };
    let stays = state.store.unit_life(id) == Some(Alive)
        && state.store.relation_life(relation) == Some(Alive)
        && state.store.in_scope(relation, id);
    stays.then(|| (relation, id, state.runtime.sighting(relation, id)))
}

/// Whether somebody is related to a unit that stays, and has not been seen by it.
fn has_to_see(world: &World, state: &State, subject: Row) -> bool {
    staying(state, subject).is_some_and(|(relation, id, sighting)| {
        is_anybody_new(id, relation, &sighting.seen, world, state)
    })
}

fn has_not_to_see(world: &World, state: &State, subject: Row) -> bool {
    !has_to_see(world, state, subject)
}

fn has_to_change(_: &World, state: &State, subject: Row) -> bool {
    staying(state, subject).is_some_and(|(_, _, sighting)| sighting.changed.is_some())
}

fn has_not_to_change(world: &World, state: &State, subject: Row) -> bool {
    !has_to_change(world, state, subject)
}

fn is_stale(_: &World, state: &State, subject: Row) -> bool {
    staying(state, subject).is_some_and(|(_, _, sighting)| !sighting.stale.is_empty())
}

fn is_not_stale(world: &World, state: &State, subject: Row) -> bool {
    !is_stale(world, state, subject)
}

/// Whether somebody was seen by a unit that stays, and is not related to it any more.
fn has_to_miss(world: &World, state: &State, subject: Row) -> bool {
    staying(state, subject).is_some_and(|(relation, id, sighting)| {
        gone(id, relation, &sighting.seen, world, state).next().is_some()
    })
}

fn has_not_to_miss(world: &World, state: &State, subject: Row) -> bool {
    !has_to_miss(world, state, subject)
}
