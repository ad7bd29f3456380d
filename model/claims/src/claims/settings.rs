//! The claims about what hooks read and write: the detail `settings` (D4:126-136).

use deathwatch_model::{
    actor::Client,
    ids::{RelationId, UnitId},
    life::Life::Dead,
    rows::Row,
    state::State,
    world::{HookTrait, World},
};

use super::{
    Claim, ClaimView, RowEvent,
    forms::{always, step},
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "what a hook has read it reads again the same",
        source: "D4:131-133",
        test: step(&[RowEvent::Sight], reads_otherwise),
    },
    Claim {
        name: "what a hook reads is there as it reads it",
        source: "D1:130-137; D4:129-130",
        test: step(&[RowEvent::Sight], reads_what_is_not_there),
    },
    Claim {
        name: "what a hook has read of a unit's settings was there at one time",
        source: "D4:129-133",
        test: always!(reads_a_mixture, Sighting[]),
    },
    Claim {
        name: "what a hook has written is there once it has succeeded",
        source: "D4:134",
        test: step(&[RowEvent::Sight], loses_what_was_written),
    },
    Claim {
        name: "settings change only as a hook that wrote them succeeds",
        source: "D4:134-136",
        test: step(&[RowEvent::Written], changes_otherwise),
    },
];

/// The claims that read what an agent notes.
pub(super) const NOTED: &[&str] = &[
    "what a hook has read it reads again the same",
    "what a hook reads is there as it reads it",
    "what a hook has read of a unit's settings was there at one time",
    "what a hook has written is there once it has succeeded",
];

/// Whether the hook that runs has read something that it reads otherwise now.
fn reads_otherwise(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Sighting(relation, id) = row else { return None };
    let (old, new) = (before.runtime.sighting(relation, id), after.runtime.sighting(relation, id));
    let mut both = old.read.iter().filter(|other| new.read.contains(*other));
    let is_anew = |other: UnitId| old.read_old.contains(other) && !new.read_old.contains(other);
    both.any(|other| other != id && is_anew(other)).then_some(row)
}

/// Whether the hook that runs reads settings that are not there, or that were others.
fn reads_what_is_not_there(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Sighting(relation, id) = row else { return None };
    let (old, new) = (before.runtime.sighting(relation, id), after.runtime.sighting(relation, id));
    let is_first = |other: UnitId| !old.read.contains(other);
    let is_anew = |other: UnitId| old.read_old.contains(other) && !new.read_old.contains(other);
    let is_wrong = |other: UnitId| {
        !before.store.settings(relation, other).exists || new.read_old.contains(other)
    };
    let mut read = new.read.iter().filter(|other| is_first(*other) || is_anew(*other));
    read.any(is_wrong).then_some(row)
}

/// Whether a hook that runs has read one value of a unit's settings before they changed, and
/// another after that: such a pair may never have been there.
fn reads_a_mixture(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Sighting(relation, id) = subject else { return false };
    !view.state.runtime.sighting(relation, id).read_mixed.is_empty()
}

/// Whether the agent of a unit is there, which is not Dead: a hook that ended with its hardware or
/// its unit has not succeeded.
fn is_there(state: &State, id: UnitId) -> bool {
    state.runtime.has_hooks()
        && state.runtime.is_deployed(id)
        && state.store.unit_life(id) != Some(Dead)
}

/// Whether no hook of a unit runs that ran, or could be run on, and none has failed.
fn has_run(before: &State, after: &State, id: UnitId) -> bool {
    is_there(after, id)
        && before.runtime.pending_hook(Client::Unit(id)).is_some()
        && after.runtime.pending_hook(Client::Unit(id)).is_none()
        && !after.runtime.unit(id).is_suspended()
        && after.runtime.hooks(id).marked().is_none()
}

/// Whether a step may have changed the settings of a unit to others that are no less written: what
/// its hook wrote goes to the store.
pub(super) fn may_renew(
    world: &World,
    before: &State,
    after: &State,
    relation: RelationId,
    id: UnitId,
) -> bool {
    let hook = before.runtime.pending_hook(Client::Unit(id));
    if world.detail.settings {
        let wrote = |state: &State| state.runtime.sighting(relation, id).wrote;
        wrote(before) && !wrote(after)
    } else {
        let is_new = hook.is_some_and(|hook| world.charm_of(id).is(hook, HookTrait::WritesNew));
        is_new && has_run(before, after, id)
    }
}

/// Whether a hook that has run, now or before, had written what is nowhere any more. Nothing is
/// promised of a unit that is forced (D4:25-29).
fn loses_what_was_written(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Sighting(relation, id) = row else { return None };
    let wrote = |state: &State| state.runtime.sighting(relation, id).wrote;
    let is_lost = wrote(before)
        && !wrote(after)
        && before.store.settings(relation, id).exists
        && !after.store.settings(relation, id).written;
    let had_run = is_there(after, id) && before.runtime.pending_hook(Client::Unit(id)).is_none();
    let is_forced = before.store.is_forced(id);
    (is_lost && !is_forced && (had_run || has_run(before, after, id))).then_some(row)
}

/// Whether settings became others, after they were first written, by anything but a hook that has
/// exited with success: it ends, or what it wrote is flushed before or after its end is recorded.
fn changes_otherwise(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Settings(relation, id) = row else { return None };
    let is_written = after.runtime.has_hooks() && after.store.settings(relation, id).written;
    let hook = |state: &State| state.runtime.pending_hook(Client::Unit(id));
    let is_flushed = is_there(after, id)
        && before.runtime.sighting(relation, id).wrote
        && !after.runtime.sighting(relation, id).wrote
        && hook(before) == hook(after)
        && (hook(after).is_none() || after.runtime.hooks(id).exited);
    (is_written && !is_flushed && !has_run(before, after, id)).then_some(row)
}
