//! Relation hooks: the units that a unit sees in a relation, and the hook about them that runs
//! next.
//!
//! Charms in action, "Relation hooks", "Relations in depth" and "Departing relations" (D4:191-341),
//! in worlds with the detail `relations`. The units that the agent has seen are on its disk, in
//! every variant of `relation_tracking`. It reads the scope documents anew for each hook, so a unit
//! that comes and goes while it is busy is never seen.

use super::{
    observers::{find_related, gone, is_related, observers},
    settings,
};
use crate::{
    action::{Hook, HookKind},
    agents::{Lister, context::StepContext, lister::UnitSink},
    clause::{Clause, Rule::RelationHooks},
    ids::{IdSet, RelationId, UnitId},
    rows::Sighting,
    state::State,
    variants::{ChangedAfterJoined, MembersKnown},
    world::World,
};

/// Numbers of clauses of [`RelationHooks`].
const JOINED_WHEN_FIRST_SEEN: u8 = 1;
const CHANGED_AFTER_JOINED: u8 = 2;
const CHANGED_COMES_NEXT: u8 = 3;
const CHANGED_AGAIN: u8 = 4;
const DEPARTED_WHEN_GONE: u8 = 5;
const DEPARTED_BEFORE_LEAVING: u8 = 6;
const BROKEN_RUNS_ONCE: u8 = 8;
pub(super) const LEAVES_SETTINGS_BEHIND: u8 = 10;
const JOINED_RUNS_ONCE: u8 = 11;
const DEPARTED_ONLY_IF_GONE: u8 = 12;
pub(super) const SAME_SETTINGS_CHANGE_NOTHING: u8 = 13;
const CHANGED_ONLY_IF_CHANGED: u8 = 14;
pub(super) const WRITES_SETTINGS_FIRST: u8 = 15;

/// Whether the broken hook runs again and again.
pub(crate) fn breaks_again(world: &World) -> bool {
    world.detail.relations && is_off(BROKEN_RUNS_ONCE, world)
}

/// Whether a clause about relation hooks is switched off.
pub(super) fn is_off(number: u8, world: &World) -> bool {
    world.is_off(Clause { rule: RelationHooks, number })
}

/// Lists the joined, changed and departed hooks of `me`, which stays in the relation.
pub(crate) fn look_at(me: UnitId, relation: RelationId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.relations {
        return;
    }
    let sighting = state.runtime.sighting(relation, me);
    if has_to_change(me, relation, &sighting, list) {
        return;
    }
    let nobody = IdSet::default();
    let known = if is_off(JOINED_RUNS_ONCE, world) { &nobody } else { &sighting.seen };
    let joined = |other| Hook::Joined(other, relation);
    list_some(me, JOINED_WHEN_FIRST_SEEN, list, joined, &mut |see| {
        find_related(me, relation, known, world, state, see);
    });
    if let Some(settings) = state.store.settings_docs(relation).filter(|_| world.sees_anybody()) {
        // A unit that has left the scope has left its settings there (D4:236-239).
        let is_other = |other: &UnitId| *other != me;
        list_some(me, JOINED_WHEN_FIRST_SEEN, list, joined, &mut |see| {
            settings.exists.outside(known).filter(is_other).any(see);
        });
    }
    let is_here = |other: &UnitId| {
        is_related(me, relation, *other, world, state) && !sighting.left.contains(*other)
    };
    let changed = |other| Hook::Changed(other, relation);
    let whom =
        if is_off(CHANGED_ONLY_IF_CHANGED, world) { &sighting.seen } else { &sighting.stale };
    list_some(me, CHANGED_AGAIN, list, changed, &mut |see| {
        whom.iter().filter(is_here).any(see);
    });
    let departed = |other| Hook::Departed(other, relation);
    list_some(me, DEPARTED_WHEN_GONE, list, departed, &mut |see| {
        if is_off(DEPARTED_ONLY_IF_GONE, world) {
            sighting.seen.iter().any(see);
        } else {
            let has_come_back = |other: &UnitId| {
                sighting.has_seen(*other) && is_related(me, relation, *other, world, state)
            };
            let back = sighting.left.iter().filter(has_come_back);
            gone(me, relation, &sighting.seen, world, state).chain(back).any(see);
        }
    });
}

