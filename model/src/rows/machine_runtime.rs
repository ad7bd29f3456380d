//! A machine's hardware and its agent.

use super::{
    declare::row,
    deployed::Deployed,
    field::{FieldText, hidden, shown},
    number::states,
    slot::flag,
    value::PendingTxn,
};
use crate::ids::MachineId;

row! {
    /// A machine's hardware and its agent.
    MachineRuntime of MachineId [Default] {
        /// Its instance. The machine's document has an instance id unless this is absent.
        hardware: Hardware = "hardware", |of, _| of.hardware(),
            FieldText::at(20)
                .present([shown("no instance"), shown("running"), shown("its hardware failed unnoticed")])
                .absent([hidden("no instance"), shown("running"), shown("its hardware failed unnoticed")]);
        /// Whether the agent's process has crashed and has not restarted.
        down: bool = "down", |of, _| of.down(),
            FieldText::at(30).both([hidden("its agent is up"), shown("its agent is down")]);
        /// Whether the agents on its instance run the new version, which neglects no duty.
        new_version: bool = "new-version", |of, _| flag(of.world.has_versions()),
            FieldText::at(35).both([hidden("its agents are of the old version"), shown("its agents are of the new version")]);
        /// Instances of it that nobody is going to record.
        strays: Strays = "strays", |of, _| of.strays(),
            FieldText::at(36).both([
                hidden("no strays"),
                shown("a stray instance runs"),
                shown("a stray instance runs that was recorded"),
            ]);
        /// An instance of it of the last start, which the document still names. The provisioner
        /// that started it has ended.
        named_stray: bool = "named-stray", |of, _| of.named_stray(),
            FieldText::at(38).both([hidden("no instance of the last start is left"), shown("an instance of the last start is left")]);
        /// The progress of a former provisioner that starts an instance of it.
        former: Former = "former-start", |of, _| of.former(),
            FieldText::at(37).both([
                hidden("no former provisioner starts an instance"),
                shown("a former provisioner is about to record an instance"),
                shown("a former provisioner is about to record an instance that another start has superseded"),
                shown("a former provisioner is about to record an instance that was stopped"),
                shown("a former provisioner is about to start an instance"),
                shown("a former provisioner is about to start an instance by the name of the last start"),
                shown("a former provisioner is about to start an instance that another start has superseded"),
                shown("a former provisioner is about to write that a start has failed"),
            ]);
        /// On the agent's disk: the units that it has deployed.
        deployed: Deployed = "deployed", |_, _| (), FieldText::NEVER;
        /// In the agent's memory: its pending transaction.
        pending: PendingTxn = "pending", |of, _| of.pending(), super::AGENT_PENDING;
    }
}

states! {
    /// The instances of a machine that nobody is going to record. Several are folded into one.
    Strays {
        /// There are none.
        None "none";
        /// No document has recorded them.
        Unrecorded "unrecorded";
        /// One of them was recorded, until the id of another took the place of its own.
        Replaced "replaced";
    }
}

states! {
    /// The progress of a former provisioner that starts an instance, which it has not recorded yet.
    Former {
        /// There is none.
        None "none";
        /// It runs, and the start of it is the last one.
        Current "current";
        /// It runs, and another start has come after it.
        Superseded "superseded";
        /// It was stopped as a stray, which its provisioner does not know.
        Stopped "stopped";
        /// There is none yet: it has read the machine, and nothing of what has happened since.
        Reads "reads";
        /// There is none yet: the document names its start as the last one.
        Named "named";
        /// There is none yet, and the document names another start that has come after its own.
        Outdated "outdated";
        /// There is none: the start has failed, and the error is not written.
        Failed "failed";
    }
}

impl Former {
    pub fn runs(self) -> bool {
        match self {
            Self::Current | Self::Superseded => true,
            Self::None
            | Self::Stopped
            | Self::Reads
            | Self::Named
            | Self::Outdated
            | Self::Failed => false,
        }
    }
}

states! {
    /// The hardware of a machine.
    Hardware {
        /// There is no instance.
        Absent "absent";
        /// The instance runs.
        Running "running";
        /// The instance is gone with all that was on it, and nobody has noticed.
        Silent "silent";
    }
}
