//! A relation's documents, its scope documents included.

use super::{
    bounds::WorldBounds,
    columns::columns,
    count::Count,
    declare::row,
    document::document,
    field::{FieldText, hidden, shown},
    slot::{below, flag},
};
use crate::{
    ids::{IdSet, RelationId, UnitId},
    life::Life,
};

row! {
    /// The documents of one relation, without its scope documents.
    RelationDocs of RelationId [Copy, Default] {
        /// The relation, while it exists.
        relation: Option<Relation> = "relation", Relation::bound, FieldText::NEVER;
        /// Whether it has settings documents of units. They are only ever deleted together, and
        /// nothing reads a single one, so one bit stands for all.
        settings: bool = "settings", |_, _| flag(true),
            FieldText::at(40).both([hidden("no unit settings"), shown("unit settings")]);
        /// Whether settings documents of a removed relation of this name are left.
        leftovers: bool = "leftovers", |_, _| flag(true),
            FieldText::at(50).both([hidden("no settings left over"), shown("settings left over")]);
        /// The cleanup document that asks to delete them.
        cleanup: bool = "cleanup", |_, _| flag(true),
            FieldText::at(60).both([hidden("no cleanup"), shown("settings to be deleted")])
                .cleanup("settings of");
    }
}

document! {
    /// A relation document.
    Relation of RelationId [Copy] {
        /// Its life; never Dead, as it is removed in the same transaction.
        life: Life = "life", |_, _| below(3), super::LIFE;
        /// The number of units that it counts in its scope. A wrong count may be one more than is
        /// possible.
        in_scope: Count = "count-in-scope", WorldBounds::in_scope,
            FieldText::at(20)
                .present([shown("{} in scope"), shown("{} in scope")])
                .absent([hidden("")]);
    }
}

impl Relation {
    /// A relation as it is created.
    pub fn created() -> Self {
        Self { life: Life::Alive, in_scope: Count::default() }
    }
}

columns! {
    /// Whether a unit has a scope document in a relation.
    ScopeDoc,
    /// The scope documents of a relation. They are a table of their own, because a relation is
    /// touched whenever a unit enters or leaves, and its scope can be large.
    ScopeDocs {
        /// Whether the document exists: the unit is in scope of the relation.
        exists: bool = "in-scope", |_, _| flag(true),
            FieldText::at(30)
                .present([hidden(""), shown(" ({})")])
                .absent([hidden("nobody in scope"), shown("scope documents of {}")]);
    }
}
