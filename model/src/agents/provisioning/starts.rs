//! The starts of instances: the detail `provisioning`.
//!
//! What We Run, and Why (D3:66-106). The provisioner reads a machine, asks for an instance of it,
//! and records that, or writes that the start has failed. Where one provisioner works at a time,
//! its reads and failures are invisible until it asks or writes the error: so to read and to ask
//! are one step there, and to fail and to write. A provisioner that ends in between might as well
//! not have begun. Where another one can take over, each of these is a step of its own, in a world
//! of atomic transactions, too.
//!
//! Where the document names the last start, the name is written between the read and the request
//! for the instance. That write asserts that nothing of what was read has changed.

use std::sync::Arc;

use super::{
    former,
    instances::{self, InstanceStart},
};
use crate::{
    action::{Act, Outcome, ProvisionerAct, TxnAct},
    actor::Client,
    agents::{Lister, context::StepContext, plan_for},
    clause::{Clause, Rule::Provisioner},
    free_ids::NoFreeIds,
    history::Event,
    ids::{Constraints, MachineId},
    life::StartStatus,
    operation::Operation,
    ops::Plan,
    rows::{ManagerTask, Stage},
    runtime::{Former, Hardware},
    state::State,
    variants::{StrayInstance, SupersededStart},
    world::World,
};

/// The number of the clause by which the provisioner starts an instance of a machine without one;
/// `None` while the machine is in error.
fn due(id: MachineId, world: &World, state: &State) -> Option<u8> {
    let error = Clause { rule: Provisioner, number: 7 };
    match state.store.machine(id)?.start {
        StartStatus::Error if !world.is_off(error) => None,
        StartStatus::Pending | StartStatus::Error => Some(1),
        StartStatus::Resolved => Some(8),
    }
}

/// Whether the state of the machine's document allows a start to be named.
pub(super) fn is_due(id: MachineId, world: &World, state: &State) -> bool {
    can_be_recorded(id, world, state) && due(id, world, state).is_some()
}

/// Whether the state of the machine's document allows an instance to be recorded.
pub(super) fn can_be_recorded(id: MachineId, world: &World, state: &State) -> bool {
    matches!(plan_record(id, world, state), Plan::Submit(_))
}

fn plan_record(id: MachineId, world: &World, state: &State) -> Plan {
    plan_for(world, state, Client::Provisioner, Operation::RecordInstance(id), &NoFreeIds)
}

/// Lists the start of an instance of the machine, or its first step. A container starts on a host
/// that runs; on any other the provider cannot start one.
pub(crate) fn begins(id: MachineId, list: &mut Lister<'_>) {
    let has_room = instances::has_room(id, list.world, list.state);
    if let (true, Some(number)) = (has_room, due(id, list.world, list.state)) {
        let act = if list.world.is_shared(id) {
            ProvisionerAct::ReadMachine(id)
        } else {
            ProvisionerAct::StartInstance(id)
        };
        list.duty(Provisioner, number, Act::Provisioner(act));
    }
}

/// The machine whose instance the provisioner is starting, and the stage that it has reached.
pub(super) fn in_progress(state: &State) -> Option<(MachineId, Stage)> {
    let begun = state.runtime.pending_txn(Client::Provisioner)?.operation;
    let Operation::RecordInstance(id) = begun else { return None };
    Some((id, state.runtime.task(ManagerTask::Provisioner).stage))
}

/// The machine whose instance the provisioner has asked for and not recorded yet.
pub fn being_started(state: &State) -> Option<MachineId> {
    in_progress(state).filter(|(_, stage)| *stage == Stage::Asked).map(|(id, _)| id)
}

/// Whether `client` is the provisioner, in a start that has nothing to commit yet.
pub(crate) fn has_only_read(client: Client, state: &State) -> bool {
    client == Client::Provisioner
        && in_progress(state).is_some_and(|(_, stage)| stage != Stage::Asked)
}

/// Lists the next actions of the provisioner on the start that it has begun.
pub(crate) fn goes_on(list: &mut Lister<'_>) {
    let act = match in_progress(list.state) {
        Some((id, Stage::Read | Stage::Outdated)) => {
            let names = list.world.names_starts();
            let next =
                if names { ProvisionerAct::NameStart } else { ProvisionerAct::StartInstance };
            list.act(Act::Provisioner(next(id)));
            if looks_stray(id, list.world, list.state) {
                list.duty(Provisioner, 5, Act::Provisioner(ProvisionerAct::StopStray(id)));
            }
            return;
        }
        Some((id, Stage::Named)) => ProvisionerAct::StartInstance(id),
        Some((id, Stage::Asked)) if !comes_to_run(id, list.world, list.state) => {
            ProvisionerAct::FindFailed(id)
        }
        Some((_, Stage::Asked)) | None => {
            list.finish(Client::Provisioner);
            return;
        }
    };
    list.act(Act::Provisioner(act));
}

