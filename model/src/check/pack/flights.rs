//! Transactions in flight, by number.
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
use crate::{hosts::Flight, txn::Txn};

/// A number has this many bits.
pub(super) const FLIGHT_BITS: u32 = 14;

/// The transactions that have been in flight, by number.
#[derive(Clone, Default)]
pub(super) struct Known {
    numbers: HashMap<Txn, u32>,
    txns: Vec<Txn>,
}

/// What one thread knows of the transactions in flight. Its copies are its own, so that threads
/// do not fight over reference counts.
#[derive(Default)]
pub(in crate::check) struct Flights {
    numbers: HashMap<Arc<Txn>, u32>,
    txns: Vec<Arc<Txn>>,
    overflow: bool,
}

impl Flights {
    /// Whether there were too many transactions to number, so that packed states are wrong.
    pub(in crate::check) fn have_overflowed(&self) -> bool {
        self.overflow
    }
}

impl Codec<'_> {
    pub(super) fn put_flight(&self, w: &mut Writer, flight: &Flight, flights: &mut Flights) {
        if self.bits.flight > 0 {
            w.put(self.number(flight, flights), FLIGHT_BITS);
        }
    }

    pub(super) fn take_flight(&self, r: &mut Reader, flights: &mut Flights) -> Flight {
        if self.bits.flight == 0 {
            return None;
        }
        self.flight_of(r.count(FLIGHT_BITS), flights)
    }

    /// The number of a transaction in flight; 0 if there is none.
    pub(super) fn number(&self, flight: &Flight, flights: &mut Flights) -> u64 {
        let Some(txn) = flight else { return 0 };
        if let Some(number) = flights.numbers.get(txn) {
            return u64::from(*number);
        }
        let mut known = self.flights.write().expect("nobody panics while holding it");
        let next = u32::try_from(known.txns.len() + 1).expect("they are few");
        let number = *known.numbers.entry(Txn::clone(txn)).or_insert(next);
        if number == next {
            known.txns.push(Txn::clone(txn));
        }
        if number >> FLIGHT_BITS != 0 {
            flights.overflow = true;
            return 0;
        }
        let copy = Arc::new(Txn::clone(txn));
        flights.numbers.insert(copy, number);
        u64::from(number)
    }

    pub(super) fn flight_of(&self, number: u32, flights: &mut Flights) -> Flight {
        let index = (number as usize).checked_sub(1)?;
        if index >= flights.txns.len() {
            let known = self.flights.read().expect("nobody panics while holding it");
            let news = known.txns[flights.txns.len()..].iter().cloned().map(Arc::new);
            flights.txns.extend(news);
        }
        Some(flights.txns[index].clone())
    }
}
