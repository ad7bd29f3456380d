//! Settings: the documents of units in relations, and what a hook reads and writes of them while it runs.
//!
//! Charms in action, "Hook tools" and "Relations in depth" (D4:109-136, D4:258-265, D4:319-324), in worlds
//! with the detail `relations`. With the detail `settings` a hook has a sandbox: what it has read it reads
//! again, and what it has written nobody else sees before it has succeeded. Without it a hook that writes
//! does so as it succeeds.

use super::{
    Lister, hook_failures::has_exited, observers::observers, relations, step::Step, watch_events,
    workflow,
};
use crate::{
    action::{Act, Client, Hook, UnitAct},
    clause::{
        Clause,
        Rule::{self, RelationHooks},
    },
    ids::{RelationId, UnitId},
    operation::Operation,
    rows::{SettingsDoc, Sighting},
    state::State,
    txn::{AnyOn, Marker, MarkerChange, On, Op, RelationChange, UnitChange},
    variants::{EnteringScope, HookReads, HookWrites, RelationTracking, SettingsNode},
    world::World,
};

/// Whether a clause about relation hooks is switched off.
fn is_off(number: u8, world: &World) -> bool {
    world.is_off(Clause { rule: RelationHooks, number })
}

/// Whether others look even if what was written was there already.
fn wakes_for_nothing(world: &World) -> bool {
    is_off(13, world)
}

/// Whether a clause about the sandbox of a hook is switched off.
fn is_sandbox_off(number: u8, world: &World) -> bool {
    world.is_off(Clause { rule: Rule::Settings, number })
}

/// The relations whose settings a hook of `me` writes: its own, or all where it is none of a relation.
fn relations_of(me: UnitId, hook: Hook, world: &World) -> Vec<RelationId> {
    match hook.relation() {
        Some(relation) => vec![relation],
        None => world.relations_of(me).to_vec(),
    }
}

/// Whether a unit writes its settings before it enters a scope, and not with it.
fn are_written_first(world: &World) -> bool {
    let with_hooks = || match world.variants.entering_scope {
        EnteringScope::OneTransaction => false,
        EnteringScope::TwoTransactions => !is_off(15, world),
    };
    has_node(world, SettingsNode::Before) || world.detail.relations && with_hooks()
}

/// Whether the older agent creates a settings node in this way (D5:41-42).
fn has_node(world: &World, how: SettingsNode) -> bool {
    let creates = world.detail.workflow && !world.is_off(workflow::clause(9));
    creates && world.variants.settings_node == how
}

/// Whether the settings come with the scope document, in one transaction.
fn are_written_with_scope(world: &World) -> bool {
    has_node(world, SettingsNode::WithRoleNode)
        || world.detail.relations && world.variants.entering_scope == EnteringScope::OneTransaction
}

/// Lists the step by which `me` enters the scope of a relation, or comes nearer to it.
pub(super) fn enter(me: UnitId, relation: RelationId, list: &mut Lister<'_>) {
    let (client, operation) = (Client::Unit(me), Operation::EnterScope(me, relation));
    let lacks = are_written_first(list.world) && !list.state.store.settings(relation, me).exists;
    if !lacks {
        list.transact(client, Rule::UnitAgent, 1, operation);
    } else if list.would_submit(client, operation) {
        let (rule, number) =
            if list.world.detail.workflow { (Rule::Workflow, 9) } else { (RelationHooks, 15) };
        list.duty(rule, number, Act::UnitAgent(me, UnitAct::PutSettings(relation)));
    }
}

/// Writes the settings of `me` with which it enters a scope.
pub(super) fn put_first(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    put(me, relation, SettingsDoc { exists: true, written: false }, step);
}

/// Lists what the hook of `me` that runs may read and write next, as far as it would make a difference.
pub(super) fn tools(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.settings || has_exited(me, world, state) {
        return;
    }
    let Some(hook) = state.runtime.pending_hook(Client::Unit(me)) else { return };
    let charm = world.charm_of(me);
    for relation in relations_of(me, hook, world) {
        let sighting = state.runtime.sighting(relation, me);
        if charm.reads(hook) {
            let others = hook.other().into_iter().chain(sighting.seen.iter());
            for other in others {
                if reads_anew(&sighting, relation, other, world, state) {
                    let act = UnitAct::ReadSettings(other, relation);
                    list.duty(Rule::Settings, 1, Act::UnitAgent(me, act));
                }
            }
        }
        let mine = state.store.settings(relation, me);
        if charm.writes(hook) && mine.exists && !mine.written && !sighting.wrote {
            list.duty(Rule::Settings, 2, Act::UnitAgent(me, UnitAct::WriteSettings(relation)));
        }
    }
}

/// Whether a hook that reads the settings of `other` learns anything: what it has read it reads again.
fn reads_anew(
    sighting: &Sighting,
    relation: RelationId,
    other: UnitId,
    world: &World,
    state: &State,
) -> bool {
    let settings = state.store.settings(relation, other);
    let has_read = sighting.read.contains(other);
    let differs = sighting.read_written.contains(other) != settings.written;
    let is_cached = world.variants.hook_reads == HookReads::Cached;
    let is_there = settings.exists || is_sandbox_off(5, world);
    is_there && (!has_read || !is_cached && differs)
}

