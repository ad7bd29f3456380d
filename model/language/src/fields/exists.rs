//! The field for the existence of a row's document, and the ids in the keys of rows.

use deathwatch_model::{
    ids::{EntityId, MachineId, RelationId, UnitId},
    rows::{
        FieldSet, Row,
        RowKind::{self, Application, Machine, Relation, Unit, User},
    },
};

use super::{Access::Derived, FieldRead, TypedField, parts_called};
use crate::{
    dependencies::Back,
    types::{Type, Value},
};

/// The name of the field for the existence of a row.
pub(super) const EXISTS: &str = "exists";

/// The field for the existence of the row's document. A row without a document exists if it can be
/// found at all.
pub(super) fn exists(kind: RowKind) -> TypedField {
    let (meaning, reads, access) = match kind {
        Machine | Application | Unit | Relation => (
            "Whether its document exists.",
            vec![FieldRead { kind, fields: parts_called(kind, "life"), back: Back::Same }],
            Derived(|_, state, row| Value::Flag(row.life(state).is_some())),
        ),
        User => (
            "Whether a command of several transactions is in progress.",
            vec![FieldRead { kind, fields: FieldSet::ALL, back: Back::Same }],
            Derived(|_, state, row| match row {
                Row::User(id) => Value::Flag(state.runtime.user(id).session.is_some()),
                _ => Value::Flag(false),
            }),
        ),
        _ => {
            ("Whether there is one of this name.", Vec::new(), Derived(|_, _, _| Value::Flag(true)))
        }
    };
    TypedField {
        of: kind,
        name: EXISTS.to_owned(),
        meaning,
        value: Type::Flag,
        is_list: false,
        is_of_document: false,
        is_note: false,
        reads,
        declared: None,
        access,
    }
}

pub(super) fn machine(row: Row) -> Option<MachineId> {
    match row.actor() {
        Some(EntityId::Machine(id)) => Some(id),
        Some(EntityId::Application(_) | EntityId::Unit(_) | EntityId::Relation(_)) | None => None,
    }
}

pub(super) fn unit(row: Row) -> Option<UnitId> {
    match row.actor() {
        Some(EntityId::Unit(id)) => Some(id),
        Some(EntityId::Machine(_) | EntityId::Application(_) | EntityId::Relation(_)) | None => {
            None
        }
    }
}

pub(super) fn relation(row: Row) -> Option<RelationId> {
    row.relation()
}
