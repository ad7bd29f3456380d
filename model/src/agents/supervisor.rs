//! The supervisor, which restarts agents that crashed.

use super::{
    Lister, Task,
    context::StepContext,
    watched::{Wake, WatchedStep},
};
use crate::{
    action::{Act, Outcome, SupervisorAct},
    actor::Agent,
    rows::Row,
    state::State,
    world::World,
};

/// The agents that may need a restart, in order.
pub(super) fn all(world: &World) -> impl Iterator<Item = Agent> + use<> {
    let all = || world.unit_ids().map(Agent::Unit).chain(world.machine_ids().map(Agent::Machine));
    world.faults.downtime.then(all).into_iter().flatten()
}

/// Lists the restart of `agent`, if the supervisor can restart it.
pub(super) fn duties(agent: Agent, list: &mut Lister<'_>) {
    if list.world.faults.downtime && is_down(agent, list.state) {
        list.act(Act::Supervisor(SupervisorAct::Restart(agent)));
    }
}

/// Whether the process of `agent` has crashed and not restarted.
pub(super) fn is_down(agent: Agent, state: &State) -> bool {
    match agent {
        Agent::Unit(unit) => state.runtime.unit(unit).down,
        Agent::Machine(machine) => state.runtime.machine(machine).down,
    }
}

pub(super) fn apply(act: SupervisorAct, step: &mut StepContext<'_>) -> Outcome {
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    match act {
        SupervisorAct::Restart(Agent::Unit(unit)) => runtime.unit_mut(unit, touched).down = false,
        SupervisorAct::Restart(Agent::Machine(machine)) => {
            runtime.machine_mut(machine, touched).down = false;
        }
    }
    Outcome::Done
}

/// Names the tasks of the supervisor that watch `row`.
pub(super) fn watchers(change: &WatchedStep<'_>, row: Row, wake: Wake<'_>) {
    match row {
        Row::MachineRuntime(id) if change.is_new(|state| state.runtime.machine(id).down) => {
            wake(Task::Restart(Agent::Machine(id)));
        }
        Row::UnitRuntime(id) if change.is_new(|state| state.runtime.unit(id).down) => {
            wake(Task::Restart(Agent::Unit(id)));
        }
        _ => {}
    }
}
