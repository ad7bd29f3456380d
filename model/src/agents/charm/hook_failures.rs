//! Failures of a unit's own hooks: which hook can fail next, and what its failure leaves.
//!
//! Charms in action, "Errors in hooks" (D4:17-39). Without the detail `hooks` there is only the
//! stop hook, and a failure of some other one, of which nothing is known.

use super::{
    config, directory,
    hooks::{self, config_is_due, first, has_to_stop, to_retry, was_cut_short},
    ports, settings,
};
use crate::{
    action::{Hook, Outcome},
    actor::{Actor, Client},
    agents::{lifecycle::scopes, neglect::performs, startup::workflow_failures, step::StepContext},
    clause::{Clause, Rule::UnitAgent},
    history::Event,
    ids::{RelationId, UnitId},
    life::Life::{Dead, Dying},
    runtime::{Begun, Charm},
    state::State,
    store::Unit,
    world::{HookTrait, Transactions, World},
};

/// A hook of the unit itself, as far as faults distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// The stop hook, of which everybody knows.
    Stop,
    /// Another one.
    Other,
}

impl Own {
    /// Whether `hook`, which is about no relation, is meant.
    pub(crate) fn is(self, hook: Hook) -> bool {
        (self == Self::Stop) == (hook == Hook::Stop)
    }
}

/// What the failure of a hook leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookFailure {
    charm: Charm,
    hook: Option<Hook>,
}

impl HookFailure {
    /// The failure of `hook`; `None` for one that has no name without the detail `hooks`.
    fn of(hook: Option<Hook>) -> Self {
        let charm = if hook == Some(Hook::Stop) { Charm::StopFailed } else { Charm::Failed };
        Self { charm, hook }
    }
}

/// What the failure of a hook of the unit itself would leave, if `own` can fail next: it runs, or
/// in an atomic world could be run. Without the detail `hooks` another one than the stop hook may,
/// at any time while the unit has not stopped and its agent does nothing else.
pub(crate) fn failure(me: UnitId, own: Own, world: &World, state: &State) -> Option<HookFailure> {
    if world.detail.workflow {
        return workflow_failures::failing(me, own, world, state)
            .map(|hook| HookFailure::of(Some(hook)));
    }
    let unit = state.store.unit(me)?;
    if !state.unit_agent_acts(world, me) || was_cut_short(me, world, state) {
        return None;
    }
    let hook = match (state.runtime.pending(Client::Unit(me)), world.transactions) {
        (Some(Begun::Txn(_) | Begun::Hook(_, Hook::Departure(_) | Hook::Broken(_))), _) => {
            return None;
        }
        (Some(Begun::Hook(_, _)), _) if has_exited(me, world, state) => return None,
        (Some(Begun::Hook(_, hook)), _) => Some(hook).filter(|hook| own.is(*hook)),
        (None, _) if scopes::first(me, world, state).is_some() => return None,
        (None, Transactions::Atomic) => next(me, unit, own, world, state),
        (None, Transactions::Split) => None,
    };
    match hook {
        Some(hook) => {
            world.charm_of(me).is(hook, HookTrait::Fails).then(|| HookFailure::of(Some(hook)))
        }
        None => (own == Own::Other && has_unknown_hooks(me, unit, world, state))
            .then(|| HookFailure::of(None)),
    }
}

/// A hook of the unit itself fails.
pub(crate) fn fail(me: UnitId, own: Own, step: &mut StepContext<'_>) -> Outcome {
    let Some(failure) = failure(me, own, step.world, step.state) else {
        return Outcome::NotEnabled;
    };
    if let (true, Some(hook)) = (step.world.detail.workflow, failure.hook) {
        return workflow_failures::fail(me, hook, step);
    }
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    // What runs has begun before; a hook that is one step begins and fails in it.
    let begins = failure.hook.filter(|_| runtime.pending_hook(Client::Unit(me)).is_none());
    let agent = runtime.unit_mut(me, touched);
    (agent.charm, agent.pending) = (failure.charm, None);
    if step.world.detail.hooks {
        runtime.hooks_mut(me, touched).set_mark(failure.hook);
    }
    hook_is_lost(me, step);
    if let Some(hook) = begins {
        hooks::begins(me, hook, step);
    }
    step.happens(Event::HookFails(me));
    Outcome::Done
}

