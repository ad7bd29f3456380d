//! The port of a unit: the requests of its hooks, and their effect.
//!
//! Charms in action, "Hook tools" (D4:117-119, D4:134-138). The port is a fact of the store, which
//! outlives the agent, its disk and the unit.

use super::hook_failures::has_exited;
use crate::{
    action::{Act, UnitAct},
    actor::Client,
    agents::{Lister, context::StepContext},
    clause::Rule::Charm as CharmRule,
    ids::UnitId,
    runtime::PortAsked,
    variants::{HookPorts, PortsOfRemovedUnit},
    world::HookTrait,
};

/// Lists that the running hook opens or closes the port of its unit; a hook asks once.
pub(crate) fn look_at(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.charm || has_exited(me, world, state) {
        return;
    }
    let Some(hook) = state.runtime.pending_hook(Client::Unit(me)) else { return };
    let (charm, port) = (world.charm_of(me), state.runtime.charm(me));
    if port.port_asked != PortAsked::Nothing {
        return;
    }
    let is_open = port.port_open;
    if charm.is(hook, HookTrait::OpensPort) && !is_open {
        list.duty(CharmRule, 10, Act::UnitAgent(me, UnitAct::OpenPort));
    }
    if charm.is(hook, HookTrait::ClosesPort) && is_open {
        list.duty(CharmRule, 10, Act::UnitAgent(me, UnitAct::ClosePort));
    }
}

/// The hook of `me` that runs opens its port.
pub(crate) fn open(me: UnitId, step: &mut StepContext<'_>) {
    ask(me, PortAsked::Open, step);
}

/// The hook of `me` that runs closes its port.
pub(crate) fn close(me: UnitId, step: &mut StepContext<'_>) {
    ask(me, PortAsked::Close, step);
}

/// Records the request of the running hook of `me` to open or close its port.
fn ask(me: UnitId, asked: PortAsked, step: &mut StepContext<'_>) {
    let charm = step.state.runtime.charm_mut(me, &mut step.effects.touched);
    charm.port_asked = asked;
    match step.world.variants.hook_ports {
        HookPorts::AtOnce => charm.set_port(),
        HookPorts::OnSuccess => {}
    }
}

/// Opens or closes the port as the hook of `me` asked, since it has succeeded or counts as run.
pub(super) fn hook_succeeds(me: UnitId, step: &mut StepContext<'_>) {
    let charm = step.state.runtime.charm_mut(me, &mut step.effects.touched);
    charm.set_port();
    charm.port_asked = PortAsked::Nothing;
}

/// Forgets the request of the running hook of `me`, if there is one, as it does not succeed.
pub(super) fn hook_is_lost(me: UnitId, step: &mut StepContext<'_>) {
    if step.world.detail.charm && step.state.runtime.charm(me).port_asked != PortAsked::Nothing {
        let charm = step.state.runtime.charm_mut(me, &mut step.effects.touched);
        charm.port_asked = PortAsked::Nothing;
    }
}

/// Closes the port of a unit whose document is deleted, where the variant says so.
pub(super) fn removed(unit: UnitId, step: &mut StepContext<'_>) {
    let closes = step.world.variants.ports_of_removed_unit == PortsOfRemovedUnit::ClosedWithUnit;
    if closes && step.state.runtime.is_port_open(unit) {
        step.state.runtime.charm_mut(unit, &mut step.effects.touched).port_open = false;
    }
}
