//! Derived fields of agents and of the rows that belong to them.

use deathwatch_model::{
    action::Hook,
    actor::Client,
    agents,
    ids::{EntityId, Placement},
    rows::{
        Row,
        RowKind::{Machine, MachineRuntime, Task, Unit, UnitRuntime},
    },
    state::State,
};

use super::{Follows, HOOKS, RELATIONS, UNITS};
use crate::{
    dependencies::Back::{Containers, Same, Started},
    fields::{
        Access::Derived,
        exists::{machine, unit},
        read::entity_of,
    },
    types::{BegunWork, Type, Value},
};

pub(super) const ALL: &[Follows] = &[
    Follows(
        &[Unit],
        "deployed",
        Type::Flag,
        &[(UnitRuntime, "deployed_by", Same)],
        Derived(|_, state, row| {
            let by = unit(row).map_or(Placement::Nowhere, |id| state.runtime.unit(id).deployed_by);
            Value::Flag(entity_of(by).is_some())
        }),
        "Whether its agent is deployed.",
    ),
    Follows(
        &[MachineRuntime],
        "runs",
        Type::Flag,
        &[(MachineRuntime, "", Same), (Machine, "", Same)],
        Derived(|world, state, row| {
            Value::Flag(machine(row).is_some_and(|id| state.machine_agent_runs(world, id)))
        }),
        "Whether it runs: its instance is there, its process is up, and its machine is not Dead.",
    ),
    Follows(
        &[UnitRuntime],
        "runs",
        Type::Flag,
        &[(UnitRuntime, "", Same), (Unit, "", Same)],
        Derived(|world, state, row| {
            Value::Flag(unit(row).is_some_and(|id| state.unit_agent_runs(world, id)))
        }),
        "Whether it runs: it is deployed, its process is up, and its unit is not Dead.",
    ),
    Follows(
        &[MachineRuntime],
        "unrecorded",
        Type::Flag,
        &[
            (Task, "", Started),
            (MachineRuntime, "", Same),
            (MachineRuntime, "hardware", Containers),
            (Machine, "", Same),
        ],
        Derived(|world, state, row| {
            Value::Flag(machine(row).is_some_and(|id| agents::has_unrecorded(id, world, state)))
        }),
        "Whether the provisioner has an instance of it that runs, and has not recorded it yet.",
    ),
    Follows(
        &[UnitRuntime],
        "suspended",
        Type::Flag,
        &[(UnitRuntime, "charm", Same), (UnitRuntime, "hook_error", Same)],
        Derived(|_, state, row| {
            Value::Flag(unit(row).is_some_and(|id| state.runtime.unit(id).is_suspended()))
        }),
        "Whether a hook of it has failed, and it waits for the operator.",
    ),
    Follows(
        &[UnitRuntime],
        "hook",
        Type::Begun,
        &[(UnitRuntime, "pending", Same)],
        Derived(|_, state, row| Value::Begun(hook(state, row).map(BegunWork::Hook))),
        "The hook that runs.",
    ),
    Follows(
        &[UnitRuntime],
        "hook_kind",
        Type::Word(HOOKS),
        &[(UnitRuntime, "pending", Same)],
        Derived(|_, state, row| kind_of(hook(state, row))),
        "The kind of the hook that runs.",
    ),
    Follows(
        &[UnitRuntime],
        "hook_relation",
        RELATIONS,
        &[(UnitRuntime, "pending", Same)],
        Derived(|_, state, row| relation_of(hook(state, row))),
        "The relation of the hook that runs, if it is a relation hook.",
    ),
    Follows(
        &[UnitRuntime],
        "hook_unit",
        UNITS,
        &[(UnitRuntime, "pending", Same)],
        Derived(|_, state, row| other_of(hook(state, row))),
        "The other unit that the hook that runs is about, if it is about one.",
    ),
];

/// The hook of a unit that is running.
fn hook(state: &State, row: Row) -> Option<Hook> {
    unit(row).and_then(|id| state.runtime.pending_hook(Client::Unit(id)))
}

pub(super) fn kind_of(hook: Option<Hook>) -> Value {
    let departure = HOOKS.len() - 1;
    let number = hook.map_or(0, |hook| hook.kind().map_or(departure, |kind| 1 + kind as usize));
    Value::Word(u8::try_from(number).expect("they are few"))
}

/// The relation of a hook, if it has one.
pub(super) fn relation_of(hook: Option<Hook>) -> Value {
    Value::Name(hook.and_then(Hook::relation).map(EntityId::Relation))
}

/// The unit that a hook is about, if it is about one.
pub(super) fn other_of(hook: Option<Hook>) -> Value {
    Value::Name(hook.and_then(Hook::other).map(EntityId::Unit))
}
