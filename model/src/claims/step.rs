//! The claims about transitions. Only touched rows are judged, as a document that a step did not
//! touch did not change.

use super::{
    Claim,
    Event::{self, ApplicationLife, Entry, MachineLife, RelationLife, UnitLife},
    Formula, Step,
};
use crate::{
    ids::UnitId,
    life::Life::{self, Alive, Dead},
    rows::{Placement, Row},
    state::State,
    world::World,
};

/// The events of all that has a life.
const LIVES: &[Event] = &[MachineLife, ApplicationLife, UnitLife, RelationLife];

/// A `Step` claim: the events that it looks at, and its predicate.
const fn step(
    on: &'static [Event],
    at_fault: fn(&World, &State, &State, Row) -> Option<Row>,
) -> Formula {
    Formula::Step(Step { on, at_fault })
}

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
        name: "subordinates are created only by Alive principals",
        source: "D2:57",
        test: step(&[UnitLife], created_wrongly),
    },
    Claim {
        name: "principals are assigned only while they and their machine are Alive",
        source: "D2:209; D2:225",
        test: step(&[Event::Placement], assigned_wrongly),
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

fn created_wrongly(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let id = created(before, after, row)?;
    let Placement::Principal(principal) = after.store.unit(id)?.placement else { return None };
    (before.store.unit_life(principal) != Some(Alive)).then_some(Row::Unit(id))
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

fn assigned_wrongly(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Unit(id) = row else { return None };
    let Placement::Machine(machine) = after.store.unit(id)?.placement else { return None };
    let unit = before.store.unit(id)?;
    let wrong =
        unit.life != Alive || before.store.machine_life(machine).is_some_and(|life| life != Alive);
    (unit.placement == Placement::Nowhere && wrong).then_some(Row::Unit(id))
}
