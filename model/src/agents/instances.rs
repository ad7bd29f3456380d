//! Instances apart from machines: the detail `provisioning`.
//!
//! What We Run, and Why (D3:4-7, D3:66-106). To start an instance and to record it are two steps of the
//! provisioner. In between its record is a pending transaction, so whatever takes that away leaves a
//! stray: an instance that nobody is going to record. A start may fail instead.
//!
//! A provisioner that is replaced while it still runs keeps its record, and ends with the agent that it
//! runs in. It owes nothing; what the others take for a stray may be its instance.

use std::sync::Arc;

use super::{Lister, neglect::performs, plan_for, step::Step};
use crate::{
    action::{Act, Actor, Client, Outcome, ProvisionerAct, TxnAct},
    clause::{Clause, Rule::Provisioner},
    free_ids::NoFreeIds,
    history::Event,
    ids::MachineId,
    operation::Operation,
    rows::StartStatus,
    runtime::{Former, Hardware, Strays},
    state::State,
    txn::Plan,
    variants::StrayInstance,
    world::{Constraints, World},
};

/// A clause of the provisioner.
fn clause(number: u8) -> Clause {
    Clause { rule: Provisioner, number }
}

/// What instances of the machine there are, and what is about to be recorded.
pub(super) fn all(id: MachineId, state: &State) -> (Hardware, Strays, Former) {
    let machine = state.runtime.machine(id);
    (machine.hardware, machine.strays, machine.former)
}

/// Whether there is an instance of the machine that no document records, or a provisioner that may
/// still record one.
pub(super) fn has_left_instances(id: MachineId, state: &State) -> bool {
    let machine = state.runtime.machine(id);
    machine.strays != Strays::None || machine.former != Former::None
}

/// Whether the last start of the machine has failed, and nobody has resolved that.
pub(crate) fn is_in_error(id: MachineId, state: &State) -> bool {
    state.store.machine(id).is_some_and(|machine| machine.start == StartStatus::Error)
}

/// Whether an instance of the machine can run: that of a container on a host that runs.
pub(super) fn has_room(id: MachineId, world: &World, state: &State) -> bool {
    let needs_host = !world.is_off(clause(4));
    let host = world.machine(id).parent.filter(|_| needs_host);
    host.is_none_or(|host| state.runtime.machine(host).hardware == Hardware::Running)
}

/// The clause by which the provisioner starts an instance of the machine, which has none; `None` while
/// it is in error.
pub(super) fn start_due(id: MachineId, list: &Lister<'_>) -> Option<u8> {
    match list.state.store.machine(id)?.start {
        StartStatus::Error if !list.world.is_off(clause(7)) => None,
        StartStatus::Pending | StartStatus::Error => Some(1),
        StartStatus::Resolved => Some(8),
    }
}

/// Lists that the provisioner stops the strays of the machine, if it sees any; says whether it does
/// nothing else about the machine before.
pub(super) fn stops_strays(id: MachineId, list: &mut Lister<'_>) -> bool {
    let (world, state) = (list.world, list.state);
    if state.runtime.machine(id).strays == Strays::None && !takes_for_stray(id, world, state) {
        return false;
    }
    list.duty(Provisioner, 5, Act::Provisioner(ProvisionerAct::StopStray(id)));
    performs(world, state, Actor::Provisioner, clause(5)) && !world.is_off(clause(6))
}

/// Whether the instance that a former provisioner is about to record is taken for a stray.
fn takes_for_stray(id: MachineId, world: &World, state: &State) -> bool {
    let former = state.runtime.machine(id).former;
    former.runs()
        && match world.variants.stray_instance {
            StrayInstance::Unrecorded => true,
            StrayInstance::Superseded => {
                former == Former::Superseded || !can_be_recorded(id, world, state)
            }
        }
}

/// Whether the machine's document is one in which an instance can be recorded.
fn can_be_recorded(id: MachineId, world: &World, state: &State) -> bool {
    matches!(plan_record(id, world, state), Plan::Submit(_))
}

fn plan_record(id: MachineId, world: &World, state: &State) -> Plan {
    plan_for(world, state, Client::Provisioner, Operation::RecordInstance(id), &NoFreeIds)
}

/// The provisioner stops the strays of the machine. A former provisioner does not know.
pub(super) fn stop_strays(id: MachineId, step: &mut Step<'_>) {
    let takes_former = takes_for_stray(id, step.world, step.state);
    let machine = step.state.runtime.machine_mut(id, &mut step.effects.touched);
    machine.strays = Strays::None;
    if takes_former {
        machine.former = Former::Stopped;
    }
}

/// The provisioner starts an instance of the machine, and is about to record it.
pub(super) fn begin(id: MachineId, step: &mut Step<'_>) -> Outcome {
    let Plan::Submit(record) = plan_record(id, step.world, step.state) else {
        return Outcome::NotEnabled;
    };
    step.happens(Event::InstanceAsked(id));
    let touched = &mut step.effects.touched;
    step.state.runtime.set_pending(Client::Provisioner, Arc::new(record), touched);
    if step.state.runtime.machine(id).former == Former::Current {
        step.state.runtime.machine_mut(id, touched).former = Former::Superseded;
    }
    Outcome::Planned
}

/// The machine of which the provisioner has started an instance that it has not recorded yet.
pub(crate) fn being_started(state: &State) -> Option<MachineId> {
    let begun = state.runtime.pending_txn(Client::Provisioner)?.operation;
    if let Operation::RecordInstance(id) = begun { Some(id) } else { None }
}

