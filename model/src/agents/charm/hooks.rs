//! Unit hooks: the hook of its unit that the agent runs next, and the effects of its end or
//! resolution. The effects of its failure are in `hook_failures`.
//!
//! Charms in action, "Errors in hooks" and "Unit hooks" (D4:34-59, D4:143-189). Without the detail
//! `hooks` there are only the stop hook and the failure of an unnamed other hook. With it an agent
//! marks on its disk the hook that it begins. A mark on the disk of an agent that starts is of a
//! hook that was cut short.

use super::{
    directory,
    hook_failures::{self, hook_is_lost},
    relations, requests, settings,
};
use crate::{
    action::{Act, Hook, HookAct, Outcome, UnitAct},
    actor::Client,
    agents::{
        Lister,
        context::StepContext,
        lifecycle::scopes,
        startup::{workflow, workflow_failures},
    },
    clause::{Clause, Rule::UnitAgent},
    history::Event,
    ids::{RelationId, UnitId},
    life::Life::{Alive, Dead, Dying},
    rows::Request,
    runtime::{Charm, ClientWork, Phase, UnitWork},
    state::State,
    store::Unit,
    variants::{AgentInError, DyingBeforeStart, RecoveryConfigChanged},
    world::World,
};

/// Lists the urgent duties about the unit's hooks; returns whether there was one.
pub(crate) fn list_urgent(me: UnitId, unit: &Unit, list: &mut Lister<'_>) -> bool {
    let finds = Clause { rule: UnitAgent, number: 17 };
    if was_cut_short(me, list.world, list.state) && !list.world.is_off(finds) {
        list.duty(UnitAgent, 17, Act::UnitAgent(me, UnitAct::FindFailed));
        return true;
    }
    if requests::are_cleared_first(me, list) || directory::is_written_first(me, list) {
        return true;
    }
    if let Some(hook) = to_retry(me, list.state) {
        list.retry(me, UnitAgent, 23, hook);
        return true;
    }
    if directory::follows_upgrade(me, unit, list) {
        return true;
    }
    let Some((number, hook)) = first(me, unit, list.world, list.state) else { return false };
    list.hook(me, UnitAgent, number, hook);
    directory::upgrade_early(me, unit, list);
    true
}

/// The failed hook that is to run again, as the operator has asked. It is on the agent's disk, so
/// it stays the same hook whatever happens meanwhile, and it comes before any other.
pub(crate) fn to_retry(me: UnitId, state: &State) -> Option<Hook> {
    if !state.runtime.has_hooks() {
        return None;
    }
    let hooks = state.runtime.hooks(me);
    hooks.marked().filter(|_| hooks.retry)
}

/// The hook that the agent has decided on and not begun. Its decision rests on what it saw then,
/// and stands whatever has changed in the store meanwhile.
pub(crate) fn decided(me: UnitId, world: &World, state: &State) -> Option<Hook> {
    if world.decides_late() { state.runtime.hooks(me).decided } else { None }
}

/// Takes the agent's decision away, as it begins that hook or forgets it.
fn take_decision(me: UnitId, step: &mut StepContext<'_>) -> Option<Hook> {
    decided(me, step.world, step.state)?;
    step.state.runtime.hooks_mut(me, &mut step.effects.touched).decided.take()
}

/// Forgets the hook that the agent of `me` has decided on; it decides anew.
fn drop_decision(me: UnitId, step: &mut StepContext<'_>) {
    if let Some(Hook::Joined(other, relation)) = take_decision(me, step) {
        relations::is_not_joined(me, other, relation, step);
    }
}

/// Forgets a decision on a hook of a relation as the unit of `me` leaves its scope. The unit's own
/// agent leaves without any; a unit taken out by force runs no more hooks there (D4:26-29). So a
/// decision is never on a hook of a former relation of the same name.
pub(super) fn is_out(me: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let hook = decided(me, step.world, step.state);
    if hook.and_then(Hook::relation) == Some(relation) {
        drop_decision(me, step);
    }
}

/// Whether the disk has the mark of a hook that neither runs, nor is known to have failed, nor
/// waits for its retry.
pub(super) fn was_cut_short(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.hooks
        && state.runtime.hooks(me).mark.is_some()
        && !state.runtime.hooks(me).retry
        && state.runtime.pending_hook(Client::Unit(me)).is_none()
        && !state.runtime.unit(me).is_suspended()
}

/// The urgent hook, with the number of the clause that demands it.
pub(super) fn first(me: UnitId, unit: &Unit, world: &World, state: &State) -> Option<(u8, Hook)> {
    if !world.detail.hooks {
        return None;
    }
    let hooks = state.runtime.hooks(me);
    let at_once = world.variants.recovery_config_changed == RecoveryConfigChanged::AtOnce;
    if at_once && hooks.config_due && hooks.phase >= Phase::Installed {
        return Some((21, Hook::ConfigChanged));
    }
    if state.runtime.unit(me).charm == Charm::Stopped {
        return None;
    }
    let goes_on = match (unit.life, world.variants.dying_before_start) {
        (Alive, _) | (Dying, DyingBeforeStart::FinishesStarting) => true,
        (Dying, DyingBeforeStart::StopsAtOnce) | (Dead, _) => false,
    };
    let hook = hooks.phase.due().filter(|_| goes_on)?;
    let number = match hook {
        Hook::Install => 18,
        Hook::ConfigChanged => 19,
        Hook::Start => 20,
        Hook::Departure(_)
        | Hook::Joined(..)
        | Hook::Changed(..)
        | Hook::Departed(..)
        | Hook::Broken(_)
        | Hook::Stop
        | Hook::UpgradeCharm => return None,
    };
    (!world.is_off(Clause { rule: UnitAgent, number })).then_some((number, hook))
}

