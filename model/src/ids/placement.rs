//! Placements: where a unit is.

use super::{MachineId, UnitId};

/// The placement of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Placement {
    #[default]
    Nowhere,
    /// On a machine, as a principal.
    Machine(MachineId),
    /// With a principal, as its subordinate.
    Principal(UnitId),
}
