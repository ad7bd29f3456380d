//! Instances apart from machines: the detail `provisioning`.
//!
//! What We Run, and Why (D3:4-7, D3:66-106). To start an instance and to record it are two steps of
//! the provisioner. In between its record is a pending transaction; should that be lost, the
//! instance is a stray, which no transaction will record. So is the instance of a machine whose
//! document is gone.
//!
//! By our fix the document names the last start. An instance of that start looks like one that is
//! about to be recorded, even if its provisioner has ended. Only the name of a later start shows
//! that it is a stray.

use super::starts::{self, can_be_recorded, comes_to_run};
use crate::{
    action::{Act, ProvisionerAct},
    actor::{Actor, Client},
    agents::{Lister, context::StepContext, faults, neglect::performs},
    clause::{Clause, Rule::Provisioner},
    history::Event,
    ids::MachineId,
    life::StartStatus,
    operation::Operation,
    rows::Stage,
    runtime::{Former, Hardware, Strays},
    state::State,
    variants::StrayInstance,
    world::World,
};

fn clause(number: u8) -> Clause {
    Clause { rule: Provisioner, number }
}

/// All instances of the machine, including the one about to be recorded.
pub(crate) fn all(id: MachineId, state: &State) -> (Hardware, Strays, bool, Former) {
    let machine = state.runtime.machine(id);
    (machine.hardware, machine.strays, machine.named_stray, machine.former)
}

/// Whether there is an instance of the machine that no document records, or a provisioner that may
/// still record one.
pub(crate) fn has_left_instances(id: MachineId, state: &State) -> bool {
    state.runtime.machine(id).former != Former::None || has_strays(id, state)
}

/// Whether the machine has an instance that will never be recorded, or whose document is gone.
pub fn has_strays(id: MachineId, state: &State) -> bool {
    let machine = state.runtime.machine(id);
    machine.strays != Strays::None || machine.named_stray || is_left_behind(id, state)
}

/// Whether the document of the machine is gone, and its instance is not.
fn is_left_behind(id: MachineId, state: &State) -> bool {
    state.store.machine(id).is_none() && state.runtime.machine(id).hardware != Hardware::Absent
}

/// Whether the last start of the machine has failed and the error is not resolved.
pub fn is_in_error(id: MachineId, state: &State) -> bool {
    state.store.machine(id).is_some_and(|machine| machine.start == StartStatus::Error)
}

/// Whether an instance of the machine can run: a container needs a host that runs.
pub(super) fn has_room(id: MachineId, world: &World, state: &State) -> bool {
    let needs_host = !world.is_off(clause(4));
    let host = world.machine(id).parent.filter(|_| needs_host);
    host.is_none_or(|host| state.runtime.machine(host).hardware == Hardware::Running)
}

/// Lists that the provisioner stops the strays of the machine, if it sees any; returns whether this
/// comes before all else that it does about the machine.
pub(crate) fn stops_strays(id: MachineId, list: &mut Lister<'_>) -> bool {
    let (world, state) = (list.world, list.state);
    if !world.detail.provisioning || !sees_strays(id, world, state) {
        return false;
    }
    list.duty(Provisioner, 5, Act::Provisioner(ProvisionerAct::StopStray(id)));
    performs(world, state, Actor::Provisioner, clause(5)) && !world.is_off(clause(6))
}

/// Whether the machine's document shows some instance of it as a stray.
fn sees_strays(id: MachineId, world: &World, state: &State) -> bool {
    state.runtime.machine(id).strays != Strays::None
        || is_left_behind(id, state)
        || takes_named(id, world, state)
        || takes_former(id, world, state)
}

/// Whether an instance of the last start that will never be recorded shows as a stray.
fn takes_named(id: MachineId, world: &World, state: &State) -> bool {
    state.runtime.machine(id).named_stray && !can_be_recorded(id, world, state)
}

/// Whether the instance that a former provisioner is about to record shows as a stray.
fn takes_former(id: MachineId, world: &World, state: &State) -> bool {
    let former = state.runtime.machine(id).former;
    former.runs()
        && match world.variants.stray_instance {
            StrayInstance::Unrecorded => true,
            StrayInstance::Superseded | StrayInstance::DocumentsFirst => {
                former == Former::Superseded || !can_be_recorded(id, world, state)
            }
        }
}

