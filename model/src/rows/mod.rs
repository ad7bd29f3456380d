//! The rows of a state: the smallest parts that a step touches, packs and restores.
//!
//! A row's fields are declared once, in the file of its type: name, meaning, type, bound and texts.
//! Packing, unpacking, the width of a packed state, descriptions, expectations and the start of
//! scenarios are walks through these declarations; a new field is a line there, and nothing else.
//! The walks are made by macros, so that each is as fast as if it were written by hand. Kinds of
//! rows have a line each in `each.rs`, and tables are kept by the store and the runtime.

mod application;
pub(crate) mod bits;
pub(crate) mod bounds;
mod client;
mod columns;
mod count;
mod counts;
pub(crate) mod declare;
mod deployed;
mod document;
mod each;
pub(crate) mod field;
mod key;
mod machine;
mod machine_runtime;
mod manager_task;
mod membership;
mod model;
pub(crate) mod number;
pub(crate) mod packed_number;
mod reads;
mod relation;
mod row_key;
pub(crate) mod set;
pub(crate) mod sets;
mod settings;
mod sighting;
pub(crate) mod slot;
#[cfg(test)]
mod tests;
mod touched;
mod unit;
mod unit_charm;
mod unit_hooks;
mod unit_runtime;
mod unit_workflow;
mod upgrade;
mod user;
pub(crate) mod value;

pub use application::{Application, ApplicationDocs};
pub use bounds::{AtStart, WorldBounds};
pub use client::Client;
pub use count::Count;
pub use declare::See;
pub use field::{Field, FieldKind, FieldSet, FieldText, ShownValue, Unset, ValueText};
pub use key::{Row, RowKind};
pub use machine::{Machine, MachineDocs};
pub use machine_runtime::{Former, Hardware, MachineRuntime, Strays};
pub use manager_task::{ManagerTask, Stage, TaskRuntime};
pub use membership::{Membership, Memberships};
pub use model::ModelDocs;
pub use reads::{Read, comparing, recorded, unrecorded};
pub use relation::{Relation, RelationDocs, ScopeDoc, ScopeDocs};
pub use settings::{SettingsDoc, SettingsDocs};
pub use sighting::{Container, Sighting};
pub use touched::Touched;
pub use unit::{Unit, UnitDocs};
pub use unit_charm::{ConfigRead, Directory, Owed, PortAsked, UnitCharm, UpgradeDue};
pub use unit_hooks::{Phase, Request, UnitHooks};
pub use unit_runtime::{Charm, UnitRuntime, UnitWork};
pub use unit_workflow::{Startup, Transition, UnitWorkflow, Workflow};
pub use upgrade::Upgrade;
pub use user::{Session, User, UserState};
pub use value::PendingTxn;
pub(crate) use {
    bits::{RowReader, RowWriter, read_bits, write_bits},
    declare::{Record, row},
    each::each_row,
    field::{hidden, shown},
    number::states,
    reads::{note, note_each},
    row_key::KeyParts,
    set::set_field,
    slot::{Slot, TXN_BITS, below, flag},
    value::txn_interner,
};

use crate::ids::{Id, IdSet};

/// A table that has rows of this type.
pub(crate) trait RowTable<R: Record> {
    fn look<T>(&self, key: R::Key, look: impl FnOnce(&R) -> T) -> T;

    /// Changes a row, and the rows that are kept in agreement with it.
    fn change(&mut self, key: R::Key, touched: &mut Touched, change: impl FnOnce(&mut R));

    /// Makes a row equal to that of another table.
    fn restore(&mut self, key: R::Key, other: &Self);
}

/// Declares how rows kept in a list of a table are read, changed and restored: their type, the
/// methods that read and change one, and the list.
macro_rules! table {
    ($table:ident: $($record:ident $row:ident $row_mut:ident $list:ident;)+) => {$(
        impl $crate::rows::RowTable<$record> for $table {
            #[inline]
            fn look<T>(
                &self,
                id: <$record as $crate::rows::Record>::Key,
                look: impl FnOnce(&$record) -> T,
            ) -> T {
                look(self.$row(id))
            }

            fn change(
                &mut self,
                id: <$record as $crate::rows::Record>::Key,
                touched: &mut $crate::rows::Touched,
                change: impl FnOnce(&mut $record),
            ) {
                change(self.$row_mut(id, touched));
            }

            #[inline]
            fn restore(&mut self, id: <$record as $crate::rows::Record>::Key, other: &Self) {
                $crate::rows::put(&mut self.$list, &other.$list, id);
            }
        }
    )+};
}

pub(crate) use table;

/// The texts of the life of an entity.
const LIFE: FieldText = FieldText::at(10)
    .present([shown("Alive"), shown("Dying"), shown("Dead")])
    .absent([shown("gone")]);

/// The texts of an agent's pending transaction.
const AGENT_PENDING: FieldText = FieldText::at(90)
    .both([
        hidden("no transaction pending"),
        shown("its agent is about to commit {}"),
        shown("its agent is about to end {}"),
    ])
    .private();

/// Copies one row of a table.
pub(crate) fn put<T: Clone, I: Id>(table: &mut [T], other: &[T], id: I) {
    table[id.index()].clone_from(&other[id.index()]);
}

/// Adds `id` to `set`, or removes it.
pub(crate) fn put_member<T: Id>(set: &mut IdSet<T>, id: T, is_member: bool) {
    match (is_member, set.contains(id)) {
        (true, false) => set.insert(id),
        (false, true) => set.remove(id),
        (true, true) | (false, false) => {}
    }
}
