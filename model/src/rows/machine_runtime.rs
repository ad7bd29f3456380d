//! A machine's hardware and its agent.

use super::{
    declare::row,
    field::{Told, said, unsaid},
    number::states,
    sets::Members,
    value::{PendingTxn, flag},
};
use crate::ids::{IdSet, MachineId, UnitId};

row! {
    /// A machine's hardware and its agent.
    MachineRuntime of MachineId [Default] {
        /// Its instance. The machine's document has an instance id unless this is absent.
        hardware: Hardware = "hardware", |of, _| of.hardware(),
            Told::at(20)
                .present([said("no instance"), said("running"), said("its hardware failed unnoticed")])
                .absent([unsaid("no instance"), said("running"), said("its hardware failed unnoticed")]);
        /// Whether the agent's process has crashed and has not restarted.
        down: bool = "down", |of, _| of.down(),
            Told::at(30).both([unsaid("its agent is up"), said("its agent is down")]);
        /// Whether the agents on its instance run the new version, which neglects no duty.
        new_version: bool = "new-version", |of, _| flag(of.world.has_versions()),
            Told::at(35).both([unsaid("its agents are of the old version"), said("its agents are of the new version")]);
        /// On the agent's disk: the units that it has deployed.
        deployed: IdSet<UnitId> = "deployed", |_, _| Members::Elsewhere, Told::NEVER;
        /// In the agent's memory: its pending transaction.
        pending: PendingTxn = "pending", |of, _| of.pending(), super::AGENT_PENDING;
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
