//! The claims about constraints: the detail `constraints` (D3:27-64). What a unit gets is what was
//! in force at one moment, when it was created; so no interleaving mixes two.

use deathwatch_model::{
    ids::{Constraints, MachineId, Placement, UnitId},
    life::StartStatus,
    rows::Row,
    state::State,
    store::{Machine, Unit},
    world::World,
};

use super::{
    Claim, ClaimView,
    RowEvent::{self, MachineLife, UnitLife},
    forms::{always, step},
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "a unit captures the constraints that are in force as it is created",
        source: "D3:38-43; D3:57-59",
        test: step(&[UnitLife], captures_others),
    },
    Claim {
        name: "what a unit has captured never changes",
        source: "D3:38-43; D3:57-59",
        test: step(&[RowEvent::Constraints], changes),
    },
    Claim {
        name: "a machine that is made for a unit copies the unit's constraints",
        source: "D3:44-45",
        test: step(&[MachineLife], copies_others),
    },
    Claim {
        name: "a machine that is added by itself copies the model's constraints",
        source: "D3:46-48",
        test: step(&[MachineLife], is_not_the_models),
    },
    Claim {
        name: "a machine gets other constraints only as its failed start is resolved",
        source: "D3:9-11; D3:44-48; D3:102-106",
        test: step(&[RowEvent::Constraints], replaces_others),
    },
    Claim {
        name: "neither subordinates nor their applications have constraints",
        source: "D3:61-64",
        test: always!(has_some, Unit [], Application []),
    },
    Claim {
        name: "a unit goes to a machine that satisfies its constraints",
        source: "D3:34-36; D3:44-45",
        test: step(&[RowEvent::Placement], asks_for_more),
    },
    Claim {
        name: "a unit goes to a machine that was made by its own constraints",
        source: "D3:50-56",
        test: step(&[RowEvent::Placement], asks_for_others),
    },
];

/// The unit, if the step has created it as a principal.
fn created<'a>(before: &State, after: &'a State, id: UnitId) -> Option<&'a Unit> {
    let unit = after.store.unit(id).filter(|_| before.store.unit(id).is_none())?;
    match unit.placement {
        Placement::Nowhere | Placement::Machine(_) => Some(unit),
        Placement::Principal(_) => None,
    }
}

fn captures_others(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Unit(id) = row else { return None };
    let unit = created(before, after, id)?;
    (unit.constraints != before.store.in_force(world, id)).then_some(row)
}

fn changes(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Unit(id) = row else { return None };
    let [old, new] = [before, after].map(|state| state.store.unit(id));
    (old?.constraints != new?.constraints).then_some(row)
}

/// The machine, if the step has created it.
fn made<'a>(before: &State, after: &'a State, id: MachineId) -> Option<&'a Machine> {
    after.store.machine(id).filter(|_| before.store.machine(id).is_none())
}

fn copies_others(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Machine(id) = row else { return None };
    let machine = made(before, after, id)?;
    let is_other = |unit: UnitId| after.store.constraints_of(unit) != machine.constraints;
    machine.principals.iter().any(is_other).then_some(row)
}

fn is_not_the_models(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Machine(id) = row else { return None };
    let machine = made(before, after, id).filter(|machine| machine.principals.is_empty())?;
    (machine.constraints != before.store.model().constraints).then_some(row)
}

fn replaces_others(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Machine(id) = row else { return None };
    let (old, new) = (before.store.machine(id)?, after.store.machine(id)?);
    let is_resolved = (old.start, new.start) == (StartStatus::Error, StartStatus::Resolved);
    (old.constraints != new.constraints && !is_resolved).then_some(row)
}

fn has_some(view: &ClaimView<'_>, subject: Row) -> bool {
    let (world, store) = (view.world, &view.state.store);
    match subject {
        Row::Unit(id) => world.is_subordinate(id) && store.constraints_of(id) != Constraints::NONE,
        Row::Application(id) => {
            let own = store.application(id).map(|it| it.constraints);
            world.application(id).subordinate && own.is_some_and(|own| own != Constraints::NONE)
        }
        _ => false,
    }
}

/// The constraints of a unit that the step has placed on a machine, and those of the machine.
fn placed(before: &State, after: &State, row: Row) -> Option<[Constraints; 2]> {
    let Row::Unit(id) = row else { return None };
    let unit = after.store.unit(id)?;
    let is_new = before.store.unit(id).is_none_or(|old| old.placement != unit.placement);
    match unit.placement {
        Placement::Machine(there) if is_new => {
            Some([unit.constraints, after.store.machine(there)?.constraints])
        }
        Placement::Machine(_) | Placement::Nowhere | Placement::Principal(_) => None,
    }
}

fn asks_for_more(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let [asked, made] = placed(before, after, row)?;
    (!world.constraints.satisfies(made, asked)).then_some(row)
}

fn asks_for_others(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let [asked, made] = placed(before, after, row)?;
    (asked != made).then_some(row)
}
