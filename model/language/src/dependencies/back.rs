//! Reverse dependencies of derived fields: from a row that a field is read from to the rows that
//! have the field.

use deathwatch_model::{
    agents::{being_started, charm::observers::observers},
    ids::{EntityId, Placement, RelationId, UnitId},
    rows::{Row, RowKind},
    state::State,
    world::{ApplicationDef, Scope, World},
};

use super::{Trail, follow_name};

/// The path from a row to the rows with a field that is derived from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back {
    /// To the row itself, or the one of the same entity or pair.
    Same,
    /// From a unit to its application.
    Application,
    /// From an application to its units.
    Units,
    /// From a relation to its applications.
    Ends,
    /// From a relation to the units of its subordinate applications.
    Subordinates,
    /// From a unit to the machine or the principal that it names, before a step or after it.
    Placement,
    /// From a machine or a principal to the units that name it.
    Placed,
    /// From a machine to the one that it is a container of.
    Host,
    /// From a machine with the manage-model job to the first one that has it.
    Managers,
    /// From a machine to its containers.
    Containers,
    /// From a unit to the relations in whose scope it is.
    Scopes,
    /// From a unit to its pairs with relations.
    Pairs,
    /// From a unit to its pairs with relations, and the pairs of the principals that list it.
    Family,
    /// From a unit, or its row in a relation, to the pairs of the units that may observe it there.
    Observers,
    /// From the provisioner to the machine whose instance it starts, before a step or after it.
    Started,
    /// To all rows of the kind.
    All,
}

impl Back {
    /// Calls `found` with the rows of this kind whose field is derived from `row`.
    pub(super) fn follow(
        self,
        trail: &Trail<'_>,
        row: Row,
        kind: RowKind,
        found: &mut impl FnMut(Row),
    ) {
        let world = trail.world;
        match self {
            Self::Same | Self::Pairs => unreachable!("it is the way of what a key names"),
            Self::Application => {
                let Some(unit) = unit_of(row) else { return };
                found(Row::Application(world.unit(unit).application));
            }
            Self::Units => {
                let Row::Application(id) = row else { return };
                follow_name(world, Row::Application(id), kind, found);
            }
            Self::Ends => {
                let Row::Relation(id) = row else { return };
                world.relation(id).applications().for_each(|end| found(Row::Application(end)));
            }
            Self::Subordinates => {
                let Row::Relation(id) = row else { return };
                let ends = world.relation(id).applications().map(|end| world.application(end));
                let units = ends.filter(|end| end.subordinate).flat_map(ApplicationDef::units);
                units.for_each(|unit| found(Row::Unit(unit)));
            }
            Self::Host => {
                let Row::Machine(id) = row else { return };
                world.machine(id).parent.into_iter().for_each(|host| found(Row::Machine(host)));
            }
            Self::Managers => {
                let Row::Machine(id) = row else { return };
                let mut managers =
                    world.machine_ids().filter(|it| world.machine(*it).manages_model);
                if world.machine(id).manages_model {
                    managers.next().into_iter().for_each(|it| found(Row::Machine(it)));
                }
            }
            Self::Containers => {
                let (Row::Machine(id) | Row::MachineRuntime(id)) = row else { return };
                let containers =
                    world.machine_ids().filter(|it| world.machine(*it).parent == Some(id));
                let rows = containers.filter_map(|it| kind.of_entity(EntityId::Machine(it)));
                rows.for_each(found);
            }
            Self::Placed => trail.placed(row, found),
            Self::All => kind.rows(world).for_each(found),
            Self::Placement | Self::Scopes | Self::Family | Self::Observers | Self::Started => {
                self.follow_step(world, trail.states, row, kind, found);
            }
        }
    }

    /// The same for paths that depend on the states before and after a step.
    fn follow_step(
        self,
        world: &World,
        states: [&State; 2],
        row: Row,
        kind: RowKind,
        found: &mut impl FnMut(Row),
    ) {
        match (self, row) {
            (Self::Placement, Row::Unit(id)) => {
                for placement in states.map(|state| placement_of(state, id)) {
                    match (placement, kind) {
                        (Placement::Machine(id), RowKind::Machine) => found(Row::Machine(id)),
                        (Placement::Principal(id), RowKind::Unit) => found(Row::Unit(id)),
                        _ => {}
                    }
                }
            }
            (Self::Scopes, Row::Unit(id)) => {
                let is_in = |relation: &_| states[1].store.in_scope(*relation, id);
                let relations = world.scopes_of(id).filter(is_in);
                relations.for_each(|relation| found(Row::Relation(relation)));
            }
            (Self::Family, Row::Unit(id)) => {
                follow_name(world, row, kind, found);
                if world.is_subordinate(id) {
                    let lists = |state: &State, principal| {
                        let unit = state.store.unit(principal);
                        unit.is_some_and(|unit| unit.subordinates.contains(id))
                    };
                    let is_any = |it: &UnitId| states.iter().any(|state| lists(state, *it));
                    let principals = world.unit_ids().filter(is_any);
                    principals.for_each(|it| follow_name(world, Row::Unit(it), kind, found));
                }
            }
            (Self::Observers, _) => {
                let Some(unit) = unit_of(row) else { return };
                if let Some(relation) = row.relation() {
                    follow_observers(world, states, [relation], unit, kind, found);
                } else {
                    let relations = world.relations_of(unit).iter().copied();
                    follow_observers(world, states, relations, unit, kind, found);
                }
            }
            (Self::Started, Row::Task(_)) => {
                for id in states.into_iter().filter_map(being_started) {
                    kind.of_entity(EntityId::Machine(id)).into_iter().for_each(&mut *found);
                }
            }
            _ => kind.rows(world).for_each(found),
        }
    }
}

/// Calls `found` with the rows of this kind of the units that may observe a unit in relations,
/// before a step or after it. In a container relation these are placed together, listed or not.
fn follow_observers(
    world: &World,
    states: [&State; 2],
    relations: impl IntoIterator<Item = RelationId>,
    unit: UnitId,
    kind: RowKind,
    found: &mut impl FnMut(Row),
) {
    for relation in relations {
        let mut observer = |id| {
            let is_pair = world.pair_index(relation, id).is_some();
            let row = kind.of_pair(relation, id).filter(|_| is_pair);
            row.into_iter().for_each(&mut *found);
        };
        observer(unit);
        let constants = world.relation(relation);
        if constants.scope == Scope::Container && !world.sees_anybody() {
            let hosts = states.map(|state| host_of(state, unit));
            let is_beside =
                |id: &UnitId| states.iter().any(|state| hosts.contains(&host_of(state, *id)));
            let ends = constants.applications().map(|end| world.application(end));
            ends.flat_map(ApplicationDef::units).filter(is_beside).for_each(observer);
        } else {
            let all = states.map(|state| observers(unit, relation, world, state));
            all.into_iter().flatten().for_each(observer);
        }
    }
}

/// The principal of a unit, or the unit itself.
fn host_of(state: &State, id: UnitId) -> UnitId {
    match placement_of(state, id) {
        Placement::Principal(principal) => principal,
        Placement::Machine(_) | Placement::Nowhere => id,
    }
}

fn unit_of(row: Row) -> Option<UnitId> {
    match row.actor() {
        Some(EntityId::Unit(id)) => Some(id),
        Some(EntityId::Machine(_) | EntityId::Application(_) | EntityId::Relation(_)) | None => {
            None
        }
    }
}

fn placement_of(state: &State, id: UnitId) -> Placement {
    state.store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement)
}
