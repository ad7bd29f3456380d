//! The operator, who repairs the faults that no agent can.
//!
//! Death and Destruction, "Undetected hardware failure" (D1:27-30), "Unknown problems in juju"
//! (D1:31-37) and "suspend this sequence until resolved" (D1:93-95).

use super::{
    Lister, Task,
    charm::{hooks::Resolution, requests},
    context::StepContext,
    faults, neglected,
    provisioning::instances,
    startup::workflow_failures,
    watched::{Wake, WatchedStep},
};
use crate::{
    action::{Act, OperatorAct, Outcome, TxnAct},
    actor::Client,
    clause::{Clause, Rule},
    ids::{Constraints, MachineId, UnitId},
    life::Life::{Alive, Dead},
    operation::Operation,
    rows::Row,
    runtime::Hardware,
    state::State,
    store::Machine,
    variants::{ResolvedByDefault, ResolvedStart},
    world::World,
};

/// The client by which the operator resolves failed starts: that of a script, as the transaction
/// runs at once and is never pending.
const RESOLVER: Client = Client::Script(0);

/// The units whose hook errors the operator may have to resolve.
pub(super) fn resolvable_units(world: &World) -> impl Iterator<Item = UnitId> + use<> {
    // An older agent may find an error on its disk or in the store, however it came there.
    let may_fail = world.has_hooks() || world.has_unit_hooks() || world.detail.workflow;
    may_fail.then(|| world.unit_ids()).into_iter().flatten()
}

/// The machines whose hardware the operator may have to terminate.
pub(super) fn silent_machines(world: &World) -> impl Iterator<Item = MachineId> + use<> {
    world.hardware_falls_silent().then(|| world.machine_ids()).into_iter().flatten()
}

/// The machines whose failed starts the operator may have to resolve.
pub(super) fn startable_machines(world: &World) -> impl Iterator<Item = MachineId> + use<> {
    world.detail.provisioning.then(|| world.machine_ids()).into_iter().flatten()
}

/// The machines whose hardware the operator may have to terminate because of the agents on it.
pub(super) fn replaceable_machines(world: &World) -> impl Iterator<Item = MachineId> + use<> {
    world.has_versions().then(|| world.machine_ids()).into_iter().flatten()
}

/// Lists the resolution of the hook error of `unit`, if it has one that the operator can see. The
/// agent of a Dead unit refuses to run again (D1:100), so it has no use for one.
pub(super) fn resolves(unit: UnitId, list: &mut Lister<'_>) {
    let lives = list.state.store.unit_life(unit).is_some_and(|life| life != Dead);
    if !list.state.runtime.unit(unit).is_suspended()
        || !lives
        || !requests::can_be_made(unit, list.world, list.state)
        || !workflow_failures::can_be_resolved(list.world)
        || !workflow_failures::is_seen(unit, list.world, list.state)
    {
        return;
    }
    let (skip, retry) = (OperatorAct::Resolve(unit), OperatorAct::Retry(unit));
    match list.world.variants.resolved_by_default {
        ResolvedByDefault::Skip => list.act(Act::Operator(skip)),
        ResolvedByDefault::Retry => list.act(Act::Operator(retry)),
        ResolvedByDefault::Chosen => {
            list.act(Act::Operator(skip));
            list.act(Act::Operator(retry));
        }
    }
}

/// Lists the termination of the hardware of `machine`, if it is gone and nobody has noticed.
pub(super) fn terminates(machine: MachineId, list: &mut Lister<'_>) {
    if list.world.hardware_falls_silent()
        && list.state.runtime.machine(machine).hardware == Hardware::Silent
    {
        list.act(Act::Operator(OperatorAct::Terminate(machine)));
    }
}

/// Lists the resolution of the failed start of `machine`, if it is in error.
pub(super) fn resolves_start(machine: MachineId, list: &mut Lister<'_>) {
    if !instances::is_in_error(machine, list.state) {
        return;
    }
    let mut others = other_constraints(machine, list.world, list.state).peekable();
    if others.peek().is_none() {
        list.act(Act::Operator(OperatorAct::ResolveStart(machine)));
    }
    for constraints in others {
        list.act(Act::Operator(OperatorAct::ResolveStartWith(machine, constraints)));
    }
}

