//! The oracle: an expression evaluated by the crate `cel`, on values that other code than ours
//! makes from the state.

#![expect(clippy::disallowed_types, reason = "cel has its maps in these, and no order comes of it")]

use std::{collections::HashMap, sync::Arc};

use cel::{Context, ExecutionError, Program, Value};
use deathwatch_language::{ExpressionKind, KINDS, kind_name, list_name};
use deathwatch_model::{
    action::{Hook, HookKind},
    actor::Client,
    ids::{EntityId, Id, MachineId, Placement, RelationId, UnitId},
    life::Life,
    rows::{Charm, FieldKind, Row, RowKind, ShownValue},
    state::State,
    world::{Scope, Series, World},
};

pub(crate) fn holds(
    world: &World,
    form: ExpressionKind,
    [before, after]: [&State; 2],
    subject: Option<Row>,
    text: &str,
) -> Result<bool, String> {
    let program = Program::compile(text).map_err(|error| error.to_string())?;
    let mut context = Context::default();
    let name = |at: &str| at.to_owned();
    let mut variables: Vec<(String, Value)> = lists(world, after);
    match (form, subject) {
        (ExpressionKind::State(Some(_)), Some(row)) => {
            variables.push((name("it"), value(world, after, row)));
        }
        (ExpressionKind::Step(Some(_)), Some(row)) => {
            variables.push((name("before"), value(world, before, row)));
            variables.push((name("after"), value(world, after, row)));
            variables.push((name("state_before"), map(lists(world, before))));
        }
        (ExpressionKind::Step(None), _) => {
            variables.push((name("before"), map(lists(world, before))));
            variables.push((name("after"), map(lists(world, after))));
        }
        (ExpressionKind::State(_) | ExpressionKind::Step(Some(_)), None)
        | (ExpressionKind::State(None), Some(_))
        | (ExpressionKind::Rule(_), _) => {}
    }
    for (name, value) in variables {
        context.add_variable_from_value(name, value);
    }
    for kind in KINDS {
        add_functions(&mut context, world, after, kind);
    }
    match program.execute(&context) {
        Ok(Value::Bool(holds)) => Ok(holds),
        Ok(other) => Err(format!("it is {other:?}")),
        Err(error) => Err(error.to_string()),
    }
}

fn add_functions(context: &mut Context<'_, '_>, world: &World, state: &State, kind: RowKind) {
    let mut rows: HashMap<String, Value> = HashMap::new();
    for row in kind.rows(world) {
        rows.insert(key(world, row), value(world, state, row));
    }
    let found = move |name: &str| rows.get(name).cloned().unwrap_or_else(nothing);
    let added = match kind {
        _ if RowKind::PAIRS.contains(&kind) => context.add_function(
            &kind_name(kind),
            move |relation: Arc<String>, unit: Arc<String>| -> Result<Value, ExecutionError> {
                Ok(found(&format!("{relation} {unit}")))
            },
        ),
        _ => context.add_function(
            &kind_name(kind),
            move |name: Arc<String>| -> Result<Value, ExecutionError> { Ok(found(&name)) },
        ),
    };
    added.expect("no function is called so");
}

/// The key by which a row is found.
fn key(world: &World, row: Row) -> String {
    match (row.relation().map(EntityId::Relation), row.actor()) {
        (Some(relation), Some(unit @ EntityId::Unit(_))) => {
            [relation, unit].map(|id| entity(world, Some(id))).join(" ")
        }
        (_, entity_of) => entity(world, entity_of),
    }
}

fn lists(world: &World, state: &State) -> Vec<(String, Value)> {
    let list = |kind: RowKind| -> Vec<Value> {
        kind.rows(world).map(|row| value(world, state, row)).collect()
    };
    KINDS.iter().map(|kind| (list_name(*kind), Value::from(list(*kind)))).collect()
}

fn map(entries: Vec<(String, Value)>) -> Value {
    Value::Map(entries.into_iter().collect::<HashMap<String, Value>>().into())
}

fn text(text: impl Into<String>) -> Value {
    Value::String(Arc::new(text.into()))
}

fn entity(world: &World, id: Option<EntityId>) -> String {
    match id {
        None => "none".to_owned(),
        Some(EntityId::Machine(id)) => world.machine(id).name.clone(),
        Some(EntityId::Application(id)) => world.application(id).name.clone(),
        Some(EntityId::Unit(id)) => world.unit(id).name.clone(),
        Some(EntityId::Relation(id)) => world.relation(id).name.clone(),
    }
}

fn placement(world: &World, placement: Placement) -> String {
    entity(
        world,
        match placement {
            Placement::Nowhere => None,
            Placement::Machine(id) => Some(EntityId::Machine(id)),
            Placement::Principal(id) => Some(EntityId::Unit(id)),
        },
    )
}

/// The value of a row that does not exist: the fields that have a word for it ("none", "gone").
fn nothing() -> Value {
    let names = [
        "machine",
        "principal",
        "placement",
        "deployed_by",
        "hook_error",
        "pending",
        "hook",
        "hook_relation",
        "hook_unit",
        "parent",
        "series",
    ];
    let names = names.iter().map(|name| ((*name).to_owned(), text("none")));
    let others = [("exists", Value::Bool(false)), ("life", text("gone"))];
    map(names.chain(others.map(|(name, value)| (name.to_owned(), value))).collect())
}

