//! Settings: the documents of units in relations, and how a running hook reads and writes them.
//!
//! Charms in action, "Hook tools" and "Relations in depth" (D4:109-136, D4:258-265, D4:319-324), in
//! worlds with the detail `relations`. With the detail `settings` a hook has a sandbox: a second
//! read returns the same as the first, and other units see its writes only after it has succeeded.
//! Without it a hook that writes does so as it succeeds.
//!
//! The writes of a hook go to the store, and the record that it has run to the disk: two places, so
//! two steps, and a crash can come between. Their order is a variant. Neither order keeps both
//! promises: that others see nothing of a hook that counts as failed (D4:134-136, D4:36-39), and
//! all of one that counts as run. With the writes in the record, which are flushed again after a
//! crash, both are kept. A repeated flush changes nothing, so dropping the writes from the record
//! takes no step of its own.

use super::{hook_failures::has_exited, hooks, observers::observers, relations};
use crate::{
    action::{Act, Hook, UnitAct},
    actor::{Actor, Client},
    agents::{
        Lister,
        context::StepContext,
        lifecycle::scopes,
        neglect::performs,
        startup::{watch_events, workflow},
    },
    clause::{
        Clause,
        Rule::{self, RelationHooks},
    },
    history::Event,
    ids::{RelationId, UnitId},
    operation::Operation,
    rows::{SettingsDoc, Sighting},
    state::State,
    txn::{AnyOn, Marker, MarkerChange, On, Op, RelationChange, UnitChange},
    variants::{
        EnteringScope, HookReads, HookWrites, RelationTracking, SandboxOrder, SettingsNode,
    },
    world::{HookTrait, World},
};

/// Whether a write of values that were there already wakes other agents, too.
fn wakes_for_nothing(world: &World) -> bool {
    relations::is_off(relations::SAME_SETTINGS_CHANGE_NOTHING, world)
}

/// Whether a clause about the sandbox of a hook is switched off.
fn is_sandbox_off(number: u8, world: &World) -> bool {
    world.is_off(Clause { rule: Rule::Settings, number })
}

/// The relations whose settings a hook of `me` writes without the detail `settings`: its own, or
/// all of the unit's for a hook of no relation.
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
        EnteringScope::TwoTransactions => {
            !relations::is_off(relations::WRITES_SETTINGS_FIRST, world)
        }
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

/// Lists the step by which `me` enters the scope of a relation, or writes its settings for that.
pub(crate) fn enter(me: UnitId, relation: RelationId, list: &mut Lister<'_>) {
    let (client, operation) = (Client::Unit(me), Operation::EnterScope(me, relation));
    let lacks = are_written_first(list.world) && !list.state.store.settings(relation, me).exists;
    if !lacks {
        list.transact(client, Rule::UnitAgent, 1, operation);
    } else if list.would_submit(client, operation) {
        let (rule, number) = if list.world.detail.workflow {
            (Rule::Workflow, 9)
        } else {
            (RelationHooks, relations::WRITES_SETTINGS_FIRST)
        };
        list.duty(rule, number, Act::UnitAgent(me, UnitAct::PutSettings(relation)));
    }
}

/// Writes the first settings of `me`, with which it enters a scope.
pub(crate) fn put_first(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let first = SettingsDoc { exists: true, written: false };
    if step.state.store.settings(relation, me) != first || wakes_for_nothing(step.world) {
        put(me, relation, first, step);
    }
}

/// Lists the reads and writes of the running hook of `me` that would make a difference. Its tools
/// default to its own relation, but it can name any other of its unit (D4:207-209).
pub(crate) fn tools(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.settings || has_exited(me, world, state) {
        return;
    }
    let Some(hook) = state.runtime.pending_hook(Client::Unit(me)) else { return };
    let charm = world.charm_of(me);
    for &relation in world.relations_of(me) {
        let sighting = state.runtime.sighting(relation, me);
        if charm.is(hook, HookTrait::Reads) {
            for other in readable(me, hook, relation, &sighting, world, state) {
                if reads_anew(me, hook, &sighting, relation, other, world, state) {
                    let act = UnitAct::ReadSettings(other, relation);
                    list.duty(Rule::Settings, 1, Act::UnitAgent(me, act));
                }
            }
        }
        if can_write(me, hook, relation, world, state)
            && writes_news(me, hook, &sighting, relation, world, state)
        {
            list.duty(Rule::Settings, 2, Act::UnitAgent(me, UnitAct::WriteSettings(relation)));
        }
    }
}

