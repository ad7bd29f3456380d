//! The claims about transitions. Only touched rows are judged, as a document that a step did not
//! touch did not change.

use deathwatch_model::{
    ids::{MachineId, Placement, UnitId},
    life::Life::{self, Alive, Dead},
    rows::Row,
    state::State,
    variants::ManagerMachine,
    world::{Scope, World},
};

use super::{
    Claim,
    RowEvent::{self, ApplicationLife, Entry, MachineLife, RelationLife, UnitLife},
    duties::is_kept,
    forms::step,
};

/// The events of all that has a life.
const LIVES: &[RowEvent] = &[MachineLife, ApplicationLife, UnitLife, RelationLife];

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "everything starts Alive",
        source: "D2:15; D2:23",
        test: step(LIVES, starts_otherwise),
    },
    Claim {
        name: "no entity returns to an earlier life",
        source: "D2:25",
        test: step(LIVES, returns),
    },
    Claim {
        name: "only Dead units and machines are removed",
        source: "D1:77; D1:98-103",
        test: step(&[MachineLife, UnitLife], removed_before_dead),
    },
    Claim {
        name: "a machine with principals or containers does not change its life",
        source: "D2:211; D2:215",
        test: step(&[MachineLife], machine_changes_in_use),
    },
    Claim {
        name: "a scope is entered only by an Alive unit, in an Alive relation",
        source: "D2:227; D2:281",
        test: step(&[Entry], enters_wrongly),
    },
    Claim {
        name: "units join only Alive applications",
        source: "D2:49; D2:261",
        test: step(&[UnitLife], joins_application_wrongly),
    },
    Claim {
        name: "relations join only Alive applications",
        source: "D2:55; D2:261",
        test: step(&[RelationLife], relates_wrongly),
    },
    Claim {
        name: "subordinates are created only by Alive principals that enter an Alive relation",
        source: "D2:53; D2:57",
        test: step(&[UnitLife], created_wrongly),
    },
    Claim {
        name: "principals are assigned only while they and their machine are Alive",
        source: "D2:209; D2:225",
        test: step(&[RowEvent::Placement], assigned_wrongly),
    },
    Claim {
        name: "principals are assigned only to machines with the host-units job",
        source: "D2:209",
        test: step(&[RowEvent::Placement], assigned_without_job),
    },
    Claim {
        name: "a manager machine stays Alive where all of them are protected",
        source: "D2:207",
        test: step(&[MachineLife], dies_as_manager),
    },
    Claim {
        name: "a subordinate becomes Dying only with its principal, application or last relation",
        source: "D2:237-241; D2:341",
        test: step(&[UnitLife], dies_without_cause),
    },
];

/// The life of an entity that a step touched, before it and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lives {
    subject: Row,
    /// Its life before the step, if it existed.
    before: Option<Life>,
    /// Its life after the step, if it exists.
    after: Option<Life>,
}

/// The lives of the entity whose documents are at `row`, if there is one.
fn lives(before: &State, after: &State, row: Row) -> Option<Lives> {
    row.own_entity()?;
    Some(Lives { subject: row, before: row.life(before), after: row.life(after) })
}

fn starts_otherwise(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Lives { subject, before, after } = lives(before, after, row)?;
    (before.is_none() && after.is_some_and(|life| life != Alive)).then_some(subject)
}

fn returns(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Lives { subject, before, after } = lives(before, after, row)?;
    (after? < before?).then_some(subject)
}

fn removed_before_dead(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Lives { subject, before, after } = lives(before, after, row)?;
    let wrong = before? != Dead && after.is_none();
    (wrong && matches!(subject, Row::Machine(_) | Row::Unit(_))).then_some(subject)
}

fn machine_changes_in_use(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Machine(id) = row else { return None };
    let machine = before.store.machine(id)?;
    let in_use = !machine.principals.is_empty() || !machine.containers.is_empty();
    let changes = after.store.machine_life(id) != Some(machine.life);
    (in_use && changes).then_some(Row::Machine(id))
}

