//! The configuration of an application, as the hook that runs has read it.
//!
//! Charms in action, "Hook tools" (D4:120, D4:126-133). Nothing depends on the values, only on
//! whether they have changed since they were read. The memory of a read ends with its hook.

use super::hook_failures::has_exited;
use crate::{
    action::{Act, UnitAct},
    actor::Client,
    agents::{Lister, context::StepContext},
    clause::{Clause, Rule::Charm as CharmRule},
    ids::UnitId,
    runtime::ConfigRead,
    state::State,
    variants::HookReads,
    world::{HookTrait, World},
};

/// Lists that the running hook of `me` reads the configuration, if it would get values that it has
/// not read yet; any other read repeats the last one and is not listed.
pub(crate) fn look_at(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.charm || has_exited(me, world, state) {
        return;
    }
    let Some(hook) = state.runtime.pending_hook(Client::Unit(me)) else { return };
    if world.charm_of(me).is(hook, HookTrait::ReadsConfig) && learns(me, world, state) {
        list.duty(CharmRule, 11, Act::UnitAgent(me, UnitAct::GetConfig));
    }
}

/// Whether the hook of `me` would get values that it has not read yet.
fn learns(me: UnitId, world: &World, state: &State) -> bool {
    match state.runtime.charm(me).config_read {
        ConfigRead::Nothing => true,
        ConfigRead::Current => false,
        ConfigRead::Old => reads_anew(world),
    }
}

/// Whether the running hook of `me` may read the configuration, and would get the same as before.
pub(crate) fn reads_again(me: UnitId, world: &World, state: &State) -> bool {
    let hook = state.runtime.pending_hook(Client::Unit(me));
    world.detail.charm
        && state.unit_agent_acts(world, me)
        && !has_exited(me, world, state)
        && hook.is_some_and(|hook| world.charm_of(me).is(hook, HookTrait::ReadsConfig))
        && !learns(me, world, state)
}

/// Whether a hook that reads once more after a change gets the new values.
fn reads_anew(world: &World) -> bool {
    match world.variants.hook_reads {
        HookReads::Cached | HookReads::KeyByKey => {
            world.is_off(Clause { rule: CharmRule, number: 12 })
        }
        HookReads::Fresh => true,
    }
}

/// Reads the configuration for the running hook of `me`.
pub(crate) fn get(me: UnitId, step: &mut StepContext<'_>) {
    set(me, ConfigRead::Current, step);
}

/// Notes that the configuration of `unit` has changed, which makes an earlier read an old one.
pub(super) fn changed(unit: UnitId, step: &mut StepContext<'_>) {
    match step.state.runtime.charm(unit).config_read {
        ConfigRead::Nothing | ConfigRead::Old => {}
        ConfigRead::Current => set(unit, ConfigRead::Old, step),
    }
}

/// Forgets what the last hook of `me` has read.
pub(super) fn hook_is_over(me: UnitId, step: &mut StepContext<'_>) {
    match step.state.runtime.charm(me).config_read {
        ConfigRead::Nothing => {}
        ConfigRead::Current | ConfigRead::Old => set(me, ConfigRead::Nothing, step),
    }
}

fn set(me: UnitId, read: ConfigRead, step: &mut StepContext<'_>) {
    step.state.runtime.charm_mut(me, &mut step.effects.touched).config_read = read;
}
