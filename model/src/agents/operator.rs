//! The operator, who looks after what no agent can, and the supervisor, which restarts agents.
//!
//! Death and Destruction, "Undetected hardware failure" (D1:27-30), "Unknown problems in juju"
//! (D1:31-37) and "suspend this sequence until resolved" (D1:93-95).

use super::{Offers, Subject};
use crate::{
    action::{Act, Agent},
    hosts::Hardware,
    world::World,
};

/// What the operator looks after, in order, before an upgrade is thought of.
pub(super) fn subjects(world: &World) -> impl Iterator<Item = Subject> + use<> {
    let has_silence = !world.faults.undetected_hardware_failure.is_empty();
    let units = world.has_hooks().then(|| world.unit_ids().map(Subject::Unit));
    let machines = has_silence.then(|| world.machine_ids().map(Subject::Machine));
    units.into_iter().flatten().chain(machines.into_iter().flatten())
}

/// Lists what the operator can do next about `of`.
pub(super) fn look_after(of: Subject, offers: &mut Offers<'_>) {
    let (world, hosts) = (offers.world, &offers.state.hosts);
    match of {
        Subject::Unit(unit) if world.has_hooks() && hosts.unit(unit).hook_error.is_some() => {
            offers.act(Act::Resolve(unit));
        }
        Subject::Machine(machine)
            if !world.faults.undetected_hardware_failure.is_empty()
                && hosts.machine(machine).hardware == Hardware::Silent =>
        {
            offers.act(Act::Terminate(machine));
        }
        Subject::Unit(_) | Subject::Machine(_) | Subject::Application(_) | Subject::Relation(_) => {
        }
    }
}

/// Lists whether the operator can upgrade the agents that neglect their duties.
pub(super) fn upgrades(offers: &mut Offers<'_>) {
    if !offers.world.neglected.is_empty() && !offers.state.hosts.others().upgraded {
        offers.act(Act::Upgrade);
    }
}

/// Whose agents the supervisor restarts, in order.
pub(super) fn agents(world: &World) -> impl Iterator<Item = Subject> + use<> {
    let all =
        || world.unit_ids().map(Subject::Unit).chain(world.machine_ids().map(Subject::Machine));
    world.faults.downtime.then(all).into_iter().flatten()
}

/// Lists whether the supervisor can restart the agent of `of`.
pub(super) fn restart(of: Subject, offers: &mut Offers<'_>) {
    if !offers.world.faults.downtime {
        return;
    }
    let hosts = &offers.state.hosts;
    match of {
        Subject::Unit(unit) if hosts.unit(unit).down => {
            offers.act(Act::Restart(Agent::Unit(unit)));
        }
        Subject::Machine(machine) if hosts.machine(machine).down => {
            offers.act(Act::Restart(Agent::Machine(machine)));
        }
        Subject::Unit(_) | Subject::Machine(_) | Subject::Application(_) | Subject::Relation(_) => {
        }
    }
}
