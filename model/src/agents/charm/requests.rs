//! Requests to resolve a hook error: the operator's request in the store, and the agent's answer.
//!
//! Charms in action, "Errors in hooks" (D4:36-49): the agent asks the user to intervene, and the
//! documents do not say how it hears the answer. By default it acts as the operator gives it. In
//! other variants the request is a fact of the store, which the agent reads, obeys and clears, or
//! clears and obeys.

use super::hooks::{self, Resolution};
use crate::{
    action::{Act, UnitAct},
    agents::{Lister, context::StepContext},
    history::Event,
    ids::UnitId,
    rows::Request,
    state::State,
    txn::{AnyOn, On, Txn, UnitChange},
    variants::ResolvedRequest,
    world::World,
};

/// Whether the operator can ask for the hook error of `me` to be resolved.
pub(crate) fn can_be_made(me: UnitId, world: &World, state: &State) -> bool {
    if !world.requests_resolution() {
        return true;
    }
    let hooks = state.runtime.hooks(me);
    hooks.request == Request::None && hooks.acts_on == Request::None
}

/// The operator asks for the hook error of `me` to be resolved.
pub(crate) fn make(me: UnitId, by: Resolution, step: &mut StepContext<'_>) {
    step.happens(Event::ResolutionAsked(me));
    if !step.world.requests_resolution() {
        return hooks::resolve(me, by, step);
    }
    step.state.runtime.hooks_mut(me, &mut step.effects.touched).request = match by {
        Resolution::Skip => Request::Skip,
        Resolution::Retry => Request::Retry,
    };
}

/// Lists how the agent of `me`, whose hook has failed, answers a request.
pub(crate) fn in_error(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.requests_resolution() || !state.unit_agent_runs(world, me) {
        return;
    }
    let hooks = state.runtime.hooks(me);
    let reads = hooks.request != Request::None;
    let act = match world.variants.resolved_request {
        ResolvedRequest::ClearedAfter if reads => UnitAct::ObeyRequest,
        ResolvedRequest::ClearedBefore if hooks.acts_on != Request::None => UnitAct::ObeyRequest,
        ResolvedRequest::ClearedBefore if reads => UnitAct::ClearRequest,
        ResolvedRequest::AtOnce
        | ResolvedRequest::ClearedAfter
        | ResolvedRequest::ClearedBefore => return,
    };
    list.act(Act::UnitAgent(me, act));
}

/// Lists that the agent of `me` clears the request that it has obeyed. Returns whether there is
/// one.
pub(super) fn are_cleared_first(me: UnitId, list: &mut Lister<'_>) -> bool {
    let is_obeyed =
        list.world.requests_resolution() && list.state.runtime.hooks(me).acts_on != Request::None;
    if is_obeyed {
        list.act(Act::UnitAgent(me, UnitAct::ClearRequest));
    }
    is_obeyed
}

/// Obeys a request for the hook error of `me`.
pub(crate) fn obey(me: UnitId, step: &mut StepContext<'_>) {
    let hooks = step.state.runtime.hooks_mut(me, &mut step.effects.touched);
    let request = match step.world.variants.resolved_request {
        ResolvedRequest::AtOnce | ResolvedRequest::ClearedBefore => {
            std::mem::replace(&mut hooks.acts_on, Request::None)
        }
        ResolvedRequest::ClearedAfter => {
            hooks.acts_on = hooks.request;
            hooks.request
        }
    };
    match request {
        Request::None => {}
        Request::Skip => hooks::resolve(me, Resolution::Skip, step),
        Request::Retry => hooks::resolve(me, Resolution::Retry, step),
    }
}

/// Clears the request for `me` in the store.
pub(crate) fn clear(me: UnitId, step: &mut StepContext<'_>) {
    let hooks = step.state.runtime.hooks_mut(me, &mut step.effects.touched);
    hooks.acts_on = match step.world.variants.resolved_request {
        ResolvedRequest::AtOnce | ResolvedRequest::ClearedAfter => Request::None,
        ResolvedRequest::ClearedBefore => hooks.request,
    };
    hooks.request = Request::None;
}

/// Deletes the request of a removed unit. It is in the store, so it outlives the hardware of its
/// agent, and goes with the document of the unit.
pub(crate) fn committed(txn: &Txn, step: &mut StepContext<'_>) {
    if !step.world.requests_resolution() {
        return;
    }
    for op in &txn.ops {
        if let AnyOn::Unit(On { doc, change: Some(UnitChange::Remove), .. }) = op.on
            && step.state.runtime.hooks(doc).request != Request::None
        {
            step.state.runtime.hooks_mut(doc, &mut step.effects.touched).request = Request::None;
        }
    }
}

/// Whether the agent of `me` has a request in memory, which a crash would lose.
pub(crate) fn are_in_memory(me: UnitId, world: &World, state: &State) -> bool {
    world.requests_resolution() && state.runtime.hooks(me).acts_on != Request::None
}
