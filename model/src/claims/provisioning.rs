//! The claims about instances and their starts: the detail `provisioning` (D3:4-7, D3:66-106).

use super::{
    Claim, Event,
    Link::{MachineOfAgent, UnitsInError},
    View,
    forms::{always, leads, step},
    leads::is_gone,
};
use crate::{
    agents::{being_started, is_in_error},
    ids::ApplicationId,
    life::Life::{Alive, Dying},
    rows::{ManagerTask, Placement, Row, StartStatus},
    runtime::{Hardware, Strays},
    state::State,
    variants::UnrecordedInstance,
    world::World,
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "a stray instance is stopped",
        source: "D3:4-7",
        test: leads!(MachineRuntime [], has_strays, has_no_strays),
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
        test: always!(runs_on_two, MachineRuntime []),
    },
    Claim {
        name: "an instance that is recorded is there",
        source: "D3:4-7; D2:385",
        test: step(&[Event::Instance], records_nothing),
    },
    Claim {
        name: "a machine in error is not tried again unless that is resolved",
        source: "D3:92-100",
        test: step(&[Event::Started], tries_in_error),
    },
];

fn has_strays(_: &World, state: &State, subject: Row) -> bool {
    let Row::MachineRuntime(id) = subject else { return false };
    state.runtime.machine(id).strays != Strays::None
}

fn has_no_strays(world: &World, state: &State, subject: Row) -> bool {
    !has_strays(world, state, subject)
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

fn has_both(view: &View<'_>, subject: Row) -> bool {
    let Row::Machine(id) = subject else { return false };
    let machine = view.state.store.machine(id);
    machine.is_some_and(|it| it.instance && it.start == StartStatus::Error)
}

/// Whether an instance runs that was recorded, beside the one that is.
fn records_two(view: &View<'_>, subject: Row) -> bool {
    let Row::MachineRuntime(id) = subject else { return false };
    let is_recorded = view.state.store.machine(id).is_some_and(|machine| machine.instance);
    is_recorded && view.state.runtime.machine(id).strays == Strays::Replaced
}

/// Whether the machine's agent runs on its recorded instance and on another. What an agent does on one
/// that is not recorded is not modelled.
fn runs_on_two(view: &View<'_>, subject: Row) -> bool {
    let Row::MachineRuntime(id) = subject else { return false };
    let machine = view.state.runtime.machine(id);
    let runs_unrecorded = match view.world.variants.unrecorded_instance {
        UnrecordedInstance::AgentWaits => false,
        UnrecordedInstance::AgentRuns => {
            machine.strays == Strays::Unrecorded || machine.former.runs()
        }
    };
    machine.hardware == Hardware::Running && (runs_unrecorded || machine.strays == Strays::Replaced)
}

fn records_nothing(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Machine(id) = row else { return None };
    let has = |state: &State| state.store.machine(id).is_some_and(|machine| machine.instance);
    let is_there = after.runtime.machine(id).hardware == Hardware::Running;
    (!has(before) && has(after) && !is_there).then_some(row)
}

fn tries_in_error(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Task(ManagerTask::Provisioner) = row else { return None };
    let id = being_started(after)?;
    let begins = being_started(before) != Some(id);
    (begins && is_in_error(id, before)).then_some(Row::Machine(id))
}
