//! Scopes: how the agent of a unit enters and leaves the scopes of relations, and how it knows the
//! relations that its unit is in.
//!
//! Death and Destruction, "Hardware failure" (D1:18-26); Entity lifecycle, "Agents" (D2:349-351);
//! Charms in action, "Departing relations" (D4:329-341). The agent's memory of a relation is a
//! directory on its disk, unless the variant says otherwise; this is the subject of the known BUG.
//!
//! An agent "at start" is one that finds its unit in a scope unknown to it: it knows each scope
//! that it enters itself until it crashes or its machine fails. So `reconciled` needs no note of
//! it.

use crate::{
    action::{Act, Hook, UnitAct},
    actor::{Actor, Client},
    agents::{
        Lister,
        charm::{hook_failures, hooks, observers, relations, settings},
        context::StepContext,
        neglect::performs,
        own_rules,
    },
    clause::{
        Clause,
        Rule::{self, UnitAgent},
    },
    ids::{EntityId, RelationId, UnitId},
    life::Life::{Alive, Dying},
    operation::Operation,
    runtime::Membership,
    state::State,
    store::Unit,
    variants::{DetectedScope, DirectoryWritten, RelationTracking},
    world::{HookTrait, Transactions, World},
};

/// Lists the urgent duty, as an agent does one thing at a time; returns whether there is one.
pub(super) fn list_urgent(me: UnitId, list: &mut Lister<'_>) -> bool {
    let found = first_if(me, list.world, list.state, |it| list.lists(Actor::UnitAgent(me), it));
    let Some((number, relation)) = found else { return false };
    list.duty(UnitAgent, number, Act::UnitAgent(me, UnitAct::WriteDirectory(relation)));
    true
}

/// The relation whose directory is written before any other work, with the number of the clause
/// that demands it: the agent has entered its scope, or compares its disk with the scopes.
pub(crate) fn first(me: UnitId, world: &World, state: &State) -> Option<(u8, RelationId)> {
    first_if(me, world, state, |clause| performs(world, state, Actor::UnitAgent(me), clause))
}

/// As `first`, but `reconciles` decides whether the agent compares, given the clause about that.
fn first_if(
    me: UnitId,
    world: &World,
    state: &State,
    reconciles: impl FnOnce(Clause) -> bool,
) -> Option<(u8, RelationId)> {
    if !world.has_directories() {
        return None;
    }
    let relations = || world.relations_of(me).iter().copied();
    let entered = relations().find(|id| is_unwritten(me, *id, world, state));
    let reconciles = world.variants.relation_tracking == RelationTracking::Reconciled
        && reconciles(Clause { rule: UnitAgent, number: 14 });
    let is_missing = |id: &RelationId| {
        state.store.relation(*id).is_some()
            && state.store.in_scope(*id, me)
            && !knows(world, state, me, *id)
    };
    let missing = || relations().find(is_missing).filter(|_| reconciles);
    entered.map(|id| (1, id)).or_else(|| missing().map(|id| (14, id)))
}

/// Whether the agent has entered the scope and is about to write the directory.
fn is_unwritten(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    state.runtime.membership(relation, me).unwritten
        && match world.variants.directory_written {
            DirectoryWritten::AfterEntering | DirectoryWritten::BeforeEntering => true,
            DirectoryWritten::WithFirstRemoteUnit => {
                observers::sees_another(me, relation, world, state)
            }
        }
}

/// Enter an Alive relation's scope; leave a Dying one's, or any when the unit itself is Dying.
pub(super) fn look_at(me: UnitId, unit: &Unit, relation: RelationId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    let Some(life) = state.store.relation_life(relation) else { return };
    let takes_part = life == Alive && unit.life == Alive;
    let is_known = knows(world, state, me, relation);
    if !state.store.in_scope(relation, me) {
        match (is_known, takes_part, writes_first(world)) {
            (true, true, true) | (false, true, false) => settings::enter(me, relation, list),
            (false, true, true) => {
                list.duty(UnitAgent, 1, Act::UnitAgent(me, UnitAct::WriteDirectory(relation)));
            }
            (true, true, false) | (true, false, _) => {
                list.duty(UnitAgent, 13, Act::UnitAgent(me, UnitAct::DropDirectory(relation)));
            }
            (false, false, _) => {}
        }
    } else if let Some(number) = departure(me, unit, relation, world, state) {
        depart(me, relation, number, list);
    } else if takes_part && !is_known {
        // It detects a relation without a directory on its new disk.
        list.duty(UnitAgent, 1, Act::UnitAgent(me, taking_up(me, relation, world, state)));
    } else if is_known {
        relations::look_at(me, relation, list);
    }
}

