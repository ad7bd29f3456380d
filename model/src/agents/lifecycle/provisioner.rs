//! The provisioner: Entity lifecycle, "Agents" (D2:383-389).
//!
//! It runs in the agent of the first manager machine that runs, and so fails over. The machine that
//! it works on is always another one, as the agent of a Dead machine does not run.

use crate::{
    action::{Act, Outcome, ProvisionerAct},
    actor::Client,
    agents::{
        Lister, Task,
        context::StepContext,
        provisioning::{former, instances, starts},
        watched::{Wake, WatchedStep},
    },
    clause::Rule::Provisioner,
    ids::MachineId,
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    ops::has_to_run,
    rows::Row,
    runtime::Hardware,
    table::{Argument, Arguments},
    variants::UnprovisionedMachine,
};

/// Lists the next actions of the running provisioner on `machine`.
pub(crate) fn duties(machine: MachineId, list: &mut Lister<'_>) {
    let state = list.state;
    if instances::stops_strays(machine, list) {
        return;
    }
    let Some(document) = state.store.machine(machine) else { return };
    let value = list.world.variants.unprovisioned_machine;
    match (document.life, document.instance) {
        // `provisioner.1`: Detect Alive machines without instance ids and provision instances.
        (Alive, false) => starts::begins(machine, list),
        (Dying, false) if has_to_run(machine, list.world, &state.store) => {
            starts::begins(machine, list);
        }
        // `provisioner.2`: Detect non-Alive machines without instance ids and remove them.
        (Dying, false) => {
            if value == UnprovisionedMachine::RemovedByProvisioner {
                let set_dead = Operation::SetMachineDead(machine);
                list.transact(Client::Provisioner, Provisioner, 2, set_dead);
            }
        }
        // `provisioner.3`: Detect Dead machines with instance ids, decommission the instance, and
        // remove.
        (Dead, true) => {
            let act = ProvisionerAct::Decommission(machine);
            list.duty(Provisioner, 3, Act::Provisioner(act));
        }
        // Removing a machine that had an instance completes `provisioner.3`. The document records
        // only where it matters that there was one; elsewhere the machine counts as never
        // provisioned. Whichever of the two duties is performed removes it.
        (Dead, false) => {
            let is_left = value == UnprovisionedMachine::Left && !document.lost;
            if is_left {
                return;
            }
            let duties = if document.lost { [3, 2] } else { [2, 3] };
            let number = list.first_performed(Client::Provisioner, Provisioner, duties);
            let remove = Operation::RemoveMachine(machine);
            list.transact(Client::Provisioner, Provisioner, number, remove);
        }
        (Alive | Dying, true) => {}
    }
}

/// The task in which it may do an act with these arguments: the one of the machine.
pub(crate) fn tasks_for(arguments: Arguments) -> Vec<Task> {
    let machines = arguments.into_iter().flatten().filter_map(|argument| match argument {
        Argument::Machine(id) => Some(Task::Provision(id)),
        Argument::Unit(_)
        | Argument::Application(_)
        | Argument::Relation(_)
        | Argument::Constraints(_)
        | Argument::Agent(_)
        | Argument::User(_)
        | Argument::Client(_) => None,
    });
    machines.collect()
}

pub(crate) fn apply(act: ProvisionerAct, step: &mut StepContext<'_>) -> Outcome {
    match act {
        ProvisionerAct::StartInstance(machine) if step.world.detail.provisioning => {
            return starts::start(machine, step);
        }
        ProvisionerAct::StartInstance(machine) => {
            step.state.start_instance(machine, &mut step.effects.touched);
            instances::has_new_agents(machine, step);
        }
        ProvisionerAct::Decommission(machine) => {
            let touched = &mut step.effects.touched;
            step.state.lose_instance(step.world, machine, Hardware::Absent, touched);
        }
        ProvisionerAct::StopStray(machine) => instances::stop_strays(machine, step),
        ProvisionerAct::ReadMachine(machine) => return starts::read(machine, step),
        ProvisionerAct::NameStart(machine) => return starts::name(machine, step),
        ProvisionerAct::FindFailed(machine) => return starts::fail(machine, step),
        ProvisionerAct::NameLate(machine) => return former::name(machine, step),
        ProvisionerAct::StartLate(machine) => return former::start(machine, step),
        ProvisionerAct::FailLate(machine) => return former::fail(machine, step),
        ProvisionerAct::WriteErrorLate(machine) => return former::write_error(machine, step),
        ProvisionerAct::RecordLate(machine) => return former::record(machine, step),
    }
    Outcome::Done
}

/// Names the tasks of the provisioner that watch `row`.
pub(crate) fn watchers(change: &WatchedStep<'_>, row: Row, wake: Wake<'_>) {
    match row {
        Row::Machine(id) => wake(Task::Provision(id)),
        // A container starts on a machine that runs.
        Row::MachineRuntime(id) if change.is_new(|state| instances::all(id, state)) => {
            wake(Task::Provision(id));
            change.world.containers_of(id).map(Task::Provision).for_each(&mut *wake);
        }
        _ => {}
    }
    if change.is_of_manager(row) {
        wake(Task::Provisioner);
    }
}
