//! Fields derived from the constants of the world.

use deathwatch_model::{
    action::HookKind,
    ids::{ApplicationId, EntityId, Id, RelationId, UnitId},
    rows::{
        Row,
        RowKind::{
            self, Application, Machine, MachineHistory, MachineRuntime, Membership, Relation,
            RelationHistory, Scope, Settings, Sighting, Task, Unit, UnitCharm, UnitHistory,
            UnitHooks, UnitRuntime, UnitWorkflow,
        },
    },
    world::{self, RelationDef, World},
};

use super::{Follows, MACHINES};
use crate::{
    fields::{
        Access::{Derived, List},
        exists::{machine, relation, unit},
    },
    types::{NameType, SCOPES, Type, Value},
};

/// The tasks of the manager, in their order.
const TASKS: &[&str] = &["provisioner", "cleaner"];

pub(super) const ALL: &[Follows] = &[
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
        &RowKind::PAIRS,
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
        "first_manager",
        Type::Flag,
        &[],
        Derived(|world, _, row| Value::Flag(is_first_manager(world, row))),
        "Whether it is the first machine with the manage-model job.",
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
    Follows(
        &[Unit],
        "has_changed_hook",
        Type::Flag,
        &[],
        Derived(|world, _, row| has_hook(world, row, HookKind::Changed)),
        "Whether its charm has changed hooks of relations.",
    ),
    Follows(
        &[Unit],
        "has_broken_hook",
        Type::Flag,
        &[],
        Derived(|world, _, row| has_hook(world, row, HookKind::Broken)),
        "Whether its charm has broken hooks of relations.",
    ),
    Follows(
        &[UnitWorkflow],
        "retries",
        Type::COUNT,
        &[],
        Derived(|world, _, _| Value::Number(i64::from(world.retries))),
        "How often the world lets a transition that fails be tried again.",
    ),
    Follows(
        &[Scope],
        "brings",
        Type::Name(NameType::of(Application).or_none()),
        &[],
        Derived(|world, _, row| {
            let pair = relation(row).zip(unit(row));
            let brought = pair.and_then(|(relation, unit)| brings(world, unit, relation));
            Value::Name(brought.map(EntityId::Application))
        }),
        "The application of which its unit has a subordinate if it is in the scope.",
    ),
    Follows(
        &[Scope],
        "has_room",
        Type::Flag,
        &[],
        Derived(|world, _, row| {
            let pair = relation(row).zip(unit(row));
            Value::Flag(pair.is_some_and(|(relation, unit)| has_room(world, unit, relation)))
        }),
        "Whether the world has identifiers enough for all subordinates that are brought by it.",
    ),
];

/// Whether the row is the first machine with the manage-model job.
pub(super) fn is_first_manager(world: &World, row: Row) -> bool {
    let first = world.machine_ids().find(|id| world.machine(*id).manages_model);
    first.is_some_and(|id| row == Row::Machine(id))
}

fn has_hook(world: &World, row: Row, hook: HookKind) -> Value {
    Value::Flag(unit(row).is_some_and(|id| world.charm_of(id).has(hook)))
}

/// The application of the subordinate that the unit gets when it enters the scope of the relation.
pub(super) fn brings(world: &World, id: UnitId, relation: RelationId) -> Option<ApplicationId> {
    let (application, constants) = world.application_of(id);
    let relation = world.relation(relation);
    let is_principal = relation.scope == world::Scope::Container && !constants.subordinate;
    is_principal.then(|| relation.counterpart(application)).flatten()
}

/// Whether the world has enough identifiers for the unit to enter: one for each principal that may
/// get a subordinate. With fewer a unit may have to wait for ever, which is a limit of the world
/// and not a mistake of the protocol.
fn has_room(world: &World, id: UnitId, relation: RelationId) -> bool {
    let Some(subordinate) = brings(world, id, relation) else { return true };
    let constants = world.application(subordinate);
    let principals = world.application_ids().filter(|principal| {
        !world.application(*principal).subordinate
            && constants.relations.iter().any(|id| {
                let relation = world.relation(*id);
                relation.scope == world::Scope::Container && relation.ends.contains(principal)
            })
    });
    let needed: usize = principals.map(|id| world.application(id).units.len()).sum();
    needed <= constants.units.len()
}
