//! Former provisioners: each was replaced while it started an instance, and runs on.
//!
//! A provisioner that is replaced while it still runs keeps what it has begun, and ends with the
//! agent that it runs in. It owes nothing, and learns nothing of later events. Its instance may
//! look like a stray to others. Whether its start succeeds depends on the constraints of the
//! machine when it asks; if it has read others, its start may fail as any other.

use super::{
    instances::{self, InstanceStart},
    starts::{self, can_be_recorded, comes_to_run, in_progress},
};
use crate::{
    action::{Act, Outcome, ProvisionerAct, TxnAct},
    actor::Client,
    agents::{Lister, context::StepContext},
    history::Event,
    ids::MachineId,
    operation::Operation,
    rows::{ManagerTask, Stage},
    runtime::{Former, Hardware},
    state::State,
    world::World,
};

/// The state in which the provisioner would go on as a former one, if it is starting an instance of
/// the machine and were replaced now.
fn kept(id: MachineId, world: &World, state: &State) -> Option<Former> {
    let begun = state.runtime.pending_txn(Client::Provisioner)?.operation;
    if begun == Operation::FailStart(id) {
        return Some(Former::Failed);
    }
    let (_, begun) = in_progress(state).filter(|(it, _)| *it == id)?;
    match begun {
        Stage::Asked if comes_to_run(id, world, state) => Some(Former::Current),
        Stage::Asked => Some(Former::Failed),
        Stage::Read => Some(Former::Reads),
        Stage::Named => Some(Former::Named),
        // Its next transaction aborts.
        Stage::Outdated => None,
    }
}

/// Whether another manager's provisioner can take over from the one that starts an instance of the
/// machine.
pub(crate) fn can_fail_over(id: MachineId, world: &World, state: &State) -> bool {
    let runs = |manager: &MachineId| state.machine_agent_runs(world, *manager);
    state.runtime.machine(id).former == Former::None
        && kept(id, world, state).is_some()
        && world.managers().filter(runs).nth(1).is_some()
}

/// Has another provisioner take over, while this one keeps what it has begun.
pub(crate) fn fail_over(id: MachineId, step: &mut StepContext<'_>) {
    let kept = kept(id, step.world, step.state).unwrap_or_default();
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    runtime.clear_pending(Client::Provisioner, touched);
    runtime.machine_mut(id, touched).former = kept;
}

/// Ends the former provisioners with the agent of this manager machine. The state does not say in
/// which agent each runs, and any of them may end at any time.
pub(crate) fn ends_on(manager: MachineId, step: &mut StepContext<'_>) {
    let world = step.world;
    if !world.machine(manager).manages_model {
        return;
    }
    for &id in &world.faults.fail_over {
        let former = step.state.runtime.machine(id).former;
        if former.runs() {
            instances::leave_stray(id, start_of(former), step);
        }
        if former != Former::None {
            becomes(Former::None, id, step);
        }
    }
}

/// Marks a former provisioner's start as an earlier one, since the machine's document names
/// another. Its transactions that assert the name will abort.
pub(super) fn is_superseded(id: MachineId, step: &mut StepContext<'_>) {
    let former = step.state.runtime.machine(id).former;
    let left = match former {
        Former::None | Former::Reads | Former::Stopped | Former::Failed => Former::None,
        Former::Named | Former::Outdated => Former::Outdated,
        Former::Current | Former::Superseded => Former::Superseded,
    };
    if left != former {
        becomes(left, id, step);
    }
}

/// The start of the machine that a former provisioner began.
fn start_of(former: Former) -> InstanceStart {
    match former {
        Former::Outdated | Former::Superseded => InstanceStart::Earlier,
        Former::None
        | Former::Reads
        | Former::Named
        | Former::Current
        | Former::Stopped
        | Former::Failed => InstanceStart::Last,
    }
}

fn becomes(former: Former, id: MachineId, step: &mut StepContext<'_>) {
    step.state.runtime.machine_mut(id, &mut step.effects.touched).former = former;
}

/// Lists the next action of a former provisioner on the start of an instance.
pub(crate) fn duties(id: MachineId, list: &mut Lister<'_>) {
    let act = match list.state.runtime.machine(id).former {
        Former::None => return,
        Former::Reads if list.world.names_starts() => ProvisionerAct::NameLate(id),
        Former::Reads | Former::Named | Former::Outdated => ProvisionerAct::StartLate(id),
        Former::Failed => ProvisionerAct::WriteErrorLate(id),
        former @ (Former::Current | Former::Superseded | Former::Stopped) => {
            let may_fail = list.world.faults.start_failure.binary_search(&id).is_ok();
            if former.runs() && may_fail {
                list.act(Act::Provisioner(ProvisionerAct::FailLate(id)));
            }
            ProvisionerAct::RecordLate(id)
        }
    };
    list.act(Act::Provisioner(act));
}

/// Names the start of a former provisioner in the document of the machine that it has read.
pub(crate) fn name(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    if !starts::is_due(id, step.world, step.state) {
        becomes(Former::None, id, step);
        return Outcome::Aborted;
    }
    becomes(Former::Named, id, step);
    instances::named_anew(id, step);
    outdates(id, step);
    Outcome::Done
}

/// Outdates the present provisioner's view of the machine, as the document has changed since.
fn outdates(id: MachineId, step: &mut StepContext<'_>) {
    if in_progress(step.state) == Some((id, Stage::Read)) {
        let touched = &mut step.effects.touched;
        step.state.runtime.task_mut(ManagerTask::Provisioner, touched).stage = Stage::Outdated;
    }
}

/// Starts the instance of a former provisioner, whatever the machine's document says by now.
pub(crate) fn start(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    step.happens(Event::InstanceAsked(id));
    starts::runs(id, step);
    let is_last = step.state.runtime.machine(id).former != Former::Outdated;
    let left = match (comes_to_run(id, step.world, step.state), is_last) {
        (true, true) => Former::Current,
        (true, false) => Former::Superseded,
        (false, true) => Former::Failed,
        (false, false) => Former::None,
    };
    becomes(left, id, step);
    Outcome::Done
}

/// Has the start of a former provisioner fail. It writes no error if that asserts that its start is
/// the last one, and there has been a later one.
pub(crate) fn fail(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    let former = step.state.runtime.machine(id).former;
    let writes = former == Former::Current || !step.world.names_starts();
    becomes(if writes { Former::Failed } else { Former::None }, id, step);
    step.happens(Event::InstanceEnds(id));
    Outcome::Done
}

/// Writes the error of a former provisioner's failed start.
pub(crate) fn write_error(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    becomes(Former::None, id, step);
    if step.world.names_starts() {
        outdates(id, step);
    }
    step.transact(Client::Provisioner, TxnAct::Run(Operation::FailStart(id)))
}

/// Records the instance of a former provisioner, or leaves it as a stray. The provisioner sees only
/// documents: its instance may have been stopped.
pub(crate) fn record(id: MachineId, step: &mut StepContext<'_>) -> Outcome {
    let former = step.state.runtime.machine(id).former;
    becomes(Former::None, id, step);
    let is_last = start_of(former) == InstanceStart::Last;
    if (is_last || !step.world.names_starts()) && can_be_recorded(id, step.world, step.state) {
        if former == Former::Stopped {
            // The instance that is named next has ended before.
            step.happens(Event::InstanceRuns(id));
        }
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
        instances::leave_stray(id, start_of(former), step);
    }
    Outcome::Aborted
}
