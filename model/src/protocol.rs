//! The protocol: the enabled actions of a state, and their effects.
//!
//! Explorers, replay and reports know only `enabled` and `step` of the protocol; each actor's file
//! has its part of them. `step` is total and deterministic: a protocol mistake shows as a state
//! that a claim rejects, never as a panic.

use crate::{
    action::{Act, Action, Outcome},
    agents::{self, Enabled},
    free_ids::{FreeIds, Scan},
    ops::Plan,
    state::State,
    txn::Txn,
    world::World,
};

pub use crate::agents::{Effects, pending};

/// Lists all enabled actions, always in the same order.
pub fn enabled(world: &World, state: &State, actions: &mut Vec<Action>) {
    for actor in agents::actors(world) {
        agents::enabled_for(world, state, actor, actions);
    }
}

/// Does `action`, if it is enabled; otherwise nothing changes. The outcome is then a refusal or
/// no-op, if the action would plan an operation with that outcome or is a repeated use of a hook's
/// tool, else `NotEnabled`.
pub fn step(world: &World, state: &mut State, action: Action, effects: &mut Effects) -> Outcome {
    let enabled = &mut Enabled::default();
    if let Some((action, txn)) = agents::find_enabled(world, state, action, &Scan, enabled) {
        return step_as_planned(world, state, action, txn, &Scan, effects);
    }
    effects.clear();
    let Act::Txn(client, act) = action.act else {
        let is_possible = agents::does_nothing(world, state, action.act);
        return if is_possible { Outcome::NoOp } else { Outcome::NotEnabled };
    };
    let plan = |operation| agents::plan_for(world, state, client, operation, &Scan);
    match act.plans().filter(|_| state.runtime.pending(client).is_none()).map(plan) {
        Some(Plan::NoOp) => Outcome::NoOp,
        Some(Plan::Refuse(why)) => Outcome::Refused(why),
        Some(Plan::Submit(_)) | None => Outcome::NotEnabled,
    }
}

/// Does `action`, for a caller that knows it to be enabled, and the free identifiers of the state
/// before. `planned` is the transaction that the action plans, if the caller has kept it from
/// listing the action in this very state. The caller updates the free identifiers with the rows
/// that the step touched.
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
    if !world.own_rules.is_empty() {
        agents::note_rules(world, action.act, &mut effects.clauses);
    }
    agents::apply(action, &mut agents::StepContext { world, state, free_ids, planned, effects })
}