/// The first hook that the unit has still to run before it is started.
pub fn first_hook_due(me: UnitId, world: &World, state: &State) -> Option<Hook> {
    world.detail.hooks.then(|| state.runtime.hooks(me).phase.due())?
}

/// Lists a hook that may run between other duties.
pub(crate) fn look_at(me: UnitId, list: &mut Lister<'_>) {
    if config_is_due(me, list.world, list.state) {
        list.hook(me, UnitAgent, 21, Hook::ConfigChanged);
    }
}

/// Whether config-changed is to run again, for a unit that has started and not stopped.
pub(super) fn config_is_due(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.hooks
        && state.runtime.hooks(me).config_due
        && state.runtime.hooks(me).phase == Phase::Started
        && state.runtime.unit(me).charm != Charm::Stopped
}

/// Whether a Dying unit that is in no scope runs its stop hook before it is set Dead.
pub(crate) fn has_to_stop(me: UnitId, world: &World, state: &State) -> bool {
    world.has_unit_hooks()
        && !world.detail.workflow
        && world.charm_of(me).has(Hook::Stop)
        && !world.is_off(Clause { rule: UnitAgent, number: 15 })
        && state.runtime.unit(me).charm != Charm::Stopped
}

/// Whether the agent does a deployer's duties while a hook error is unresolved.
pub(crate) fn deploys_in_error(me: UnitId, world: &World, state: &State) -> bool {
    world.variants.agent_in_error == AgentInError::StillDeploysSubordinates
        && state.unit_agent_runs(world, me)
        && state.runtime.unit(me).is_suspended()
}

/// Whether a crash would make config-changed due, and it is not due yet.
pub(crate) fn is_due_after_crash(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.hooks
        && world.charm_of(me).has(Hook::ConfigChanged)
        && !state.runtime.hooks(me).config_due
}

/// Crashes the agent's process. Its memory is lost; the mark on its disk stays.
pub(crate) fn crash(me: UnitId, step: &mut StepContext<'_>) {
    step.happens(Event::AgentCrashes(me));
    if step.world.detail.workflow {
        return workflow::crash(me, step);
    }
    let (world, touched) = (step.world, &mut step.effects.touched);
    let runtime = &mut step.state.runtime;
    let hook = runtime.pending_hook(Client::Unit(me));
    let agent = runtime.unit_mut(me, touched);
    (agent.pending, agent.down) = (None, world.faults.downtime);
    // The hook that was running is found failed when the agent is back (D4:36-39).
    match hook {
        Some(Hook::Departure(relation)) => agent.hook_error = Some(relation),
        Some(Hook::Stop) if !world.detail.hooks => agent.charm = Charm::StopFailed,
        Some(
            Hook::Install
            | Hook::ConfigChanged
            | Hook::Start
            | Hook::Stop
            | Hook::UpgradeCharm
            | Hook::Joined(..)
            | Hook::Changed(..)
            | Hook::Departed(..)
            | Hook::Broken(_),
        )
        | None => {}
    }
    if world.detail.hooks {
        let hooks = runtime.hooks_mut(me, touched);
        hooks.config_due = world.charm_of(me).has(Hook::ConfigChanged);
        hooks.acts_on = Request::None;
        drop_decision(me, step);
    }
    if hook.is_some() || !settings::keeps_buffer(world) {
        hook_is_lost(me, step);
    }
    step.happens(Event::AgentEnds(me));
}

/// Ends the agent of `me` for good, as its unit is Dead. The mark of a running hook is dropped,
/// since no agent will ever read it.
pub(crate) fn terminate(me: UnitId, step: &mut StepContext<'_>) {
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    if step.world.detail.workflow {
        return workflow::end(me, step);
    }
    if step.world.detail.hooks && runtime.pending_hook(Client::Unit(me)).is_some() {
        runtime.hooks_mut(me, touched).set_mark(None);
    }
    take_decision(me, step);
    hook_is_lost(me, step);
}

