//! Claims about the protocol, and their decision.
//!
//! Claims are data, by theme, as predicates or as text. A [`Monitor`] judges them along one run,
//! [`check`] on all runs of a world, and [`passages`] says which passage of the documents each of
//! them answers for.

pub mod check;
mod claims;
pub mod passages;

pub use claims::*;
