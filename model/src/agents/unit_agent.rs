//! The unit agent: "The unit agent is responsible for" (Entity lifecycle, "Agents").

use super::{Lister, deployer};
use crate::{
    action::{Act, Actor, Agent},
    clause::Rule::UnitAgent,
    free_ids::NoFreeIds,
    ids::{ApplicationId, RelationId, UnitId},
    life::Life::{Alive, Dying},
    operation::Operation,
    ops,
    state::State,
    store::{Placement, Unit},
    variants::{RelationTracking, SubordinateDiesWhen, SubordinatesOfDyingPrincipal},
    world::{Scope, World},
};

/// Lists what the agent of `me` can do next.
pub(super) fn duties(me: UnitId, offers: &mut Lister<'_>) {
    let state = offers.state;
    let runtime = state.runtime.unit(me);
    if !offers.is_up(Agent::Unit(me)) || runtime.hook_error.is_some() {
        return; // not there, or waiting for the operator
    }
    let Some(unit) = state.store.unit(me) else { return };
    if offers.finish(runtime.pending.as_ref()) {
        return;
    }
    let relations = offers.world.relations_of(me);
    if let Some(&entered) =
        relations.iter().find(|id| state.runtime.memberships(**id).unwritten.contains(me))
    {
        return offers.duty(UnitAgent, 1, Act::WriteDirectory(entered)); // one thing at a time
    }
    for &relation in relations {
        look_at_relation(me, unit, relation, offers);
    }
    // Detect undeployed Alive subordinates, undeployed ones that are not Alive, deployed Dead ones.
    for subordinate in unit.subordinates.iter() {
        let clauses = deployer::Clauses { rule: UnitAgent, deploy: 3, remove: 4, recall: 5 };
        deployer::look_after(subordinate, clauses, offers);
    }
    for orphan in runtime.deployed.iter().filter(|id| !unit.subordinates.contains(*id)) {
        offers.duty(UnitAgent, 12, Act::Recall(orphan));
    }
    let application = offers.world.unit(me).application;
    // Detect its application's Dying state, and set its own Dying state.
    if unit.life == Alive && state.store.application_life(application) == Some(Dying) {
        offers.transact(UnitAgent, 6, Operation::DestroyUnit(me));
    }
    // If a subordinate, detect that no relations with its principal are Alive.
    if unit.life == Alive && has_lost_its_principal(me, unit, application, offers) {
        offers.transact(UnitAgent, 7, Operation::DestroyUnit(me));
    }
    // Detect its own Dying state.
    if unit.life == Dying {
        die(me, unit, offers);
    }
}

/// Enter an Alive relation's scope; leave a Dying one's, or any when the unit itself is Dying.
fn look_at_relation(me: UnitId, unit: &Unit, relation: RelationId, offers: &mut Lister<'_>) {
    let store = &offers.state.store;
    let Some(life) = store.relation_life(relation) else { return };
    let in_scope = store.in_scope(relation, me);
    if knows(offers.world, offers.state, me, relation) {
        if !in_scope {
            offers.duty(UnitAgent, 13, Act::DropDirectory(relation));
        } else if life == Dying {
            depart(me, relation, 2, offers);
        } else if unit.life == Dying {
            depart(me, relation, 8, offers);
        }
        return;
    }
    match offers.world.variants.relation_tracking {
        // The agent meets a relation that its new disk knows nothing of.
        RelationTracking::LocalDirectory if in_scope => {
            if life == Alive && unit.life == Alive {
                offers.duty(UnitAgent, 1, Act::WriteDirectory(relation));
            }
        }
        RelationTracking::LeaveWhenDetected if in_scope => {
            offers.transact(UnitAgent, 2, Operation::LeaveScope(me, relation));
        }
        RelationTracking::LocalDirectory
        | RelationTracking::LeaveWhenDetected
        | RelationTracking::RemoteScope => {
            if life == Alive && unit.life == Alive {
                offers.transact(UnitAgent, 1, Operation::EnterScope(me, relation));
            }
        }
    }
}

/// Whether the agent knows that its unit is in the relation.
pub(crate) fn knows(world: &World, state: &State, me: UnitId, relation: RelationId) -> bool {
    match world.variants.relation_tracking {
        RelationTracking::LocalDirectory | RelationTracking::LeaveWhenDetected => {
            state.runtime.memberships(relation).directories.contains(me)
        }
        RelationTracking::RemoteScope => state.store.in_scope(relation, me),
    }
}

/// Whether the agent knows, or is about to detect, that its unit is in the relation.
fn is_in(me: UnitId, relation: RelationId, offers: &Lister<'_>) -> bool {
    let detects = offers.world.variants.relation_tracking == RelationTracking::LeaveWhenDetected;
    knows(offers.world, offers.state, me, relation)
        || detects && offers.state.store.in_scope(relation, me)
}

/// Run the hooks of the departure, then leave the scope.
fn depart(me: UnitId, relation: RelationId, number: u8, offers: &mut Lister<'_>) {
    if offers.world.has_hooks() && !offers.state.runtime.memberships(relation).departed.contains(me)
    {
        offers.duty(UnitAgent, 11, Act::RunHooks(relation));
    } else {
        offers.transact(UnitAgent, number, Operation::LeaveScope(me, relation));
    }
}

fn has_lost_its_principal(
    me: UnitId,
    unit: &Unit,
    application: ApplicationId,
    offers: &Lister<'_>,
) -> bool {
    let Placement::Principal(_) = unit.placement else { return false };
    let mut shared = offers.world.application(application).relations.iter().filter(|id| {
        offers.world.relation(**id).scope == Scope::Container
            && ops::is_member(offers.world, me, unit.placement, **id)
    });
    let store = &offers.state.store;
    match offers.world.variants.subordinate_dies_when {
        SubordinateDiesWhen::LastRelationWithPrincipal => {
            shared.all(|id| store.relation_life(*id) != Some(Alive))
        }
        SubordinateDiesWhen::AnyContainerRelation => {
            let mut shared = shared.peekable();
            let some_ends = shared.clone().any(|id| store.relation_life(*id) == Some(Dying));
            some_ends || shared.all(|id| store.relation_life(*id) != Some(Alive))
        }
    }
}

/// What remains for a Dying unit once it leaves its scopes: its subordinates, and its own end.
fn die(me: UnitId, unit: &Unit, offers: &mut Lister<'_>) {
    if offers.world.variants.subordinates_of_dying_principal
        == SubordinatesOfDyingPrincipal::DestroyedByPrincipal
    {
        for subordinate in unit.subordinates.iter() {
            offers.transact(UnitAgent, 9, Operation::DestroyUnit(subordinate));
        }
    }
    let relations = offers.world.relations_of(me);
    let has_left = !relations.iter().any(|relation| is_in(me, *relation, offers));
    if has_left && unit.subordinates.is_empty() {
        offers.transact(UnitAgent, 10, Operation::SetUnitDead(me));
    }
}

/// The relations whose hooks the agent would run next, for a fault to strike. They have nothing
/// to do with places for new units, so nobody looks for one.
pub(super) fn pending_hooks(me: UnitId, world: &World, state: &State) -> Vec<RelationId> {
    let mut actions = Vec::new();
    let (actor, free_ids) = (Actor::UnitAgent(me), &NoFreeIds);
    let mut mine =
        Lister { world, state, actor, free_ids, first: 0, actions: &mut actions, plans: None };
    duties(me, &mut mine);
    let hooks = actions.iter().filter_map(|action| match action.act {
        Act::RunHooks(relation) => Some(relation),
        _ => None,
    });
    hooks.collect()
}
