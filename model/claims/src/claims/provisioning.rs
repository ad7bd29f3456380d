//! The claims about instances and their starts: the detail `provisioning` (D3:4-7, D3:66-106).

use deathwatch_model::{
    agents::{being_started, has_strays, has_unrecorded, is_in_error},
    ids::{ApplicationId, MachineId, Placement},
    life::Life::{Alive, Dying},
    life::StartStatus,
    rows::{ManagerTask, Row},
    runtime::{Former, Hardware, Strays},
    state::State,
    variants::UnrecordedInstance,
    world::World,
};

use super::{
    Claim, ClaimView,
    Link::{MachineOfAgent, StartOfAgent, UnitsInError},
    RowEvent,
    forms::{always, leads, step},
    leads::is_gone,
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "a stray instance is stopped",
        source: "D3:4-7",
        test: leads!(MachineRuntime[MachineOfAgent], has_left, has_left_none),
    },
    Claim {
        name: "a machine that is resolved is tried again",
        source: "D3:98-100",
        test: leads!(Machine [], is_resolved, is_not_resolved),
    },
    Claim {
        name: "a Dying machine in error is removed",
        source: "D3:79-83; D3:92-100; D2:387",
        test: leads!(Machine [], is_dying_in_error, is_gone),
    },
    Claim {
        name: "a Dying application with a unit on a machine in error is removed",
        source: "D3:69-77",
        test: leads!(Application[UnitsInError], is_held_by_error, is_gone),
    },
    Claim {
        name: "a machine in error has no instance id",
        source: "D3:92-94",
        test: always!(has_both, Machine []),
    },
    Claim {
        name: "one instance of a machine at most is recorded",
        source: "D3:4-7",
        test: always!(records_two, MachineRuntime[MachineOfAgent]),
    },
    Claim {
        name: "the agent of a machine runs on one instance at most",
        source: "D3:4-7",
        test: always!(runs_on_two, MachineRuntime[StartOfAgent]),
    },
    Claim {
        name: "an instance that is recorded is there",
        source: "D3:4-7; D2:385",
        test: step(&[RowEvent::Instance], records_nothing),
    },
    Claim {
        name: "a machine in error is not tried again unless that is resolved",
        source: "D3:92-100",
        test: step(&[RowEvent::Started], tries_in_error),
    },
];

fn has_left(_: &World, state: &State, subject: Row) -> bool {
    let Row::MachineRuntime(id) = subject else { return false };
    has_strays(id, state)
}

fn has_left_none(world: &World, state: &State, subject: Row) -> bool {
    !has_left(world, state, subject)
}

fn is_resolved(_: &World, state: &State, subject: Row) -> bool {
    let Row::Machine(id) = subject else { return false };
    let machine = state.store.machine(id);
    machine.is_some_and(|it| it.start == StartStatus::Resolved && it.life == Alive)
}

fn is_not_resolved(world: &World, state: &State, subject: Row) -> bool {
    !is_resolved(world, state, subject)
}

fn is_dying_in_error(_: &World, state: &State, subject: Row) -> bool {
    let Row::Machine(id) = subject else { return false };
    is_in_error(id, state) && state.store.machine_life(id) == Some(Dying)
}

fn is_held_by_error(world: &World, state: &State, subject: Row) -> bool {
    let Row::Application(id) = subject else { return false };
    state.store.application_life(id) == Some(Dying) && has_unit_in_error(id, world, state)
}

fn has_unit_in_error(id: ApplicationId, world: &World, state: &State) -> bool {
    let mut units = world.application(id).units().filter_map(|unit| state.store.unit(unit));
    units.any(|unit| match unit.placement {
        Placement::Machine(machine) => is_in_error(machine, state),
        Placement::Nowhere | Placement::Principal(_) => false,
    })
}

fn has_both(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Machine(id) = subject else { return false };
    let machine = view.state.store.machine(id);
    machine.is_some_and(|it| it.instance && it.start == StartStatus::Error)
}

/// Whether an instance runs that was recorded, beside the one that is.
fn records_two(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::MachineRuntime(id) = subject else { return false };
    let is_recorded = view.state.store.machine(id).is_some_and(|machine| machine.instance);
    is_recorded && view.state.runtime.machine(id).strays == Strays::Replaced
}

/// Whether the machine's agent runs on two instances. What it does on one that is not recorded is
/// not modelled.
fn runs_on_two(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::MachineRuntime(id) = subject else { return false };
    let machine = view.state.runtime.machine(id);
    let recorded = [machine.hardware == Hardware::Running, machine.strays == Strays::Replaced];
    let unrecorded = [
        machine.strays == Strays::Unrecorded,
        machine.named_stray,
        machine.former.runs(),
        has_unrecorded(id, view.world, view.state),
    ];
    let runs_unrecorded = match view.world.variants.unrecorded_instance {
        UnrecordedInstance::AgentWaits => false,
        UnrecordedInstance::AgentRuns => true,
    };
    let unrecorded = unrecorded.into_iter().filter(|runs| *runs && runs_unrecorded);
    recorded.into_iter().filter(|runs| *runs).chain(unrecorded).nth(1).is_some()
}

fn records_nothing(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Machine(id) = row else { return None };
    let has = |state: &State| state.store.machine(id).is_some_and(|machine| machine.instance);
    let is_there = after.runtime.machine(id).hardware == Hardware::Running;
    (!has(before) && has(after) && !is_there).then_some(row)
}

fn tries_in_error(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let asked = if let Row::MachineRuntime(id) = row {
        asks_late(id, before, after).then_some(id)
    } else if row == Row::Task(ManagerTask::Provisioner) {
        being_started(after).filter(|id| being_started(before) != Some(*id))
    } else {
        None
    };
    asked.filter(|id| is_in_error(*id, before)).map(Row::Machine)
}

/// Whether a former provisioner has asked for an instance of the machine in the step.
fn asks_late(id: MachineId, before: &State, after: &State) -> bool {
    let [old, new] = [before, after].map(|state| state.runtime.machine(id).former);
    matches!(old, Former::Reads | Former::Named | Former::Outdated)
        && matches!(new, Former::Current | Former::Superseded | Former::Failed)
}
