//! The supervisor, which restarts agents that crashed.

use super::{Lister, step::Step};
use crate::{
    action::{Act, Agent, Outcome, SupervisorAct},
    world::World,
};

/// The agents that the supervisor may have to restart, in order.
pub(super) fn all(world: &World) -> impl Iterator<Item = Agent> + use<> {
    let all = || world.unit_ids().map(Agent::Unit).chain(world.machine_ids().map(Agent::Machine));
    world.faults.downtime.then(all).into_iter().flatten()
}

/// Lists the restart of `agent`, if the supervisor can restart it.
pub(super) fn duties(agent: Agent, list: &mut Lister<'_>) {
    let is_down = match agent {
        Agent::Unit(unit) => list.state.runtime.unit(unit).down,
        Agent::Machine(machine) => list.state.runtime.machine(machine).down,
    };
    if list.world.faults.downtime && is_down {
        list.act(Act::Supervisor(SupervisorAct::Restart(agent)));
    }
}

/// Does what the supervisor does.
pub(super) fn apply(act: SupervisorAct, step: &mut Step<'_>) -> Outcome {
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    match act {
        SupervisorAct::Restart(Agent::Unit(unit)) => runtime.unit_mut(unit, touched).down = false,
        SupervisorAct::Restart(Agent::Machine(machine)) => {
            runtime.machine_mut(machine, touched).down = false;
        }
    }
    Outcome::Done
}
