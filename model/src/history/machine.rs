//! The history of a machine.

use super::{Event, history};
use crate::{
    ids::MachineId,
    rows::{FieldText, below, flag, hidden, shown},
    variants::UnrecordedInstance,
    world::World,
};

history! {
    /// The history of a machine.
    MachineHistory of MachineId as Machine {
        /// Whether its document says that its last start has failed.
        in_error: bool = "in-error" of "provisioning" from [], |_, _| flag(true),
            FieldText::at(10).both([hidden("no error of it is written"), shown("its error is written")]);
        /// Whether an instance was asked for while it was in error.
        asked_in_error: bool = "asked-in-error" of "provisioning" from ["in-error"], |_, _| flag(true),
            FieldText::at(20).both([
                hidden("no instance was asked for in an error"),
                shown("an instance was asked for in its error"),
            ]);
        /// The number of instances of it that run, and that its document has never named. Several
        /// that nobody is going to record are counted as one.
        unheard: u8 = "unheard" of "provisioning" from [], |_, _| below(1 + MOST as usize),
            FieldText::at(30).both([hidden("no instance runs unheard of"), shown("{} of its instances run unheard of")]);
        /// The number of those of them whose agents run, where agents run at once.
        unheard_agents: u8 = "unheard-agents" of "provisioning" from [], |_, _| below(1 + MOST as usize),
            FieldText::at(40).both([hidden("no agent runs unheard of"), shown("{} of its agents run unheard of")]);
    }
}

/// The greatest number of instances that run unheard of: the provisioner's, a former provisioner's,
/// one of the last start that is never recorded, and the others that are not.
const MOST: u8 = 4;

impl MachineHistory {
    /// Follows an event that is about the machine.
    pub(super) fn follow(&mut self, world: &World, event: Event) {
        match event {
            Event::InstanceRuns(_) => self.count(world, |it| MOST.min(it + 1)),
            Event::InstanceNamed(_) => {
                self.count(world, |it| it.saturating_sub(1));
                self.in_error = false;
            }
            Event::InstanceEnds(_) => self.count(world, |it| it.saturating_sub(1)),
            Event::InstancesEnd(_) => self.count(world, |_| 0),
            Event::InstanceAsked(_) => self.asked_in_error |= self.in_error,
            Event::ErrorWritten(_) => self.in_error = true,
            Event::ErrorResolved(_) => self.in_error = false,
            Event::MachineRemoved(_) => {
                // Instances outlive the document.
                (self.in_error, self.asked_in_error) = (false, false);
            }
            _ => {}
        }
    }

    /// Changes the number of instances that run unheard of.
    fn count(&mut self, world: &World, number: impl Fn(u8) -> u8) {
        self.unheard = number(self.unheard);
        match world.variants.unrecorded_instance {
            UnrecordedInstance::AgentWaits => {}
            UnrecordedInstance::AgentRuns => self.unheard_agents = number(self.unheard_agents),
        }
    }
}
