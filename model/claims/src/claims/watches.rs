//! The claims about the relations of the older unit agent: the detail `workflow` (D5:35-70).
//!
//! What an agent has seen is in its memory, so what hooks have told is asked of the charm: joined
//! has run, and not yet departed. A hook that was cut short has not.

use std::borrow::Cow;

use deathwatch_model::{
    action::Hook,
    actor::Client,
    agents::charm::observers::{gone, is_anybody_new},
    ids::{RelationId, UnitId},
    life::Life::Alive,
    rows::{Row, Sighting},
    state::State,
    world::World,
};

use super::{
    Claim, ClaimView,
    Link::{LivesOfSighting, ObserversOfScope, SettingsOfRole},
    RowEvent,
    forms::{always, leads, step},
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "a unit with a role node has a settings node",
        source: "D5:41-42",
        test: always!(lacks_settings, Scope[SettingsOfRole]),
    },
    Claim {
        name: "the older agent runs joined once for a unit that stays",
        source: "D4:223; D5:62; D5:67",
        test: step(&[RowEvent::Agent], joins_again),
    },
    Claim {
        name: "the older agent runs changed only for a unit that it has seen",
        source: "D5:58; D5:69",
        test: step(&[RowEvent::Agent], changes_unseen),
    },
    Claim {
        name: "the older agent runs changed only for a unit that has joined",
        source: "D4:223-228; D5:62; D5:69",
        test: step(&[RowEvent::Agent], changes_unjoined),
    },
    Claim {
        name: "the older agent runs departed only for a unit that has joined",
        source: "D5:66-67",
        test: step(&[RowEvent::Agent], departs_unjoined),
    },
    Claim {
        name: "every established unit that stays has joined in the end",
        source: "D5:60-62; D5:67",
        test: leads!(Sighting[ObserversOfScope, LivesOfSighting], has_to_join, has_not_to_join),
    },
    Claim {
        name: "a unit that has joined and goes has departed in the end",
        source: "D4:235; D5:66",
        test: leads!(Sighting[ObserversOfScope, LivesOfSighting], has_to_part, has_not_to_part),
    },
    Claim {
        name: "after the last change of settings a hook of the older agent reads them",
        source: "D4:300-304; D5:69",
        test: leads!(Sighting[ObserversOfScope, LivesOfSighting], is_stale, is_not_stale),
    },
    Claim {
        name: "a relation in which somebody has joined is broken once it is gone",
        source: "D4:241-242; D5:68",
        test: leads!(Sighting[ObserversOfScope, LivesOfSighting], has_to_break, has_not_to_break),
    },
];

/// The claims that read what an agent notes.
pub(super) const NOTED: &[&str] = &[
    "the older agent runs joined once for a unit that stays",
    "the older agent runs changed only for a unit that it has seen",
    "the older agent runs changed only for a unit that has joined",
    "the older agent runs departed only for a unit that has joined",
    "every established unit that stays has joined in the end",
    "a unit that has joined and goes has departed in the end",
    "after the last change of settings a hook of the older agent reads them",
    "a relation in which somebody has joined is broken once it is gone",
];

fn lacks_settings(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Scope(relation, id) = subject else { return false };
    let store = &view.state.store;
    view.world.detail.workflow
        && store.in_scope(relation, id)
        && !store.settings(relation, id).exists
}

/// The hook that began by a step, with what its agent had seen in the relation before.
fn begun<'a>(
    before: &'a State,
    after: &State,
    row: Row,
) -> Option<(Hook, UnitId, Cow<'a, Sighting>)> {
    let Row::UnitRuntime(id) = row else { return None };
    if !before.runtime.has_workflows() {
        return None;
    }
    let [old, new] = [before, after].map(|state| state.runtime.pending_hook(Client::Unit(id)));
    let hook = new.filter(|_| old.is_none())?;
    Some((hook, hook.other()?, before.runtime.sighting(hook.relation()?, id)))
}

fn joins_again(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (hook, other, sighting) = begun(before, after, row)?;
    (matches!(hook, Hook::Joined(..)) && sighting.told.contains(other)).then_some(row)
}

fn changes_unseen(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (hook, other, sighting) = begun(before, after, row)?;
    (matches!(hook, Hook::Changed(..)) && !sighting.seen.contains(other)).then_some(row)
}

fn changes_unjoined(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (hook, other, sighting) = begun(before, after, row)?;
    (matches!(hook, Hook::Changed(..)) && !sighting.told.contains(other)).then_some(row)
}

fn departs_unjoined(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (hook, other, sighting) = begun(before, after, row)?;
    (matches!(hook, Hook::Departed(..)) && !sighting.told.contains(other)).then_some(row)
}

/// What the agent of a unit that stays in a relation has seen there.
fn staying(state: &State, subject: Row) -> Option<(RelationId, UnitId, Cow<'_, Sighting>)> {
    let Row::Sighting(relation, id) = subject else { return None };
    let stays = state.runtime.has_workflows()
        && state.store.unit_life(id) == Some(Alive)
        && state.store.relation_life(relation) == Some(Alive)
        && state.store.in_scope(relation, id);
    stays.then(|| (relation, id, state.runtime.sighting(relation, id)))
}

fn has_to_join(world: &World, state: &State, subject: Row) -> bool {
    staying(state, subject).is_some_and(|(relation, id, sighting)| {
        is_anybody_new(id, relation, &sighting.told, world, state)
    })
}

fn has_not_to_join(world: &World, state: &State, subject: Row) -> bool {
    !has_to_join(world, state, subject)
}

fn has_to_part(world: &World, state: &State, subject: Row) -> bool {
    staying(state, subject).is_some_and(|(relation, id, sighting)| {
        gone(id, relation, &sighting.told, world, state).next().is_some()
    })
}

fn has_not_to_part(world: &World, state: &State, subject: Row) -> bool {
    !has_to_part(world, state, subject)
}

fn is_stale(_: &World, state: &State, subject: Row) -> bool {
    staying(state, subject).is_some_and(|(relation, _, sighting)| {
        sighting.stale.iter().any(|other| state.store.in_scope(relation, other))
    })
}

fn is_not_stale(world: &World, state: &State, subject: Row) -> bool {
    !is_stale(world, state, subject)
}

/// Whether a relation is gone in which a unit that stays has been told of others.
fn has_to_break(_: &World, state: &State, subject: Row) -> bool {
    let Row::Sighting(relation, id) = subject else { return false };
    state.runtime.has_workflows()
        && state.store.relation(relation).is_none()
        && state.store.unit_life(id) == Some(Alive)
        && !state.runtime.sighting(relation, id).told.is_empty()
}

fn has_not_to_break(world: &World, state: &State, subject: Row) -> bool {
    !has_to_break(world, state, subject)
}
