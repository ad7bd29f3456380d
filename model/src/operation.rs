//! Operations: what one transaction is to achieve.

use crate::{
    clause::Rule,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
};

/// What one transaction is to achieve, before it is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Create an application.
    Deploy(ApplicationId),
    /// Create one peer relation of an application that was deployed.
    AddPeer(RelationId),
    /// Create a principal unit.
    AddUnit(UnitId),
    /// Create a principal unit on a machine, which is created if it does not exist.
    AddUnitOn(UnitId, MachineId),
    /// Create a machine or container.
    AddMachine(MachineId),
    /// Assign a unit to a machine, which is created if it does not exist.
    AssignUnit(UnitId, MachineId),
    /// Create a relation.
    Integrate(RelationId),
    /// Let a unit enter the scope of a relation.
    EnterScope(UnitId, RelationId),
    /// Let a unit leave the scope of a relation.
    LeaveScope(UnitId, RelationId),
    /// Make a machine Dying.
    DestroyMachine(MachineId),
    /// Make a unit Dying.
    DestroyUnit(UnitId),
    /// Make a relation Dying or remove it.
    DestroyRelation(RelationId),
    /// Make an application Dying or remove it.
    DestroyApplication(ApplicationId),
    /// Make a unit Dead.
    SetUnitDead(UnitId),
    /// Make a machine Dead.
    SetMachineDead(MachineId),
    /// Remove a Dead machine.
    RemoveMachine(MachineId),
    /// Remove a Dead unit.
    RemoveUnit(UnitId),
    /// Ask for a unit to be forced.
    ForceDestroyUnit(UnitId),
    /// Ask for a machine to be forced.
    ForceDestroyMachine(MachineId),
}

impl Operation {
    /// The rule that says how.
    pub fn rule(self) -> Rule {
        match self {
            Operation::Deploy(_) | Operation::AddPeer(_) => Rule::Deploy,
            Operation::AddUnit(_) | Operation::AddUnitOn(..) => Rule::AddUnit,
            Operation::AddMachine(_) => Rule::AddMachine,
            Operation::AssignUnit(..) => Rule::AssignUnit,
            Operation::Integrate(_) => Rule::Integrate,
            Operation::EnterScope(..) => Rule::EnterScope,
            Operation::LeaveScope(..) => Rule::LeaveScope,
            Operation::DestroyMachine(_) => Rule::DestroyMachine,
            Operation::DestroyUnit(_) => Rule::DestroyUnit,
            Operation::DestroyRelation(_) => Rule::DestroyRelation,
            Operation::DestroyApplication(_) => Rule::DestroyApplication,
            Operation::SetUnitDead(_) => Rule::SetUnitDead,
            Operation::SetMachineDead(_) => Rule::SetMachineDead,
            Operation::RemoveMachine(_) => Rule::RemoveMachine,
            Operation::RemoveUnit(_) => Rule::RemoveUnit,
            Operation::ForceDestroyUnit(_) => Rule::ForceDestroyUnit,
            Operation::ForceDestroyMachine(_) => Rule::ForceDestroyMachine,
        }
    }

    /// Its name in scenarios: the name of its rule, if that has only this operation.
    pub fn verb(self) -> &'static str {
        match self {
            Operation::AddPeer(_) => "add-peer-relation",
            Operation::AddUnitOn(..) => "add-unit-on",
            _ => self.rule().name(),
        }
    }
}
