//! The configuration of an application, as the hook that runs has read it.
//!
//! Charms in action, "Hook tools" (D4:120, D4:126-133). Nothing depends on the values, only on
//! whether they have changed since they were read. What a hook has read is gone when it ends.

use super::hook_failures::has_exited;
use crate::{
    action::{Act, UnitAct},
    actor::Client,
    agents::{Lister, step::StepContext},
    clause::{Clause, Rule::Charm as CharmRule},
    ids::UnitId,
    runtime::ConfigRead,
    state::State,
    variants::HookReads,
    world::{HookTrait, World},
};

/// Lists that the hook of `me` that runs reads the configuration, if it learns anything: what it
/// has read it reads again.
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

/// Whether a hook of `me` that reads the configuration gets what it has not read yet.
fn learns(me: UnitId, world: &World, state: &State) -> bool {
    match state.runtime.charm(me).config_read {
        ConfigRead::Nothing => true,
        ConfigRead::Current => false,
        ConfigRead::Old => reads_anew(world),
    }
}

/// Whether the hook of `me` that runs may read the configuration, and gets the same as before.
pub(crate) fn reads_again(me: UnitId, world: &World, state: &State) -> bool {
    let hook = state.runtime.pending_hook(Client::Unit(me));
    world.detail.charm
        && state.unit_agent_acts(world, me)
        && !has_exited(me, world, state)
        && hook.is_some_and(|hook| world.charm_of(me).is(hook, HookTrait::ReadsConfig))
        && !learns(me, world, state)
}

/// Whether a hook that reads again what has changed since gets what is there now.
fn reads_anew(world: &World) -> bool {
    match world.variants.hook_reads {
        HookReads::Cached | HookReads::KeyByKey => {
            world.is_off(Clause { rule: CharmRule, number: 12 })
        }
        HookReads::Fresh => true,
    }
}

/// The hook of `me` that runs reads the configuration.
pub(crate) fn get(me: UnitId, step: &mut StepContext<'_>) {
    set(me, ConfigRead::Current, step);
}

/// The configuration of `unit` has changed.
pub(super) fn changed(unit: UnitId, step: &mut StepContext<'_>) {
    match step.state.runtime.charm(unit).config_read {
        ConfigRead::Nothing | ConfigRead::Old => {}
        ConfigRead::Current => set(unit, ConfigRead::Old, step),
    }
}

/// The hook of `me` that ran, if one did, is over.
pub(super) fn hook_is_over(me: UnitId, step: &mut StepContext<'_>) {
    match step.state.runtime.charm(me).config_read {
        ConfigRead::Nothing => {}
        ConfigRead::Current | ConfigRead::Old => set(me, ConfigRead::Nothing, step),
    }
}

fn set(me: UnitId, read: ConfigRead, step: &mut StepContext<'_>) {
    step.state.runtime.charm_mut(me, &mut step.effects.touched).config_read = read;
}
