//! Whether somebody can do one certain thing, without a look at all that they can do.
//!
//! A script says what is done next. Who carries out a long one in a large world must not list what
//! the provisioner can do about every machine, to find what it does about one.

use std::collections::BTreeSet;

use super::{Enabled, EntityId, Task, can_strike, enabled_for_task, finish_for, user};
use crate::{
    action::{Act, Action, Actor, Agent},
    free_ids::FreeIds,
    ids::UnitId,
    operation::Operation,
    state::State,
    store::Placement,
    txn::Txn,
    world::World,
};

/// The action that `wanted` stands for, if it is among those that its actor is offered, and what it
/// plans. Whether a transaction pending commits or aborts is not for a script to say, so either
/// stands for the other. A client is offered nothing.
pub fn find_enabled(
    world: &World,
    state: &State,
    wanted: Action,
    free_ids: &dyn FreeIds,
    offered: &mut Enabled,
) -> Option<(Action, Option<Txn>)> {
    offered.clear();
    let Action { actor, act, .. } = wanted;
    let finishes = |act: Act| matches!(act, Act::Commit | Act::Abort);
    match actor {
        _ if finishes(act) => finish_for(world, state, actor, offered),
        Actor::Faults => {
            let fault = Action { actor, act, duty: None };
            return can_strike(world, state, act).then_some((fault, None));
        }
        Actor::User => list_users(world, state, act, free_ids, offered),
        Actor::UnitAgent(_)
        | Actor::MachineAgent(_)
        | Actor::Provisioner
        | Actor::Cleaner
        | Actor::Operator
        | Actor::Supervisor
        | Actor::Client(_) => {
            for of in watched(world, state, actor, act) {
                enabled_for_task(world, state, Task { actor, of }, free_ids, offered);
            }
        }
    }
    let fits = |offer: &Action| offer.act == act || finishes(offer.act) && finishes(act);
    let place = offered.actions.iter().position(fits)?;
    Some((offered.actions[place], offered.plans[place].take()))
}

/// Lists what finishes the user's command in progress, or the commands that `act` may begin.
fn list_users(
    world: &World,
    state: &State,
    act: Act,
    free_ids: &dyn FreeIds,
    offered: &mut Enabled,
) {
    if user::user_goes_on(world, state, free_ids, offered) {
        return;
    }
    let (Act::Run(operation) | Act::Begin(operation)) = act else { return };
    for place in world.begun_by(operation) {
        user::user_gives(world, state, place, free_ids, offered);
    }
}

/// What `actor` may look at to do `act`, in the order in which it looks at everything.
fn watched(world: &World, state: &State, actor: Actor, act: Act) -> Vec<Option<EntityId>> {
    let of = match (actor, act) {
        (Actor::UnitAgent(_) | Actor::MachineAgent(_), _) | (Actor::Operator, Act::Upgrade) => {
            return vec![None];
        }
        (Actor::Cleaner, _) => return cleaned(world, state, act).into_iter().map(Some).collect(),
        (Actor::Operator, Act::Resolve(id))
        | (Actor::Supervisor, Act::Restart(Agent::Unit(id))) => EntityId::Unit(id),
        (Actor::Supervisor, Act::Restart(Agent::Machine(id)))
        | (Actor::Operator, Act::Terminate(id))
        | (
            Actor::Provisioner,
            Act::StartInstance(id)
            | Act::Decommission(id)
            | Act::Run(Operation::SetMachineDead(id) | Operation::RemoveMachine(id))
            | Act::Begin(Operation::SetMachineDead(id) | Operation::RemoveMachine(id)),
        ) => EntityId::Machine(id),
        _ => return Vec::new(),
    };
    vec![Some(of)]
}

/// Whose cleanup documents may make the cleaner do `act`: those of what it is about, and of what
/// that belongs to.
fn cleaned(world: &World, state: &State, act: Act) -> Vec<EntityId> {
    match act {
        Act::DeleteSettings(id) => vec![EntityId::Relation(id)],
        Act::FinishUnitsCleanup(id) => vec![EntityId::Application(id)],
        Act::Run(operation) | Act::Begin(operation) => match operation {
            Operation::DestroyUnit(id) => {
                let application = EntityId::Application(world.unit(id).application);
                std::iter::once(application).chain(around(state, id)).collect()
            }
            Operation::LeaveScope(id, _)
            | Operation::SetUnitDead(id)
            | Operation::RemoveUnit(id) => around(state, id),
            Operation::DestroyMachine(id) | Operation::SetMachineDead(id) => {
                vec![EntityId::Machine(id)]
            }
            Operation::ForceDestroyMachine(id) => {
                world.machine(id).parent.map(EntityId::Machine).into_iter().collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// A unit, its principal, and the machine that they are on.
fn around(state: &State, id: UnitId) -> Vec<EntityId> {
    let mut units = BTreeSet::from([id]);
    let host = |id: UnitId| state.store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement);
    let mut place = host(id);
    if let Placement::Principal(principal) = place {
        units.insert(principal);
        place = host(principal);
    }
    let mut subjects: Vec<EntityId> = units.into_iter().map(EntityId::Unit).collect();
    if let Placement::Machine(machine) = place {
        subjects.push(EntityId::Machine(machine));
    }
    subjects
}