/// The value of a row: its declared fields, and the derived ones.
fn value(world: &World, state: &State, row: Row) -> Value {
    let mut fields = derived(world, state, row);
    state.fields(row, &mut |field, shown| {
        let value = match (shown, field.kind) {
            (Some(shown), _) => declared(world, shown),
            (None, FieldKind::Life) => Some(text("gone")),
            (
                None,
                FieldKind::Placement
                | FieldKind::Machine
                | FieldKind::Application
                | FieldKind::Unit
                | FieldKind::Relation
                | FieldKind::Txn
                | FieldKind::Begun,
            ) => Some(text("none")),
            // A field without a word for "none" is missing, so that to read it is an error.
            (None, _) => None,
        };
        fields.extend(value.map(|value| (field.name.replace('-', "_"), value)));
    });
    map(fields)
}

/// The series of a machine, an application or a unit.
fn series(world: &World, of: Option<Series>) -> Value {
    text(of.map_or("none", |series| world.series.name(series)))
}

fn declared(world: &World, shown: ShownValue<'_>) -> Option<Value> {
    Some(match shown {
        ShownValue::Flag(flag) => Value::Bool(flag),
        ShownValue::Count(count) => Value::Int(i64::try_from(count).expect("a count is small")),
        ShownValue::Aborts(count, _) => Value::Int(count.into()),
        ShownValue::Life(life) => text(life.to_string().to_lowercase()),
        ShownValue::State(_, name) => text(name),
        ShownValue::Placement(it) => text(placement(world, it)),
        ShownValue::Name(it) => text(entity(world, it)),
        ShownValue::Units(units) => units
            .iter()
            .map(|id| text(entity(world, Some(EntityId::Unit(id)))))
            .collect::<Vec<_>>()
            .into(),
        ShownValue::Machines(machines) => {
            let names = machines.iter().map(|id| text(entity(world, Some(EntityId::Machine(id)))));
            names.collect::<Vec<_>>().into()
        }
        ShownValue::Txn(None) => text("none"),
        ShownValue::Txn(Some(txn)) => text(world.show_operation(txn.operation)),
        ShownValue::Hook(hook) => text(world.show_hook(hook)),
        ShownValue::Constraints(set) => text(world.constraints.name(set)),
        ShownValue::Commands(_) => return None,
    })
}

