//! Watches of a unit's older agent in relations, in worlds with the detail `workflow`, and the
//! hooks that it runs for their events.
//!
//! Unit Agent startup, "Startup sequence" and the rest (D5:35-70). A settings node is a settings
//! document, and a role node is a scope document: both are below a relation, made by the unit's
//! agent in this order, and the role node stands for the unit's membership. So relations end as
//! they do with any other agent. A watch fires once; changes before it is set again are missed. The
//! events of a watch are noted when the change happens, as the store would send them.
//!
//! A charm counts as told once its hook has succeeded, and the agent notes that the hook has run
//! after that; a hook that is cut short has told nothing. Joined, changed and departed are hooks of
//! their own here; D5 has one hook of these three types.

use super::workflow::{clause, list_hook};
use crate::{
    action::{Act, Hook, HookKind, UnitAct},
    actor::Client,
    agents::{
        Lister, Task,
        charm::{
            observers::{find_related, gone, observers},
            settings::{self, WrittenValue},
        },
        context::StepContext,
        watched::{Wake, WatchedStep},
    },
    clause::Rule::Workflow as WorkflowRule,
    history::Event,
    ids::{IdSet, RelationId, UnitId},
    life::Life::Alive,
    rows::{Container, Sighting},
    state::State,
    variants::{
        ChildrenAndWatch, Established, FoundAtStartup, LaterUnits, SeenUnits, WatchSetAgain,
        WritesWithoutConnection,
    },
    world::{HookTrait, World},
};

/// Lists the urgent duties: the hook of a relation that is gone, and watches that have to be set.
/// Returns whether there are any.
pub(crate) fn list_urgent(me: UnitId, list: &mut Lister<'_>) -> bool {
    let (world, state) = (list.world, list.state);
    if !world.detail.workflow {
        return false;
    }
    for &relation in world.relations_of(me) {
        if is_broken(me, relation, world, state) {
            list_hook(me, 14, Hook::Broken(relation), list);
            return true;
        }
        if has_to_watch(me, relation, world, state) {
            let act = if looks_first(me, relation, world, state) {
                UnitAct::FindUnits(relation)
            } else {
                UnitAct::Watch(relation)
            };
            list.duty(WorkflowRule, 10, Act::UnitAgent(me, act));
            return true;
        }
    }
    false
}

/// Whether the agent of `me` knows by its watch or its disk that the relation's container is gone.
pub fn is_broken(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    let sighting = state.runtime.sighting(relation, me);
    let finds_out = is_on_disk(&sighting, world) && state.store.relation(relation).is_none();
    (sighting.container == Container::Gone || finds_out) && !world.is_off(clause(14))
}

/// Whether the agent of `me` has to set its watches in the relation, for the first time or again.
pub fn has_to_watch(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    let takes_part =
        || state.store.in_scope(relation, me) && state.store.relation_life(relation) == Some(Alive);
    let is_due = match state.runtime.sighting(relation, me).container {
        Container::Unwatched | Container::Found => takes_part(),
        Container::Fired => state.store.relation(relation).is_some(),
        Container::Watched | Container::Gone => false,
    };
    is_due && state.store.unit_life(me) == Some(Alive) && !world.is_off(clause(10))
}

/// Lists the joined, departed and changed hooks of `me`.
pub(crate) fn look_at(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.workflow || state.store.unit_life(me) != Some(Alive) {
        return;
    }
    for &relation in world.relations_of(me) {
        let sighting = state.runtime.sighting(relation, me);
        let is_established = |other: &UnitId| match world.variants.established {
            Established::ByRoleNode => true,
            Established::WithPresence => state.runtime.workflow(*other).present,
        };
        let stands_for_another = |other: &UnitId| {
            let mut all = group(*other, &sighting, world);
            all.next().is_some_and(|first| first != *other)
        };
        list.some(
            &mut |see| {
                let mut joining = sighting.joining.iter().filter(is_established);
                joining.by_ref().filter(|other| !stands_for_another(other)).any(see);
            },
            &mut |list, other| list_hook(me, 11, Hook::Joined(other, relation), list),
        );
        let waits = |other: &UnitId| {
            sighting.joining.contains(*other) && group(*other, &sighting, world).next().is_none()
        };
        list.some(
            &mut |see| {
                sighting.leaving.iter().filter(|other| !waits(other)).any(see);
            },
            &mut |list, other| list_hook(me, 12, Hook::Departed(other, relation), list),
        );
        let is_told = |other: &UnitId| sighting.has_seen(*other) || world.is_off(clause(15));
        list.some(
            &mut |see| {
                sighting.fired.iter().filter(is_told).any(see);
            },
            &mut |list, other| list_hook(me, 13, Hook::Changed(other, relation), list),
        );
    }
}

