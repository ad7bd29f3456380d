//! Whatever goes wrong: at any time, any number of times, but finitely often.

use super::{Lister, planned, unit_agent};
use crate::{
    action::{Act, Actor, Agent},
    ids::UserId,
    runtime::{Hardware, ManagerTask},
    state::State,
    world::World,
};

/// Lists the faults that can strike next.
pub(super) fn strikes(offers: &mut Lister<'_>) {
    let (world, faults) = (offers.world, &offers.world.faults);
    if faults.crash {
        let units = world.unit_ids().map(Agent::Unit);
        let machines = world.machine_ids().map(Agent::Machine);
        offers.strike(units.chain(machines).map(Act::Crash));
    }
    offers.strike(faults.hardware_failure.iter().copied().map(Act::FailHardware));
    let unnoticed = faults.undetected_hardware_failure.iter().copied();
    offers.strike(unnoticed.map(Act::FailHardwareUnnoticed));
    if faults.abort {
        let units = world.unit_ids().map(Actor::UnitAgent);
        let machines = world.machine_ids().map(Actor::MachineAgent);
        let others = [Actor::Provisioner, Actor::Cleaner, Actor::User];
        offers.strike(units.chain(machines).chain(others).map(Act::AbortTxn));
    }
    if faults.lost_connection {
        offers.strike([Act::LoseConnection].into_iter());
    }
    if faults.hook_failure {
        for unit in world.unit_ids() {
            for relation in unit_agent::pending_hooks(unit, world, offers.state) {
                offers.act(Act::FailHooks(unit, relation));
            }
        }
    }
}

impl Lister<'_> {
    /// Lister those of the faults that can strike.
    fn strike(&mut self, faults: impl Iterator<Item = Act>) {
        for fault in faults.filter(|fault| can_strike(self.world, self.state, *fault)) {
            self.act(fault);
        }
    }
}

/// Whether this fault can strike next.
pub fn can_strike(world: &World, state: &State, act: Act) -> bool {
    let faults = &world.faults;
    let runs = |id| state.runtime.machine(id).hardware == Hardware::Running;
    match act {
        Act::Crash(agent) => faults.crash && can_crash(world, state, agent),
        Act::FailHardware(id) => runs(id) && faults.hardware_failure.binary_search(&id).is_ok(),
        Act::FailHardwareUnnoticed(id) => {
            runs(id) && faults.undetected_hardware_failure.binary_search(&id).is_ok()
        }
        Act::AbortTxn(actor) => faults.abort && can_abort(state, actor),
        Act::LoseConnection => {
            faults.lost_connection && state.runtime.user(UserId::FIRST).session.is_some()
        }
        Act::FailHooks(unit, relation) => {
            faults.hook_failure && unit_agent::pending_hooks(unit, world, state).contains(&relation)
        }
        _ => false,
    }
}

/// A crash is worth an action if something is lost by it, or if the agent stays down.
fn can_crash(world: &World, state: &State, agent: Agent) -> bool {
    let stays_down = world.faults.downtime;
    match agent {
        Agent::Unit(unit) => {
            let enters = || {
                let mut relations = world.relations_of(unit).iter();
                relations.any(|id| state.runtime.memberships(*id).unwritten.contains(unit))
            };
            state.unit_agent_runs(unit)
                && (stays_down || state.runtime.unit(unit).pending.is_some() || enters())
        }
        Agent::Machine(machine) => {
            let is_pending = |task| state.runtime.task(task).pending.is_some();
            let has_tasks = ManagerTask::ALL.into_iter().any(is_pending);
            state.machine_agent_runs(machine)
                && (stays_down
                    || state.runtime.machine(machine).pending.is_some()
                    || has_tasks && state.active_manager(world) == Some(machine))
        }
    }
}

/// Every transaction pending may abort for no reason of ours, but those of scripts.
fn can_abort(state: &State, actor: Actor) -> bool {
    match actor {
        Actor::User
        | Actor::UnitAgent(_)
        | Actor::MachineAgent(_)
        | Actor::Provisioner
        | Actor::Cleaner => planned(state, actor).is_some(),
        Actor::Client(_) | Actor::Faults | Actor::Operator | Actor::Supervisor => false,
    }
}
