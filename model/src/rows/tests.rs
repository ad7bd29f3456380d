//! Descriptions of rows.

use super::*;
use crate::world::{ApplicationDef, MachineDef, RelationDef, Scope, UnitDef, WorldBuilder};

#[test]
fn each_field_of_a_row_is_described_once_and_in_order() {
    let application = ApplicationId::new(0);
    let world = WorldBuilder {
        machines: vec![MachineDef {
            name: "0".into(),
            parent: None,
            manages_model: true,
            hosts_units: true,
        }],
        applications: vec![ApplicationDef {
            name: "a".into(),
            subordinate: false,
            relations: vec![RelationId::new(0)],
            units: 0..1,
        }],
        units: vec![UnitDef { name: "a/0".into(), application }],
        relations: vec![RelationDef {
            name: "a:peer".into(),
            ends: [application; 2],
            scope: Scope::Global,
        }],
        ..WorldBuilder::default()
    }
    .build();
    let state = State::empty(&world);
    for row in RowKind::ALL.into_iter().flat_map(|kind| kind.rows(&world)) {
        let declared = row.kind().row_type().fields;
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
