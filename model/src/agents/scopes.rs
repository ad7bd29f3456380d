//! Scopes: how the agent of a unit enters and leaves the scopes of relations, and how it knows
//! which it is in.
//!
//! Death and Destruction, "Hardware failure" (D1:18-26); Entity lifecycle, "Agents" (D2:349-351);
//! Charms in action, "Departing relations" (D4:329-341). The agent's memory of a relation is a
//! directory on its disk, unless the variant says otherwise; that is what the known BUG is about.

use super::{Lister, lister::performs, step::Step};
use crate::{
    action::{Act, Client, Hook, UnitAct},
    clause::{Clause, Rule::UnitAgent},
    ids::{RelationId, UnitId},
    life::Life::{Alive, Dying},
    operation::Operation,
    runtime::Membership,
    state::State,
    store::Unit,
    variants::{DetectedScope, RelationTracking},
    world::{Transactions, World},
};

/// Lists what comes before all else: an agent does one thing at a time, and has entered a scope
/// whose directory it is about to write. Says whether there is such a thing.
pub(super) fn come_first(me: UnitId, list: &mut Lister<'_>) -> bool {
    let Some(entered) = unwritten(me, list.world, list.state) else { return false };
    list.duty(UnitAgent, 1, Act::UnitAgent(me, UnitAct::WriteDirectory(entered)));
    true
}

/// The relation whose scope the agent has entered and whose directory it is about to write.
fn unwritten(me: UnitId, world: &World, state: &State) -> Option<RelationId> {
    let mut relations = world.relations_of(me).iter().copied();
    relations.find(|id| state.runtime.memberships(*id).unwritten.contains(me))
}

/// Enter an Alive relation's scope; leave a Dying one's, or any when the unit itself is Dying.
pub(super) fn look_at(me: UnitId, unit: &Unit, relation: RelationId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    let Some(life) = state.store.relation_life(relation) else { return };
    let in_scope = state.store.in_scope(relation, me);
    if !in_scope && knows(world, state, me, relation) {
        let act = UnitAct::DropDirectory(relation);
        list.duty(UnitAgent, 13, Act::UnitAgent(me, act));
    } else if let Some(number) = departure(me, unit, relation, world, state) {
        depart(me, relation, number, list);
    } else if life == Alive && unit.life == Alive {
        if !in_scope {
            transact(me, 1, Operation::EnterScope(me, relation), list);
        } else if !knows(world, state, me, relation) {
            // It detects a relation without a directory on its new disk.
            list.duty(UnitAgent, 1, Act::UnitAgent(me, UnitAct::WriteDirectory(relation)));
        }
    }
}

/// Lists a transaction of the agent of `me` that is its duty.
fn transact(me: UnitId, number: u8, operation: Operation, list: &mut Lister<'_>) {
    list.transact(Client::Unit(me), UnitAgent, number, operation);
}

/// Whether the agent knows that its unit is in the relation.
pub(crate) fn knows(world: &World, state: &State, me: UnitId, relation: RelationId) -> bool {
    match world.variants.relation_tracking {
        RelationTracking::LocalDirectory | RelationTracking::LeaveWhenDetected => {
            state.runtime.memberships(relation).directory.contains(me)
        }
        RelationTracking::RemoteScope => state.store.in_scope(relation, me),
    }
}

/// Whether the agent knows, or is about to detect, that its unit is in the relation.
pub(super) fn is_in(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    knows(world, state, me, relation) || detects(me, relation, world, state)
}

/// Whether the agent detects that its unit is in the scope of a relation that it does not know, and
/// leaves it for that.
fn detects(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    world.variants.relation_tracking == RelationTracking::LeaveWhenDetected
        && state.store.in_scope(relation, me)
        && !knows(world, state, me, relation)
}

/// The clause by which the agent leaves the scope of the relation, if it does.
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

/// Run the hooks of the departure, then leave the scope.
fn depart(me: UnitId, relation: RelationId, number: u8, list: &mut Lister<'_>) {
    if has_hooks_to_run(me, relation, list.world, list.state) {
        list.hook(me, UnitAgent, 11, Hook::Departure(relation));
    } else {
        transact(me, number, Operation::LeaveScope(me, relation), list);
    }
}

fn has_hooks_to_run(me: UnitId, relation: RelationId, world: &World, state: &State) -> bool {
    let runs_them = match world.variants.detected_scope {
        DetectedScope::LeftAfterHooks => true,
        DetectedScope::LeftAtOnce => !detects(me, relation, world, state),
    };
    world.has_hooks() && runs_them && !state.runtime.memberships(relation).departed.contains(me)
}

/// Whether the hooks of the departure from the relation can fail next: they are running, or in an
/// atomic world they could be run.
pub(super) fn hooks_can_fail(
    me: UnitId,
    relation: RelationId,
    world: &World,
    state: &State,
) -> bool {
    let client = Client::Unit(me);
    match world.transactions {
        Transactions::Split => {
            state.runtime.pending_hook(client) == Some(Hook::Departure(relation))
        }
        Transactions::Atomic => {
            let Some(unit) = state.store.unit(me) else { return false };
            state.unit_agent_runs(me)
                && state.runtime.unit(me).hook_error.is_none()
                && state.runtime.pending(client).is_none()
                && unwritten(me, world, state).is_none()
                && departure(me, unit, relation, world, state).is_some()
                && has_hooks_to_run(me, relation, world, state)
                && performs(world, state, Clause { rule: UnitAgent, number: 11 })
        }
    }
}

/// The agent of `me` writes the directory of a relation, unless that is gone.
pub(super) fn write_directory(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    let State { store, runtime } = &mut *step.state;
    let mut known = runtime.membership(relation, me);
    known.unwritten = false;
    known.directory |= store.relation(relation).is_some();
    runtime.set_membership(relation, me, known, &mut step.effects.touched);
}

/// The agent of `me` forgets a relation.
pub(super) fn drop_directory(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    let known = step.state.runtime.membership(relation, me);
    let known = Membership { directory: false, departed: false, ..known };
    step.state.runtime.set_membership(relation, me, known, &mut step.effects.touched);
}

/// The hooks of a departure of `me` have run, or count as run. What a relation left behind that is
/// gone by then concerns none that is made later under its name.
pub(super) fn hooks_ended(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    if is_in(me, relation, step.world, step.state) {
        let known = step.state.runtime.membership(relation, me);
        let known = Membership { departed: true, ..known };
        step.state.runtime.set_membership(relation, me, known, &mut step.effects.touched);
    }
}

/// The agent has entered a scope and is about to write its directory. Only a crash can come between
/// the two, so without crashes they are one step. Hooks that ran at an earlier visit do not count.
pub(super) fn entered(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    let before = step.state.runtime.membership(relation, me);
    let mut known = Membership { departed: false, ..before };
    match (step.world.variants.relation_tracking, step.world.faults.crash) {
        (RelationTracking::RemoteScope, _) => {} // the scope document is the memory
        (RelationTracking::LocalDirectory | RelationTracking::LeaveWhenDetected, true) => {
            known.unwritten = true;
        }
        (RelationTracking::LocalDirectory | RelationTracking::LeaveWhenDetected, false) => {
            known.directory = true;
        }
    }
    if known != before {
        step.state.runtime.set_membership(relation, me, known, &mut step.effects.touched);
    }
}

/// The agent has left a scope, and forgets the relation.
pub(super) fn left(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    let known = step.state.runtime.membership(relation, me);
    if known.directory || known.departed {
        drop_directory(me, relation, step);
    }
}