fn enters_wrongly(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Scope(id, unit) = row else { return None };
    if before.store.in_scope(id, unit) || !after.store.in_scope(id, unit) {
        return None;
    }
    let wrong = before.store.relation_life(id) != Some(Alive)
        || before.store.unit_life(unit) != Some(Alive);
    wrong.then_some(Row::Unit(unit))
}

/// The unit that a step created at this row.
fn created(before: &State, after: &State, row: Row) -> Option<UnitId> {
    let Row::Unit(id) = row else { return None };
    (before.store.unit(id).is_none() && after.store.unit(id).is_some()).then_some(id)
}

fn joins_application_wrongly(
    world: &World,
    before: &State,
    after: &State,
    row: Row,
) -> Option<Row> {
    let id = created(before, after, row)?;
    let life = before.store.application_life(world.unit(id).application);
    (life != Some(Alive)).then_some(Row::Unit(id))
}

/// Whether a new subordinate has no principal that is Alive and enters the scope of an Alive
/// container relation between the two applications in the same step.
fn created_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let id = created(before, after, row)?;
    let Placement::Principal(principal) = after.store.unit(id)?.placement else { return None };
    let entered = world.relations_of(id).iter().any(|relation| {
        let constants = world.relation(*relation);
        constants.scope == Scope::Container
            && constants.ends.contains(&world.unit(principal).application)
            && before.store.relation_life(*relation) == Some(Alive)
            && !before.store.in_scope(*relation, principal)
            && after.store.in_scope(*relation, principal)
    });
    let is_right = before.store.unit_life(principal) == Some(Alive) && entered;
    (!is_right).then_some(row)
}

/// Whether a new relation joins an application that is not Alive. The applications that the same
/// transaction deploys are Alive after it.
fn relates_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Relation(id) = row else { return None };
    if before.store.relation(id).is_some() || after.store.relation(id).is_none() {
        return None;
    }
    let mut ends = world.relation(id).applications();
    let wrong = ends.any(|end| after.store.application_life(end) != Some(Alive));
    wrong.then_some(Row::Relation(id))
}

/// The machine that a principal got in a step: an unassigned one, or one that was created with it.
fn assigned_to(before: &State, after: &State, row: Row) -> Option<MachineId> {
    let Row::Unit(id) = row else { return None };
    let Placement::Machine(machine) = after.store.unit(id)?.placement else { return None };
    let placement = before.store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement);
    (placement == Placement::Nowhere).then_some(machine)
}

/// Whether a principal that is not Alive gets a machine, or one gets a machine that is not Alive.
/// What is created in the same step is Alive if it is so after it.
fn assigned_wrongly(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let machine = assigned_to(before, after, row)?;
    let is_alive = |row: Row| row.life(before).or_else(|| row.life(after)) == Some(Alive);
    (!is_alive(row) || !is_alive(Row::Machine(machine))).then_some(row)
}

fn assigned_without_job(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let machine = assigned_to(before, after, row)?;
    (!world.machine(machine).hosts_units).then_some(row)
}

fn dies_as_manager(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Machine(id) = row else { return None };
    let is_protected = match world.variants.manager_machine {
        ManagerMachine::NeverDies => world.machine(id).manages_model,
        ManagerMachine::LastIsProtected | ManagerMachine::LastThatRunsIsProtected => false,
    };
    let dies =
        before.store.machine_life(id) == Some(Alive) && after.store.machine_life(id) != Some(Alive);
    (is_protected && dies).then_some(row)
}

/// Whether a subordinate becomes Dying while its principal, its application and a relation that
/// keeps it are Alive: by the end of a global relation, say, which destroys nothing else.
fn dies_without_cause(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Unit(id) = row else { return None };
    let unit = before.store.unit(id).filter(|unit| unit.life == Alive)?;
    let Placement::Principal(principal) = unit.placement else { return None };
    let is_held = before.store.unit_life(principal) == Some(Alive)
        && before.store.application_life(world.unit(id).application) == Some(Alive)
        && is_kept(world, before, id);
    (is_held && after.store.unit_life(id) != Some(Alive)).then_some(row)
}
