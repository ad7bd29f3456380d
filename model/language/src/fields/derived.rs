//! The fields that no row declares: they follow from constants, or from other rows.

use deathwatch_model::{
    ids::{EntityId, Id, Placement},
    rows::{
        Row,
        RowKind::{
            self, Application, Machine, MachineHistory, MachineRuntime, Membership, Relation,
            RelationHistory, Scope, Settings, Sighting, Task, Unit, UnitCharm, UnitHistory,
            UnitHooks, UnitRuntime, UnitWorkflow,
        },
    },
    world::RelationDef,
};

use super::{
    Access::{self, Derived, List},
    Field,
    exists::{exists, machine, relation, unit},
    parts_called,
    read::entity_of,
};
use crate::types::{NameType, SCOPES, Type, Value};

/// The tasks of the manager, in their order.
const TASKS: &[&str] = &["provisioner", "cleaner"];

/// A field that follows: of which kinds of rows, its name, the type of its value or of the items of
/// its list, the kinds of rows that it is read from, each with the field there or "" for any, and
/// its meaning.
struct Follows(
    &'static [RowKind],
    &'static str,
    Type,
    &'static [(RowKind, &'static str)],
    Access,
    &'static str,
);

const MACHINES: Type = Type::Name(NameType::of(Machine).or_none());
const UNITS: Type = Type::Name(NameType::of(Unit).or_none());
const PAIRS: &[RowKind] = &RowKind::PAIRS;

