//! The machine agent: Entity lifecycle, "Agents" (D2:371-381).

use super::deployer::{self, Deployer};
use crate::{
    action::{MachineAct, Outcome},
    actor::{Agent, Client},
    agents::{
        Lister, Task,
        context::StepContext,
        own_duties,
        watched::{Wake, WatchedStep},
    },
    clause::Rule::MachineAgent,
    ids::{MachineId, Placement},
    life::Life::Dying,
    operation::Operation,
    rows::Row,
    variants::MachineSetDead,
    world::World,
};

/// Lists the next actions of the agent of `me`.
pub(crate) fn duties(me: MachineId, list: &mut Lister<'_>) {
    if list.state.machine_agent_runs(list.world, me) && !list.finish(Client::Machine(me)) {
        owed(me, list);
    }
}

/// Lists the actions that the agent of `me`, which is up, would begin next.
pub(crate) fn owed(me: MachineId, list: &mut Lister<'_>) {
    let (agent, state) = (Agent::Machine(me), list.state);
    let Some(machine) = state.store.machine(me) else { return };
    let deployer = Deployer { agent, rule: MachineAgent, deploy: 1, remove: 2, recall: 3 };
    // Detect undeployed Alive principals, undeployed ones that are not Alive, deployed Dead ones.
    for unit in machine.principals.iter() {
        deployer.duties(unit, list);
    }
    // Detect deployed principals not assigned to it, and recall them.
    let on_disk = state.runtime.machine(me).deployed.iter();
    for orphan in on_disk.filter(|id| !machine.principals.contains(*id)) {
        deployer.recall_orphan(orphan, 4, list);
    }
    // Detect its machine's Dying state, and set it to Dead.
    if machine.life == Dying && sets_dead(me, list.world) {
        list.transact(agent.client(), MachineAgent, 5, Operation::SetMachineDead(me));
    }
    own_duties::duties(Task::MachineAgent(me), list);
}

/// Whether it is a duty of the agent of `me` to set its Dying machine Dead. The list of D2:371 is
/// of agents whose machines host units.
pub fn sets_dead(me: MachineId, world: &World) -> bool {
    match world.variants.machine_set_dead {
        MachineSetDead::ByAnyAgent => true,
        MachineSetDead::ByAgentsThatHostUnits => world.machine(me).hosts_units,
    }
}

/// Does an act of the agent of `me`.
pub(crate) fn apply(me: MachineId, act: MachineAct, step: &mut StepContext<'_>) -> Outcome {
    match act {
        MachineAct::Deploy(unit) => deployer::deploy(Placement::Machine(me), unit, step),
        MachineAct::Recall(unit) => deployer::recall(unit, step),
    }
    Outcome::Done
}

/// Names the tasks of machine agents that watch `row`.
pub(crate) fn watchers(change: &WatchedStep<'_>, row: Row, wake: Wake<'_>) {
    match row {
        Row::Machine(me) => {
            wake(Task::MachineAgent(me));
            change
                .world
                .machine(me)
                .parent
                .map(Task::MachineAgent)
                .into_iter()
                .for_each(&mut *wake);
        }
        Row::MachineRuntime(me) => wake(Task::MachineAgent(me)),
        Row::Unit(id) => deployer::machines(change, id).for_each(&mut *wake),
        Row::Scope(_, id) if !change.after.runtime.is_deployed(id) => {
            deployer::machines(change, id).for_each(&mut *wake);
        }
        Row::UnitRuntime(id) if change.is_new(|state| state.runtime.unit(id).deployed_by) => {
            deployer::machines(change, id).for_each(&mut *wake);
        }
        // Other actors' memory, and the memory of unit agents, is watched by no machine agent.
        _ => {}
    }
    if change.is_of_manager(row) {
        change.world.managers().map(Task::MachineAgent).for_each(wake);
    }
}