/// The agent of `me` finds a hook that was cut short, and treats it as failed.
pub(crate) fn find_failed(me: UnitId, step: &mut StepContext<'_>) {
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    let hook = runtime.hooks(me).marked();
    let agent = runtime.unit_mut(me, touched);
    match hook {
        Some(Hook::Broken(relation)) => agent.hook_error = Some(relation),
        hook => agent.charm = HookFailure::of(hook).charm,
    }
    step.happens(Event::HookFails(me));
}

/// The hooks of a departure fail, or the last of them where they have names.
pub(crate) fn fail_departure(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    if step.state.runtime.pending_hook(Client::Unit(me)).is_none() {
        let (_, _, hook) = scopes::last_hook(relation, step.world);
        hooks::begins(me, hook, step);
    }
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    let agent = runtime.unit_mut(me, touched);
    (agent.hook_error, agent.pending) = (Some(relation), None);
    if step.world.detail.relations {
        runtime.hooks_mut(me, touched).set_mark(Some(Hook::Broken(relation)));
    }
    hook_is_lost(me, step);
    step.happens(Event::HookFails(me));
}

/// The hook of `me` that runs, if one does, does not succeed: what it wrote and asked for is
/// discarded.
pub(super) fn hook_is_lost(me: UnitId, step: &mut StepContext<'_>) {
    settings::hook_failed(me, step);
    ports::hook_is_lost(me, step);
    if step.world.detail.charm {
        config::hook_is_over(me, step);
    }
}

/// Whether the hook that runs has exited with success.
pub(crate) fn has_exited(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.hooks && state.runtime.hooks(me).exited
}

/// Whether a hook may run of which nothing is known but that it fails.
fn has_unknown_hooks(me: UnitId, unit: &Unit, world: &World, state: &State) -> bool {
    !world.detail.hooks
        && state.runtime.pending(Client::Unit(me)).is_none()
        && unit.life != Dead
        && state.runtime.unit(me).charm == Charm::Started
}

/// The hook of the unit itself, if it is `own`, that its agent, which does nothing else, could run
/// next.
fn next(me: UnitId, unit: &Unit, own: Own, world: &World, state: &State) -> Option<Hook> {
    let stops = || {
        unit.life == Dying
            && scopes::has_left_all(me, world, state)
            && has_to_stop(me, world, state)
    };
    if directory::has_to_write(me, unit, world, state) {
        return None;
    }
    let performs = |clause| performs(world, state, Actor::UnitAgent(me), clause);
    if let Some(hook) = to_retry(me, state) {
        // Hooks of relations are never one step.
        let runs = hook.relation().is_none() && own.is(hook);
        return Some(hook).filter(|_| runs && performs(Clause { rule: UnitAgent, number: 23 }));
    }
    if let Some((clause, hook)) = directory::owed(me, unit, world, state) {
        return Some(hook).filter(|_| own.is(hook) && performs(clause));
    }
    let changed = directory::config_is_due(me, world, state).then_some(Hook::ConfigChanged);
    let (number, hook) = match (first(me, unit, world, state), own) {
        (Some(first), _) => Some(first).filter(|(_, hook)| own.is(*hook)),
        (None, Own::Stop) => stops().then_some((15, Hook::Stop)),
        (None, Own::Other) if changed.is_some() => return changed,
        (None, Own::Other) => config_is_due(me, world, state).then_some((21, Hook::ConfigChanged)),
    }?;
    performs(Clause { rule: UnitAgent, number }).then_some(hook)
}