/// Whether the directory is written before the scope is entered. Only a crash can come between the
/// two, so without crashes they are one step.
fn writes_first(world: &World) -> bool {
    world.has_directories()
        && world.agents_crash()
        && world.variants.directory_written == DirectoryWritten::BeforeEntering
}

/// The act by which the agent joins a relation again that it has no directory of.
fn taking_up(me: UnitId, relation: RelationId, world: &World, state: &State) -> UnitAct {
    let waits = world.variants.directory_written == DirectoryWritten::WithFirstRemoteUnit
        && world.agents_crash()
        && !observers::sees_another(me, relation, world, state);
    if waits { UnitAct::Rejoin(relation) } else { UnitAct::WriteDirectory(relation) }
}

/// Lists a transaction of the agent of `me` that is its duty.
fn transact(me: UnitId, number: u8, operation: Operation, list: &mut Lister<'_>) {
    list.transact(Client::Unit(me), UnitAgent, number, operation);
}

/// The fields of a unit's membership; with directories, either of them makes [`knows`] true.
pub const KNOWN_BY: [&str; 2] = ["directory", "unwritten"];

/// Whether the agent knows that its unit is in the relation, on its disk or still in memory.
pub fn knows(world: &World, state: &State, me: UnitId, relation: RelationId) -> bool {
    if world.has_directories() {
        let known = state.runtime.membership(relation, me);
        known.directory || known.unwritten
    } else {
        state.store.in_scope(relation, me)
    }
}

/// Whether the agent neither knows nor detects any relation that its unit is in.
pub(crate) fn has_left_all(me: UnitId, world: &World, state: &State) -> bool {
    !world.relations_of(me).iter().any(|relation| is_in(me, *relation, world, state))
}

/// Whether the agent knows, or is about to detect, that its unit is in the relation.
fn is_in(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    knows(world, state, me, relation) || detects(me, relation, world, state)
}

/// Whether the agent detects that its unit is in the scope of a relation unknown to it, and leaves
/// it because of that.
fn detects(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    world.variants.relation_tracking == RelationTracking::LeaveWhenDetected
        && state.store.in_scope(relation, me)
        && !knows(world, state, me, relation)
}

/// The number of the clause by which the agent leaves the scope of the relation, if it does.
fn departure(
    me: UnitId,
    unit: &Unit,
    relation: RelationId,
    world: &World,
    state: &State,
) -> Option<u8> {
    let life = state.store.relation_life(relation)?;
    if detects(me, relation, world, state) {
        return Some(2);
    }
    let is_member = knows(world, state, me, relation) && state.store.in_scope(relation, me);
    match (life, unit.life) {
        (Dying, _) if is_member => Some(2),
        (_, Dying) if is_member => Some(8),
        _ => None,
    }
}

/// Lists the hooks of a departure, then the end of the stay in the scope.
fn depart(me: UnitId, relation: RelationId, number: u8, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if runs_hooks(me, relation, world, state) && relations::come_before_leaving(me, relation, list)
    {
        return;
    }
    if has_last_hook(me, relation, world, state) {
        let (rule, number, hook) = last_hook(relation, world);
        list.hook(me, rule, number, hook);
    } else {
        transact(me, number, Operation::LeaveScope(me, relation), list);
    }
}

/// The hook that ends a departure, with the clause that demands it. Without the detail `relations`
/// it stands for all hooks of the departure.
pub(crate) fn last_hook(relation: RelationId, world: &World) -> (Rule, u8, Hook) {
    if world.detail.relations {
        (Rule::RelationHooks, 7, Hook::Broken(relation))
    } else {
        (UnitAgent, 11, Hook::Departure(relation))
    }
}

/// Whether hooks run before the unit leaves the scope.
fn runs_hooks(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    world.has_hooks()
        && match world.variants.detected_scope {
            DetectedScope::LeftAfterHooks => true,
            DetectedScope::LeftAtOnce => !detects(me, relation, world, state),
        }
}