/// Lists a hook about each unit that `find` passes on; or about one of them, if a sample is asked
/// for: then `find` passes on no more.
fn list_some(
    me: UnitId,
    number: u8,
    list: &mut Lister<'_>,
    of: impl Fn(UnitId) -> Hook,
    find: &mut dyn FnMut(UnitSink<'_>),
) {
    list.some(find, &mut |list, other| hook(me, number, of(other), list));
}

/// Lists the hooks that run before the last one of `me` in the relation. Returns whether there are
/// any.
pub(crate) fn come_before_leaving(me: UnitId, relation: RelationId, list: &mut Lister<'_>) -> bool {
    if !list.world.detail.relations {
        return false;
    }
    let sighting = list.state.runtime.sighting(relation, me);
    if has_to_change(me, relation, &sighting, list) {
        return true;
    }
    if parts(me, list.world) {
        let departed = |other| Hook::Departed(other, relation);
        list_some(me, DEPARTED_BEFORE_LEAVING, list, departed, &mut |see| {
            sighting.seen.iter().any(see);
        });
    }
    has_to_part(me, relation, list.world, list.state)
}

/// Whether `me` runs departed hooks for the units that it has seen before it leaves a relation. A
/// charm with neither departed nor broken runs none, and its sightings go with the relation.
fn parts(me: UnitId, world: &World) -> bool {
    let charm = world.charm_of(me);
    charm.has(HookKind::Departed) || charm.has(HookKind::Broken)
}

/// Whether hooks run before the last one of `me` in the relation.
pub(crate) fn has_to_part(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    world.detail.relations && !is_off(DEPARTED_BEFORE_LEAVING, world) && {
        let sighting = state.runtime.sighting(relation, me);
        !sighting.seen.is_empty() && parts(me, world)
            || due(me, relation, &sighting, world, state).is_some()
    }
}

/// Lists the changed hook that the relation has to run next. Returns whether there is one, so that
/// no other may run.
fn has_to_change(
    me: UnitId,
    relation: RelationId,
    sighting: &Sighting,
    list: &mut Lister<'_>,
) -> bool {
    let Some(other) = due(me, relation, sighting, list.world, list.state) else { return false };
    hook(me, CHANGED_AFTER_JOINED, Hook::Changed(other, relation), list);
    !is_off(CHANGED_COMES_NEXT, list.world)
}

/// The unit whose joined hook has run, and whose changed hook is the next one.
fn due(
    me: UnitId,
    relation: RelationId,
    sighting: &Sighting,
    world: &World,
    state: &State,
) -> Option<UnitId> {
    sighting.changed.filter(|other| match world.variants.changed_after_joined {
        ChangedAfterJoined::Always => true,
        ChangedAfterJoined::UnlessDeparted => {
            is_related(me, relation, *other, world, state) && !sighting.left.contains(*other)
        }
    })
}

/// Lists a hook of the relation.
fn hook(me: UnitId, number: u8, hook: Hook, list: &mut Lister<'_>) {
    list.hook(me, RelationHooks, number, hook);
}

/// Notes that a relation hook of `me` has begun: it reads the other unit's settings as they are
/// now.
pub(super) fn begun(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    if let Hook::Changed(other, relation) = hook {
        see(me, relation, step, |sighting| sighting.stale.remove(other));
    }
}

/// Records that a relation hook of `me` has run, or counts as run.
pub(super) fn ended(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    let (world, charm) = (step.world, step.world.charm_of(me));
    match hook {
        Hook::Joined(other, relation) => see(me, relation, step, |sighting| {
            sighting.joined(other);
            let follows =
                charm.has(Hook::Changed(other, relation)) && !is_off(CHANGED_AFTER_JOINED, world);
            sighting.changed = follows.then_some(other);
        }),
        Hook::Changed(other, relation) => see(me, relation, step, |sighting| {
            sighting.changed = sighting.changed.filter(|due| *due != other);
        }),
        Hook::Departed(other, relation) => {
            see(me, relation, step, |sighting| sighting.departed(other));
            settings::departed(me, other, relation, step);
        }
        Hook::Broken(_)
        | Hook::Departure(_)
        | Hook::Stop
        | Hook::Install
        | Hook::ConfigChanged
        | Hook::Start
        | Hook::UpgradeCharm => {}
    }
}

/// Ends the stay of `unit` in the scope. An agent that has seen the unit, or is about to, notes it
/// in `left`: should the unit enter again, that is another document and a stay it has not seen.
pub(super) fn stay_ends(unit: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let world = step.world;
    if !world.detail.relations || world.variants.members_known == MembersKnown::ByName {
        return;
    }
    for other in observers(unit, relation, world, step.state) {
        let runtime = &step.state.runtime;
        let hooks = runtime.hooks(other);
        let joins = [hooks.marked(), hooks.decided].contains(&Some(Hook::Joined(unit, relation)));
        if joins || runtime.sighting(relation, other).has_seen(unit) {
            see(other, relation, step, |sighting| sighting.left.insert(unit));
        }
    }
}

/// Drops the note of an ended stay whose joined hook `me` had decided on and will not begin: it has
/// seen nothing of that stay.
pub(super) fn is_not_joined(
    me: UnitId,
    other: UnitId,
    relation: RelationId,
    step: &mut StepContext<'_>,
) {
    let sighting = step.state.runtime.sighting(relation, me);
    if sighting.left.contains(other) && !sighting.has_seen(other) {
        see(me, relation, step, |sighting| sighting.left.remove(other));
    }
}

/// Changes the sighting of the agent of `me` in a relation, unless the relation is gone.
fn see(
    me: UnitId,
    relation: RelationId,
    step: &mut StepContext<'_>,
    change: impl FnOnce(&mut Sighting),
) {
    let State { store, runtime, .. } = &mut *step.state;
    if store.relation(relation).is_some() {
        runtime.change_sighting(relation, me, change, &mut step.effects.touched);
    }
}
