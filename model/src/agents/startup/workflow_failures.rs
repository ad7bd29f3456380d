//! Failures of transitions: the transition that can fail, the state it leaves, and its resolution.
//!
//! Unit Agent startup, "Introduction" (D5:9-18), in worlds with the detail `workflow`. A transition
//! is tried again at once, so what is pending stays pending.

use super::workflow::{clause, due, has_to_stop, recorded};
use crate::{
    action::{Hook, Outcome},
    actor::{Actor, Client},
    agents::{
        charm::{hook_failures::HookClass, hooks::Resolution},
        context::StepContext,
        lifecycle::scopes,
        neglect::performs,
        own_rules,
    },
    history::Event,
    ids::UnitId,
    life::Life::{Dead, Dying},
    rows::Transition,
    runtime::{Charm, ClientWork, Startup},
    state::State,
    variants::{ErrorStates, TriesCounted},
    world::{HookTrait, Transactions, World},
};

/// The transition of `me` in the class `failing` that can fail next: it runs or, in an atomic
/// world, could run.
pub(crate) fn failing(
    me: UnitId,
    failing: HookClass,
    world: &World,
    state: &State,
) -> Option<Hook> {
    if !state.unit_agent_acts(world, me) {
        return None;
    }
    let hook = match (state.runtime.pending(Client::Unit(me)), world.transactions) {
        (Some(ClientWork::Hook(..)), _) if state.runtime.workflow(me).exited => None,
        (Some(ClientWork::Hook(_, hook)), _) => Some(hook),
        (None, Transactions::Atomic) => next(me, world, state)
            .filter(|hook| own_rules::allows_hook(me, *hook, None, world, state)),
        (Some(ClientWork::Txn(_)), _) | (None, Transactions::Split) => None,
    }?;
    let charm = world.charm_of(me);
    let may_fail =
        Transition::by(hook).is_some() && charm.has(hook) && charm.is(hook, HookTrait::Fails);
    // As one step, a failure with endless tries would change nothing.
    let changes = is_tried_again(me, world, state)
        || !world.is_off(clause(5))
        || world.transactions == Transactions::Split;
    (may_fail && failing.is(hook) && changes).then_some(hook)
}

/// Whether the transition of `me` that fails now is tried again. The disk counts a try when it
/// begins, the memory when it fails.
fn is_tried_again(me: UnitId, world: &World, state: &State) -> bool {
    let counted = state.runtime.workflow(me).failures;
    let is_among_them = world.variants.tries_counted == TriesCounted::OnDisk
        && state.runtime.pending(Client::Unit(me)).is_some();
    counted < world.retries + u8::from(is_among_them) && !world.is_off(clause(4))
}

/// The next transition of the agent of `me`, which has begun nothing.
fn next(me: UnitId, world: &World, state: &State) -> Option<Hook> {
    let (unit, workflow) = (state.store.unit(me)?, state.runtime.workflow(me));
    let is_busy = !workflow.cut_off
        && (!workflow.present || workflow.is_to_be_sent(world.variants.replicated));
    let life = if workflow.cut_off { workflow.known_life() } else { unit.life };
    if workflow.startup == Startup::Begun || is_busy {
        return None;
    }
    let stops = || {
        let is_due = unit.life == Dying
            && !workflow.cut_off
            && scopes::has_left_all(me, world, state)
            && has_to_stop(me, world, state);
        is_due.then_some((3, Hook::Stop))
    };
    let (number, hook) = due(me, life, world, state).or_else(stops)?;
    performs(world, state, Actor::UnitAgent(me), clause(number)).then_some(hook)
}

/// Has a transition of `me` fail: it is tried again, or its unit waits for the administrator.
pub(crate) fn fail(me: UnitId, hook: Hook, step: &mut StepContext<'_>) -> Outcome {
    let Some(transition) = Transition::by(hook) else { return Outcome::NotEnabled };
    let is_tried_again = is_tried_again(me, step.world, step.state);
    let is_begun = step.state.runtime.pending(Client::Unit(me)).is_some();
    if !is_begun {
        // In an atomic world it begins and fails in one step.
        step.happens(Event::HookBegins(me, hook));
    } else if is_tried_again {
        step.happens(Event::HookRetries(me, hook));
    }
    let is_there = step.state.store.unit_life(me).is_some_and(|life| life != Dead);
    let (world, touched) = (step.world, &mut step.effects.touched);
    let runtime = &mut step.state.runtime;
    let workflow = runtime.workflow_mut(me, touched);
    if is_tried_again {
        workflow.failures += 1;
        return Outcome::Done;
    }
    if !world.is_off(clause(5)) {
        (workflow.state, workflow.failures) = (transition.error, 0);
        workflow.changed(world.variants.replicated);
        // The error of a Dead unit, whose agent has not learned of its death, is never resolved.
        if is_there {
            runtime.unit_mut(me, touched).charm = Charm::Failed;
        }
    }
    runtime.unit_mut(me, touched).pending = None;
    Outcome::Done
}

/// Whether the administrator sees the error of `unit`: the store has it, and the agent is
/// connected, so that it would learn of a resolution (D5:24).
pub fn is_seen(unit: UnitId, world: &World, state: &State) -> bool {
    !world.detail.workflow || {
        let workflow = state.runtime.workflow(unit);
        workflow.replica.is_error() && !workflow.cut_off
    }
}

/// Whether the administrator can resolve an error state.
pub fn can_be_resolved(world: &World) -> bool {
    match world.variants.error_states {
        ErrorStates::Resolved => true,
        ErrorStates::Final => !world.detail.workflow,
    }
}

/// Resolves the error state of `me`: the hook counts as run, or is run again.
pub(crate) fn resolve(me: UnitId, by: Resolution, step: &mut StepContext<'_>) {
    step.happens(Event::HookResolved(me));
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    runtime.unit_mut(me, touched).charm = Charm::Started;
    let workflow = runtime.workflow_mut(me, touched);
    let Some(failed) = Transition::failed(workflow.state) else { return };
    match by {
        Resolution::Skip => {
            step.happens(Event::HookSucceeds(me, failed.hook));
            recorded(me, failed.hook, step);
        }
        Resolution::Retry => {
            workflow.state = failed.from;
            workflow.changed(step.world.variants.replicated);
        }
    }
}