/// Whether an act of the running hook of `me` is possible and would change nothing: a repeated
/// read, or a write of what is there (D4:131-133, D4:321-324).
pub(crate) fn does_nothing(me: UnitId, act: UnitAct, world: &World, state: &State) -> bool {
    let performs = |number| {
        performs(world, state, Actor::UnitAgent(me), Clause { rule: Rule::Settings, number })
    };
    let runs =
        world.detail.settings && state.unit_agent_acts(world, me) && !has_exited(me, world, state);
    let Some(hook) = state.runtime.pending_hook(Client::Unit(me)).filter(|_| runs) else {
        return false;
    };
    match act {
        UnitAct::ReadSettings(other, relation) => {
            let sighting = state.runtime.sighting(relation, me);
            world.charm_of(me).is(hook, HookTrait::Reads)
                && performs(1)
                && state.store.settings(relation, other).exists
                && readable(me, hook, relation, &sighting, world, state).contains(&other)
                && !reads_anew(me, hook, &sighting, relation, other, world, state)
        }
        UnitAct::WriteSettings(relation) => {
            let sighting = state.runtime.sighting(relation, me);
            performs(2)
                && can_write(me, hook, relation, world, state)
                && !writes_news(me, hook, &sighting, relation, world, state)
        }
        _ => false,
    }
}

/// The units whose settings in a relation `hook` of `me` can read: the one that it is about, the
/// units seen there, those seen before that have departed (D4:236-239), and its own.
fn readable(
    me: UnitId,
    hook: Hook,
    relation: RelationId,
    sighting: &Sighting,
    world: &World,
    state: &State,
) -> Vec<UnitId> {
    let about = hook.other().filter(|_| hook.relation() == Some(relation));
    let own = Some(me).filter(|_| scopes::knows(world, state, me, relation));
    let others = sighting.seen.iter().chain(sighting.remembered.iter());
    about.into_iter().chain(others).chain(own).collect()
}

/// Whether `hook` of `me` can write the settings of its unit in a relation.
fn can_write(me: UnitId, hook: Hook, relation: RelationId, world: &World, state: &State) -> bool {
    world.charm_of(me).is(hook, HookTrait::Writes)
        && state.store.settings(relation, me).exists
        && scopes::knows(world, state, me, relation)
}

/// Whether `hook` of `me` would write values that are neither in the store nor among its writes.
fn writes_news(
    me: UnitId,
    hook: Hook,
    sighting: &Sighting,
    relation: RelationId,
    world: &World,
    state: &State,
) -> bool {
    let is_there = state.store.settings(relation, me).written;
    !sighting.wrote && (world.charm_of(me).is(hook, HookTrait::WritesNew) || !is_there)
}

/// Whether a read of a unit's settings would return new values: a repeated read returns the same,
/// unless the hook has written them itself. Its own settings stay the same while it runs if it does
/// not write.
fn reads_anew(
    me: UnitId,
    hook: Hook,
    sighting: &Sighting,
    relation: RelationId,
    other: UnitId,
    world: &World,
    state: &State,
) -> bool {
    let is_there = state.store.settings(relation, other).exists || is_sandbox_off(5, world);
    let is_old = sighting.read_old.contains(other);
    let is_known = other == me && !world.charm_of(me).is(hook, HookTrait::Writes);
    is_there
        && !is_known
        && (!sighting.read.contains(other)
            || match world.variants.hook_reads {
                _ if other == me => is_old,
                HookReads::Cached => false,
                HookReads::Fresh => is_old,
                HookReads::KeyByKey => is_old && !sighting.read_mixed.contains(other),
            })
}

/// The hook of `me` reads the settings of a unit.
pub(crate) fn read(me: UnitId, other: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let is_by_key = step.world.variants.hook_reads == HookReads::KeyByKey && other != me;
    let change = |sighting: &mut Sighting| {
        if is_by_key && sighting.read.contains(other) {
            sighting.read_mixed.insert(other);
        } else {
            sighting.read.insert(other);
            sighting.read_old.remove(other);
        }
    };
    step.state.runtime.change_sighting(relation, me, change, &mut step.effects.touched);
    step.happens(Event::HookReads(me, other, relation));
}

/// The hook of `me` writes its unit's settings.
pub(crate) fn write_in_hook(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    step.happens(Event::HookWrites(me, relation));
    let is_at_once = step.world.variants.hook_writes == HookWrites::AtOnce;
    if is_at_once {
        write(me, relation, WrittenValue::New, step);
    }
    // A hook that always writes the same values would write them again, so nothing is noted.
    let hook = step.state.runtime.pending_hook(Client::Unit(me));
    let is_new = hook.is_some_and(|hook| step.world.charm_of(me).is(hook, HookTrait::WritesNew));
    let write = |sighting: &mut Sighting| {
        sighting.wrote = !is_at_once || is_new;
        if sighting.read.contains(me) {
            sighting.read_old.insert(me);
        }
    };
    step.state.runtime.change_sighting(relation, me, write, &mut step.effects.touched);
}

