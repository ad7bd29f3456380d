//! The machine agent: "an MA whose machine has `JobHostUnits` is responsible for" (Entity
//! lifecycle, "Agents").

use super::{Lister, deployer};
use crate::{
    action::{Act, Agent},
    clause::Rule::MachineAgent,
    ids::MachineId,
    life::Life::Dying,
    operation::Operation,
};

/// Lists what the agent of `me` can do next.
pub(super) fn duties(me: MachineId, offers: &mut Lister<'_>) {
    let state = offers.state;
    if !offers.is_up(Agent::Machine(me)) {
        return;
    }
    let Some(machine) = state.store.machine(me) else { return };
    let runtime = state.runtime.machine(me);
    if offers.finish(runtime.pending.as_ref()) {
        return;
    }
    // Detect undeployed Alive principals, undeployed ones that are not Alive, deployed Dead ones.
    for unit in machine.principals.iter() {
        let clauses = deployer::Clauses { rule: MachineAgent, deploy: 1, remove: 2, recall: 3 };
        deployer::look_after(unit, clauses, offers);
    }
    // Detect deployed principals not assigned to it, and recall them.
    for orphan in runtime.deployed.iter().filter(|id| !machine.principals.contains(*id)) {
        offers.duty(MachineAgent, 4, Act::Recall(orphan));
    }
    // Detect its machine's Dying state, and set it to Dead.
    if machine.life == Dying {
        offers.transact(MachineAgent, 5, Operation::SetMachineDead(me));
    }
}
