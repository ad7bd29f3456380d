//! Whatever goes wrong: at any time, any number of times, but finitely often.

use super::{Offers, unit_agent};
use crate::{
    action::{Act, Actor, Agent},
    hosts::Hardware,
    world::World,
};

/// Lists the faults that can strike next.
pub(super) fn strikes(offers: &mut Offers<'_>) {
    let (world, faults) = (offers.world, &offers.world.faults);
    if faults.crash {
        crashes(world, offers);
    }
    for &machine in &faults.hardware_failure {
        if offers.state.hosts.machine(machine).hardware == Hardware::Running {
            offers.act(Act::FailHardware(machine));
        }
    }
    for &machine in &faults.undetected_hardware_failure {
        if offers.state.hosts.machine(machine).hardware == Hardware::Running {
            offers.act(Act::FailHardwareUnnoticed(machine));
        }
    }
    if faults.abort {
        aborts(world, offers);
    }
    if faults.lost_connection && offers.state.hosts.others().session.is_some() {
        offers.act(Act::LoseConnection);
    }
    if faults.hook_failure {
        for unit in world.unit_ids() {
            for relation in unit_agent::pending_hooks(unit, offers) {
                offers.act(Act::FailHooks(unit, relation));
            }
        }
    }
}

/// A crash is worth an action if something is lost by it, or if the agent stays down.
fn crashes(world: &World, offers: &mut Offers<'_>) {
    let state = offers.state;
    let leader = state.leader(world);
    for unit in world.unit_ids().filter(|id| state.unit_agent_runs(*id)) {
        let loses = state.hosts.unit(unit).flight.is_some()
            || world
                .relations_of(unit)
                .iter()
                .any(|relation| state.hosts.memory(*relation).unwritten.contains(unit));
        if loses || world.faults.downtime {
            offers.act(Act::Crash(Agent::Unit(unit)));
        }
    }
    for machine in world.machine_ids().filter(|id| state.machine_agent_runs(*id)) {
        let others = state.hosts.others();
        let loses = state.hosts.machine(machine).flight.is_some()
            || leader == Some(machine)
                && (others.provisioner.is_some() || others.cleaner.is_some());
        if loses || world.faults.downtime {
            offers.act(Act::Crash(Agent::Machine(machine)));
        }
    }
}

/// Every transaction in flight may abort for no reason of ours.
fn aborts(world: &World, offers: &mut Offers<'_>) {
    let hosts = &offers.state.hosts;
    for unit in world.unit_ids().filter(|id| hosts.unit(*id).flight.is_some()) {
        offers.act(Act::AbortFlight(Actor::UnitAgent(unit)));
    }
    for machine in world.machine_ids().filter(|id| hosts.machine(*id).flight.is_some()) {
        offers.act(Act::AbortFlight(Actor::MachineAgent(machine)));
    }
    let others = hosts.others();
    if others.provisioner.is_some() {
        offers.act(Act::AbortFlight(Actor::Provisioner));
    }
    if others.cleaner.is_some() {
        offers.act(Act::AbortFlight(Actor::Cleaner));
    }
    if others.user.is_some() && !others.again {
        offers.act(Act::AbortFlight(Actor::User));
    }
}
