//! The provisioner: Entity lifecycle, "Agents" (D2:383-389).
//!
//! It runs in the agent of the first manager machine that runs, and so fails over. The machine that
//! it works on is always another one, as the agent of a Dead machine does not run.

use super::{Lister, Task, step::Step};
use crate::{
    action::{
        Act, Client, Outcome, ProvisionerAct,
        table::{Argument, Arguments},
    },
    clause::Rule::Provisioner,
    ids::MachineId,
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    runtime::Hardware,
    variants::{DyingMachineWithoutInstance, UnprovisionedMachine},
};

/// Lists what the provisioner, which runs, can do next about `machine`.
pub(super) fn duties(machine: MachineId, list: &mut Lister<'_>) {
    let state = list.state;
    let Some(life) = state.store.machine_life(machine) else { return };
    let provisioned = state.runtime.machine(machine).hardware != Hardware::Absent;
    match (life, provisioned) {
        // Detect Alive machines without instance ids and provision instances.
        (Alive, false) => start(machine, list),
        (Dying, false) if must_be_started(machine, list) => start(machine, list),
        // Detect non-Alive machines without instance ids and remove them.
        (Dying, false) => {
            if list.world.variants.unprovisioned_machine
                == UnprovisionedMachine::RemovedByProvisioner
            {
                list.transact(
                    Client::Provisioner,
                    Provisioner,
                    2,
                    Operation::SetMachineDead(machine),
                );
            }
        }
        // Detect Dead machines with instance ids, decommission the instance, and remove.
        (Dead, true) => {
            list.duty(Provisioner, 3, Act::Provisioner(ProvisionerAct::Decommission(machine)));
        }
        (Dead, false) => {
            list.transact(Client::Provisioner, Provisioner, 3, Operation::RemoveMachine(machine));
        }
        (Alive | Dying, true) => {}
    }
}

/// The task in which it may do an act with these arguments: the one of the machine.
pub(super) fn tasks_for(arguments: Arguments) -> Vec<Task> {
    let machines = arguments.into_iter().flatten().filter_map(|argument| match argument {
        Argument::Machine(id) => Some(Task::Provision(id)),
        Argument::Unit(_)
        | Argument::Application(_)
        | Argument::Relation(_)
        | Argument::Agent(_)
        | Argument::Client(_) => None,
    });
    machines.collect()
}

/// Whether a Dying machine gets an instance. That is our fix: its agent has to remove its units and
/// containers.
fn must_be_started(id: MachineId, list: &Lister<'_>) -> bool {
    let in_use =
        list.state.store.machine(id).is_some_and(|machine| {
            !machine.principals.is_empty() || !machine.containers.is_empty()
        });
    in_use
        && list.world.variants.dying_machine_without_instance
            == DyingMachineWithoutInstance::StartedWhileInUse
}

/// A container starts on a host that runs.
fn start(machine: MachineId, list: &mut Lister<'_>) {
    let host = list.world.machine(machine).parent;
    let has_room =
        host.is_none_or(|host| list.state.runtime.machine(host).hardware == Hardware::Running);
    if has_room {
        list.duty(Provisioner, 1, Act::Provisioner(ProvisionerAct::StartInstance(machine)));
    }
}

/// Does an act of the provisioner.
pub(super) fn apply(act: ProvisionerAct, step: &mut Step<'_>) -> Outcome {
    let touched = &mut step.effects.touched;
    match act {
        ProvisionerAct::StartInstance(machine) => step.state.start_instance(machine, touched),
        ProvisionerAct::Decommission(machine) => {
            step.state.lose_instance(step.world, machine, Hardware::Absent, touched);
        }
    }
    Outcome::Done
}
