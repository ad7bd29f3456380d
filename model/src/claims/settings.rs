//! The claims about what hooks read and write: the detail `settings` (D4:126-136).

use super::{Claim, Event, forms::step};
use crate::{action::Client, ids::UnitId, rows::Row, state::State, world::World};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "what a hook has read it reads again the same",
        source: "D4:131-133",
        test: step(&[Event::Sight], reads_otherwise),
    },
    Claim {
        name: "what a hook reads is there as it reads it",
        source: "D1:130-137; D4:129-130",
        test: step(&[Event::Sight], reads_what_is_not_there),
    },
    Claim {
        name: "what a hook has written is there once it has succeeded",
        source: "D4:134",
        test: step(&[Event::Sight], loses_what_was_written),
    },
    Claim {
        name: "settings change only as a hook that wrote them succeeds",
        source: "D4:134-136",
        test: step(&[Event::Written], changes_otherwise),
    },
];

/// Whether the hook that runs has read something that it reads otherwise now.
fn reads_otherwise(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Sighting(relation, id) = row else { return None };
    let (old, new) = (before.runtime.sighting(relation, id), after.runtime.sighting(relation, id));
    let mut both = old.read.iter().filter(|other| new.read.contains(*other));
    let differs =
        |other: UnitId| old.read_written.contains(other) != new.read_written.contains(other);
    both.any(differs).then_some(row)
}

/// Whether the hook that runs reads settings that are not there, or that are others.
fn reads_what_is_not_there(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Sighting(relation, id) = row else { return None };
    let (old, new) = (before.runtime.sighting(relation, id), after.runtime.sighting(relation, id));
    let is_written = |other: UnitId| new.read_written.contains(other);
    let is_news = |other: &UnitId| {
        !old.read.contains(*other) || old.read_written.contains(*other) != is_written(*other)
    };
    let is_wrong = |other: UnitId| {
        let settings = before.store.settings(relation, other);
        !settings.exists || settings.written != is_written(other)
    };
    new.read.iter().filter(is_news).any(is_wrong).then_some(row)
}

/// Whether the hook of a unit that ran has ended, and has not failed.
fn succeeds(before: &State, after: &State, id: UnitId) -> bool {
    let client = Client::Unit(id);
    after.runtime.has_hooks()
        && before.runtime.pending_hook(client).is_some()
        && after.runtime.pending_hook(client).is_none()
        && !after.runtime.unit(id).is_suspended()
        && after.runtime.hooks(id).marked().is_none()
}

fn loses_what_was_written(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Sighting(relation, id) = row else { return None };
    let wrote = before.runtime.sighting(relation, id).wrote;
    let is_lost =
        before.store.settings(relation, id).exists && !after.store.settings(relation, id).written;
    (wrote && is_lost && succeeds(before, after, id)).then_some(row)
}

/// Whether settings became others by anything but the success of their unit's hook, after they were
/// first written.
fn changes_otherwise(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Settings(relation, id) = row else { return None };
    let is_written = after.runtime.has_hooks() && after.store.settings(relation, id).written;
    (is_written && !succeeds(before, after, id)).then_some(row)
}
