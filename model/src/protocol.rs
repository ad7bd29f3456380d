//! The protocol: what can happen next, and what it does.
//!
//! `enabled` and `step` are all that explorers, replay and reports know of the protocol; each
//! actor's file says what they come to. `step` is total and deterministic: a protocol mistake
//! shows as a state that a claim rejects, never as a panic.

use crate::{
    action::{Act, Action, Outcome},
    agents,
    free_ids::{FreeIds, Scan},
    state::State,
    txn::{Plan, Txn},
    world::World,
};

pub use crate::agents::{Effects, pending};

/// Lists everything that can happen next, always in the same order.
pub fn enabled(world: &World, state: &State, actions: &mut Vec<Action>) {
    for actor in agents::actors(world) {
        agents::enabled_for(world, state, actor, actions);
    }
}

/// Does `action`, if it is enabled. An action that is not changes nothing: one that would plan
/// what comes to nothing says so, any other is `NotEnabled`.
pub fn step(world: &World, state: &mut State, action: Action, effects: &mut Effects) -> Outcome {
    if agents::is_enabled(world, state, action) {
        return step_as_planned(world, state, action, None, &Scan, effects);
    }
    effects.clear();
    let Act::Txn(client, act) = action.act else { return Outcome::NotEnabled };
    let plan = |operation| agents::plan_for(world, state, client, operation, &Scan);
    match act.plans().filter(|_| state.runtime.pending(client).is_none()).map(plan) {
        Some(Plan::NoOp) => Outcome::NoOp,
        Some(Plan::Refuse(why)) => Outcome::Refused(why),
        Some(Plan::Submit(_)) | None => Outcome::NotEnabled,
    }
}

/// As [`step`], for a caller who knows that the action is enabled and the places for new units in
/// the state before, and who may have kept what the action plans when it was listed in this very
/// state. What the step touched is for the caller to tell the places afterwards.
pub fn step_as_planned(
    world: &World,
    state: &mut State,
    action: Action,
    planned: Option<Txn>,
    free_ids: &dyn FreeIds,
    effects: &mut Effects,
) -> Outcome {
    effects.clear();
    effects.clauses.extend(action.duty);
    agents::apply(action, &mut agents::Step { world, state, free_ids, planned, effects })
}
