//! Reasons why a run is not written down.

use deathwatch_claims::check::Stop;

/// Why a run is not written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrecorded {
    TooLong(TooLong),
    /// The run was given up for this reason.
    Stopped(Stop),
}

/// A run that would take too much to write down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    pub states: usize,
    /// The number of rows in a state.
    pub rows: usize,
}
