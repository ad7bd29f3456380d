//! Hooks: what each is about.

use super::Hook;
use crate::ids::{RelationId, UnitId};

impl Hook {
    /// The hooks of a unit itself, which belong to no relation, in the order in which they run.
    /// The last one has no name without the detail `charm`.
    pub const OF_UNITS: [Self; 5] =
        [Self::Install, Self::ConfigChanged, Self::Start, Self::Stop, Self::UpgradeCharm];

    /// Whether only a detail knows it. The broken hook stands for all hooks of a departure.
    pub fn is_detail(self) -> bool {
        match self {
            Self::Departure(_) | Self::Stop | Self::Broken(_) => false,
            Self::Install
            | Self::ConfigChanged
            | Self::Start
            | Self::UpgradeCharm
            | Self::Joined(..)
            | Self::Changed(..)
            | Self::Departed(..) => true,
        }
    }

    /// The unit that it is about, if it notifies of one.
    pub fn other(self) -> Option<UnitId> {
        match self {
            Self::Joined(other, _) | Self::Changed(other, _) | Self::Departed(other, _) => {
                Some(other)
            }
            Self::Departure(_)
            | Self::Broken(_)
            | Self::Stop
            | Self::Install
            | Self::ConfigChanged
            | Self::Start
            | Self::UpgradeCharm => None,
        }
    }

    /// The relation that it is a hook of, if it is a relation hook.
    pub fn relation(self) -> Option<RelationId> {
        match self {
            Self::Joined(_, relation)
            | Self::Changed(_, relation)
            | Self::Departed(_, relation)
            | Self::Departure(relation)
            | Self::Broken(relation) => Some(relation),
            Self::Stop | Self::Install | Self::ConfigChanged | Self::Start | Self::UpgradeCharm => {
                None
            }
        }
    }
}
