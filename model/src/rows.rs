//! Rows of tables, made what they are in another table: what restoring an entry of a state comes
//! down to.

use crate::ids::{Id, IdSet};

/// Copies one row of a table.
pub(crate) fn put<T: Clone, I: Id>(table: &mut [T], other: &[T], id: I) {
    table[id.index()].clone_from(&other[id.index()]);
}

/// Makes `id` a member of `set`, or not.
pub(crate) fn put_member<T: Id>(set: &mut IdSet<T>, id: T, is_member: bool) {
    match (is_member, set.contains(id)) {
        (true, false) => set.insert(id),
        (false, true) => set.remove(id),
        (true, true) | (false, false) => {}
    }
}
