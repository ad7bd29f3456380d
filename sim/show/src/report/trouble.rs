//! Troubles: the faults that a world allows, and those that occur in a run, as the tables of the
//! pages have them.

use deathwatch_model::world::{FaultKind, Transactions, World};

/// A kind of trouble that the pages tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// Agents crash, or stay down for a while.
    Crashes,
    Hardware,
    /// Others act between the planning and the commit of a transaction.
    Races,
    /// Other faults, such as hooks that fail or connections that are lost.
    Others,
}

impl Trouble {
    /// The troubles that these faults are, with races where transactions are split.
    pub(super) fn all(world: &World, faults: impl Iterator<Item = FaultKind>) -> Vec<Self> {
        let faults = faults.map(|kind| match kind {
            FaultKind::Crash | FaultKind::Downtime => Self::Crashes,
            FaultKind::HardwareFailure | FaultKind::UndetectedHardwareFailure => Self::Hardware,
            _ => Self::Others,
        });
        let races = (world.transactions == Transactions::Split).then_some(Self::Races);
        let mut all: Vec<Self> = faults.chain(races).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The troubles that `world` allows.
    pub(super) fn of(world: &World) -> Vec<Self> {
        let is_on = |kind: &FaultKind| world.faults.switch(*kind).is_on();
        Self::all(world, FaultKind::ALL.iter().copied().filter(is_on))
    }
}
