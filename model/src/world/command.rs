//! The user's commands.

use crate::ids::{ApplicationId, MachineId, RelationId, UnitId};

/// A user command that may be given, in any order with the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The command.
    pub command: Command,
    /// The greatest number of times; `None` is without limit.
    pub most: Option<u8>,
}

/// A command of the command line interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    /// Deploy an application with this many units.
    Deploy(ApplicationId, u32),
    /// Add a unit and assign it to a machine.
    AddUnit(ApplicationId),
    /// Add a machine or a container.
    AddMachine(MachineId),
    /// Integrate two applications.
    Integrate(RelationId),
    /// Destroy a machine.
    DestroyMachine(MachineId),
    /// Destroy a unit.
    DestroyUnit(UnitId),
    /// Destroy a relation.
    DestroyRelation(RelationId),
    /// Destroy an application.
    DestroyApplication(ApplicationId),
    /// Destroy a unit by force.
    ForceDestroyUnit(UnitId),
    /// Destroy a machine by force.
    ForceDestroyMachine(MachineId),
}
