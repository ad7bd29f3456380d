//! Transactions pending, by number.
//!
//! A transaction is numbered when it is first packed. The numbers are shared by all threads; what
//! they are depends on who comes first, but that two are equal does not.
#![expect(
    clippy::disallowed_types,
    reason = "a map that is only looked up: its order reaches nothing"
)]

use std::{collections::HashMap, sync::Arc};

use super::{
    Codec,
    bits::{Reader, Writer},
};
use crate::{runtime::PendingTxn, txn::Txn};

/// A number has this many bits.
pub(super) const PENDING_BITS: u32 = 14;

/// The transactions that have been pending, by number.
#[derive(Clone, Default)]
pub(super) struct Known {
    numbers: HashMap<Txn, u32>,
    txns: Vec<Txn>,
}

/// What one thread knows of the transactions pending. Its copies are its own, so that threads
/// do not fight over reference counts.
#[derive(Default)]
pub(in crate::check) struct PendingTxns {
    numbers: HashMap<Arc<Txn>, u32>,
    txns: Vec<Arc<Txn>>,
    overflow: bool,
}

impl PendingTxns {
    /// Whether there were too many transactions to number, so that packed states are wrong.
    pub(in crate::check) fn have_overflowed(&self) -> bool {
        self.overflow
    }
}

impl Codec<'_> {
    pub(super) fn put_pending(
        &self,
        w: &mut Writer,
        pending: &PendingTxn,
        pending_txns: &mut PendingTxns,
    ) {
        if self.bits.pending > 0 {
            w.put(self.number(pending, pending_txns), PENDING_BITS);
        }
    }

    pub(super) fn take_pending(
        &self,
        r: &mut Reader,
        pending_txns: &mut PendingTxns,
    ) -> PendingTxn {
        if self.bits.pending == 0 {
            return None;
        }
        self.pending_of(r.count(PENDING_BITS), pending_txns)
    }

    /// The number of a transaction pending; 0 if there is none.
    pub(super) fn number(&self, pending: &PendingTxn, pending_txns: &mut PendingTxns) -> u64 {
        let Some(txn) = pending else { return 0 };
        if let Some(number) = pending_txns.numbers.get(txn) {
            return u64::from(*number);
        }
        let mut known = self.pending_txns.write().expect("nobody panics while holding it");
        let next = u32::try_from(known.txns.len() + 1).expect("they are few");
        let number = *known.numbers.entry(Txn::clone(txn)).or_insert(next);
        if number == next {
            known.txns.push(Txn::clone(txn));
        }
        if number >> PENDING_BITS != 0 {
            pending_txns.overflow = true;
            return 0;
        }
        let copy = Arc::new(Txn::clone(txn));
        pending_txns.numbers.insert(copy, number);
        u64::from(number)
    }

    pub(super) fn pending_of(&self, number: u32, pending_txns: &mut PendingTxns) -> PendingTxn {
        let index = (number as usize).checked_sub(1)?;
        if index >= pending_txns.txns.len() {
            let known = self.pending_txns.read().expect("nobody panics while holding it");
            let news = known.txns[pending_txns.txns.len()..].iter().cloned().map(Arc::new);
            pending_txns.txns.extend(news);
        }
        Some(pending_txns.txns[index].clone())
    }
}
