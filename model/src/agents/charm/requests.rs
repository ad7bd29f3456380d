//! Requests to resolve a hook error: what the operator asks for in the store, and what the agent
//! does about it.
//!
//! Charms in action, "Errors in hooks" (D4:36-49): the agent asks the user to intervene, and the
//! documents do not say how it hears the answer. By default it acts as the operator says so. Where
//! the variant says so the request is a fact of the store, which the agent reads, acts on and
//! clears, in the one order or the other.

use super::hooks::{self, Resolution};
use crate::{
    action::{Act, UnitAct},
    agents::{Lister, step::StepContext},
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

/// Lists what the agent of `me`, whose hook has failed, does about a request.
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

/// Lists that the agent of `me` clears the request that it has obeyed. Says whether there is one.
pub(super) fn are_cleared_first(me: UnitId, list: &mut Lister<'_>) -> bool {
    let is_obeyed =
        list.world.requests_resolution() && list.state.runtime.hooks(me).acts_on != Request::None;
    if is_obeyed {
        list.act(Act::UnitAgent(me, UnitAct::ClearRequest));
    }
    is_obeyed
}

/// The agent of `me` acts on a request.
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

/// The agent of `me` clears a request in the store.
pub(crate) fn clear(me: UnitId, step: &mut StepContext<'_>) {
    let hooks = step.state.runtime.hooks_mut(me, &mut step.effects.touched);
    hooks.acts_on = match step.world.variants.resolved_request {
        ResolvedRequest::AtOnce | ResolvedRequest::ClearedAfter => Request::None,
        ResolvedRequest::ClearedBefore => hooks.request,
    };
    hooks.request = Request::None;
}

/// A request is in the store, so it outlives the hardware of the agent that it is for. It goes with
/// the document of the unit.
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

/// Whether the agent of `me` acts on a request, so that a crash makes a difference.
pub(crate) fn are_in_memory(me: UnitId, world: &World, state: &State) -> bool {
    world.requests_resolution() && state.runtime.hooks(me).acts_on != Request::None
}
