//! The arguments of commands: a row for each kind. A command has a list of them.

use crate::ids::{ApplicationId, Constraints, EntityId, MachineId, RelationId, UnitId};

/// The greatest number of arguments of a command.
const MOST: usize = 3;

/// The arguments of one command, in order, then `None`.
pub type CommandArguments = [Option<CommandArgument>; MOST];

/// An argument of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandArgument {
    Entity(EntityId),
    Units(u32),
    Constraints(Constraints),
}

impl CommandArgument {
    /// The argument as an entity, or `None`.
    pub fn entity(self) -> Option<EntityId> {
        match self {
            Self::Entity(entity) => Some(entity),
            Self::Units(_) | Self::Constraints(_) => None,
        }
    }
}

/// A type of arguments of commands.
pub(super) trait IsCommandArgument: Sized {
    const KIND: CommandParameter;

    /// The value as an argument of any kind.
    fn argument(self) -> CommandArgument;

    /// The value of an argument; `None` if it is of another kind.
    fn of(argument: CommandArgument) -> Option<Self>;
}

/// Makes the kinds of arguments: name, type, pattern and constructor of such an argument, and noun.
macro_rules! parameters {
    ($($kind:ident $type:ty = $pattern:pat => $value:ident, $argument:expr, $noun:literal;)+) => {
        /// A kind of argument of a command.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CommandParameter {
            $(#[doc = $noun] $kind),+
        }

        impl CommandParameter {
            /// The noun for such an argument, with its article.
            pub fn noun(self) -> &'static str {
                match self { $(Self::$kind => $noun),+ }
            }
        }

        $(impl IsCommandArgument for $type {
            const KIND: CommandParameter = CommandParameter::$kind;

            fn argument(self) -> CommandArgument {
                let $value = self;
                $argument
            }

            fn of(argument: CommandArgument) -> Option<Self> {
                if let $pattern = argument { Some($value) } else { None }
            }
        })+
    };
}

parameters! {
    Application ApplicationId = CommandArgument::Entity(EntityId::Application(id)) => id,
        CommandArgument::Entity(EntityId::Application(id)), "an application";
    Machine MachineId = CommandArgument::Entity(EntityId::Machine(id)) => id,
        CommandArgument::Entity(EntityId::Machine(id)), "a machine";
    Relation RelationId = CommandArgument::Entity(EntityId::Relation(id)) => id,
        CommandArgument::Entity(EntityId::Relation(id)), "a relation";
    Unit UnitId = CommandArgument::Entity(EntityId::Unit(id)) => id,
        CommandArgument::Entity(EntityId::Unit(id)), "a unit";
    Units u32 = CommandArgument::Units(count) => count,
        CommandArgument::Units(count), "a number of units";
    Constraints Constraints = CommandArgument::Constraints(set) => set,
        CommandArgument::Constraints(set), "constraints";
}

impl CommandParameter {
    /// The option that names such an argument, in commands that have one.
    pub const fn option(self) -> Option<&'static str> {
        match self {
            Self::Constraints => Some("--constraints"),
            Self::Application | Self::Machine | Self::Relation | Self::Unit | Self::Units => None,
        }
    }
}

pub(super) fn arguments<const N: usize>(given: [CommandArgument; N]) -> CommandArguments {
    const { assert!(N <= MOST, "a command has more arguments than there are places for") };
    std::array::from_fn(|index| given.get(index).copied())
}
