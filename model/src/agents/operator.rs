//! The operator, who looks after what no agent can, and the supervisor, which restarts agents.
//!
//! Death and Destruction, "Undetected hardware failure" (D1:27-30), "Unknown problems in juju"
//! (D1:31-37) and "suspend this sequence until resolved" (D1:93-95).

use super::{EntityId, Lister};
use crate::{
    action::{Act, Agent},
    runtime::Hardware,
    world::World,
};

/// What the operator looks after, in order, before an upgrade is thought of.
pub(super) fn subjects(world: &World) -> impl Iterator<Item = EntityId> + use<> {
    let has_silence = !world.faults.undetected_hardware_failure.is_empty();
    let units = world.has_hooks().then(|| world.unit_ids().map(EntityId::Unit));
    let machines = has_silence.then(|| world.machine_ids().map(EntityId::Machine));
    units.into_iter().flatten().chain(machines.into_iter().flatten())
}

/// Lists what the operator can do next about `of`.
pub(super) fn look_after(of: EntityId, offers: &mut Lister<'_>) {
    let (world, runtime) = (offers.world, &offers.state.runtime);
    match of {
        EntityId::Unit(unit) if world.has_hooks() && runtime.unit(unit).hook_error.is_some() => {
            offers.act(Act::Resolve(unit));
        }
        EntityId::Machine(machine)
            if !world.faults.undetected_hardware_failure.is_empty()
                && runtime.machine(machine).hardware == Hardware::Silent =>
        {
            offers.act(Act::Terminate(machine));
        }
        EntityId::Unit(_)
        | EntityId::Machine(_)
        | EntityId::Application(_)
        | EntityId::Relation(_) => {}
    }
}

/// Lists whether the operator can upgrade the agents that neglect their duties.
pub(super) fn upgrades(offers: &mut Lister<'_>) {
    if !offers.world.neglected.is_empty() && !offers.state.runtime.upgrade().done {
        offers.act(Act::Upgrade);
    }
}

/// Whose agents the supervisor restarts, in order.
pub(super) fn agents(world: &World) -> impl Iterator<Item = EntityId> + use<> {
    let all =
        || world.unit_ids().map(EntityId::Unit).chain(world.machine_ids().map(EntityId::Machine));
    world.faults.downtime.then(all).into_iter().flatten()
}

/// Lists whether the supervisor can restart the agent of `of`.
pub(super) fn restart(of: EntityId, offers: &mut Lister<'_>) {
    if !offers.world.faults.downtime {
        return;
    }
    let runtime = &offers.state.runtime;
    match of {
        EntityId::Unit(unit) if runtime.unit(unit).down => {
            offers.act(Act::Restart(Agent::Unit(unit)));
        }
        EntityId::Machine(machine) if runtime.machine(machine).down => {
            offers.act(Act::Restart(Agent::Machine(machine)));
        }
        EntityId::Unit(_)
        | EntityId::Machine(_)
        | EntityId::Application(_)
        | EntityId::Relation(_) => {}
    }
}
