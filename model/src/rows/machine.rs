//! A machine's documents.

use super::{
    bounds::WorldBounds,
    declare::row,
    document::document,
    field::{FieldText, hidden, shown},
    number::state_number,
    slot::{below, flag},
};
use crate::{
    ids::{Constraints, IdSet, MachineId, UnitId},
    life::{Life, StartStatus},
};

row! {
    /// The documents of one machine.
    MachineDocs of MachineId [Default] {
        /// The machine, while it exists.
        machine: Option<Machine> = "machine", Machine::bound, FieldText::NEVER;
        /// The cleanup document that asks to force it.
        force: bool = "force", |of, _| of.forced(),
            FieldText::at(60).both([hidden("not to be forced"), shown("to be forced")])
                .cleanup("force machine");
    }
}

document! {
    /// A machine document. Its jobs and its parent never change and are constants of the world.
    Machine of MachineId [] {
        /// Its life.
        life: Life = "life", |_, _| below(3), super::LIFE;
        /// Whether it has an instance id: the provisioner has started an instance for it and has
        /// not learnt that it is gone.
        instance: bool = "instance", |_, _| flag(true), FieldText::NEVER;
        /// Whether it has lost its instance, and so was provisioned once, where that matters.
        lost: bool = "lost-instance", |of, _| flag(of.world.remembers_lost_instances()),
            FieldText::at(30).both([hidden("no instance lost"), shown("has lost an instance")]);
        /// The state of the last attempt to start an instance for it.
        start: StartStatus = "start", |of, _| of.start_status(),
            FieldText::at(35).both([
                hidden("no failed start"),
                shown("its start failed"),
                shown("its start failed and is resolved"),
            ]);
        /// The principals that are assigned to it.
        principals: IdSet<UnitId> = "principals", WorldBounds::principals,
            FieldText::at(40).both([hidden("no units"), shown("units {}")]);
        /// Its containers.
        containers: IdSet<MachineId> = "containers", WorldBounds::containers,
            FieldText::at(50).both([hidden("no containers"), shown("containers {}")]);
        /// The constraints by which it is started.
        constraints: Constraints = "constraints", |of, _| of.constraints(),
            FieldText::at(55).both([hidden("no constraints"), shown("constraints {}")]);
    }
}

state_number! { StartStatus }

impl Machine {
    /// A machine as it is created.
    pub fn created() -> Self {
        Self {
            life: Life::Alive,
            instance: false,
            lost: false,
            start: StartStatus::Pending,
            principals: IdSet::default(),
            containers: IdSet::default(),
            constraints: Constraints::NONE,
        }
    }
}
