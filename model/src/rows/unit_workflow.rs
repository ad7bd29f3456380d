//! The workflow of a unit: the detail `workflow` (D5:5-24).

use super::{
    declare::row,
    field::{FieldText, hidden, shown},
    number::states,
    slot::{below, flag},
};
use crate::{
    action::Hook,
    ids::UnitId,
    life::Life,
    variants::{Replicated, TriesCounted},
};

row! {
    /// The workflow of a unit.
    UnitWorkflow of UnitId [Default, Copy] {
        /// On its disk: the state of the workflow.
        state: Workflow = "workflow", |_, _| below(6),
            FieldText::at(77).note().both([
                shown("its workflow is new"),
                shown("its workflow is ready"),
                hidden("its workflow is running"),
                shown("its workflow is in install-error"),
                shown("its workflow is in start-error"),
                shown("its workflow is in stop-error"),
            ]);
        /// In the store: the state of the workflow that its agent has recorded there last.
        replica: Workflow = "workflow-replica", |_, _| below(6),
            FieldText::at(78).both([
                shown("recorded as new"),
                shown("recorded as ready"),
                hidden("recorded as running"),
                shown("recorded as in install-error"),
                shown("recorded as in start-error"),
                shown("recorded as in stop-error"),
            ]);
        /// In its agent's memory: how often the transition at hand has failed. Where it is on the
        /// disk: how often it has begun.
        failures: u8 = "failed-tries", |of, _| below(of.tries()),
            FieldText::at(79).note().both([shown("its transition has failed {} times"), hidden("")]).private();
        /// In its agent's memory: how far the startup has come.
        startup: Startup = "startup", |_, _| below(3),
            FieldText::at(80).note().both([
                shown("its agent is starting up"),
                shown("its agent is bringing it to run"),
                hidden("its agent has started up"),
            ]);
        /// In the store: whether its agent's presence node exists.
        present: bool = "present", |_, _| flag(true),
            FieldText::at(81).both([shown("its agent is not present"), hidden("its agent is present")]);
        /// Whether its agent has lost the connection to the store.
        cut_off: bool = "cut-off", |of, _| flag(of.world.faults.disconnection),
            FieldText::at(82).both([hidden("its agent is connected"), shown("its agent is cut off")]);
        /// In its agent's memory: whether the state has changed and is not sent yet, where nobody
        /// compares it with the store.
        unsent: bool = "unsent", |of, _| flag(of.world.variants.replicated != Replicated::WhenItDiffers),
            FieldText::at(83).note().both([hidden(""), shown("which is to be recorded")]).private();
        /// In its agent's memory: whether the unit was not Alive any more when its agent lost the
        /// connection, as far as the agent will ask for it.
        known_dying: bool = "known-dying", |of, _| flag(of.world.faults.disconnection),
            FieldText::at(84).note().both([hidden(""), shown("known to be Dying")]).private();
        /// In its agent's memory: whether the hook that runs has succeeded, which is not recorded
        /// yet.
        exited: bool = "hook-exited", |of, _| of.exits(),
            FieldText::at(85).note().both([hidden(""), shown("its hook has succeeded")]).private();
    }
}

states! {
    /// The states of a workflow.
    Workflow {
        /// Nothing has run.
        New "new";
        /// It is installed, and does not run.
        Ready "ready";
        /// It runs.
        Running "running";
        /// The install hook has failed too often.
        InstallError "install-error";
        /// The start hook has failed too often.
        StartError "start-error";
        /// The stop hook has failed too often.
        StopError "stop-error";
    }
}

states! {
    /// The progress of the startup of an agent's process.
    Startup {
        /// It has not read the state of its unit yet.
        Begun "begun";
        /// It runs the transitions that bring its unit to run.
        Bringing "bringing";
        /// It has found its unit running, or brought it there.
        Done "done";
    }
}

/// A transition: the hook, with the states before it, after it, and after its failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The hook that it runs.
    pub hook: Hook,
    /// The state before it.
    pub from: Workflow,
    /// The state after it.
    pub to: Workflow,
    /// The state after too many failures.
    pub error: Workflow,
}

impl Transition {
    /// All transitions (D5:9-14).
    pub const ALL: [Self; 3] = [
        Self {
            hook: Hook::Install,
            from: Workflow::New,
            to: Workflow::Ready,
            error: Workflow::InstallError,
        },
        Self {
            hook: Hook::Start,
            from: Workflow::Ready,
            to: Workflow::Running,
            error: Workflow::StartError,
        },
        Self {
            hook: Hook::Stop,
            from: Workflow::Running,
            to: Workflow::Ready,
            error: Workflow::StopError,
        },
    ];

    /// The transition that runs `hook`.
    pub fn by(hook: Hook) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.hook == hook)
    }

    /// The transition whose failure leads to `state`.
    pub fn failed(state: Workflow) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.error == state)
    }
}

impl Workflow {
    /// Whether the administrator has to resolve it.
    pub fn is_error(self) -> bool {
        Transition::failed(self).is_some()
    }
}

impl UnitWorkflow {
    /// The workflow of a unit that was started long ago.
    pub fn running() -> Self {
        Self {
            state: Workflow::Running,
            replica: Workflow::Running,
            startup: Startup::Done,
            present: true,
            ..Self::default()
        }
    }

    /// Whether its agent has to record the state in the store.
    pub fn is_to_be_sent(&self, replicated: Replicated) -> bool {
        self.replica != self.state
            && match replicated {
                Replicated::WhenItDiffers => true,
                Replicated::AtTransitions | Replicated::AtReconnection => self.unsent,
            }
    }

    pub fn changed(&mut self, replicated: Replicated) {
        self.unsent = self.replica != self.state
            && match replicated {
                Replicated::WhenItDiffers => false,
                Replicated::AtTransitions => !self.cut_off,
                Replicated::AtReconnection => true,
            };
    }

    /// The last life of the unit that its agent, which is cut off, knows of.
    pub fn known_life(&self) -> Life {
        if self.known_dying { Life::Dying } else { Life::Alive }
    }

    /// The part that outlives the disk and the process: it is in the store.
    #[must_use]
    pub fn without_agent(self) -> Self {
        Self { replica: self.replica, ..Self::default() }
    }

    /// The part that outlives the process: on the disk, in the store, and the lack of a connection.
    #[must_use]
    pub fn without_process(self, tries: TriesCounted) -> Self {
        let Self { state, replica, cut_off, .. } = self;
        let failures = match tries {
            TriesCounted::InMemory => 0,
            TriesCounted::OnDisk => self.failures,
        };
        Self { state, replica, failures, cut_off, ..Self::default() }
    }
}
