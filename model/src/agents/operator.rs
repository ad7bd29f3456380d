//! The operator, who looks after what no agent can, and the supervisor, which restarts agents.
//!
//! Death and Destruction, "Undetected hardware failure" (D1:27-30), "Unknown problems in juju"
//! (D1:31-37) and "suspend this sequence until resolved" (D1:93-95).

use super::Offers;
use crate::{
    action::{Act, Agent},
    hosts::Hardware,
};

/// Lists what the operator can do next.
pub(super) fn duties(offers: &mut Offers<'_>) {
    let hosts = &offers.state.hosts;
    if offers.world.has_hooks() {
        for unit in offers.world.unit_ids() {
            if hosts.unit(unit).hook_error.is_some() {
                offers.act(Act::Resolve(unit));
            }
        }
    }
    if !offers.world.faults.undetected_hardware_failure.is_empty() {
        for machine in offers.world.machine_ids() {
            if hosts.machine(machine).hardware == Hardware::Silent {
                offers.act(Act::Terminate(machine));
            }
        }
    }
    if !offers.world.neglected.is_empty() && !hosts.others().upgraded {
        offers.act(Act::Upgrade);
    }
}

/// Lists which agents the supervisor can restart.
pub(super) fn restarts(offers: &mut Offers<'_>) {
    if !offers.world.faults.downtime {
        return;
    }
    let hosts = &offers.state.hosts;
    for unit in offers.world.unit_ids() {
        if hosts.unit(unit).down {
            offers.act(Act::Restart(Agent::Unit(unit)));
        }
    }
    for machine in offers.world.machine_ids() {
        if hosts.machine(machine).down {
            offers.act(Act::Restart(Agent::Machine(machine)));
        }
    }
}
