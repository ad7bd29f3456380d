//! The hooks of a charm, by name.

use deathwatch_model::{action::HookKind, world::Details};
use schemars::JsonSchema;
use serde::Deserialize;

/// A hook of a charm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HookFile {
    /// Runs before any other.
    Install,
    /// Runs after the install hook, and after the agent has restarted.
    ConfigChanged,
    /// Runs after the first config-changed hook.
    Start,
    /// Runs last.
    Stop,
    /// Runs after an upgrade. It needs the detail `charm`.
    UpgradeCharm,
    /// Runs when another unit is seen in a relation; this and the following need the detail
    /// `relations`.
    RelationJoined,
    /// Runs after the joined hook, and when the other unit's settings have changed.
    RelationChanged,
    /// Runs when another unit is no longer related.
    RelationDeparted,
    /// Runs before the unit leaves a relation.
    RelationBroken,
}

impl HookFile {
    pub(in crate::scenario) fn kind(self) -> HookKind {
        match self {
            Self::Install => HookKind::Install,
            Self::ConfigChanged => HookKind::ConfigChanged,
            Self::Start => HookKind::Start,
            Self::Stop => HookKind::Stop,
            Self::UpgradeCharm => HookKind::UpgradeCharm,
            Self::RelationJoined => HookKind::Joined,
            Self::RelationChanged => HookKind::Changed,
            Self::RelationDeparted => HookKind::Departed,
            Self::RelationBroken => HookKind::Broken,
        }
    }

    /// Whether it can write settings that are read: not while the unit is in no scope (D4:185-189),
    /// nor in a relation that it is about to leave.
    pub(in crate::scenario) fn can_write(self, detail: Details) -> bool {
        match self {
            Self::RelationBroken => detail.settings,
            Self::ConfigChanged
            | Self::UpgradeCharm
            | Self::RelationJoined
            | Self::RelationChanged
            | Self::RelationDeparted => true,
            Self::Install | Self::Start | Self::Stop => false,
        }
    }
}
