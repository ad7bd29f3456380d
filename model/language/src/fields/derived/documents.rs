//! Fields of documents that are derived from other documents.

use deathwatch_model::{
    actor::Client,
    agents,
    free_ids::Scan,
    ids::{ApplicationId, Constraints, EntityId, MachineId, Placement, RelationId, UnitId, UserId},
    life::Life::Alive,
    operation::Operation,
    ops::{self, Plan},
    rows::{
        Row,
        RowKind::{Application, Machine, Model, Relation, Scope, Unit},
    },
    state::State,
    variants::SubordinateDiesWhen,
    world::{self, RelationDef, World},
};

use super::{
    Follows, MACHINES, UNITS,
    constants::{brings, is_first_manager},
};
use crate::{
    dependencies::Back::{
        All, Application as ToApplication, Ends, Family, Host, Managers, Pairs, Placed,
        Placement as ToPlacement, Same, Scopes, Subordinates, Units,
    },
    fields::{
        Access::{self, Derived, List},
        LargeList,
        exists::{machine, relation, unit},
    },
    types::{NameType, Type, Value},
};

pub(super) const ALL: &[Follows] = &[
    Follows(
        &[Unit],
        "machine",
        MACHINES,
        &[(Unit, "placement", Same)],
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
        &[(Unit, "placement", Same)],
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
        "scopes",
        Type::Name(NameType::of(Relation)),
        &[(Scope, "in_scope", Same)],
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
        "in_scope",
        Type::Name(NameType::of(Unit)),
        &[(Scope, "in_scope", Same)],
        Access::Set(&LargeList {
            each: |_, state, row, each| {
                let Some(id) = relation(row) else { return false };
                state.store.scope(id).iter().any(|unit| each(unit_name(unit)))
            },
            most: most_members,
            has: |_, state, row, item| {
                relation(row)
                    .zip(item_unit(item))
                    .is_some_and(|(id, unit)| state.store.in_scope(id, unit))
            },
            size: |state, _, row| relation(row).map(|id| state.store.scope(id).len()),
        }),
        "The units that have a scope document in it.",
    ),
    Follows(
        &[Machine, Unit],
        "placed",
        Type::Name(NameType::of(Unit)),
        &[(Unit, "placement", ToPlacement)],
        Access::Set(&LargeList {
            each: |world, state, row, each| {
                let mut units = world.unit_ids();
                units.any(|unit| is_placed(state, unit, row) && each(unit_name(unit)))
            },
            most: |world| Some(world.units.len()),
            has: |_, state, row, item| item_unit(item).is_some_and(|it| is_placed(state, it, row)),
            size: |_, recount, row| Some(recount?.naming(place(row)?) as usize),
        }),
        "The units that name it as their placement.",
    ),
    Follows(
        &[Machine],
        "existing_containers",
        Type::Name(NameType::of(Machine)),
        &[(Machine, "life", Host)],
        Access::Set(&LargeList {
            each: |world, state, row, each| {
                let mut all =
                    world.machine_ids().map(|id| Value::Name(Some(EntityId::Machine(id))));
                all.any(|it| is_existing_container(world, state, row, it) && each(it))
            },
            most: |world| Some(world.machines.len()),
            has: is_existing_container,
            size: |_, recount, row| Some(recount?.containers_of(machine(row)?) as usize),
        }),
        "Its containers that exist, whether it lists them or not.",
    ),
    Follows(
        &[Machine],
        "alive_managers",
        Type::Name(NameType::of(Machine)),
        &[(Machine, "life", Managers)],
        Access::Set(&LargeList {
            each: |world, state, row, each| {
                let mut all = world.machine_ids().filter(|id| is_alive_manager(world, state, *id));
                is_first_manager(world, row)
                    && all.any(|id| each(Value::Name(Some(EntityId::Machine(id)))))
            },
            most: |world| Some(world.machines.len()),
            has: |world, state, row, item| {
                let Value::Name(Some(EntityId::Machine(id))) = item else { return false };
                is_first_manager(world, row) && is_alive_manager(world, state, id)
            },
            size: |_, recount, row| {
                let recount = recount?;
                let is_first = recount.first_manager() == machine(row);
                Some(if is_first { recount.alive_managers() as usize } else { 0 })
            },
        }),
        "Of the first machine with the manage-model job, those with that job that are Alive; of \
         others none.",
    ),
    Follows(
        &[Application],
        "existing_units",
        Type::Name(NameType::of(Unit)),
        &[(Unit, "life", ToApplication)],
        Access::Set(&LargeList {
            each: |world, state, row, each| {
                let Some(id) = application(row) else { return false };
                let mut units = world.application(id).units();
                units.any(|unit| state.store.unit(unit).is_some() && each(unit_name(unit)))
            },
            most: |world| world.applications.iter().map(|it| it.units.len()).max(),
            has: |world, state, row, item| {
                item_unit(item).is_some_and(|unit| {
                    Some(world.unit(unit).application) == application(row)
                        && state.store.unit(unit).is_some()
                })
            },
            size: |_, recount, row| Some(recount?.units_of(application(row)?) as usize),
        }),
        "Its units that exist.",
    ),
    Follows(
        &[Application],
        "existing_relations",
        Type::Name(NameType::of(Relation)),
        &[(Relation, "life", Ends)],
        Access::Set(&LargeList {
            each: |world, state, row, each| {
                each_relation(world, row, &mut |id| {
                    state.store.relation(id).is_some() && each(relation_name(id))
                })
            },
            most: |world| world.applications.iter().map(|it| it.relations.len()).max(),
            has: |world, state, row, item| {
                each_relation(world, row, &mut |id| {
                    relation_name(id) == item && state.store.relation(id).is_some()
                })
            },
            size: |_, recount, row| Some(recount?.relations_of(application(row)?) as usize),
        }),
        "Its relations that exist.",
    ),
    Follows(
        &[Application],
        "missing_peers",
        Type::Name(NameType::of(Relation)),
        &[(Relation, "life", Ends)],
        Access::Set(&LargeList {
            each: |world, state, row, each| {
                each_relation(world, row, &mut |id| {
                    is_missing_peer(world, state, id) && each(relation_name(id))
                })
            },
            most: |world| world.applications.iter().map(|it| it.relations.len()).max(),
            has: |world, state, row, item| {
                each_relation(world, row, &mut |id| {
                    relation_name(id) == item && is_missing_peer(world, state, id)
                })
            },
            size: |_, recount, row| Some(recount?.missing_peers(application(row)?) as usize),
        }),
        "Its peer relations that do not exist.",
    ),
    Follows(
        &[Application],
        "deployable",
        Type::Flag,
        &[(Application, "", Same), (Relation, "", Ends)],
        Derived(|world, state, row| {
            let Some(id) = application(row) else { return Value::Flag(false) };
            let user = Client::User(UserId::FIRST);
            let plan = agents::plan_for(world, state, user, Operation::Deploy(id), &Scan);
            Value::Flag(matches!(plan, Plan::Submit(_)))
        }),
        "Whether a user who deploys it now is not refused.",
    ),
    Follows(
        &[Relation],
        "missing_in_scope",
        Type::Name(NameType::of(Unit)),
        &[(Scope, "in_scope", Same), (Unit, "life", Scopes)],
        Access::Set(&LargeList {
            each: |_, state, row, each| {
                let Some(id) = relation(row) else { return false };
                let mut scope = state.store.scope(id).iter();
                scope.any(|unit| state.store.unit(unit).is_none() && each(unit_name(unit)))
            },
            most: most_members,
            has: |_, state, row, item| {
                relation(row).zip(item_unit(item)).is_some_and(|(id, unit)| {
                    state.store.in_scope(id, unit) && state.store.unit(unit).is_none()
                })
            },
            size: |_, recount, row| Some(recount?.missing_in_scope(relation(row)?) as usize),
        }),
        "The units that have a scope document in it and do not exist.",
    ),
    Follows(
        &[Unit],
        "forced",
        Type::Flag,
        &[(Unit, "force", All), (Unit, "placement", All), (Machine, "force", All)],
        Derived(|_, state, row| Value::Flag(unit(row).is_some_and(|id| state.store.is_forced(id)))),
        "Whether it is forced, by itself, with its principal or with its machine.",
    ),
    Follows(
        &[Unit],
        "kept",
        Type::Flag,
        &[(Unit, "placement", Same), (Relation, "life", Subordinates)],
        Derived(|world, state, row| {
            Value::Flag(unit(row).is_some_and(|id| is_kept(world, state, id)))
        }),
        "Whether an Alive relation keeps it beside its principal, as the variant \
         subordinate-dies-when has it.",
    ),
    Follows(
        &[Unit],
        "has_constraints_in_force",
        Type::Flag,
        &[(Unit, "", Same), (Application, "", Units), (Model, "", All)],
        Derived(|world, state, row| {
            Value::Flag(unit(row).is_some_and(|id| has_constraints_in_force(world, state, id)))
        }),
        "Whether it has of each key the constraint of its application, else the model's, else none.",
    ),
    Follows(
        &[Unit],
        "satisfied",
        Type::Flag,
        &[(Unit, "", Same), (Machine, "", Placed)],
        Derived(|world, state, row| {
            let Some(unit) = unit(row).and_then(|id| state.store.unit(id)) else {
                return Value::Flag(true);
            };
            let Placement::Machine(there) = unit.placement else { return Value::Flag(true) };
            let satisfies = |made| world.constraints.satisfies(made, unit.constraints);
            let machine = state.store.machine(there);
            Value::Flag(machine.is_none_or(|machine| satisfies(machine.constraints)))
        }),
        "Whether the machine that it is assigned to satisfies its constraints; true if there is none.",
    ),
    Follows(
        &[Scope],
        "concerned",
        Type::Flag,
        &[(Unit, "placement", Pairs)],
        Derived(|world, state, row| {
            Value::Flag(relation(row).zip(unit(row)).is_some_and(|(relation, id)| {
                let placement = state.store.unit(id).map(|unit| unit.placement);
                placement.is_some_and(|it| ops::is_member(world, id, it, relation))
            }))
        }),
        "Whether its unit exists, and the relation concerns it where that is placed.",
    ),
    Follows(
        &[Scope],
        "has_subordinate",
        Type::Flag,
        &[(Unit, "", Family)],
        Derived(|world, state, row| {
            Value::Flag(relation(row).zip(unit(row)).is_some_and(|(relation, id)| {
                let brought = brings(world, id, relation);
                let is_suitable = |it: UnitId| {
                    Some(world.unit(it).application) == brought
                        && state.store.unit_life(it) == Some(Alive)
                };
                let unit = state.store.unit(id);
                unit.is_some_and(|unit| unit.subordinates.iter().any(is_suitable))
            }))
        }),
        "Whether its unit has an Alive subordinate of the application that the relation brings.",
    ),
];

