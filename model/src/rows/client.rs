//! A scripted client: it plans any operation at any time, and exists in scripts only.

use crate::runtime::PendingTxn;

/// A scripted client.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Client {
    /// The transaction that it is about to commit.
    pub pending: PendingTxn,
}
