//! What has happened to a unit.

use super::{Event, history};
use crate::{
    action::Hook,
    ids::UnitId,
    rows::{Told, flag, said, unsaid},
    world::World,
};

history! {
    /// What has happened to a unit.
    UnitHistory of UnitId {
        /// Whether the configuration of its application has changed since a config-changed hook of it last
        /// began.
        config_unseen: bool = "config-unseen" of "charm" from [], |_, _| flag(true),
            Told::at(10).both([
                unsaid("its last config-changed hook saw the newest configuration"),
                said("the configuration has changed since its last config-changed hook began"),
            ]);
        /// Whether others can see what its last hook has written, which does not count as run or failed yet.
        published: bool = "published" of "settings" from [], |_, _| flag(true),
            Told::at(20).both([unsaid("nobody sees its last hook's writes"), said("its last hook's writes are seen")]);
        /// Whether others can see what a hook of it has written that counts as failed.
        failed_published: bool = "failed-published" of "settings" from ["published"], |_, _| flag(true),
            Told::at(22).both([unsaid("no failed hook's writes are seen"), said("a failed hook's writes are seen")]);
    }
}

impl UnitHistory {
    /// Follows an event that is about the unit.
    pub(super) fn follow(&mut self, _: &World, event: Event) {
        match event {
            Event::UnitCreated(_) => *self = Self::default(),
            Event::ConfigChanges(_) => self.config_unseen = true,
            Event::HookBegins(_, hook) => {
                self.config_unseen &= hook != Hook::ConfigChanged;
                self.published = false;
            }
            Event::SettingsChange(..) => self.published = true,
            Event::HookSucceeds(_) => self.published = false,
            Event::HookFails(_) => self.failed_published |= std::mem::take(&mut self.published),
            Event::HookReads(..)
            | Event::HookWrites(..)
            | Event::Deployed(_)
            | Event::Enters(..)
            | Event::Leaves(..)
            | Event::InstanceAsked(_)
            | Event::ErrorWritten(_)
            | Event::ErrorResolved(_)
            | Event::MachineRemoved(_) => {}
        }
    }
}