fn application(row: Row) -> Option<ApplicationId> {
    match row {
        Row::Application(id) => Some(id),
        _ => None,
    }
}

fn unit_name(id: UnitId) -> Value {
    Value::Name(Some(EntityId::Unit(id)))
}

fn relation_name(id: RelationId) -> Value {
    Value::Name(Some(EntityId::Relation(id)))
}

/// The unit that an item names.
fn item_unit(item: Value) -> Option<UnitId> {
    match item {
        Value::Name(Some(EntityId::Unit(id))) => Some(id),
        _ => None,
    }
}

/// The greatest number of units that a relation concerns.
fn most_members(world: &World) -> Option<usize> {
    let of_ends =
        |it: &RelationDef| it.applications().map(|end| world.application(end).units.len()).sum();
    world.relations.iter().map(of_ends).max()
}

/// The placement that the units of a machine or a principal have.
fn place(row: Row) -> Option<Placement> {
    match row {
        Row::Machine(id) => Some(Placement::Machine(id)),
        Row::Unit(id) => Some(Placement::Principal(id)),
        _ => None,
    }
}

fn is_placed(state: &State, id: UnitId, row: Row) -> bool {
    state.store.unit(id).is_some_and(|unit| Some(unit.placement) == place(row))
}

fn is_existing_container(world: &World, state: &State, row: Row, item: Value) -> bool {
    let Value::Name(Some(EntityId::Machine(id))) = item else { return false };
    world.machine(id).parent.is_some_and(|host| row == Row::Machine(host))
        && state.store.machine(id).is_some()
}

