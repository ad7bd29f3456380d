//! A scripted client: it plans any operation at any time, and exists in scripts only.

use super::{
    declare::row,
    field::{FieldText, shown},
    slot::Txns,
    value::PendingTxn,
};
use crate::ids::ClientId;

row! {
    /// A scripted client.
    Client of ClientId [Default] {
        /// Its pending transaction. No client acts while a world is explored, so it stays as it was
        /// at the start.
        pending: PendingTxn = "pending", |_, _| Txns(true),
            FieldText::at(10).both([shown("no transaction pending"), shown("about to commit {}")]).private();
    }
}
