//! Hooks and their kinds, with the units and relations that hooks are about.

use super::Hook;
use crate::ids::{RelationId, UnitId};

/// Makes the kinds of hooks of rows: name in scenarios and meaning.
macro_rules! kinds {
    ($($kind:ident $name:literal $meaning:literal;)+) => {
        /// A kind of hook of a charm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum HookKind {
            $(#[doc = $meaning] $kind),+
        }

        impl HookKind {
            /// Every kind: the hooks of a unit itself in the order in which they run, then those of
            /// a relation.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// Their names in scenarios.
            pub const NAMES: &'static [&'static str] = &[$($name),+];
        }
    };
}

kinds! {
    Install "install" "The install hook.";
    ConfigChanged "config-changed" "The config-changed hook.";
    Start "start" "The start hook.";
    Stop "stop" "The stop hook.";
    UpgradeCharm "upgrade-charm" "The upgrade-charm hook.";
    Joined "relation-joined" "A joined hook.";
    Changed "relation-changed" "A changed hook.";
    Departed "relation-departed" "A departed hook.";
    Broken "relation-broken" "A broken hook.";
}

impl HookKind {
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether it is a kind of hooks of a relation.
    pub fn is_of_relations(self) -> bool {
        self >= Self::Joined
    }
}

impl From<Hook> for Option<HookKind> {
    /// The kind of a hook; there is none of a departure whose hooks have no names.
    fn from(hook: Hook) -> Self {
        match hook {
            Hook::Departure(_) => None,
            Hook::Joined(..) => Some(HookKind::Joined),
            Hook::Changed(..) => Some(HookKind::Changed),
            Hook::Departed(..) => Some(HookKind::Departed),
            Hook::Broken(_) => Some(HookKind::Broken),
            Hook::Install => Some(HookKind::Install),
            Hook::ConfigChanged => Some(HookKind::ConfigChanged),
            Hook::Start => Some(HookKind::Start),
            Hook::Stop => Some(HookKind::Stop),
            Hook::UpgradeCharm => Some(HookKind::UpgradeCharm),
        }
    }
}

impl Hook {
    /// Its kind; there is none of a departure whose hooks have no names.
    pub fn kind(self) -> Option<HookKind> {
        self.into()
    }

    /// The hooks of a unit itself, which belong to no relation, in the order in which they run.
    /// The last one has no name without the detail `charm`.
    pub const OF_UNITS: [Self; 5] =
        [Self::Install, Self::ConfigChanged, Self::Start, Self::Stop, Self::UpgradeCharm];

    /// Whether only worlds with a detail have it. The broken hook stands for a whole departure.
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