/// Lets the writes of a hook of `me` count, as it has succeeded.
pub(super) fn hook_succeeded(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    settle(me, hook, step);
    step.happens(Event::HookSucceeds(me, hook));
}

/// Puts the writes of a hook of `me` that has succeeded into the store, or keeps them for later.
fn settle(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    let world = step.world;
    if !world.detail.relations || !world.charm_of(me).has(hook) {
        return;
    }
    if !world.detail.settings {
        if world.charm_of(me).is(hook, HookTrait::Writes) {
            let value = if world.charm_of(me).is(hook, HookTrait::WritesNew) {
                WrittenValue::New
            } else {
                WrittenValue::Same
            };
            for relation in relations_of(me, hook, world) {
                write(me, relation, value, step);
            }
        }
    } else if world.flushes_apart() {
        match world.variants.sandbox_order {
            SandboxOrder::FlushFirst => forget(me, step, Left::Nothing),
            SandboxOrder::RecordFirst | SandboxOrder::RecordWithBuffer => {
                forget(me, step, Left::Writes);
            }
        }
    } else {
        if !is_sandbox_off(3, world) {
            flush_all(me, step);
        }
        forget(me, step, Left::Nothing);
    }
}

/// Lists the flushes of writes of `me` that are due; returns whether there are any.
pub(crate) fn list_urgent(me: UnitId, list: &mut Lister<'_>) -> bool {
    let (world, state) = (list.world, list.state);
    let (actor, clause) = (Actor::UnitAgent(me), Clause { rule: Rule::Settings, number: 3 });
    let unwritten: Vec<RelationId> = unwritten(me, world, state).collect();
    for &relation in &unwritten {
        list.duty(clause.rule, clause.number, Act::UnitAgent(me, UnitAct::Flush(relation)));
    }
    !unwritten.is_empty() && performs(world, state, actor, clause)
}

/// Whether a crash would lose writes of hooks that have run.
pub(crate) fn is_lost_by_crash(me: UnitId, world: &World, state: &State) -> bool {
    !keeps_buffer(world) && unwritten(me, world, state).next().is_some()
}

/// Whether the writes of a hook are on the disk, in the record that it has run.
pub(super) fn keeps_buffer(world: &World) -> bool {
    world.variants.sandbox_order == SandboxOrder::RecordWithBuffer
}

/// The relations of `me` with writes to be flushed now: of a hook that is about to end or, in other
/// orders, of one that has run.
fn unwritten<'a>(
    me: UnitId,
    world: &'a World,
    state: &'a State,
) -> impl Iterator<Item = RelationId> + 'a {
    let is_time = world.flushes_apart() && {
        let runs = state.runtime.pending_hook(Client::Unit(me)).is_some();
        match world.variants.sandbox_order {
            SandboxOrder::FlushFirst => {
                runs && (!world.hooks_exit() || has_exited(me, world, state))
            }
            SandboxOrder::RecordFirst | SandboxOrder::RecordWithBuffer => !runs,
        }
    };
    let relations = if is_time { world.relations_of(me) } else { &[] };
    relations.iter().copied().filter(move |relation| state.runtime.sighting(*relation, me).wrote)
}

/// Flushes the writes of a hook of `me` in a relation to the store. A hook that still runs has
/// exited by then: one that may still fail is not flushed.
pub(crate) fn flush(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    write(me, relation, WrittenValue::New, step);
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    runtime.change_sighting(relation, me, |sighting| sighting.wrote = false, touched);
    if runtime.pending_hook(Client::Unit(me)).is_some() {
        runtime.hooks_mut(me, touched).exited = true;
    }
}

/// Puts all writes of the hook of `me` into the store, unless they are there already.
fn flush_all(me: UnitId, step: &mut StepContext<'_>) {
    if step.world.variants.hook_writes == HookWrites::AtOnce {
        return;
    }
    for &relation in step.world.relations_of(me) {
        if step.state.runtime.sighting(relation, me).wrote {
            write(me, relation, WrittenValue::New, step);
        }
    }
}

/// Discards the writes of the running hook of `me`, as it has not succeeded.
pub(super) fn hook_failed(me: UnitId, step: &mut StepContext<'_>) {
    if is_sandbox_off(4, step.world) && step.world.detail.settings {
        flush_all(me, step);
    }
    forget(me, step, Left::Nothing);
}

/// The remains of a sandbox once its hook is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Nothing,
    Writes,
}

