//! The settings of a scenario's simulation: the table `[simulate]`.
//!
//! `fault_rates` reads its table of faults, and `read` all else.

mod fault_rates;
mod read;
mod time;

pub use self::read::Simulate;
pub(super) use self::read::read;
