//! The second opinion: stateright's checker, over the same protocol.
//!
//! stateright compares states by a hash only, knows no fairness, and its `eventually` misses
//! cycles and joins; so it decides `Always` claims and witnesses, and must count as many states
//! as our own explorer does.

mod protocol;
mod search;
mod threads;

pub use search::check;
