//! Derived fields of an agent's sightings in a relation: the units that are related to its own, and
//! the ones that are not any more.

use deathwatch_model::{
    agents::charm::observers::{find_related, gone, is_related},
    ids::{EntityId, IdSet, UnitId},
    rows::{
        Row,
        RowKind::{self, Scope, Sighting, Unit},
    },
    state::State,
    world::World,
};

use super::Follows;
use crate::{
    dependencies::Back::{self, All, Observers, Same},
    fields::{
        Access::{List, Set},
        ItemSink, LargeList,
        exists::{relation, unit},
    },
    types::{NameType, Type, Value},
};

/// The rows from which lists of units are derived that depend on the units that the agent has seen.
const OF_SEEN: &[(RowKind, &str, Back)] =
    &[(Sighting, "seen", Same), (Scope, "in_scope", Observers), (Unit, "", Observers)];

/// The rows from which lists of units are derived that depend on the units that its charm has been
/// told of.
const OF_TOLD: &[(RowKind, &str, Back)] =
    &[(Sighting, "told", Same), (Scope, "in_scope", Observers), (Unit, "", Observers)];

pub(super) const ALL: &[Follows] = &[
    Follows(
        &[Sighting],
        "related",
        Type::Name(NameType::of(Unit)),
        &[(Scope, "in_scope", All), (Unit, "", All)],
        Set(&LargeList {
            each: |world, state, row, each| {
                let Some((relation, id)) = relation(row).zip(unit(row)) else { return false };
                let mut stops = false;
                find_related(id, relation, &IdSet::default(), world, state, &mut |other| {
                    stops = each(name(other));
                    stops
                });
                stops
            },
            most: |world| Some(world.units.len()),
            has: |world, state, row, item| {
                let Some((relation, id)) = relation(row).zip(unit(row)) else { return false };
                let Value::Name(Some(EntityId::Unit(other))) = item else { return false };
                is_related(id, relation, other, world, state)
            },
            size: |_, _, _| None,
        }),
        "The units in the scope that its unit observes there.",
    ),
    Follows(
        &[Sighting],
        "unseen",
        Type::Name(NameType::of(Unit)),
        OF_SEEN,
        List(
            |world, state, row, each| {
                let Row::Sighting(relation, id) = row else { return false };
                unknown(world, state, row, &state.runtime.sighting(relation, id).seen, each)
            },
            |world| Some(world.units.len()),
        ),
        "Those of them that it has not seen; none unless its unit is in the scope.",
    ),
    Follows(
        &[Sighting],
        "untold",
        Type::Name(NameType::of(Unit)),
        OF_TOLD,
        List(
            |world, state, row, each| {
                let Row::Sighting(relation, id) = row else { return false };
                unknown(world, state, row, &state.runtime.sighting(relation, id).told, each)
            },
            |world| Some(world.units.len()),
        ),
        "Those of them of which its charm has not been told; none unless its unit is in the scope.",
    ),
    Follows(
        &[Sighting],
        "seen_and_gone",
        Type::Name(NameType::of(Unit)),
        OF_SEEN,
        List(
            |world, state, row, each| {
                let Row::Sighting(relation, id) = row else { return false };
                unrelated(world, state, row, &state.runtime.sighting(relation, id).seen, each)
            },
            |world| Some(world.units.len()),
        ),
        "The units that it has seen and that its unit does not observe there any more.",
    ),
    Follows(
        &[Sighting],
        "told_and_gone",
        Type::Name(NameType::of(Unit)),
        OF_TOLD,
        List(
            |world, state, row, each| {
                let Row::Sighting(relation, id) = row else { return false };
                unrelated(world, state, row, &state.runtime.sighting(relation, id).told, each)
            },
            |world| Some(world.units.len()),
        ),
        "The units of which its charm has been told and that its unit does not observe there any more.",
    ),
];

/// Calls `each` with the units that are related to the unit, if it is in the scope, and are not
/// `known`. The reverse dependency reaches only the units in the scope and those that have seen
/// others.
fn unknown(
    world: &World,
    state: &State,
    row: Row,
    known: &IdSet<UnitId>,
    each: &mut ItemSink<'_>,
) -> bool {
    let Some((relation, id)) = relation(row).zip(unit(row)) else { return false };
    let mut stops = false;
    if state.store.in_scope(relation, id) {
        find_related(id, relation, known, world, state, &mut |other| {
            stops = each(name(other));
            stops
        });
    }
    stops
}

/// Calls `each` with the `known` units that are not related to the unit.
fn unrelated(
    world: &World,
    state: &State,
    row: Row,
    known: &IdSet<UnitId>,
    each: &mut ItemSink<'_>,
) -> bool {
    let Some((relation, id)) = relation(row).zip(unit(row)) else { return false };
    gone(id, relation, known, world, state).any(|other| each(name(other)))
}

fn name(id: UnitId) -> Value {
    Value::Name(Some(EntityId::Unit(id)))
}
