//! Failures of hooks: the hook that can fail next, and the state that its failure leaves.
//!
//! Charms in action, "Errors in hooks" (D4:17-39). Without the detail `hooks` there are only the
//! stop hook and the failure of an unnamed other hook.

use super::{
    config, directory,
    hooks::{self, config_is_due, decided, first, has_to_stop, to_retry, was_cut_short},
    ports, settings,
};
use crate::{
    action::{Hook, Outcome},
    actor::{Actor, Client},
    agents::{
        context::StepContext, lifecycle::scopes, neglect::performs, own_rules,
        startup::workflow_failures,
    },
    clause::{Clause, Rule::UnitAgent},
    history::Event,
    ids::{RelationId, UnitId},
    life::Life::{Dead, Dying},
    runtime::{Charm, ClientWork},
    state::State,
    store::Unit,
    world::{HookTrait, Transactions, World},
};

/// Classes of hooks that faults distinguish, apart from the last hook of a departure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookClass {
    /// The stop hook, which worlds of any detail have.
    Stop,
    /// Any other hook of the unit itself.
    Own,
    About(RelationId),
}

impl HookClass {
    /// Whether `hook` is in this class.
    pub(crate) fn is(self, hook: Hook) -> bool {
        match self {
            Self::Stop => hook == Hook::Stop,
            Self::Own => hook != Hook::Stop && hook.relation().is_none(),
            Self::About(relation) => hook.relation() == Some(relation),
        }
    }
}

/// A failed hook and the state that it leaves.
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

/// The hook of the class `failing` that can fail next, with the state that its failure leaves. It
/// runs, or in an atomic world could be run, unless it is about a relation. Without the detail
/// `hooks` an unnamed hook of the unit may fail at any time, while the unit has not stopped and its
/// agent has begun nothing.
pub(crate) fn failure(
    me: UnitId,
    failing: HookClass,
    world: &World,
    state: &State,
) -> Option<HookFailure> {
    if world.detail.workflow {
        return workflow_failures::failing(me, failing, world, state)
            .map(|hook| HookFailure::of(Some(hook)));
    }
    let unit = state.store.unit(me)?;
    if !state.unit_agent_acts(world, me) || was_cut_short(me, world, state) {
        return None;
    }
    let hook = match (state.runtime.pending(Client::Unit(me)), world.transactions) {
        (
            Some(ClientWork::Txn(_) | ClientWork::Hook(_, Hook::Departure(_) | Hook::Broken(_))),
            _,
        ) => {
            return None;
        }
        (Some(ClientWork::Hook(_, _)), _) if has_exited(me, world, state) => return None,
        (Some(ClientWork::Hook(_, hook)), _) => Some(hook).filter(|hook| failing.is(*hook)),
        (None, _) if scopes::first(me, world, state).is_some() => return None,
        (None, Transactions::Atomic) => next(me, unit, failing, world, state)
            .filter(|hook| own_rules::allows_hook(me, *hook, None, world, state)),
        (None, Transactions::Split) => None,
    };
    match hook {
        Some(hook) => {
            world.charm_of(me).is(hook, HookTrait::Fails).then(|| HookFailure::of(Some(hook)))
        }
        None => (failing == HookClass::Own && has_unknown_hooks(me, unit, world, state))
            .then(|| HookFailure::of(None)),
    }
}

/// Has the next hook of the class `failing` fail.
pub(crate) fn fail(me: UnitId, failing: HookClass, step: &mut StepContext<'_>) -> Outcome {
    let Some(failure) = failure(me, failing, step.world, step.state) else {
        return Outcome::NotEnabled;
    };
    if let (true, Some(hook)) = (step.world.detail.workflow, failure.hook) {
        return workflow_failures::fail(me, hook, step);
    }
    leaves(me, failure, step);
    Outcome::Done
}

/// Has a hook that never succeeds fail. This is a trait of the charm, and no fault.
pub(super) fn fails_each_time(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    match hook {
        Hook::Broken(relation) => fail_departure(me, relation, step),
        hook => leaves(me, HookFailure::of(Some(hook)), step),
    }
}

/// Sets the rows of `me` as the failure of a hook leaves them.
fn leaves(me: UnitId, failure: HookFailure, step: &mut StepContext<'_>) {
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    // A running hook has begun before; a hook that is one step begins and fails in it.
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
}

/// Treats a hook that was cut short as failed, as the agent of `me` finds its mark.
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

/// Has a hook about a relation fail: one that notifies of a unit, or the last of a departure.
pub(crate) fn fail_about(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) -> Outcome {
    let failing = HookClass::About(relation);
    if failure(me, failing, step.world, step.state).is_some() {
        return fail(me, failing, step);
    }
    fail_departure(me, relation, step);
    Outcome::Done
}

/// Has the hooks of a departure fail, or the last of them where they have names.
fn fail_departure(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
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

/// Discards the writes and requests of the running hook of `me`, if there is one, as it does not
/// succeed.
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

/// Whether an unnamed hook may run, which is modelled by its failure alone.
fn has_unknown_hooks(me: UnitId, unit: &Unit, world: &World, state: &State) -> bool {
    !world.detail.hooks
        && state.runtime.pending(Client::Unit(me)).is_none()
        && unit.life != Dead
        && state.runtime.unit(me).charm == Charm::Started
}

/// The hook of the unit itself in the class `failing` that its idle agent could run next: the one
/// that it has decided on, where decisions come first. Hooks about relations are never one step.
fn next(me: UnitId, unit: &Unit, failing: HookClass, world: &World, state: &State) -> Option<Hook> {
    if let Some(hook) = decided(me, world, state) {
        return Some(hook).filter(|hook| hook.relation().is_none() && failing.is(*hook));
    }
    let is_begun = |hook: &Hook| !hook.is_detail() || to_retry(me, state).is_some();
    due(me, unit, failing, world, state).filter(|hook| is_begun(hook) || !world.decides_late())
}

/// As `next`, for an agent that has decided on no hook.
fn due(me: UnitId, unit: &Unit, failing: HookClass, world: &World, state: &State) -> Option<Hook> {
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
        let runs = hook.relation().is_none() && failing.is(hook);
        return Some(hook).filter(|_| runs && performs(Clause { rule: UnitAgent, number: 23 }));
    }
    if let Some((clause, hook)) = directory::owed(me, unit, world, state) {
        return Some(hook).filter(|_| failing.is(hook) && performs(clause));
    }
    let changed = directory::config_is_due(me, world, state).then_some(Hook::ConfigChanged);
    let (number, hook) = match (first(me, unit, world, state), failing) {
        (Some(first), _) => Some(first).filter(|(_, hook)| failing.is(*hook)),
        (None, HookClass::About(_)) => None,
        (None, HookClass::Stop) => stops().then_some((15, Hook::Stop)),
        (None, HookClass::Own) if changed.is_some() => return changed,
        (None, HookClass::Own) => {
            config_is_due(me, world, state).then_some((21, Hook::ConfigChanged))
        }
    }?;
    performs(Clause { rule: UnitAgent, number }).then_some(hook)
}