/// Whether an instance is a stray by the provisioner's outdated view of the document: that of a
/// former provisioner, which may have recorded it since.
fn looks_stray(id: MachineId, world: &World, state: &State) -> bool {
    let is_outdated = in_progress(state) == Some((id, Stage::Outdated));
    let machine = state.runtime.machine(id);
    let is_recorded = machine.hardware == Hardware::Running
        && state.store.machine(id).is_some_and(|machine| machine.instance);
    match world.variants.stray_instance {
        StrayInstance::Unrecorded => machine.former.runs() || is_recorded,
        StrayInstance::Superseded => false,
        StrayInstance::DocumentsFirst => {
            is_outdated && (machine.former == Former::Current || is_recorded)
        }
    }
}

/// Reads the document of the machine.
pub(crate) fn read(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    let Plan::Submit(record) = plan_record(id, step.world, step.state) else {
        return Outcome::NotEnabled;
    };
    let touched = &mut step.effects.touched;
    step.state.runtime.set_pending(Client::Provisioner, Arc::new(record), touched);
    step.state.runtime.task_mut(ManagerTask::Provisioner, touched).stage = Stage::Read;
    Outcome::Done
}

/// Names the start of an instance in the document of the machine that the provisioner has read.
pub(crate) fn name(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    let is_outdated = in_progress(step.state) == Some((id, Stage::Outdated));
    if is_outdated || !is_due(id, step.world, step.state) {
        step.state.runtime.clear_pending(Client::Provisioner, &mut step.effects.touched);
        return Outcome::Aborted;
    }
    let touched = &mut step.effects.touched;
    step.state.runtime.task_mut(ManagerTask::Provisioner, touched).stage = Stage::Named;
    instances::named_anew(id, step);
    former::is_superseded(id, step);
    Outcome::Done
}

/// Starts an instance of the machine, which the provisioner is about to record.
pub(crate) fn start(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    step.happens(Event::InstanceAsked(id));
    if in_progress(step.state).is_none() {
        let Plan::Submit(record) = plan_record(id, step.world, step.state) else {
            return Outcome::NotEnabled;
        };
        let touched = &mut step.effects.touched;
        step.state.runtime.set_pending(Client::Provisioner, Arc::new(record), touched);
        runs(id, step);
        instances::named_anew(id, step);
        return Outcome::Planned;
    }
    runs(id, step);
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    runtime.task_mut(ManagerTask::Provisioner, touched).stage = Stage::Asked;
    match (runtime.machine(id).former, step.world.variants.superseded_start) {
        // No document tells the two apart, but their instances come one after the other.
        (Former::Current, _) => runtime.machine_mut(id, touched).former = Former::Superseded,
        // The provider is going to refuse the former provisioner's request.
        (Former::Outdated, SupersededStart::Refused) => {
            runtime.machine_mut(id, touched).former = Former::None;
        }
        _ => {}
    }
    Outcome::Planned
}

/// Whether an instance of the machine that is asked for comes to run. None does if the provider has
/// no hardware that satisfies the machine's constraints.
pub(super) fn comes_to_run(id: MachineId, world: &World, state: &State) -> bool {
    let asked = state.store.machine(id).map_or(Constraints::NONE, |machine| machine.constraints);
    !world.machine(id).never_starts
        && instances::has_room(id, world, state)
        && world.constraints.can_be_satisfied(asked)
}

/// Reports that a requested instance of the machine runs, if it comes to run.
pub(super) fn runs(id: MachineId, step: &mut StepContext<'_>) {
    if comes_to_run(id, step.world, step.state) {
        step.happens(Event::InstanceRuns(id));
    }
}

/// Whether the provisioner has a running instance of the machine that it has not recorded yet.
pub fn has_unrecorded(id: MachineId, world: &World, state: &State) -> bool {
    being_started(state) == Some(id) && comes_to_run(id, world, state)
}

/// Whether the start of an instance of the machine can fail now.
pub(crate) fn can_fail(id: MachineId, world: &World, state: &State) -> bool {
    has_unrecorded(id, world, state)
}

/// Has the start of an instance of the machine fail, which leaves nothing but an error.
pub(crate) fn fail(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    if has_unrecorded(id, step.world, step.state) {
        step.happens(Event::InstanceEnds(id));
    }
    counts_as_failed(id, step)
}

/// Has the start of an instance of the machine time out, so that it counts as failed. The instance
/// comes up, and is a stray.
pub(crate) fn time_out(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    instances::leave_stray(id, InstanceStart::Last, step);
    counts_as_failed(id, step)
}

fn counts_as_failed(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    step.state.runtime.clear_pending(Client::Provisioner, &mut step.effects.touched);
    let write = Operation::FailStart(id);
    let act = if step.world.is_shared(id) { TxnAct::Begin(write) } else { TxnAct::Run(write) };
    step.transact(Client::Provisioner, act)
}