/// Forgets the reads of a hook of `me`, and its writes unless they are `left`.
fn forget(me: UnitId, step: &mut StepContext<'_>, left: Left) {
    if !step.world.detail.settings {
        return;
    }
    let keeps_reads = is_sandbox_off(6, step.world);
    for relation in step.world.relations_of(me) {
        let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
        if runtime.sighting(*relation, me).has_sandbox() {
            let forget = |sighting: &mut Sighting| {
                if !keeps_reads {
                    sighting.forget_reads();
                }
                sighting.wrote &= left == Left::Writes;
            };
            runtime.change_sighting(*relation, me, forget, touched);
        }
    }
}

/// Remembers a unit that `me` has seen depart: its hooks can read its settings as before.
pub(super) fn departed(
    me: UnitId,
    other: UnitId,
    relation: RelationId,
    step: &mut StepContext<'_>,
) {
    let reads = step.world.detail.settings && step.world.charm_of(me).has_some(HookTrait::Reads);
    if reads && step.state.store.settings(relation, other).exists {
        let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
        runtime.change_sighting(relation, me, |it| it.remembered.insert(other), touched);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenValue {
    /// The value of every other write: it changes nothing if it is there already.
    Same,
    New,
}

/// Writes the unit's settings in a relation for a hook of `me`.
pub(crate) fn write(
    me: UnitId,
    relation: RelationId,
    value: WrittenValue,
    step: &mut StepContext<'_>,
) {
    let changes = changes(me, relation, value, step.state);
    if changes || can_be_written(me, relation, step.state) && wakes_for_nothing(step.world) {
        let settings = step.state.store.settings(relation, me);
        put(me, relation, SettingsDoc { written: true, ..settings }, step);
    }
    if changes {
        step.happens(Event::SettingsChange(me, relation));
    }
}

/// Whether the settings of `me` in a relation are there to be written.
fn can_be_written(me: UnitId, relation: RelationId, state: &State) -> bool {
    state.store.relation(relation).is_some() && state.store.settings(relation, me).exists
}

/// Whether writing `value` changes the settings of `me` in a relation.
pub(crate) fn changes(
    me: UnitId,
    relation: RelationId,
    value: WrittenValue,
    state: &State,
) -> bool {
    let is_there = state.store.settings(relation, me).written;
    can_be_written(me, relation, state) && (value == WrittenValue::New || !is_there)
}

/// Puts the settings of `me` in a relation into the store, and marks them as old for each unit that
/// has seen `me` or read them.
fn put(me: UnitId, relation: RelationId, settings: SettingsDoc, step: &mut StepContext<'_>) {
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
        let sighting = runtime.sighting(relation, other);
        if other != me && sighting.read.contains(me) && !sighting.read_old.contains(me) {
            runtime.change_sighting(relation, other, |it| it.read_old.insert(me), touched);
        }
    }
}

/// Adds the effects on settings to a change of a committed transaction.
pub(crate) fn committed(operation: Operation, op: &Op, step: &mut StepContext<'_>) {
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
            // The number was another unit's, whose settings no hook reads any more.
            for &relation in step.world.relations_of(doc) {
                clear(doc, relation, step);
                nobody_has_read(doc, relation, step);
            }
        }
        _ => {}
    }
}

/// Forgets all reads of a unit's settings in a relation, and that it has departed.
fn nobody_has_read(unit: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    if !step.world.detail.settings {
        return;
    }
    let agents: Vec<UnitId> = step.state.runtime.sighting_agents(relation).collect();
    for agent in agents {
        let sighting = step.state.runtime.sighting(relation, agent);
        if sighting.remembered.contains(unit) || sighting.read.contains(unit) {
            let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
            runtime.change_sighting(relation, agent, |it| it.forget_settings(unit), touched);
        }
    }
}

/// Deletes the settings of a unit in a relation.
fn clear(unit: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    if step.state.store.settings(relation, unit) != SettingsDoc::default() {
        let (none, touched) = (SettingsDoc::default(), &mut step.effects.touched);
        step.state.store.set_settings(relation, unit, none, touched);
    }
}

/// Follows the removal of a scope document. Where the agent knows its relations by these documents,
/// its sightings in the relation go, too.
fn left(unit: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    relations::stay_ends(unit, relation, step);
    hooks::is_out(unit, relation, step);
    if relations::is_off(relations::LEAVES_SETTINGS_BEHIND, step.world) {
        clear(unit, relation, step);
    }
    if step.world.detail.relations
        && step.world.variants.relation_tracking == RelationTracking::RemoteScope
    {
        step.state.runtime.forget_sighting(relation, unit, &mut step.effects.touched);
    }
}