/// Whether an instance of the machine that is being started comes to run: none does where the provider has
/// no hardware that satisfies the machine's constraints.
fn comes_to_run(id: MachineId, world: &World, state: &State) -> bool {
    let asked = state.store.machine(id).map_or(Constraints::NONE, |machine| machine.constraints);
    !world.machine(id).never_starts
        && has_room(id, world, state)
        && world.constraints.can_be_satisfied(asked)
}

/// The machine whose start has failed, if the provisioner has only to see that.
pub(super) fn failed(task: Client, list: &Lister<'_>) -> Option<MachineId> {
    let id = being_started(list.state).filter(|_| task == Client::Provisioner)?;
    (!comes_to_run(id, list.world, list.state)).then_some(id)
}

/// Whether the start of an instance of the machine can fail now.
pub(super) fn can_fail(id: MachineId, world: &World, state: &State) -> bool {
    being_started(state) == Some(id) && comes_to_run(id, world, state)
}

/// The start of an instance of the machine has failed, and leaves nothing but an error.
pub(super) fn fail_start(id: MachineId, step: &mut Step<'_>) -> Outcome {
    step.state.runtime.clear_pending(Client::Provisioner, &mut step.effects.touched);
    step.transact(Client::Provisioner, TxnAct::Run(Operation::FailStart(id)))
}

/// The pending transaction of `client` is lost. If it is the record of an instance, that is a stray.
pub(super) fn loses_pending(client: Client, step: &mut Step<'_>) {
    let started = being_started(step.state).filter(|_| client == Client::Provisioner);
    if let Some(id) = started.filter(|id| comes_to_run(*id, step.world, step.state)) {
        leave_stray(id, step);
    }
}

fn leave_stray(id: MachineId, step: &mut Step<'_>) {
    let machine = step.state.runtime.machine_mut(id, &mut step.effects.touched);
    if machine.strays == Strays::None {
        machine.strays = Strays::Unrecorded;
    }
}

/// Whether another manager's provisioner can take over from the one that starts an instance of the
/// machine.
pub(super) fn can_fail_over(id: MachineId, world: &World, state: &State) -> bool {
    let runs = |manager: &MachineId| state.machine_agent_runs(world, *manager);
    can_fail(id, world, state)
        && state.runtime.machine(id).former == Former::None
        && world.managers().filter(runs).nth(1).is_some()
}

/// Another provisioner takes over, and this one keeps its record.
pub(super) fn fail_over(id: MachineId, step: &mut Step<'_>) {
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    runtime.clear_pending(Client::Provisioner, touched);
    runtime.machine_mut(id, touched).former = Former::Current;
}

/// Former provisioners that may run in the agent of this manager machine end with it. Which one each runs
/// in is not told: they may end at any time.
pub(super) fn ends_on(manager: MachineId, step: &mut Step<'_>) {
    let world = step.world;
    if !world.machine(manager).manages_model {
        return;
    }
    for &id in &world.faults.fail_over {
        let former = step.state.runtime.machine(id).former;
        if former.runs() {
            leave_stray(id, step);
        }
        if former != Former::None {
            step.state.runtime.machine_mut(id, &mut step.effects.touched).former = Former::None;
        }
    }
}

/// Lists that a former provisioner records the instance that it has started.
pub(super) fn former(id: MachineId, list: &mut Lister<'_>) {
    if list.state.runtime.machine(id).former != Former::None {
        list.act(Act::Provisioner(ProvisionerAct::RecordLate(id)));
    }
}

/// A former provisioner records the instance that it has started, or leaves it as a stray. It sees only
/// documents: its instance may have been stopped.
pub(super) fn record_late(id: MachineId, step: &mut Step<'_>) -> Outcome {
    let touched = &mut step.effects.touched;
    let machine = step.state.runtime.machine_mut(id, touched);
    let former = std::mem::take(&mut machine.former);
    let is_last_start = match step.world.variants.stray_instance {
        StrayInstance::Unrecorded => true,
        StrayInstance::Superseded => former == Former::Current,
    };
    if is_last_start && can_be_recorded(id, step.world, step.state) {
        let outcome =
            step.transact(Client::Provisioner, TxnAct::Run(Operation::RecordInstance(id)));
        let runs = step.state.runtime.machine(id).hardware == Hardware::Running;
        if former == Former::Stopped && runs {
            let machine = step.state.runtime.machine_mut(id, &mut step.effects.touched);
            machine.hardware = Hardware::Silent;
        }
        return outcome;
    }
    if former.runs() {
        leave_stray(id, step);
    }
    Outcome::Aborted
}

/// The instance of a machine is recorded: its agents run. If one was recorded before, that is a stray; so
/// is the instance if the record is switched off.
pub(super) fn committed(operation: Operation, step: &mut Step<'_>) {
    let Operation::RecordInstance(id) = operation else { return };
    if !step.state.store.machine(id).is_some_and(|machine| machine.instance) {
        return leave_stray(id, step);
    }
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    if runtime.machine(id).hardware == Hardware::Running {
        runtime.wipe(step.world, id, Hardware::Absent, touched);
        runtime.machine_mut(id, touched).strays = Strays::Replaced;
    }
    runtime.machine_mut(id, touched).hardware = Hardware::Running;
    has_new_agents(id, step);
}

/// The agents on a new instance are of the version that there is.
pub(super) fn has_new_agents(id: MachineId, step: &mut Step<'_>) {
    if step.world.has_versions() {
        let runtime = &mut step.state.runtime;
        let is_new = runtime.upgrade().done;
        runtime.machine_mut(id, &mut step.effects.touched).new_version = is_new;
    }
}
