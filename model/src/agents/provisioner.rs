//! The provisioner: "while one whose machine has `JobManageModel` is responsible for" (Entity
//! lifecycle, "Agents").
//!
//! It runs in the agent of the first manager machine that runs, and so fails over. The machine it
//! looks after is always another one, as the agent of a Dead machine does not run.

use super::Lister;
use crate::{
    action::Act,
    clause::Rule::Provisioner,
    ids::MachineId,
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    runtime::Hardware,
    variants::{DyingMachineWithoutInstance, UnprovisionedMachine},
};

/// Lists what the provisioner, which runs, can do next about `machine`.
pub(super) fn look_after(machine: MachineId, offers: &mut Lister<'_>) {
    let state = offers.state;
    let Some(life) = state.store.machine_life(machine) else { return };
    let provisioned = state.runtime.machine(machine).hardware != Hardware::Absent;
    match (life, provisioned) {
        // Detect Alive machines without instance ids and provision instances.
        (Alive, false) => start(machine, offers),
        (Dying, false) if must_be_started(machine, offers) => start(machine, offers),
        // Detect non-Alive machines without instance ids and remove them.
        (Dying, false) => {
            if offers.world.variants.unprovisioned_machine
                == UnprovisionedMachine::RemovedByProvisioner
            {
                offers.transact(Provisioner, 2, Operation::SetMachineDead(machine));
            }
        }
        // Detect Dead machines with instance ids, decommission the instance, and remove.
        (Dead, true) => offers.duty(Provisioner, 3, Act::Decommission(machine)),
        (Dead, false) => offers.transact(Provisioner, 3, Operation::RemoveMachine(machine)),
        (Alive | Dying, true) => {}
    }
}

/// Our mend: the agent of a Dying machine has to look after what is still there.
fn must_be_started(id: MachineId, offers: &Lister<'_>) -> bool {
    let in_use =
        offers.state.store.machine(id).is_some_and(|machine| {
            !machine.principals.is_empty() || !machine.containers.is_empty()
        });
    in_use
        && offers.world.variants.dying_machine_without_instance
            == DyingMachineWithoutInstance::StartedWhileInUse
}

/// A container starts on a host that runs.
fn start(machine: MachineId, offers: &mut Lister<'_>) {
    let host = offers.world.machine(machine).parent;
    let has_room =
        host.is_none_or(|host| offers.state.runtime.machine(host).hardware == Hardware::Running);
    if has_room {
        offers.duty(Provisioner, 1, Act::StartInstance(machine));
    }
}