/// Names the agents that wait for the presence of that of `me`, which has just been established.
pub(crate) fn who_wait_for(me: UnitId, change: &WatchedStep<'_>, wake: Wake<'_>) {
    let (world, state) = (change.world, change.after);
    if world.variants.established == Established::WithPresence
        && change.is_new(|state| state.runtime.workflow(me).present)
    {
        for &relation in world.relations_of(me) {
            let all = observers(me, relation, world, state);
            all.into_iter().map(Task::UnitAgent).for_each(&mut *wake);
        }
    }
}

/// The units of the joint joined hook, if `other` is among them: those found and noted at startup.
/// Empty where each unit has a hook of its own.
fn group<'a>(
    other: UnitId,
    sighting: &'a Sighting,
    world: &World,
) -> impl Iterator<Item = UnitId> + use<'a> {
    let is_of_many =
        world.variants.found_at_startup == FoundAtStartup::OneHook && sighting.has_seen(other);
    let seen = |unit: &UnitId| sighting.has_seen(*unit);
    let all = is_of_many.then(|| sighting.joining.iter().filter(seen));
    all.into_iter().flatten()
}

/// The units that a joined hook about `other` is for.
fn joined_with(
    me: UnitId,
    other: UnitId,
    relation: RelationId,
    step: &StepContext<'_>,
) -> Vec<UnitId> {
    let sighting = step.state.runtime.sighting(relation, me);
    let others = group(other, &sighting, step.world).filter(|unit| *unit != other);
    std::iter::once(other).chain(others).collect()
}

/// The single hooks that a hook of `me` stands for: one for each unit that it is about, with the
/// hook's own unit first.
pub(super) fn all_of(me: UnitId, hook: Hook, step: &StepContext<'_>) -> Vec<Hook> {
    match hook {
        Hook::Joined(other, relation) => {
            let all = joined_with(me, other, relation, step).into_iter();
            all.map(|unit| Hook::Joined(unit, relation)).collect()
        }
        Hook::Changed(..)
        | Hook::Departed(..)
        | Hook::Broken(_)
        | Hook::Departure(_)
        | Hook::Stop
        | Hook::Install
        | Hook::ConfigChanged
        | Hook::Start
        | Hook::UpgradeCharm => vec![hook],
    }
}

/// Whether the agent of `me`, which has to set its watch in the relation, reads the members before
/// that in a step of its own.
fn looks_first(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    let container = state.runtime.sighting(relation, me).container;
    world.variants.children_and_watch == ChildrenAndWatch::Apart
        && container != Container::Found
        && looks(container, world)
}

/// Whether setting this watch reads the current members.
fn looks(container: Container, world: &World) -> bool {
    match (container, world.variants.watch_set_again) {
        (Container::Unwatched, _) | (Container::Fired, WatchSetAgain::WithALook) => true,
        (Container::Fired, WatchSetAgain::WithItsEvent)
        | (Container::Watched | Container::Gone | Container::Found, _) => false,
    }
}

/// Reads the members of a relation, whose watch the agent of `me` sets next.
pub(crate) fn find_units(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    look(me, relation, step);
    change(me, relation, step, |it| it.container = Container::Found);
}

/// Sets the watch of `me` in a relation, and reads the members unless it has done so.
pub(crate) fn watch(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    if looks(step.state.runtime.sighting(relation, me).container, step.world) {
        look(me, relation, step);
    }
    change(me, relation, step, |it| it.container = Container::Watched);
}

