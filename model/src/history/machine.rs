//! What has happened to a machine.

use super::{Event, history};
use crate::{
    ids::MachineId,
    rows::{Told, flag, said, unsaid},
};

history! {
    /// What has happened to a machine.
    MachineHistory of MachineId {
        /// Whether the error of its last start is written, and nobody has resolved it since.
        in_error: bool = "in-error" of "provisioning" from [], |_, _| flag(true),
            Told::at(10).both([unsaid("no error of it is written"), said("its error is written")]);
        /// Whether an instance was asked for while it was in error.
        asked_in_error: bool = "asked-in-error" of "provisioning" from ["in-error"], |_, _| flag(true),
            Told::at(20).both([
                unsaid("no instance was asked for in an error"),
                said("an instance was asked for in its error"),
            ]);
    }
}

impl MachineHistory {
    /// Follows an event that is about the machine.
    pub(super) fn follow(&mut self, event: Event) {
        match event {
            Event::InstanceAsked(_) => self.asked_in_error |= self.in_error,
            Event::ErrorWritten(_) => self.in_error = true,
            Event::ErrorResolved(_) => self.in_error = false,
            Event::MachineRemoved(_) => *self = Self::default(),
            _ => {}
        }
    }
}