#[expect(clippy::too_many_lines, reason = "a table of what each kind of row has")]
fn derived(world: &World, state: &State, row: Row) -> Vec<(String, Value)> {
    let names = |ids: Vec<EntityId>| -> Value {
        ids.into_iter().map(|id| text(entity(world, Some(id)))).collect::<Vec<_>>().into()
    };
    let placed = |place: Placement| -> Vec<EntityId> {
        let is_there = |id: &UnitId| state.store.unit(*id).is_some_and(|it| it.placement == place);
        world.unit_ids().filter(is_there).map(EntityId::Unit).collect()
    };
    let mut fields = vec![("exists", Value::Bool(true))];
    match row {
        Row::Machine(id) => {
            let machine = world.machine(id);
            let is_first =
                world.machines.iter().position(|it| it.manages_model) == Some(id.index());
            let all = || world.machine_ids();
            let is_alive = |id: &MachineId| {
                state.store.machine(*id).is_some_and(|machine| machine.life == Life::Alive)
            };
            let alive = all().filter(|id| world.machine(*id).manages_model && is_alive(id));
            let alive: Vec<EntityId> = alive.map(EntityId::Machine).collect();
            let containers = all().filter(|it| world.machine(*it).parent == Some(id));
            let containers = containers.filter(|it| state.store.machine(*it).is_some());
            let containers = containers.map(EntityId::Machine);
            fields = vec![
                ("exists", Value::Bool(state.store.machine(id).is_some())),
                ("name", text(machine.name.clone())),
                ("parent", text(entity(world, machine.parent.map(EntityId::Machine)))),
                ("series", series(world, world.series_of_machine(id))),
                ("manager", Value::Bool(machine.manages_model)),
                ("first_manager", Value::Bool(is_first)),
                ("alive_managers", names(if is_first { alive } else { Vec::new() })),
                ("placed", names(placed(Placement::Machine(id)))),
                ("existing_containers", names(containers.collect())),
                ("hosts_units", Value::Bool(machine.hosts_units)),
            ];
        }
        Row::Application(id) => {
            let is_mine =
                |it: &UnitId| world.unit(*it).application == id && state.store.unit(*it).is_some();
            let units = world.unit_ids().filter(is_mine).map(EntityId::Unit);
            let (there, missing): (Vec<RelationId>, Vec<RelationId>) = world
                .relation_ids()
                .filter(|it| world.relation(*it).ends.contains(&id))
                .partition(|it| state.store.relation(*it).is_some());
            let mut missing = missing;
            missing.retain(|it| world.relation(*it).scope == Scope::Peer);
            let relations =
                |ids: Vec<RelationId>| ids.into_iter().map(EntityId::Relation).collect();
            fields = vec![
                ("existing_units", names(units.collect())),
                ("existing_relations", names(relations(there))),
                ("missing_peers", names(relations(missing))),
                ("exists", Value::Bool(state.store.application(id).is_some())),
                ("name", text(world.application(id).name.clone())),
                ("subordinate", Value::Bool(world.application(id).subordinate)),
                ("series", series(world, world.series_of(id))),
            ];
        }
        Row::Unit(id) => {
            let place = state.store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement);
            let (mut machine, mut principal) = (None, None);
            match place {
                Placement::Nowhere => {}
                Placement::Machine(id) => machine = Some(EntityId::Machine(id)),
                Placement::Principal(id) => principal = Some(EntityId::Unit(id)),
            }
            let relations = world.relation_ids().filter(|it| state.store.in_scope(*it, id));
            let application = EntityId::Application(world.unit(id).application);
            let deployed = state.runtime.unit(id).deployed_by != Placement::Nowhere;
            fields = vec![
                ("exists", Value::Bool(state.store.unit(id).is_some())),
                ("name", text(world.unit(id).name.clone())),
                ("application", text(entity(world, Some(application)))),
                ("subordinate", Value::Bool(world.is_subordinate(id))),
                ("series", series(world, world.series_of_unit(id))),
                ("machine", text(entity(world, machine))),
                ("principal", text(entity(world, principal))),
                ("deployed", Value::Bool(deployed)),
                ("scopes", names(relations.map(EntityId::Relation).collect())),
                ("placed", names(placed(Placement::Principal(id)))),
                ("has_changed_hook", Value::Bool(world.charm_of(id).has(HookKind::Changed))),
                ("has_broken_hook", Value::Bool(world.charm_of(id).has(HookKind::Broken))),
            ];
        }
        Row::Relation(id) => {
            let relation = world.relation(id);
            let scope = match relation.scope {
                Scope::Global => "global",
                Scope::Container => "container",
                Scope::Peer => "peer",
            };
            let mut ends: Vec<EntityId> = relation.ends.map(EntityId::Application).to_vec();
            ends.dedup();
            let units = state.store.scope(id).iter().map(EntityId::Unit);
            let missing = state.store.scope(id).iter().filter(|it| state.store.unit(*it).is_none());
            fields = vec![
                ("exists", Value::Bool(state.store.relation(id).is_some())),
                ("name", text(relation.name.clone())),
                ("scope", text(scope)),
                ("ends", names(ends)),
                ("in_scope", names(units.collect())),
                ("missing_in_scope", names(missing.map(EntityId::Unit).collect())),
            ];
        }
        Row::Scope(relation, unit)
        | Row::Membership(relation, unit)
        | Row::Settings(relation, unit)
        | Row::Sighting(relation, unit)
        | Row::RelationHistory(relation, unit) => {
            fields.push(("relation", text(world.relation(relation).name.clone())));
            fields.push(("unit", text(world.unit(unit).name.clone())));
        }
        Row::MachineRuntime(id) => {
            let is_dead = state.store.machine(id).is_none_or(|machine| machine.life == Life::Dead);
            let runs = state.runtime.runs(id) && !is_dead;
            fields.push(("machine", text(world.machine(id).name.clone())));
            fields.push(("runs", Value::Bool(runs)));
        }
        Row::UnitRuntime(id) => {
            let agent = state.runtime.unit(id);
            let is_dead = state.store.unit(id).is_none_or(|unit| unit.life == Life::Dead);
            let runs = agent.deployed_by != Placement::Nowhere && !agent.down && !is_dead;
            let hook = state.runtime.pending_hook(Client::Unit(id));
            let hook_kind =
                hook.map_or("none", |hook| hook.kind().map_or("departure", |kind| kind.name()));
            let waits = agent.hook_error.is_some()
                || matches!(agent.charm, Charm::StopFailed | Charm::Failed);
            let (relation, other) = (hook.and_then(Hook::relation), hook.and_then(Hook::other));
            fields.extend([
                ("unit", text(world.unit(id).name.clone())),
                ("runs", Value::Bool(runs)),
                ("suspended", Value::Bool(waits)),
                ("hook", text(hook.map_or("none".to_owned(), |hook| world.show_hook(hook)))),
                ("hook_kind", text(hook_kind)),
                ("hook_relation", text(entity(world, relation.map(EntityId::Relation)))),
                ("hook_unit", text(entity(world, other.map(EntityId::Unit)))),
            ]);
        }
        Row::User(id) => {
            fields = vec![("exists", Value::Bool(state.runtime.user(id).session.is_some()))];
        }
        Row::Task(task) => {
            fields.push(("task", text(["provisioner", "cleaner"][task.index()])));
        }
        Row::MachineHistory(id) => {
            fields.push(("machine", text(world.machine(id).name.clone())));
        }
        _ => {
            if let Some(EntityId::Unit(id)) = row.actor() {
                fields.push(("unit", text(world.unit(id).name.clone())));
            }
        }
    }
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
