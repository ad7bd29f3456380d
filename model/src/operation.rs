//! Operations: the purposes of transactions. A row for each.

use crate::{
    clause::Rule,
    ids::{ApplicationId, Constraints, MachineId, RelationId, UnitId},
    table::{self, RowEnum},
};

/// Work that an operation leaves to an agent or a user as a duty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undone {
    Nothing,
    /// The agent of the unit writes or deletes its directory of the relation.
    Directory(UnitId, RelationId),
    /// The user creates the peer relations of the application.
    Peers(ApplicationId),
}

/// Makes the enumeration of rows: variant, parameters, rule, verb, example, meaning, and the work
/// that it leaves, if there is some.
macro_rules! operations {
    ($($variant:ident($($parameter:ident: $type:ident),+) $rule:ident
        $verb:literal $example:literal $meaning:literal $(then $undone:expr)?;)+) => {
        table::rows! {
            /// The purpose of one transaction, before it is planned.
            Operation {
                $($variant($($parameter: $type),+) $verb $example $meaning)+
            }
        }

        impl Operation {
            /// The rule of each row.
            pub const RULES: &'static [Rule] = &[$(Rule::$rule),+];

            /// The rule that describes it.
            pub fn rule(self) -> Rule {
                match self { $(Self::$variant { .. } => Rule::$rule),+ }
            }

            /// Its name in scenarios: the name of its rule, if that has only this operation.
            pub fn verb(self) -> &'static str {
                self.row().verb
            }

            /// Work that it leaves.
            #[expect(unused_variables, reason = "most operations leave nothing to do")]
            pub fn leaves(self) -> Undone {
                match self {
                    $(Self::$variant($($parameter),+) => operations!(@or_nothing $($undone)?)),+
                }
            }
        }
    };
    (@or_nothing $undone:expr) => { $undone };
    (@or_nothing) => { Undone::Nothing };
}

operations! {
    Deploy(application: ApplicationId) Deploy
        "deploy" "deploy wordpress" "Create an application."
        then Undone::Peers(application);
    DeployConstrained(application: ApplicationId, constraints: Constraints) Deploy
        "deploy-constrained" "deploy-constrained wordpress mem=2G"
        "Create an application with these constraints."
        then Undone::Peers(application);
    AddPeer(relation: RelationId) Deploy
        "add-peer-relation" "add-peer-relation wordpress:cluster"
        "Create one peer relation of an application that was deployed.";
    AddUnit(unit: UnitId) AddUnit
        "add-unit" "add-unit wordpress/0" "Create a principal unit.";
    AddUnitOn(unit: UnitId, machine: MachineId) AddUnit
        "add-unit-on" "add-unit-on wordpress/0 1"
        "Create a principal unit on a machine, which is created if it does not exist.";
    AddMachine(machine: MachineId) AddMachine
        "add-machine" "add-machine 1" "Create a machine or container.";
    AssignUnit(unit: UnitId, machine: MachineId) AssignUnit
        "assign-unit" "assign-unit wordpress/0 1"
        "Assign a unit to a machine, which is created if it does not exist.";
    Integrate(relation: RelationId) Integrate
        "integrate" "integrate wordpress:db mysql:server" "Create a relation.";
    EnterScope(unit: UnitId, relation: RelationId) EnterScope
        "enter-scope" "enter-scope wordpress/0 wordpress:db mysql:server"
        "Let a unit enter the scope of a relation."
        then Undone::Directory(unit, relation);
    LeaveScope(unit: UnitId, relation: RelationId) LeaveScope
        "leave-scope" "leave-scope wordpress/0 wordpress:db mysql:server"
        "Let a unit leave the scope of a relation."
        then Undone::Directory(unit, relation);
    DestroyMachine(machine: MachineId) DestroyMachine
        "destroy-machine" "destroy-machine 1" "Make a machine Dying.";
    DestroyModel(machine: MachineId) DestroyModel
        "destroy-model" "destroy-model 1" "Make a machine Dying with its containers.";
    DestroyUnit(unit: UnitId) DestroyUnit
        "destroy-unit" "destroy-unit wordpress/0" "Make a unit Dying.";
    DestroyRelation(relation: RelationId) DestroyRelation
        "destroy-relation" "destroy-relation wordpress:db mysql:server"
        "Make a relation Dying or remove it.";
    DestroyApplication(application: ApplicationId) DestroyApplication
        "destroy-application" "destroy-application wordpress"
        "Make an application Dying or remove it.";
    SetUnitDead(unit: UnitId) SetUnitDead
        "set-unit-dead" "set-unit-dead wordpress/0" "Make a unit Dead.";
    SetMachineDead(machine: MachineId) SetMachineDead
        "set-machine-dead" "set-machine-dead 1" "Make a machine Dead.";
    RemoveMachine(machine: MachineId) RemoveMachine
        "remove-machine" "remove-machine 1" "Remove a Dead machine.";
    RemoveUnit(unit: UnitId) RemoveUnit
        "remove-unit" "remove-unit wordpress/0" "Remove a Dead unit.";
    ForceDestroyUnit(unit: UnitId) ForceDestroyUnit
        "force-destroy-unit" "force-destroy-unit wordpress/0" "Ask for a unit to be forced.";
    ForceDestroyMachine(machine: MachineId) ForceDestroyMachine
        "force-destroy-machine" "force-destroy-machine 1" "Ask for a machine to be forced.";
    SetConfig(application: ApplicationId) SetConfig
        "set-config" "set-config wordpress" "Change the configuration of an application.";
    UpgradeCharm(application: ApplicationId) UpgradeCharm
        "upgrade-charm" "upgrade-charm wordpress" "Change the charm of an application.";
    ForceUpgradeCharm(application: ApplicationId) ForceUpgradeCharm
        "force-upgrade-charm" "force-upgrade-charm wordpress"
        "Change the charm of an application, even where a unit is in error.";
    Expose(application: ApplicationId) Expose
        "expose" "expose wordpress" "Let the open ports of an application's units be reached.";
    Unexpose(application: ApplicationId) Unexpose
        "unexpose" "unexpose wordpress" "Let them be reached no more.";
    RecordInstance(machine: MachineId) RecordInstance
        "record-instance" "record-instance 1" "Record the instance that was started for a machine.";
    FailStart(machine: MachineId) FailStart
        "set-start-error" "set-start-error 1" "Say that no instance of a machine could be started.";
    Resolved(machine: MachineId) Resolved
        "resolved" "resolved 1" "Let the provisioner try a machine again that is in error.";
    ResolvedConstraints(machine: MachineId, constraints: Constraints) ResolvedConstraints
        "resolved-constraints" "resolved-constraints 1 mem=2G"
        "Let the provisioner try a machine in error again, by other constraints.";
    SetConstraints(application: ApplicationId, constraints: Constraints) SetConstraints
        "set-constraints" "set-constraints wordpress mem=2G"
        "Set the constraints of an application.";
    SetModelConstraints(constraints: Constraints) SetModelConstraints
        "set-model-constraints" "set-model-constraints mem=2G" "Set the constraints of the model.";
}
