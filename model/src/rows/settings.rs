//! A unit's settings documents in relations: the detail `relations` (D4:258-265, D4:321-324).
//!
//! Nothing depends on the values, only on whether they differ from those that a reader has seen. So
//! a document is either as the unit wrote it on entering, or written since. The number of writes
//! does not matter: a reader that has seen older values has them marked as stale, and a hook that
//! has read older ones as old. To write the same values again changes nothing.

use super::{
    columns::columns,
    field::{FieldText, hidden, shown},
    slot::flag,
};
use crate::ids::{IdSet, RelationId, UnitId};

columns! {
    /// The settings document of a unit in a relation.
    SettingsDoc,
    /// The settings documents of a relation's units.
    SettingsDocs {
        /// Whether the document exists.
        exists: bool = "has-settings", |_, _| flag(true),
            FieldText::at(42).both([hidden("no settings of single units"), shown("settings of {}")]);
        /// Whether it has been written since the unit entered the scope.
        written: bool = "wrote-settings", |_, _| flag(true),
            FieldText::at(44).both([hidden("as they were when it entered"), shown("written again by {}")]);
    }
}