/// Begins or ends a hook of the charm of `me`.
pub(crate) fn apply(me: UnitId, act: HookAct, step: &mut StepContext<'_>) -> Outcome {
    if step.world.detail.workflow {
        return workflow::apply(me, act, step);
    }
    let charm = step.world.charm_of(me);
    let (client, touched) = (Client::Unit(me), &mut step.effects.touched);
    let runtime = &mut step.state.runtime;
    match (act, runtime.pending(client)) {
        (HookAct::Decide(hook), None) => runtime.hooks_mut(me, touched).decided = Some(hook),
        (HookAct::Run(hook), None) | (HookAct::End, Some(ClientWork::Hook(_, hook)))
            if charm.never_succeeds(hook) =>
        {
            hook_failures::fails_each_time(me, hook, step);
        }
        (HookAct::Run(hook), None) => {
            begins(me, hook, step);
            settings::hook_succeeded(me, hook, step);
            ended(me, hook, step);
        }
        (HookAct::Begin(hook), None) => {
            runtime.unit_mut(me, touched).pending = Some(UnitWork::Hook(hook));
            if step.world.detail.hooks {
                runtime.hooks_mut(me, touched).set_mark(Some(hook));
            }
            begins(me, hook, step);
        }
        (HookAct::Exit, Some(ClientWork::Hook(..))) => runtime.hooks_mut(me, touched).exited = true,
        (HookAct::End, Some(ClientWork::Hook(_, hook))) => {
            runtime.clear_pending(client, touched);
            settings::hook_succeeded(me, hook, step);
            ended(me, hook, step);
        }
        (HookAct::Decide(_) | HookAct::Run(_) | HookAct::Begin(_), Some(_))
        | (HookAct::Exit | HookAct::End, None | Some(ClientWork::Txn(_))) => {
            return Outcome::NotEnabled;
        }
    }
    Outcome::Done
}

/// Begins a hook of the charm of `me`. Any config-changed that begins after a restart is the one
/// that the restart made due, even if it fails.
pub(super) fn begins(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    step.happens(Event::HookBegins(me, hook));
    if let Some(Hook::Joined(other, relation)) = take_decision(me, step)
        && !step.state.store.in_scope(relation, other)
    {
        step.happens(Event::HookIsLate(me, other, relation));
    }
    if hook == Hook::ConfigChanged && step.world.detail.hooks {
        step.state.runtime.hooks_mut(me, &mut step.effects.touched).config_due = false;
    }
    directory::hook_begins(me, hook, step);
    relations::begun(me, hook, step);
}

/// The act that continues a running hook.
pub(crate) fn going_on(me: UnitId, hook: Hook, world: &World, state: &State) -> HookAct {
    if world.detail.workflow {
        return workflow::going_on(me, world, state);
    }
    let exits =
        world.hooks_exit() && hook.kind().is_some() && !world.charm_of(me).never_succeeds(hook);
    if exits && !state.runtime.hooks(me).exited { HookAct::Exit } else { HookAct::End }
}

/// Records that a hook of the charm of `me` has run, or counts as run.
pub(super) fn ended(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    step.happens(Event::HookEnds(me));
    let (world, touched) = (step.world, &mut step.effects.touched);
    let runtime = &mut step.state.runtime;
    match hook {
        Hook::Departure(relation) => return scopes::hooks_ended(me, relation, step),
        Hook::Stop => runtime.unit_mut(me, touched).charm = Charm::Stopped,
        Hook::Install
        | Hook::ConfigChanged
        | Hook::Start
        | Hook::UpgradeCharm
        | Hook::Joined(..)
        | Hook::Changed(..)
        | Hook::Departed(..)
        | Hook::Broken(_) => {}
    }
    if world.detail.hooks {
        let hooks = runtime.hooks_mut(me, touched);
        hooks.phase = hooks.phase.after(hook, world.charm_of(me));
        hooks.set_mark(None);
    }
    if let Hook::Broken(relation) = hook {
        scopes::hooks_ended(me, relation, step);
    } else if world.detail.relations {
        relations::ended(me, hook, step);
    }
    directory::hook_ended(me, hook, step);
}

/// Resolves the hook error of `me`: the hook counts as run, or is to run again.
pub(super) fn resolve(me: UnitId, by: Resolution, step: &mut StepContext<'_>) {
    step.happens(Event::HookResolved(me));
    if step.world.detail.workflow {
        return workflow_failures::resolve(me, by, step);
    }
    let (world, touched) = (step.world, &mut step.effects.touched);
    let runtime = &mut step.state.runtime;
    let agent = runtime.unit_mut(me, touched);
    let departure = agent.hook_error.take().map(Hook::Departure);
    let unnamed = (agent.charm == Charm::StopFailed).then_some(Hook::Stop);
    if agent.charm.has_failed() {
        agent.charm = Charm::Started;
    }
    let (departure, own) = if world.detail.hooks {
        let hooks = runtime.hooks_mut(me, touched);
        let marked = hooks.marked();
        let remembers =
            by == Resolution::Retry && !world.is_off(Clause { rule: UnitAgent, number: 23 });
        hooks.set_mark(marked.filter(|_| remembers));
        hooks.retry = hooks.mark.is_some();
        (departure.filter(|_| !world.detail.relations), marked)
    } else {
        (departure, unnamed)
    };
    for hook in departure.into_iter().chain(own) {
        match by {
            Resolution::Skip => ended(me, hook, step),
            Resolution::Retry => step.happens(Event::HookRetried(me)),
        }
    }
}

/// The way in which the operator resolves a hook error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    Skip,
    Retry,
}
