//! Transactions pending, by number.
//!
//! A transaction is numbered when a thread first packs it, so within a batch its number depends on
//! which thread is faster. That two transactions are equal does not. After the batch the numbers
//! become final, in the order of the states that have them (`commit`).
#![expect(
    clippy::disallowed_types,
    reason = "a map that is only looked up: its order reaches nothing"
)]

use std::{collections::HashMap, sync::Arc};

use deathwatch_checker::explore::{NewStates, Refused};

use super::{
    Codec,
    bits::{Reader, Writer, read_bits, write_bits},
};
use crate::{runtime::PendingTxn, txn::Txn};

/// A number has this many bits.
pub(super) const PENDING_BITS: u32 = 14;

/// The transactions that have been pending, by number, which is 1 for the first.
#[derive(Clone, Default)]
pub(super) struct Known {
    numbers: HashMap<Txn, u32>,
    txns: Vec<Txn>,
    /// How many of the numbers are final.
    pub(super) committed: usize,
    /// Whether a transaction got no number, so that states of this batch are packed wrong.
    overflowed: bool,
}

/// The transactions with final numbers that one thread has come by. Its copies are its own, so
/// that threads do not fight over reference counts.
#[derive(Default)]
pub(in crate::check) struct PendingTxns {
    numbers: HashMap<Arc<Txn>, u32>,
    txns: Vec<Arc<Txn>>,
}

impl Known {
    /// Numbers `txn`, if there is a number left.
    fn add(&mut self, txn: &Txn) -> u32 {
        let next = u32::try_from(self.txns.len() + 1).expect("they are few");
        if next >> PENDING_BITS != 0 {
            self.overflowed = true;
            return 0;
        }
        self.txns.push(txn.clone());
        self.numbers.insert(txn.clone(), next);
        next
    }

    /// Says that all numbers are final.
    pub(super) fn commit_all(&mut self) {
        self.committed = self.txns.len();
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
            self.put_number(w, pending, pending_txns);
        }
    }

    /// Puts the number of a transaction pending; 0 if there is none.
    pub(super) fn put_number(
        &self,
        w: &mut Writer,
        pending: &PendingTxn,
        pending_txns: &mut PendingTxns,
    ) {
        let number = pending.as_ref().map_or(0, |txn| self.number(txn, pending_txns));
        w.put_number(number.into(), PENDING_BITS);
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

    fn number(&self, txn: &Arc<Txn>, pending_txns: &mut PendingTxns) -> u32 {
        if let Some(number) = pending_txns.numbers.get(txn) {
            return *number;
        }
        let known = self.pending_txns.read().expect("nobody panics while holding it");
        let Some(&number) = known.numbers.get(txn) else {
            drop(known);
            let mut known = self.pending_txns.write().expect("nobody panics while holding it");
            // Another thread may have been faster.
            let number = known.numbers.get(txn).copied();
            return number.unwrap_or_else(|| known.add(txn));
        };
        if number as usize <= known.committed {
            pending_txns.numbers.insert(Arc::new(Txn::clone(txn)), number);
        }
        number
    }

    pub(super) fn pending_of(&self, number: u32, pending_txns: &mut PendingTxns) -> PendingTxn {
        let index = (number as usize).checked_sub(1)?;
        if index >= pending_txns.txns.len() {
            let known = self.pending_txns.read().expect("nobody panics while holding it");
            if index >= known.committed {
                return Some(Arc::new(known.txns[index].clone()));
            }
            let news = known.txns[pending_txns.txns.len()..known.committed].iter().cloned();
            pending_txns.txns.extend(news.map(Arc::new));
        }
        Some(pending_txns.txns[index].clone())
    }

    /// Makes the numbers final that were handed out since the last time, in the order in which the
    /// new states have them.
    ///
    /// # Errors
    /// If there were too few numbers.
    pub(in crate::check) fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        let mut known = self.pending_txns.write().expect("nobody panics while holding it");
        if known.overflowed {
            return Err(Refused);
        }
        let committed = known.committed;
        let handed_out = known.txns.split_off(committed);
        if handed_out.is_empty() {
            return Ok(());
        }
        for txn in &handed_out {
            known.numbers.remove(txn);
        }
        new.for_each(|state| {
            for &offset in &self.numbers {
                let number = read_bits(state, offset, PENDING_BITS);
                let number = usize::try_from(number).expect("a number is short");
                if let Some(index) = number.checked_sub(committed + 1) {
                    let txn = &handed_out[index];
                    let number = known.numbers.get(txn).copied();
                    let number = number.unwrap_or_else(|| known.add(txn));
                    write_bits(state, offset, PENDING_BITS, number.into());
                }
            }
        });
        known.commit_all();
        Ok(())
    }
}
