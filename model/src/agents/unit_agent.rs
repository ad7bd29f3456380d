//! The unit agent: Entity lifecycle, "Agents" (D2:347-369).

use super::{
    Lister, Task,
    deployer::{self, Deployer},
    lister::performs,
    step::Step,
    watchers::{Change, Wake},
};
use crate::{
    action::{Act, Agent, Client, Hook, HookAct, Outcome, UnitAct},
    clause::{Clause, Rule::UnitAgent},
    free_ids::FreeIds,
    ids::{ApplicationId, RelationId, UnitId},
    life::Life::{Alive, Dying},
    operation::Operation,
    rows::Row,
    runtime::{Begun, Membership, Pending},
    state::State,
    store::{Placement, Unit},
    variants::{RelationTracking, SubordinateDiesWhen, SubordinatesOfDyingPrincipal},
    world::{Scope, Transactions, World},
};

/// Lists what the agent of `me` can do next.
pub(super) fn duties(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    let runtime = state.runtime.unit(me);
    if !list.is_up(Agent::Unit(me)) || runtime.hook_error.is_some() {
        return; // not there, or waiting for the operator
    }
    let Some(unit) = state.store.unit(me) else { return };
    if list.finish(Client::Unit(me)) {
        return;
    }
    if let Some(entered) = unwritten(me, world, state) {
        let act = UnitAct::WriteDirectory(entered);
        return list.duty(UnitAgent, 1, Act::UnitAgent(me, act)); // one thing at a time
    }
    for &relation in world.relations_of(me) {
        look_at_relation(me, unit, relation, list);
    }
    // Detect undeployed Alive subordinates, undeployed ones that are not Alive, deployed Dead ones.
    let agent = Agent::Unit(me);
    let deployer = Deployer { agent, rule: UnitAgent, deploy: 3, remove: 4, recall: 5 };
    for subordinate in unit.subordinates.iter() {
        deployer.duties(subordinate, list);
    }
    for orphan in runtime.deployed.iter().filter(|id| !unit.subordinates.contains(*id)) {
        deployer.recall_orphan(orphan, 12, list);
    }
    let application = world.unit(me).application;
    // Detect its application's Dying state, and set its own Dying state.
    if unit.life == Alive && state.store.application_life(application) == Some(Dying) {
        transact(me, 6, Operation::DestroyUnit(me), list);
    }
    // If a subordinate, detect that no relations with its principal are Alive.
    if unit.life == Alive && has_lost_its_principal(unit, application, list) {
        transact(me, 7, Operation::DestroyUnit(me), list);
    }
    // Detect its own Dying state.
    if unit.life == Dying {
        die(me, unit, list);
    }
}

/// Lists a transaction of the agent of `me` that is its duty.
fn transact(me: UnitId, number: u8, operation: Operation, list: &mut Lister<'_>) {
    list.transact(Client::Unit(me), UnitAgent, number, operation);
}

/// The relation whose scope the agent has entered and whose directory it is about to write.
fn unwritten(me: UnitId, world: &World, state: &State) -> Option<RelationId> {
    let mut relations = world.relations_of(me).iter().copied();
    relations.find(|id| state.runtime.memberships(*id).unwritten.contains(me))
}

