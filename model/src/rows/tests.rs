//! Rows by their kind, their descriptions, and the bounds of sets.

use std::sync::Arc;

use super::{sets::Members, *};
use crate::{
    ids::{ApplicationId, ClientId, RelationId, UnitId, UserId},
    operation::Operation,
    state::State,
    store::Touched,
    txn::Txn,
    world::{
        ApplicationDef, CharmDef, MachineDef, RelationDef, Scope, UnitDef, World, WorldBuilder,
    },
};

/// A world with an entity of each kind.
fn world() -> World {
    let application = ApplicationId::new(0);
    WorldBuilder {
        machines: vec![MachineDef {
            name: "0".into(),
            parent: None,
            manages_model: true,
            hosts_units: true,
            never_starts: false,
        }],
        applications: vec![ApplicationDef {
            name: "a".into(),
            subordinate: false,
            charm: CharmDef::default(),
            relations: vec![RelationId::new(0)],
            units: 0..3,
        }],
        units: ["a/0", "a/1", "a/2"].map(|name| UnitDef { name: name.into(), application }).into(),
        relations: vec![RelationDef {
            name: "a:peer".into(),
            ends: [application; 2],
            scope: Scope::Global,
        }],
        ..WorldBuilder::default()
    }
    .build()
}

#[test]
fn each_field_of_a_row_is_described_once_and_in_order() {
    let world = world();
    let state = State::empty(&world);
    for row in RowKind::ALL.into_iter().flat_map(|kind| kind.rows(&world)) {
        let declared = row.kind().fields();
        let whole = |field: &'static Field| {
            if field.parts.is_empty() { std::slice::from_ref(field) } else { field.parts }
        };
        let declared: Vec<_> = declared.iter().flat_map(whole).map(|field| field.name).collect();
        let mut described = Vec::new();
        state.fields(row, &mut |field, _| described.push(field.name));
        assert_eq!(described, declared, "{row:?}");
        assert!(!described.is_empty(), "{row:?}");
    }
}

/// A row on an agent's disk or in its memory is a note, unless it is there without a note of it:
/// the deployed units, the running processes, and the charm directory.
#[test]
fn what_the_agent_of_a_unit_has_on_its_disk_or_in_its_memory_is_a_note() {
    let of_agents = [
        RowKind::UnitRuntime,
        RowKind::UnitHooks,
        RowKind::UnitCharm,
        RowKind::UnitWorkflow,
        RowKind::Membership,
        RowKind::Sighting,
    ];
    let places = ["On its disk", "On disk", "In its memory", "In memory", "In its agent's memory"];
    for kind in RowKind::ALL {
        for field in kind.fields() {
            let is_kept = places.iter().any(|place| field.meaning().starts_with(place));
            let is_there = ["deployed", "pending", "charm-directory"].contains(&field.name);
            let is_of_agent = of_agents.contains(&kind);
            let is_told = !is_kept || !is_of_agent || is_there || field.texts.is_note;
            assert!(is_told, "{} of {}", field.name, kind.name());
            assert!(is_of_agent || !field.texts.is_note, "{} of {}", field.name, kind.name());
        }
    }
}

/// A condition that reads one part of a field is judged again when that part has changed.
#[test]
fn a_transaction_of_a_user_that_begins_changes_what_is_pending() {
    let world = world();
    let idle = State::empty(&world);
    let mut planned = idle.clone();
    let operation = Operation::DestroyUnit(UnitId::new(0));
    let txn = Arc::new(Txn { operation, ops: Vec::new() });
    let user = UserId::new(0);
    planned.runtime.user_mut(user, &mut Touched::new()).state =
        UserState::Planned { txn, aborts: 0 };
    let fields = RowKind::User.fields().iter().flat_map(Field::parts);
    let pending = fields.into_iter().position(|part| part.name == "pending");
    let changed = planned.differing(Row::User(user), &idle, FieldSet::ALL);
    assert!(changed.meet(FieldSet::one(pending.expect("it has this part"))));
    assert!(idle.differing(Row::User(user), &idle, FieldSet::ALL).is_empty());
}

#[test]
fn rows_are_numbered_within_their_kind() {
    let world = world();
    for kind in RowKind::ALL {
        for (index, row) in kind.rows(&world).enumerate() {
            assert_eq!((row.kind(), row.index(&world)), (kind, Some(index)), "{row:?}");
        }
    }
    assert_eq!(RowKind::Membership.count(&world), 3);
    assert_eq!(Row::Client(ClientId::new(4)).index(&world), Some(4));
}

#[test]
fn ranges_of_members_are_joined_where_they_touch() {
    let joined = |ranges: &[std::ops::Range<usize>]| Members::ranges(ranges.iter().cloned()).0;
    assert_eq!(joined(&[3..5, 0..3, 7..9, 6..6, 8..8]), [0..5, 7..9]);
    assert_eq!(joined(&[0..9, 2..4, 11..12]), [0..9, 11..12]);
    assert!(joined(&[4..4, 6..6]).is_empty());
}
