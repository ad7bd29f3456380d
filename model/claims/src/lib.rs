//! Claims about the protocol, and their decision.
//!
//! Claims are text, by theme. A [`Monitor`] judges them along one run, [`check`] on all runs of a
//! world, and [`passages`] lists for each passage of the documents the claims that answer for it.

pub mod check;
mod claims;
pub mod passages;

pub use claims::*;