/// Enter an Alive relation's scope; leave a Dying one's, or any when the unit itself is Dying.
fn look_at_relation(me: UnitId, unit: &Unit, relation: RelationId, list: &mut Lister<'_>) {
    let (world, store) = (list.world, &list.state.store);
    let Some(life) = store.relation_life(relation) else { return };
    let in_scope = store.in_scope(relation, me);
    if knows(world, list.state, me, relation) {
        if !in_scope {
            let act = UnitAct::DropDirectory(relation);
            list.duty(UnitAgent, 13, Act::UnitAgent(me, act));
        } else if let Some(number) = departure(me, unit, relation, world, list.state) {
            depart(me, relation, number, list);
        }
        return;
    }
    match world.variants.relation_tracking {
        // The agent detects a relation without a directory on its new disk.
        RelationTracking::LocalDirectory if in_scope => {
            if life == Alive && unit.life == Alive {
                let act = UnitAct::WriteDirectory(relation);
                list.duty(UnitAgent, 1, Act::UnitAgent(me, act));
            }
        }
        RelationTracking::LeaveWhenDetected if in_scope => {
            transact(me, 2, Operation::LeaveScope(me, relation), list);
        }
        RelationTracking::LocalDirectory
        | RelationTracking::LeaveWhenDetected
        | RelationTracking::RemoteScope => {
            if life == Alive && unit.life == Alive {
                transact(me, 1, Operation::EnterScope(me, relation), list);
            }
        }
    }
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
fn is_in(me: UnitId, relation: RelationId, list: &Lister<'_>) -> bool {
    let detects = list.world.variants.relation_tracking == RelationTracking::LeaveWhenDetected;
    knows(list.world, list.state, me, relation)
        || detects && list.state.store.in_scope(relation, me)
}

/// The clause by which the agent leaves the scope of the relation, which it knows of.
fn departure(
    me: UnitId,
    unit: &Unit,
    relation: RelationId,
    world: &World,
    state: &State,
) -> Option<u8> {
    let is_member = knows(world, state, me, relation) && state.store.in_scope(relation, me);
    match (state.store.relation_life(relation), unit.life) {
        (Some(Dying), _) if is_member => Some(2),
        (Some(_), Dying) if is_member => Some(8),
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
    world.has_hooks() && !state.runtime.memberships(relation).departed.contains(me)
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

/// Whether no relation keeps the subordinate `unit` of `application` beside its principal.
fn has_lost_its_principal(unit: &Unit, application: ApplicationId, list: &Lister<'_>) -> bool {
    let Placement::Principal(principal) = unit.placement else { return false };
    let (world, store) = (list.world, &list.state.store);
    let (of_principal, dies_when) =
        (world.unit(principal).application, world.variants.subordinate_dies_when);
    let of_any_scope = dies_when == SubordinateDiesWhen::LastRelationOfAnyScope;
    let mut shared = world.application(application).relations.iter().filter(|id| {
        let relation = world.relation(**id);
        relation.counterpart(application) == Some(of_principal)
            && (of_any_scope || relation.scope == Scope::Container)
    });
    match dies_when {
        SubordinateDiesWhen::LastRelationWithPrincipal
        | SubordinateDiesWhen::LastRelationOfAnyScope => {
            shared.all(|id| store.relation_life(*id) != Some(Alive))
        }
        SubordinateDiesWhen::AnyContainerRelation => {
            let some_ends = shared.clone().any(|id| store.relation_life(*id) == Some(Dying));
            some_ends || shared.all(|id| store.relation_life(*id) != Some(Alive))
        }
    }
}

/// The duties of a Dying unit besides leaving its scopes: its subordinates, and its own end.
fn die(me: UnitId, unit: &Unit, list: &mut Lister<'_>) {
    if list.world.variants.subordinates_of_dying_principal
        == SubordinatesOfDyingPrincipal::DestroyedByPrincipal
    {
        for subordinate in unit.subordinates.iter() {
            transact(me, 9, Operation::DestroyUnit(subordinate), list);
        }
    }
    let relations = list.world.relations_of(me);
    let has_left = !relations.iter().any(|relation| is_in(me, *relation, list));
    if has_left && unit.subordinates.is_empty() {
        transact(me, 10, Operation::SetUnitDead(me), list);
    }
}

/// Does an act of the agent of `me`.
pub(super) fn apply(me: UnitId, act: UnitAct, step: &mut Step<'_>) -> Outcome {
    let State { store, runtime } = &mut *step.state;
    let touched = &mut step.effects.touched;
    match act {
        UnitAct::Deploy(unit) => runtime.deploy(unit, Placement::Principal(me), touched),
        UnitAct::Recall(unit) => runtime.recall(step.world, unit, touched),
        UnitAct::WriteDirectory(relation) => {
            let mut known = runtime.membership(relation, me);
            known.unwritten = false;
            known.directory |= store.relation(relation).is_some();
            runtime.set_membership(relation, me, known, touched);
        }
        UnitAct::DropDirectory(relation) => {
            let known = runtime.membership(relation, me);
            let known = Membership { directory: false, departed: false, ..known };
            runtime.set_membership(relation, me, known, touched);
        }
    }
    Outcome::Done
}

/// Begins or ends a hook of the charm of `me`.
pub(super) fn apply_hook(me: UnitId, act: HookAct, step: &mut Step<'_>) -> Outcome {
    let (client, touched) = (Client::Unit(me), &mut step.effects.touched);
    let runtime = &mut step.state.runtime;
    match (act, runtime.pending(client)) {
        (HookAct::Run(hook), None) => ended(me, hook, step),
        (HookAct::Begin(hook), None) => {
            runtime.unit_mut(me, touched).pending = Some(Pending::Hook(hook));
        }
        (HookAct::End, Some(Begun::Hook(_, hook))) => {
            runtime.clear_pending(client, touched);
            ended(me, hook, step);
        }
        (HookAct::Run(_) | HookAct::Begin(_), Some(_))
        | (HookAct::End, None | Some(Begun::Txn(_))) => return Outcome::NotEnabled,
    }
    Outcome::Done
}

/// A hook of the charm of `me` has run, or counts as run. What a relation left behind that is gone
/// by then concerns none that is made later under its name.
pub(super) fn ended(me: UnitId, hook: Hook, step: &mut Step<'_>) {
    let Hook::Departure(relation) = hook;
    if knows(step.world, step.state, me, relation) {
        let known = step.state.runtime.membership(relation, me);
        let known = Membership { departed: true, ..known };
        step.state.runtime.set_membership(relation, me, known, &mut step.effects.touched);
    }
}

/// Changes the disk of the agent of `me` after it has committed `operation`.
pub(super) fn committed(me: UnitId, operation: Operation, step: &mut Step<'_>) {
    let touched = &mut step.effects.touched;
    match operation {
        Operation::EnterScope(unit, relation) if me == unit => remember(me, relation, step),
        Operation::LeaveScope(unit, relation) if me == unit => {
            let known = step.state.runtime.membership(relation, me);
            if known.directory || known.departed {
                let known = Membership { directory: false, departed: false, ..known };
                step.state.runtime.set_membership(relation, me, known, touched);
            }
        }
        _ => {}
    }
}

/// The agent has entered a scope and is about to write its directory. Only a crash can come between
/// the two, so without crashes they are one step.
fn remember(me: UnitId, relation: RelationId, step: &mut Step<'_>) {
    if step.world.variants.relation_tracking == RelationTracking::RemoteScope {
        return; // the scope document is the memory
    }
    let mut known = step.state.runtime.membership(relation, me);
    if step.world.faults.crash {
        known.unwritten = true;
    } else {
        known.directory = true;
    }
    step.state.runtime.set_membership(relation, me, known, &mut step.effects.touched);
}

/// Names the tasks of unit agents that watch `row`.
pub(super) fn watchers(change: &Change<'_>, row: Row, wake: Wake<'_>) {
    match row {
        Row::Unit(me) => {
            wake(Task::UnitAgent(me));
            deployer::units(change, me).for_each(wake);
        }
        Row::Scope(_, me) => {
            wake(Task::UnitAgent(me));
            if !change.after.runtime.is_deployed(me) {
                deployer::units(change, me).for_each(wake);
            }
        }
        Row::UnitRuntime(me) => {
            wake(Task::UnitAgent(me));
            if change.is_new(|state| state.runtime.unit(me).deployed_by) {
                deployer::units(change, me).for_each(wake);
            }
        }
        Row::Membership(_, me) => wake(Task::UnitAgent(me)),
        Row::Application(id) => {
            if change.is_new(|state| state.store.application_life(id)) {
                units_of(id, change, wake);
            }
        }
        Row::Relation(id) => {
            if change.is_new(|state| state.store.relation_life(id)) {
                let ends = change.world.relation(id).applications();
                ends.for_each(|id| units_of(id, change, wake));
            }
        }
        // Nobody watches the machine, or the memory of others.
        Row::Machine(_)
        | Row::MachineRuntime(_)
        | Row::User(_)
        | Row::Task(_)
        | Row::Client(_)
        | Row::Upgrade => {}
    }
}

/// Names the units of an application. Very many may watch it, so that is for a change of its life.
fn units_of(id: ApplicationId, change: &Change<'_>, wake: Wake<'_>) {
    let units = change.world.application(id).units();
    let existing = units.filter(|unit| change.after.store.unit(*unit).is_some());
    existing.map(Task::UnitAgent).for_each(wake);
}

/// The applications of which `me`, a principal, may be waiting for a free unit to be its
/// subordinate. That is a bound of the model, so no document tells of it.
pub(super) fn waits_for<'a>(
    me: UnitId,
    world: &'a World,
    state: &'a State,
    free_ids: &'a dyn FreeIds,
) -> impl Iterator<Item = ApplicationId> + 'a {
    let (application, relations) = (world.unit(me).application, world.relations_of(me));
    let container = relations.iter().filter_map(move |id| {
        let relation = world.relation(*id);
        relation.counterpart(application).filter(|_| relation.scope == Scope::Container)
    });
    container.filter(move |other| {
        world.application(*other).subordinate && free_ids.unit(world, state, *other).is_none()
    })
}