/// The constraints that the operator may give a machine in error, if the provider has no hardware
/// for its own: each set in the scenario that the provider has hardware for.
fn other_constraints<'a>(
    machine: MachineId,
    world: &'a World,
    state: &State,
) -> impl Iterator<Item = Constraints> + use<'a> {
    let sets = &world.constraints;
    let asked = state.store.machine(machine).map_or(Constraints::NONE, |it| it.constraints);
    let replaces = match world.variants.resolved_start {
        ResolvedStart::AsItIs => false,
        ResolvedStart::WithOtherConstraints => !sets.can_be_satisfied(asked),
    };
    let can_be = |set: &Constraints| *set != Constraints::NONE && sets.can_be_satisfied(*set);
    replaces.then(|| sets.listed().filter(can_be)).into_iter().flatten()
}

/// Lists the upgrade of the agents, if some duty is neglected until then.
pub(super) fn upgrades(list: &mut Lister<'_>) {
    if !list.world.neglected.is_empty() && !list.state.runtime.upgrade().done {
        list.act(Act::Operator(OperatorAct::Upgrade));
    }
}

/// Lists the termination of the hardware of `machine`, if an agent on it neglects a duty that its
/// replacement would do (D1:35-37).
pub(super) fn replaces(machine: MachineId, list: &mut Lister<'_>) {
    let (world, runtime) = (list.world, &list.state.runtime);
    let system = runtime.machine(machine);
    if world.has_versions()
        && runtime.upgrade().done
        && !system.new_version
        && system.hardware == Hardware::Running
        && !awaits_another(machine, list)
        && neglected::is_neglected_on(machine, list)
    {
        list.duty(Rule::Operator, 1, Act::Operator(OperatorAct::Replace(machine)));
    }
}

/// Whether a manager must not be terminated yet, because the fresh system of another one is still
/// to be started: only a manager can do this.
fn awaits_another(machine: MachineId, list: &Lister<'_>) -> bool {
    let (world, store) = (list.world, &list.state.store);
    let mut others = world.managers().filter(|other| *other != machine);
    let waits = |it: &Machine| it.life == Alive && !it.instance;
    !world.is_off(Clause { rule: Rule::Operator, number: 2 })
        && world.machine(machine).manages_model
        && others.any(|other| store.machine(other).is_some_and(waits))
}

pub(super) fn apply(act: OperatorAct, step: &mut StepContext<'_>) -> Outcome {
    let touched = &mut step.effects.touched;
    match act {
        OperatorAct::Resolve(unit) => requests::make(unit, Resolution::Skip, step),
        OperatorAct::Retry(unit) => requests::make(unit, Resolution::Retry, step),
        OperatorAct::Terminate(machine) => {
            step.state.lose_instance(step.world, machine, Hardware::Absent, touched);
        }
        OperatorAct::ResolveStart(machine) => {
            return step.transact(RESOLVER, TxnAct::Run(Operation::Resolved(machine)));
        }
        OperatorAct::ResolveStartWith(machine, constraints) => {
            let operation = Operation::ResolvedConstraints(machine, constraints);
            return step.transact(RESOLVER, TxnAct::Run(operation));
        }
        OperatorAct::Replace(machine) => faults::fail(machine, Hardware::Absent, step),
        OperatorAct::Upgrade => step.state.runtime.upgrade_mut(touched).done = true,
    }
    Outcome::Done
}

/// Names the tasks of the operator that watch `row`.
pub(super) fn watchers(change: &WatchedStep<'_>, row: Row, wake: Wake<'_>) {
    match row {
        Row::MachineRuntime(id) if change.is_new(|state| state.runtime.machine(id).hardware) => {
            wake(Task::Terminate(id));
        }
        Row::UnitRuntime(id)
            if change.is_new(|state| {
                let agent = state.runtime.unit(id);
                (agent.hook_error, agent.charm)
            }) =>
        {
            wake(Task::Resolve(id));
        }
        Row::UnitHooks(id) if change.world.requests_resolution() => wake(Task::Resolve(id)),
        Row::Unit(id) if change.is_new(|state| state.store.unit_life(id)) => {
            wake(Task::Resolve(id));
        }
        Row::UnitWorkflow(id) if change.is_new(|state| *state.runtime.workflow(id)) => {
            wake(Task::Resolve(id));
        }
        Row::Machine(id) if change.is_new(|state| instances::is_in_error(id, state)) => {
            wake(Task::ResolveStart(id));
        }
        _ => {}
    }
}
