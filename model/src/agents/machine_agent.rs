//! The machine agent: Entity lifecycle, "Agents" (D2:371-381).

use super::{Lister, deployer::Deployer, step::Step};
use crate::{
    action::{Agent, Client, MachineAct, Outcome},
    clause::Rule::MachineAgent,
    ids::MachineId,
    life::Life::Dying,
    operation::Operation,
    store::Placement,
};

/// Lists what the agent of `me` can do next.
pub(super) fn duties(me: MachineId, list: &mut Lister<'_>) {
    let state = list.state;
    let (agent, client) = (Agent::Machine(me), Client::Machine(me));
    if !list.is_up(agent) {
        return;
    }
    let Some(machine) = state.store.machine(me) else { return };
    if list.finish(client) {
        return;
    }
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
    if machine.life == Dying {
        list.transact(client, MachineAgent, 5, Operation::SetMachineDead(me));
    }
}

/// Does an act of the agent of `me`.
pub(super) fn apply(me: MachineId, act: MachineAct, step: &mut Step<'_>) -> Outcome {
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    match act {
        MachineAct::Deploy(unit) => runtime.deploy(unit, Placement::Machine(me), touched),
        MachineAct::Recall(unit) => runtime.recall(step.world, unit, touched),
    }
    Outcome::Done
}