/// Reads the members of a relation for `me`, and the first time sets the watches on their settings.
fn look(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let (world, state) = (step.world, &*step.state);
    let mut found: IdSet<UnitId> = IdSet::default();
    find_related(me, relation, &IdSet::default(), world, state, &mut |other| {
        found.insert(other);
        false
    });
    let sighting = state.runtime.sighting(relation, me);
    let left = gone(me, relation, &sighting.seen, world, state);
    // Units that were noted as seen when they were found still wait for their hook.
    let waiting = sighting.joining.iter().filter(|other| sighting.has_seen(*other));
    let waiting = waiting.filter(|other| found.contains(*other));
    let new: IdSet<_> = found.outside(&sighting.seen).chain(waiting).collect();
    let left: IdSet<_> = left.collect();
    let is_first = sighting.container == Container::Unwatched;
    let notes = is_first && world.variants.found_at_startup == FoundAtStartup::OneHook;
    let knows_versions = world.variants.seen_units == SeenUnits::OnDisk;
    let changed = sighting.stale.iter().filter(|other| found.contains(*other)).collect();
    change(me, relation, step, |it| {
        if notes {
            new.iter().for_each(|unit| it.seen.insert(unit));
        }
        (it.joining, it.leaving) = (new, left);
        if is_first {
            it.watched = found;
            if knows_versions {
                it.fired = changed;
            }
        }
    });
}

/// Notes that a relation hook of `me` begins: it reads the other unit's settings as they are now.
pub(super) fn begun(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    let later = step.world.variants.later_units == LaterUnits::Watched;
    match hook {
        Hook::Joined(other, relation) => {
            let all = joined_with(me, other, relation, step);
            change(me, relation, step, |it| {
                for unit in &all {
                    it.stale.remove(*unit);
                }
                if later {
                    it.watched.insert(other);
                }
            });
        }
        Hook::Changed(other, relation) => change(me, relation, step, |it| {
            it.fired.remove(other);
            it.stale.remove(other);
        }),
        Hook::Departed(..)
        | Hook::Broken(_)
        | Hook::Departure(_)
        | Hook::Stop
        | Hook::Install
        | Hook::ConfigChanged
        | Hook::Start
        | Hook::UpgradeCharm => {}
    }
}

/// Notes that a relation hook of `me` has succeeded: its charm has been told. The writes of an
/// agent that is cut off stay in its memory.
pub(super) fn exited(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    match hook {
        Hook::Joined(other, relation) => {
            let all = joined_with(me, other, relation, step);
            change(me, relation, step, |it| all.into_iter().for_each(|unit| it.told.insert(unit)));
        }
        Hook::Departed(other, relation) => change(me, relation, step, |it| {
            it.told.remove(other);
            it.stale.remove(other);
        }),
        Hook::Broken(relation) => change(me, relation, step, |it| {
            (it.told, it.stale) = (IdSet::default(), IdSet::default());
        }),
        Hook::Changed(..)
        | Hook::Departure(_)
        | Hook::Stop
        | Hook::Install
        | Hook::ConfigChanged
        | Hook::Start
        | Hook::UpgradeCharm => {}
    }
    let written = hook.relation().filter(|_| step.world.charm_of(me).is(hook, HookTrait::Writes));
    let Some(relation) = written else { return };
    let is_new = step.world.charm_of(me).is(hook, HookTrait::WritesNew);
    let value = if is_new { WrittenValue::New } else { WrittenValue::Same };
    if settings::changes(me, relation, value, step.state) {
        step.happens(Event::HookWrites(me, relation));
    }
    if step.state.runtime.is_cut_off(me) {
        change(me, relation, step, |it| it.wrote = true);
    } else {
        settings::write(me, relation, value, step);
    }
}

/// Sends the writes that the hooks of `me` made while it was cut off.
///
/// The agent does not remember which hook made them: if some hook writes new values each time, they
/// count as new.
pub(super) fn send(me: UnitId, step: &mut StepContext<'_>) {
    let charm = step.world.charm_of(me);
    let is_new = HookKind::ALL
        .iter()
        .any(|hook| hook.is_of_relations() && charm.is(*hook, HookTrait::WritesNew));
    let value = if is_new { WrittenValue::New } else { WrittenValue::Same };
    for &relation in step.world.relations_of(me) {
        if step.state.runtime.sighting(relation, me).wrote {
            change(me, relation, step, |it| it.wrote = false);
            settings::write(me, relation, value, step);
        }
    }
}