/// Calls `each` with the relations of an application until it returns true. Returns whether it has.
fn each_relation(world: &World, row: Row, each: &mut dyn FnMut(RelationId) -> bool) -> bool {
    let Row::Application(id) = row else { return false };
    world.application(id).relations.iter().any(|relation| each(*relation))
}

fn is_alive_manager(world: &World, state: &State, id: MachineId) -> bool {
    world.machine(id).manages_model && state.store.machine_life(id) == Some(Alive)
}

fn is_missing_peer(world: &World, state: &State, id: RelationId) -> bool {
    world.relation(id).scope == world::Scope::Peer && state.store.relation(id).is_none()
}

/// Whether a unit has the constraints in force, key by key (D3:40-43). The values are compared
/// here, without the world's table that units capture by, so that a mistake in the table is
/// noticed.
fn has_constraints_in_force(world: &World, state: &State, id: UnitId) -> bool {
    let Some(unit) = state.store.unit(id) else { return false };
    let application = state.store.application(world.unit(id).application);
    let [its, own, model] = [
        unit.constraints,
        application.map_or(Constraints::NONE, |it| it.constraints),
        state.store.model().constraints,
    ]
    .map(|set| world.constraints.values(set));
    let mut keys = its.keys().chain(own.keys()).chain(model.keys());
    keys.all(|key| its.get(key) == own.get(key).or_else(|| model.get(key)))
}

/// Whether an Alive relation keeps a subordinate beside its principal.
fn is_kept(world: &World, state: &State, id: UnitId) -> bool {
    let placement = state.store.unit(id).map(|unit| unit.placement);
    let Some(Placement::Principal(principal)) = placement else { return false };
    let by_any = match world.variants.subordinate_dies_when {
        SubordinateDiesWhen::LastRelationOfAnyScope => true,
        SubordinateDiesWhen::LastRelationWithPrincipal
        | SubordinateDiesWhen::AnyContainerRelation
        | SubordinateDiesWhen::LastContainerRelation => false,
    };
    world.relations_of(id).iter().any(|relation| {
        let constants = world.relation(*relation);
        constants.ends.contains(&world.unit(principal).application)
            && (by_any || constants.scope == world::Scope::Container)
            && state.store.relation_life(*relation) == Some(Alive)
    })
}