/// Stops the strays of the machine. A former provisioner learns nothing of it.
pub(crate) fn stop_strays(id: MachineId, step: &mut StepContext<'_>) {
    if let Some((_, Stage::Read | Stage::Outdated)) = starts::in_progress(step.state) {
        return stop_what_looks_stray(id, step);
    }
    let takes_named = takes_named(id, step.world, step.state);
    let takes_former = takes_former(id, step.world, step.state);
    let has_others = step.state.runtime.machine(id).strays != Strays::None;
    for _ in [has_others, takes_named, takes_former].into_iter().filter(|ends| *ends) {
        step.happens(Event::InstanceEnds(id));
    }
    let machine = step.state.runtime.machine_mut(id, &mut step.effects.touched);
    machine.strays = Strays::None;
    machine.named_stray &= !takes_named;
    if takes_former {
        let records = machine.former == Former::Current || !step.world.names_starts();
        machine.former = if records { Former::Stopped } else { Former::None };
    }
    if is_left_behind(id, step.state) {
        faults::fail(id, Hardware::Absent, step);
    }
}

/// Stops an instance that is a stray by an outdated view of the document. If it was recorded since,
/// its end stays unnoticed.
fn stop_what_looks_stray(id: MachineId, step: &mut StepContext<'_>) {
    if step.state.runtime.machine(id).former.runs() {
        let machine = step.state.runtime.machine_mut(id, &mut step.effects.touched);
        machine.former = Former::Stopped;
        step.happens(Event::InstanceEnds(id));
    } else {
        faults::fail(id, Hardware::Silent, step);
    }
}

/// Leaves a stray, if the lost pending transaction of `client` is the record of an instance.
pub(crate) fn loses_pending(client: Client, step: &mut StepContext<'_>) {
    let started = starts::being_started(step.state).filter(|_| client == Client::Provisioner);
    if let Some(id) = started.filter(|id| comes_to_run(*id, step.world, step.state)) {
        leave_stray(id, InstanceStart::Last, step);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InstanceStart {
    /// The last start of the machine.
    Last,
    /// Any start before the last one.
    Earlier,
}

/// Leaves an instance of the start `of` as a stray, as no transaction will record it any more.
pub(super) fn leave_stray(id: MachineId, of: InstanceStart, step: &mut StepContext<'_>) {
    let is_named = of == InstanceStart::Last && step.world.names_starts();
    let machine = step.state.runtime.machine_mut(id, &mut step.effects.touched);
    if is_named {
        machine.named_stray = true;
    } else if machine.strays == Strays::None {
        machine.strays = Strays::Unrecorded;
    } else {
        step.happens(Event::InstanceEnds(id));
    }
}

/// Turns an instance of the last start into a visible stray, as the document names another start.
pub(super) fn named_anew(id: MachineId, step: &mut StepContext<'_>) {
    if step.state.runtime.machine(id).named_stray {
        step.state.runtime.machine_mut(id, &mut step.effects.touched).named_stray = false;
        leave_stray(id, InstanceStart::Earlier, step);
    }
}

/// Has the agents of a recorded instance run. An instance recorded before becomes a stray; so does
/// this one if the record is switched off.
pub(crate) fn committed(operation: Operation, step: &mut StepContext<'_>) {
    let Operation::RecordInstance(id) = operation else { return };
    if !step.state.store.machine(id).is_some_and(|machine| machine.instance) {
        return leave_stray(id, InstanceStart::Last, step);
    }
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    if runtime.machine(id).hardware == Hardware::Running {
        runtime.wipe(step.world, id, Hardware::Absent, touched);
        let machine = runtime.machine_mut(id, touched);
        let has_others = machine.strays != Strays::None;
        machine.strays = Strays::Replaced;
        // Strays are stopped together, and count as one.
        if !has_others {
            step.happens(Event::InstanceRuns(id));
        }
    }
    step.happens(Event::InstanceNamed(id));
    let machine = step.state.runtime.machine_mut(id, &mut step.effects.touched);
    machine.hardware = Hardware::Running;
    has_new_agents(id, step);
}

/// Gives the agents on a new instance the version of the time.
pub(crate) fn has_new_agents(id: MachineId, step: &mut StepContext<'_>) {
    if step.world.has_versions() {
        let runtime = &mut step.state.runtime;
        let is_new = runtime.upgrade().done;
        runtime.machine_mut(id, &mut step.effects.touched).new_version = is_new;
    }
}