/// Cuts a hook of `me`, or the record of it, short: the versions that it has read are not noted.
pub(super) fn cut_short(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    step.happens(Event::HookCutShort(me, hook));
    if let Hook::Joined(other, relation) | Hook::Changed(other, relation) = hook
        && step.state.store.settings(relation, other).written
    {
        change(me, relation, step, |it| {
            if it.told.contains(other) {
                it.stale.insert(other);
            }
        });
    }
}

/// Records that a relation hook of `me` has run.
pub(super) fn recorded(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    match hook {
        Hook::Joined(other, relation) => {
            let all = joined_with(me, other, relation, step);
            change(me, relation, step, |it| {
                for unit in all {
                    it.joining.remove(unit);
                }
                it.seen.insert(other);
            });
        }
        Hook::Departed(other, relation) => change(me, relation, step, |it| it.forget(other)),
        Hook::Broken(relation) => {
            step.state.runtime.forget_sighting(relation, me, &mut step.effects.touched);
        }
        Hook::Changed(..)
        | Hook::Departure(_)
        | Hook::Stop
        | Hook::Install
        | Hook::ConfigChanged
        | Hook::Start
        | Hook::UpgradeCharm => {}
    }
}

/// The loss of a process or a connection, each of which ends the agent's watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// The process, with its memory.
    Process,
    /// The connection. A running hook goes on.
    Connection,
}

/// Ends the watches of `me` and drops their pending events, with its process or its connection.
pub(super) fn lose(me: UnitId, lost: Lost, step: &mut StepContext<'_>) {
    let hook = step.state.runtime.pending_hook(Client::Unit(me));
    for &relation in step.world.relations_of(me) {
        let sighting = step.state.runtime.sighting(relation, me);
        let mut left = sighting.without_watches();
        left.wrote = sighting.wrote
            && step.world.variants.writes_without_connection == WritesWithoutConnection::OnDisk;
        match (lost, step.world.variants.seen_units) {
            (Lost::Process, SeenUnits::InMemory) => left.seen = IdSet::default(),
            (Lost::Process, SeenUnits::OnDisk) => {}
            (Lost::Connection, _) => {
                left.stale.clone_from(&sighting.stale);
                if let Some(Hook::Joined(other, _)) =
                    hook.filter(|it| it.relation() == Some(relation))
                {
                    for unit in joined_with(me, other, relation, step) {
                        left.joining.insert(unit);
                    }
                }
            }
        }
        if sighting.container == Container::Gone && step.state.store.relation(relation).is_some() {
            // The sighting is of a former relation of this name. The disk still says that it is
            // gone.
            let is_on_disk = is_on_disk(&sighting, step.world);
            left = if is_on_disk { sighting.clone().into_owned() } else { Sighting::default() };
        }
        if *sighting != left {
            change(me, relation, step, |it| *it = left);
        }
    }
}

/// Relates the sighting of `me` to the former relation, as one is made again under its name. The
/// new one has another number, and nodes are named by that (D5:39-42). The former one has still to
/// break if its event is pending, or if the disk names a unit that was seen in it.
pub(super) fn is_made_again(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let sighting = step.state.runtime.sighting(relation, me);
    let is_pending = sighting.container == Container::Gone || is_on_disk(&sighting, step.world);
    let left = sighting.without_watches();
    if is_pending && !step.world.is_off(clause(14)) {
        change(me, relation, step, |it| *it = Sighting { container: Container::Gone, ..left });
    } else {
        step.state.runtime.forget_sighting(relation, me, &mut step.effects.touched);
    }
}

/// Whether the disk names a unit that was seen in a relation.
fn is_on_disk(sighting: &Sighting, world: &World) -> bool {
    match world.variants.seen_units {
        SeenUnits::InMemory => false,
        SeenUnits::OnDisk => !sighting.seen.is_empty(),
    }
}

/// Changes the sighting of `me` in a relation.
pub(super) fn change(
    me: UnitId,
    relation: RelationId,
    step: &mut StepContext<'_>,
    change: impl FnOnce(&mut Sighting),
) {
    step.state.runtime.change_sighting(relation, me, change, &mut step.effects.touched);
}
