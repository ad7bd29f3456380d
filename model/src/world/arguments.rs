//! The kinds of arguments that commands take: a row for each.

use super::Command;
use crate::ids::{ApplicationId, Constraints, MachineId, RelationId, UnitId};

/// Makes the kinds of arguments: their name and their types.
macro_rules! arguments {
    ($($(#[$doc:meta])+ $kind:ident($($type:ident),+))+) => {
        /// The arguments of a command.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Given {
            $($(#[$doc])+ $kind($($type),+)),+
        }

        /// The kind of the arguments of a command, with the function that makes it of them.
        #[derive(Clone, Copy, Debug)]
        pub enum Takes {
            $($(#[$doc])+ $kind(fn($($type),+) -> Command)),+
        }
    };
}

arguments! {
    /// An application.
    Application(ApplicationId)
    /// An application and its number of units.
    Deployment(ApplicationId, u32)
    /// An application, its number of units and a set of constraints, which an option names.
    ConstrainedDeployment(ApplicationId, u32, Constraints)
    /// An application and a set of constraints.
    Constrained(ApplicationId, Constraints)
    /// A machine and a set of constraints, which an option names.
    Reconstrained(MachineId, Constraints)
    /// A set of constraints.
    Constraints(Constraints)
    /// A machine.
    Machine(MachineId)
    /// A relation.
    Relation(RelationId)
    /// A unit.
    Unit(UnitId)
}