/// Whether the hook that ends the departure has still to run.
fn has_last_hook(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    let has_run = state.runtime.membership(relation, me).departed;
    let (rule, number, _) = last_hook(relation, world);
    runs_hooks(me, relation, world, state)
        && !world.is_off(Clause { rule, number })
        && !world.is_off_at(Clause { rule, number }, |place| {
            place == EntityId::Relation(relation) || place == EntityId::Unit(me)
        })
        && world.charm_of(me).has(Hook::Broken(relation))
        && (!has_run || relations::breaks_again(world))
}

/// Whether the hooks of the departure from the relation can fail next: they run or, in an atomic
/// world, could run.
pub(crate) fn hooks_can_fail(
    me: UnitId,
    relation: RelationId,
    world: &World,
    state: &State,
) -> bool {
    let (client, (rule, number, hook)) = (Client::Unit(me), last_hook(relation, world));
    if !world.charm_of(me).is(Hook::Broken(relation), HookTrait::Fails) {
        return false;
    }
    match world.transactions {
        Transactions::Split => {
            state.runtime.pending_hook(client) == Some(hook)
                && !hook_failures::has_exited(me, world, state)
        }
        Transactions::Atomic => {
            let Some(unit) = state.store.unit(me) else { return false };
            state.unit_agent_acts(world, me)
                && state.runtime.pending(client).is_none()
                && hooks::decided(me, world, state).is_none()
                && first(me, world, state).is_none()
                && departure(me, unit, relation, world, state).is_some()
                && has_last_hook(me, relation, world, state)
                && hooks::to_retry(me, state).is_none_or(|again| again == hook)
                && !relations::has_to_part(me, relation, world, state)
                && performs(world, state, client.actor(), Clause { rule, number })
                && own_rules::allows_hook(me, hook, Some(Clause { rule, number }), world, state)
        }
    }
}

/// The agent of `me` writes the directory of a relation, unless that is gone.
pub(super) fn write_directory(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let State { store, runtime, .. } = &mut *step.state;
    let mut known = runtime.membership(relation, me);
    known.unwritten = false;
    known.directory |= store.relation(relation).is_some();
    runtime.set_membership(relation, me, known, &mut step.effects.touched);
}

/// Rejoins a relation, which the agent of `me` remembers in memory only.
pub(super) fn rejoin(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let known = step.state.runtime.membership(relation, me);
    let known = Membership { unwritten: true, ..known };
    step.state.runtime.set_membership(relation, me, known, &mut step.effects.touched);
}

/// The agent of `me` forgets a relation.
pub(super) fn drop_directory(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let (none, touched) = (Membership::default(), &mut step.effects.touched);
    step.state.runtime.set_membership(relation, me, none, touched);
    if step.world.detail.relations {
        step.state.runtime.forget_sighting(relation, me, touched);
    }
}

/// Records that the hooks of a departure of `me` have run, or count as run. If the relation is gone
/// by now, nothing is recorded, since a later relation of its name is another one.
pub(crate) fn hooks_ended(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    if is_in(me, relation, step.world, step.state) {
        let known = step.state.runtime.membership(relation, me);
        let known = Membership { departed: true, ..known };
        step.state.runtime.set_membership(relation, me, known, &mut step.effects.touched);
    }
}

/// Records that the agent has entered a scope. Only a crash can come before its directory is
/// written, so without crashes they are one step. Hooks of an earlier stay do not count.
pub(super) fn entered(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let world = step.world;
    let before = step.state.runtime.membership(relation, me);
    let mut known = Membership { departed: false, ..before };
    if world.has_directories() {
        known.unwritten = world.agents_crash() && !writes_first(world);
        known.directory |= !known.unwritten;
    }
    if known != before {
        step.state.runtime.set_membership(relation, me, known, &mut step.effects.touched);
    }
}

/// Forgets the relation whose scope the agent has left.
pub(super) fn left(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    if step.state.runtime.membership(relation, me) != Membership::default() {
        drop_directory(me, relation, step);
    }
}

/// The agents that wait for another unit in the scope before they write the relation's directory.
pub(super) fn waiting<'a>(
    relation: RelationId,
    world: &World,
    state: &'a State,
) -> impl Iterator<Item = UnitId> + use<'a> {
    let waits = world.variants.directory_written == DirectoryWritten::WithFirstRemoteUnit;
    state.runtime.memberships(relation).unwritten.iter().filter(move |_| waits)
}