const ALL: &[Follows] = &[
    Follows(
        &[Machine, Application, Unit, Relation],
        "name",
        Type::Flag, // by kind
        &[],
        Derived(|_, _, row| Value::Name(row.actor())),
        "Its name.",
    ),
    Follows(
        &[MachineRuntime, MachineHistory],
        "machine",
        Type::Name(NameType::of(Machine)),
        &[],
        Derived(|_, _, row| Value::Name(row.actor())),
        "Its machine.",
    ),
    Follows(
        &[
            UnitRuntime,
            UnitHooks,
            UnitCharm,
            UnitWorkflow,
            UnitHistory,
            Scope,
            Settings,
            Membership,
            Sighting,
            RelationHistory,
        ],
        "unit",
        Type::Name(NameType::of(Unit)),
        &[],
        Derived(|_, _, row| Value::Name(row.actor())),
        "Its unit.",
    ),
    Follows(
        PAIRS,
        "relation",
        Type::Name(NameType::of(Relation)),
        &[],
        Derived(|_, _, row| Value::Name(relation(row).map(EntityId::Relation))),
        "Its relation.",
    ),
    Follows(
        &[Machine],
        "parent",
        MACHINES,
        &[],
        Derived(|world, _, row| {
            let parent = machine(row).and_then(|id| world.machine(id).parent);
            Value::Name(parent.map(EntityId::Machine))
        }),
        "The machine that it is a container of.",
    ),
    Follows(
        &[Machine],
        "manager",
        Type::Flag,
        &[],
        Derived(|world, _, row| {
            Value::Flag(machine(row).is_some_and(|id| world.machine(id).manages_model))
        }),
        "Whether it has the manage-model job.",
    ),
    Follows(
        &[Machine],
        "hosts_units",
        Type::Flag,
        &[],
        Derived(|world, _, row| {
            Value::Flag(machine(row).is_some_and(|id| world.machine(id).hosts_units))
        }),
        "Whether it has the host-units job.",
    ),
    Follows(
        &[Machine, Application, Unit],
        "series",
        Type::Series,
        &[],
        Derived(|world, _, row| {
            Value::Series(match row {
                Row::Machine(id) => world.series_of_machine(id),
                Row::Application(id) => world.series_of(id),
                Row::Unit(id) => world.series_of_unit(id),
                _ => None,
            })
        }),
        "Its series, which never changes; \"none\" without the detail `series`.",
    ),
    Follows(
        &[Application],
        "subordinate",
        Type::Flag,
        &[],
        Derived(|world, _, row| match row {
            Row::Application(id) => Value::Flag(world.application(id).subordinate),
            _ => Value::Flag(false),
        }),
        "Whether its charm is a subordinate one.",
    ),
    Follows(
        &[Unit],
        "application",
        Type::Name(NameType::of(Application)),
        &[],
        Derived(|world, _, row| {
            let application = unit(row).map(|id| world.unit(id).application);
            Value::Name(application.map(EntityId::Application))
        }),
        "Its application.",
    ),
    Follows(
        &[Unit],
        "subordinate",
        Type::Flag,
        &[],
        Derived(|world, _, row| Value::Flag(unit(row).is_some_and(|id| world.is_subordinate(id)))),
        "Whether its charm is a subordinate one.",
    ),
    Follows(
        &[Unit],
        "machine",
        MACHINES,
        &[(Unit, "placement")],
        Derived(|_, state, row| {
            let placement = unit(row).and_then(|id| state.store.unit(id)).map(|it| it.placement);
            match placement {
                Some(Placement::Machine(id)) => Value::Name(Some(EntityId::Machine(id))),
                Some(Placement::Nowhere | Placement::Principal(_)) | None => Value::Name(None),
            }
        }),
        "The machine that it is assigned to.",
    ),
    Follows(
        &[Unit],
        "principal",
        UNITS,
        &[(Unit, "placement")],
        Derived(|_, state, row| {
            let placement = unit(row).and_then(|id| state.store.unit(id)).map(|it| it.placement);
            match placement {
                Some(Placement::Principal(id)) => Value::Name(Some(EntityId::Unit(id))),
                Some(Placement::Nowhere | Placement::Machine(_)) | None => Value::Name(None),
            }
        }),
        "The principal that it is a subordinate of.",
    ),
    Follows(
        &[Unit],
        "deployed",
        Type::Flag,
        &[(UnitRuntime, "deployed_by")],
        Derived(|_, state, row| {
            let by = unit(row).map_or(Placement::Nowhere, |id| state.runtime.unit(id).deployed_by);
            Value::Flag(entity_of(by).is_some())
        }),
        "Whether its agent is deployed.",
    ),
    Follows(
        &[Unit],
        "scopes",
        Type::Name(NameType::of(Relation)),
        &[(Scope, "in_scope")],
        List(
            |world, state, row, each| {
                let Some(id) = unit(row) else { return false };
                let mut relations = world.relations_of(id).iter().copied();
                relations.any(|relation| {
                    state.store.in_scope(relation, id)
                        && each(Value::Name(Some(EntityId::Relation(relation))))
                })
            },
            |world| world.applications.iter().map(|it| it.relations.len()).max(),
        ),
        "The relations in whose scope it is.",
    ),
    Follows(
        &[Relation],
        "scope",
        Type::Word(SCOPES),
        &[],
        Derived(|world, _, row| match relation(row) {
            Some(id) => Value::scope(world.relation(id).scope),
            None => Value::Word(0),
        }),
        "Which units see each other in it.",
    ),
    Follows(
        &[Relation],
        "ends",
        Type::Name(NameType::of(Application)),
        &[],
        List(
            |world, _, row, each| {
                let ends =
                    relation(row).map(|id| world.relation(id)).map(RelationDef::applications);
                let mut ends = ends.into_iter().flatten();
                ends.any(|end| each(Value::Name(Some(EntityId::Application(end)))))
            },
            |_| Some(2),
        ),
        "The applications that it joins, each once.",
    ),
    Follows(
        &[Relation],
        "in_scope",
        Type::Name(NameType::of(Unit)),
        &[(Scope, "in_scope")],
        List(
            |_, state, row, each| {
                let Some(id) = relation(row) else { return false };
                state
                    .store
                    .scope(id)
                    .iter()
                    .any(|unit| each(Value::Name(Some(EntityId::Unit(unit)))))
            },
            |world| {
                let of_ends = |it: &RelationDef| {
                    it.applications().map(|end| world.application(end).units.len()).sum()
                };
                world.relations.iter().map(of_ends).max()
            },
        ),
        "The units that have a scope document in it.",
    ),
    Follows(
        &[MachineRuntime],
        "runs",
        Type::Flag,
        &[(MachineRuntime, ""), (Machine, "")],
        Derived(|world, state, row| {
            Value::Flag(machine(row).is_some_and(|id| state.machine_agent_runs(world, id)))
        }),
        "Whether it runs: its instance is there, its process is up, and its machine is not Dead.",
    ),
    Follows(
        &[UnitRuntime],
        "runs",
        Type::Flag,
        &[(UnitRuntime, ""), (Unit, "")],
        Derived(|world, state, row| {
            Value::Flag(unit(row).is_some_and(|id| state.unit_agent_runs(world, id)))
        }),
        "Whether it runs: it is deployed, its process is up, and its unit is not Dead.",
    ),
    Follows(
        &[Task],
        "task",
        Type::Word(TASKS),
        &[],
        Derived(|_, _, row| match row {
            Row::Task(task) => Value::Word(u8::try_from(task.index()).expect("there are two")),
            _ => Value::Word(0),
        }),
        "Which task it is.",
    ),
];

/// The derived fields of a kind of row.
pub(super) fn of(kind: RowKind) -> Vec<Field> {
    let mine = ALL.iter().filter(|Follows(of, ..)| of.contains(&kind));
    let mine = mine.map(|Follows(_, name, value, reads, access, meaning)| Field {
        of: kind,
        name: (*name).to_owned(),
        meaning,
        value: if *name == "name" { Type::Name(NameType::of(kind)) } else { *value },
        is_list: matches!(access, List(..)),
        is_of_document: false,
        reads: reads.iter().map(|(read, name)| (*read, parts_called(*read, name))).collect(),
        declared: None,
        access: *access,
    });
    [exists(kind)].into_iter().chain(mine).collect()
}
