//! The charm of a unit: its directory, what of it is due, and the port: the detail `charm`
//! (D4:61-92, D4:165-177).

use super::{
    declare::row,
    field::{FieldText, hidden, shown},
    number::states,
    slot::{below, flag},
};
use crate::{action::Hook, ids::UnitId, world::CharmDef};

row! {
    /// The charm of a unit.
    UnitCharm of UnitId [Default, Copy] {
        /// On its disk: what is in the charm directory.
        directory: Directory = "charm-directory", |_, _| below(4),
            FieldText::at(70).both([
                shown("no charm directory"),
                shown("its charm directory is being written"),
                shown("its charm directory was cut short"),
                hidden("its charm directory is whole"),
            ]);
        /// Whether its application has a charm that it has not yet, and whether that was forced.
        upgrade: UpgradeDue = "charm-upgrade", |of, _| of.upgrades(),
            FieldText::at(71).note().both([
                hidden("no upgrade is due"),
                shown("an upgrade is due"),
                shown("a forced upgrade is due"),
                shown("a forced upgrade is due, and another one after it"),
            ]);
        /// On its disk: the hook that has to follow an upgrade next.
        owed: Owed = "charm-hook", |_, _| below(3),
            FieldText::at(72).note().both([
                hidden("no hook of an upgrade is due"),
                shown("its upgrade-charm hook is due"),
                shown("config-changed after upgrade-charm is due"),
            ]);
        /// Whether its application's configuration has changed since its last config-changed hook
        /// began.
        config_stale: bool = "config-stale", |_, _| flag(true),
            FieldText::at(73).note().both([hidden("its configuration is current"), shown("its configuration has changed")]);
        /// In its agent's memory: what the hook that runs has asked of the port.
        port_asked: PortAsked = "port-asked", |of, _| of.port_asked(),
            FieldText::at(75).note().both([
                hidden("nothing is asked of its port"),
                shown("its port is to be opened"),
                shown("its port is to be closed"),
            ]);
        /// In its agent's memory: what the hook that runs has read of the configuration.
        config_read: ConfigRead = "config-read", |of, _| of.config_read(),
            FieldText::at(76).note().both([
                hidden("its hook has read no configuration"),
                shown("its hook has read the configuration"),
                shown("its hook has read a configuration that has changed since"),
            ]);
        /// Whether its port is open, also after the unit is gone.
        port_open: bool = "port-open", |_, _| flag(true),
            FieldText::at(74).both([hidden("its port is closed"), shown("its port is open")]);
    }
}

states! {
    /// The contents of a charm directory.
    Directory {
        /// There is none.
        Absent "absent";
        /// The agent is writing it.
        Writing "writing";
        /// The agent ended while it was writing it.
        CutShort "cut-short";
        /// It is a whole charm.
        Whole "whole";
    }
}

states! {
    /// Whether the charm of a unit is to be upgraded.
    UpgradeDue {
        /// It is not.
        None "none";
        /// It is, at a quiet moment.
        Quietly "due";
        /// It is, even while there is an error.
        Forced "forced";
        /// It is, in an error to a charm that was forced, and else to a newer one.
        ForcedFirst "forced-first";
    }
}

states! {
    /// The hook that has to follow an upgrade.
    Owed {
        /// None.
        None "none";
        /// The upgrade-charm hook.
        UpgradeCharm "upgrade-charm";
        /// The config-changed hook.
        ConfigChanged "config-changed";
    }
}

states! {
    /// The request about the unit's port that the running hook has made. It makes one.
    PortAsked {
        /// Nothing.
        Nothing "nothing";
        /// To be opened.
        Open "open";
        /// To be closed.
        Close "close";
    }
}

states! {
    /// The part of the configuration that the running hook has read.
    ConfigRead {
        /// Nothing.
        Nothing "nothing";
        /// The current value.
        Current "current";
        /// The value before it changed.
        Old "old";
    }
}

impl Owed {
    pub fn hook(self) -> Option<Hook> {
        match self {
            Self::None => None,
            Self::UpgradeCharm => Some(Hook::UpgradeCharm),
            Self::ConfigChanged => Some(Hook::ConfigChanged),
        }
    }

    /// The next due hook after `hook` has run.
    #[must_use]
    pub fn after(self, hook: Hook, charm: CharmDef) -> Self {
        if self.hook() == Some(hook) { self.next().settled(charm) } else { self }
    }

    /// The next due hook, skipping hooks that the charm lacks, which count as run (D4:18-19).
    #[must_use]
    pub fn settled(self, charm: CharmDef) -> Self {
        match self.hook() {
            Some(hook) if !charm.has(hook) => self.next().settled(charm),
            Some(_) | None => self,
        }
    }

    fn next(self) -> Self {
        match self {
            Self::UpgradeCharm => Self::ConfigChanged,
            Self::ConfigChanged | Self::None => Self::None,
        }
    }
}

impl UnitCharm {
    /// Opens or closes the port as the hook has asked.
    pub fn set_port(&mut self) {
        match self.port_asked {
            PortAsked::Nothing => {}
            PortAsked::Open => self.port_open = true,
            PortAsked::Close => self.port_open = false,
        }
    }

    /// The charm of a unit whose agent has an empty disk. A port that was opened stays open.
    #[must_use]
    pub fn on_an_empty_disk(self) -> Self {
        Self { port_open: self.port_open, ..Self::default() }
    }
}
