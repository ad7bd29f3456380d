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
    }
}

impl UnitHistory {
    /// Follows an event that is about the unit.
    pub(super) fn follow(&mut self, _: &World, event: Event) {
        match event {
            Event::UnitCreated(_) => *self = Self::default(),
            Event::ConfigChanges(_) => self.config_unseen = true,
            Event::HookBegins(_, Hook::ConfigChanged) => self.config_unseen = false,
            Event::HookBegins(..)
            | Event::Enters(..)
            | Event::Leaves(..)
            | Event::InstanceAsked(_)
            | Event::InstanceRuns(_)
            | Event::InstanceNamed(_)
            | Event::InstanceEnds(_)
            | Event::InstancesEnd(_)
            | Event::ErrorWritten(_)
            | Event::ErrorResolved(_)
            | Event::MachineRemoved(_) => {}
        }
    }
}