/// The hook of `me` reads the settings of another unit.
pub(super) fn read(me: UnitId, other: UnitId, relation: RelationId, step: &mut Step<'_>) {
    let is_written = step.state.store.settings(relation, other).written;
    let change = |sighting: &mut Sighting| {
        sighting.read.insert(other);
        crate::rows::put_member(&mut sighting.read_written, other, is_written);
    };
    step.state.runtime.change_sighting(relation, me, change, &mut step.effects.touched);
}

/// The hook of `me` writes its unit's settings.
pub(super) fn write_in_hook(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    match step.world.variants.hook_writes {
        HookWrites::FlushedOnSuccess => {
            let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
            runtime.change_sighting(relation, me, |sighting| sighting.wrote = true, touched);
        }
        HookWrites::AtOnce => write(me, relation, step),
    }
}

/// A hook of `me` has succeeded: what it wrote counts.
pub(super) fn hook_succeeded(me: UnitId, hook: Hook, step: &mut Step<'_>) {
    let world = step.world;
    if !world.detail.relations || !world.charm_of(me).has(hook) {
        return;
    }
    for relation in relations_of(me, hook, world) {
        let wrote = if world.detail.settings {
            step.state.runtime.sighting(relation, me).wrote && !is_sandbox_off(3, world)
        } else {
            world.charm_of(me).writes(hook)
        };
        if wrote {
            write(me, relation, step);
        }
    }
    forget(me, step);
}

/// The hook of `me` that runs has not succeeded: what it wrote is discarded.
pub(super) fn hook_failed(me: UnitId, step: &mut Step<'_>) {
    if is_sandbox_off(4, step.world) && step.world.detail.settings {
        for relation in step.world.relations_of(me) {
            if step.state.runtime.sighting(*relation, me).wrote {
                write(me, *relation, step);
            }
        }
    }
    forget(me, step);
}

/// What a hook of `me` had in mind is forgotten.
fn forget(me: UnitId, step: &mut Step<'_>) {
    if !step.world.detail.settings {
        return;
    }
    for relation in step.world.relations_of(me) {
        let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
        if runtime.sighting(*relation, me).has_sandbox() {
            runtime.change_sighting(*relation, me, Sighting::empty_sandbox, touched);
        }
    }
}

/// A hook of `me` that has run wrote its settings in a relation, which always are the same.
pub(super) fn write(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    let store = &step.state.store;
    let settings = store.settings(relation, me);
    if store.relation(relation).is_some() && settings.exists {
        put(me, relation, SettingsDoc { written: true, ..settings }, step);
    }
}

/// Writes the settings of `me` in a relation. If they were others, whoever has seen the unit has seen
/// old ones.
fn put(me: UnitId, relation: RelationId, settings: SettingsDoc, step: &mut Step<'_>) {
    if step.state.store.settings(relation, me) == settings && !wakes_for_nothing(step.world) {
        return;
    }
    if step.world.detail.workflow {
        let touched = &mut step.effects.touched;
        step.state.store.set_settings(relation, me, settings, touched);
        return watch_events::settings_changed(me, relation, step);
    }
    let agents = observers(me, relation, step.world, step.state);
    let State { store, runtime, .. } = &mut *step.state;
    let touched = &mut step.effects.touched;
    store.set_settings(relation, me, settings, touched);
    for other in agents {
        let sighting = runtime.sighting(relation, other);
        if sighting.has_seen(me) && !sighting.stale.contains(me) {
            runtime.change_sighting(relation, other, |it| it.stale.insert(me), touched);
        }
    }
}

/// Follows a change that a transaction has made, with what belongs to it in this detail.
pub(super) fn committed(operation: Operation, op: &Op, step: &mut Step<'_>) {
    match (operation, op.on) {
        (
            Operation::EnterScope(unit, _),
            AnyOn::Marker(On {
                doc: Marker::RelationSettings(relation),
                change: Some(MarkerChange::Create),
                ..
            }),
        ) if are_written_with_scope(step.world) => put_first(unit, relation, step),
        (
            _,
            AnyOn::Marker(On {
                doc: Marker::Scope(relation, unit),
                change: Some(MarkerChange::Remove),
                ..
            }),
        ) => left(unit, relation, step),
        (_, AnyOn::Relation(On { doc, change: Some(RelationChange::Remove), .. })) => {
            let docs = step.state.store.settings_docs(doc).map(|docs| docs.exists.clone());
            for unit in docs.unwrap_or_default().iter() {
                clear(unit, doc, step);
            }
        }
        (_, AnyOn::Unit(On { doc, change: Some(UnitChange::Create(_)), .. })) => {
            // The number was another unit's, whose settings nobody reads any more.
            for &relation in step.world.relations_of(doc) {
                clear(doc, relation, step);
            }
        }
        _ => {}
    }
}

/// The settings of a unit in a relation are gone.
fn clear(unit: UnitId, relation: RelationId, step: &mut Step<'_>) {
    if step.state.store.settings(relation, unit) != SettingsDoc::default() {
        let (none, touched) = (SettingsDoc::default(), &mut step.effects.touched);
        step.state.store.set_settings(relation, unit, none, touched);
    }
}

/// A scope document is gone, and what its agent has seen with it where that is the agent's memory.
fn left(unit: UnitId, relation: RelationId, step: &mut Step<'_>) {
    relations::stay_ends(unit, relation, step);
    if is_off(10, step.world) {
        clear(unit, relation, step);
    }
    if step.world.detail.relations
        && step.world.variants.relation_tracking == RelationTracking::RemoteScope
    {
        step.state.runtime.forget_sighting(relation, unit, &mut step.effects.touched);
    }
}
