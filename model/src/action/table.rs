//! Tables of what can be written: a row for each act and each operation.
//!
//! A row has a verb, what it takes, an example and what it means. The enumeration, its printing
//! and its parsing are made from the rows, so printing and parsing are inverses by construction.

use super::{Agent, Client};
use crate::ids::{ApplicationId, MachineId, RelationId, UnitId};

/// What a row says, for those who read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it begins with.
    pub verb: &'static str,
    /// What comes after that, in order.
    pub parameters: &'static [Parameter],
    /// How it is written, for example.
    pub example: &'static str,
    /// What it does, as a sentence.
    pub meaning: &'static str,
}

/// No row has more parameters than this.
const MOST: usize = 2;

/// What is made of rows.
pub trait Table: Copy + 'static {
    /// Every row, in order.
    const ROWS: &'static [Row];

    /// The index of its row.
    fn index(self) -> usize;

    /// Its arguments, in order.
    fn arguments(self) -> Arguments;

    /// What begins with `verb` and takes its arguments from `source`; `None` if nothing does.
    ///
    /// # Errors
    /// If an argument is not what the row takes.
    fn from_verb<S: Source>(verb: &str, source: &mut S) -> Result<Option<Self>, S::Error>;

    /// Its row.
    fn row(self) -> &'static Row {
        &Self::ROWS[self.index()]
    }
}

/// A kind of argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parameter {
    /// A unit.
    Unit,
    /// A machine.
    Machine,
    /// An application.
    Application,
    /// A relation; its name may have spaces in it, so it comes last.
    Relation,
    /// An agent.
    Agent,
    /// Whoever plans transactions.
    Client,
}

impl Parameter {
    /// How it is referred to, "UNIT".
    pub fn placeholder(self) -> &'static str {
        match self {
            Parameter::Unit => "UNIT",
            Parameter::Machine => "MACHINE",
            Parameter::Application => "APPLICATION",
            Parameter::Relation => "RELATION",
            Parameter::Agent => "AGENT",
            Parameter::Client => "ACTOR",
        }
    }
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Argument {
    /// A unit.
    Unit(UnitId),
    /// A machine.
    Machine(MachineId),
    /// An application.
    Application(ApplicationId),
    /// A relation.
    Relation(RelationId),
    /// An agent.
    Agent(Agent),
    /// Whoever plans transactions.
    Client(Client),
}

/// The arguments of one act, in order; the rest is `None`.
pub type Arguments = [Option<Argument>; MOST];

/// Where arguments come from, one after the other: the words of a line, or everything there is.
pub trait Source {
    /// Why there is no such argument.
    type Error;

    /// The next argument, a unit.
    ///
    /// # Errors
    /// If it is not one.
    fn unit(&mut self) -> Result<UnitId, Self::Error>;

    /// The next argument, a machine.
    ///
    /// # Errors
    /// If it is not one.
    fn machine(&mut self) -> Result<MachineId, Self::Error>;

    /// The next argument, an application.
    ///
    /// # Errors
    /// If it is not one.
    fn application(&mut self) -> Result<ApplicationId, Self::Error>;

    /// The next argument, a relation.
    ///
    /// # Errors
    /// If it is not one.
    fn relation(&mut self) -> Result<RelationId, Self::Error>;

    /// The next argument, an agent.
    ///
    /// # Errors
    /// If it is not one.
    fn agent(&mut self) -> Result<Agent, Self::Error>;

    /// The next argument, whoever plans transactions.
    ///
    /// # Errors
    /// If it is not one.
    fn client(&mut self) -> Result<Client, Self::Error>;
}

/// A type of arguments.
pub(crate) trait IsArgument: Copy {
    /// Its kind.
    const PARAMETER: Parameter;

    /// As an argument of any kind.
    fn argument(self) -> Argument;

    /// The next argument.
    fn from<S: Source>(source: &mut S) -> Result<Self, S::Error>;
}

macro_rules! arguments {
    ($($kind:ident $type:ident $next:ident)*) => {$(
        impl IsArgument for $type {
            const PARAMETER: Parameter = Parameter::$kind;

            fn argument(self) -> Argument {
                Argument::$kind(self)
            }

            fn from<S: Source>(source: &mut S) -> Result<Self, S::Error> {
                source.$next()
            }
        }
    )*};
}

arguments! {
    Unit UnitId unit
    Machine MachineId machine
    Application ApplicationId application
    Relation RelationId relation
    Agent Agent agent
    Client Client client
}

/// Puts arguments in their places.
pub(crate) fn arguments<const N: usize>(given: [Argument; N]) -> Arguments {
    const { assert!(N <= MOST, "a row has more parameters than there are places for") };
    std::array::from_fn(|index| given.get(index).copied())
}

/// Makes an enumeration of rows: variant, parameters, verb, example, meaning.
macro_rules! rows {
    (
        $(#[$doc:meta])*
        $name:ident {
            $($variant:ident $(($($parameter:ident: $type:ident),+))?
                $verb:literal $example:literal $meaning:literal)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[doc = $meaning] $variant $(($($type),+))?),+
        }

        impl $crate::action::table::Table for $name {
            const ROWS: &'static [$crate::action::table::Row] = &[
                $($crate::action::table::Row {
                    verb: $verb,
                    parameters: &[
                        $($(<$type as $crate::action::table::IsArgument>::PARAMETER),+)?
                    ],
                    example: $example,
                    meaning: $meaning,
                }),+
            ];

            fn index(self) -> usize {
                enum Index { $($variant),+ }
                match self { $(Self::$variant { .. } => Index::$variant as usize),+ }
            }

            fn arguments(self) -> $crate::action::table::Arguments {
                match self {
                    $(Self::$variant $(($($parameter),+))? => {
                        $crate::action::table::arguments([$($(
                            $crate::action::table::IsArgument::argument($parameter)
                        ),+)?])
                    })+
                }
            }

            fn from_verb<S: $crate::action::table::Source>(
                verb: &str,
                source: &mut S,
            ) -> Result<Option<Self>, S::Error> {
                Ok(Some(match verb {
                    $($verb => Self::$variant $(($(
                        <$type as $crate::action::table::IsArgument>::from(source)?
                    ),+))?,)+
                    _ => return Ok(None),
                }))
            }
        }
    };
}

pub(crate) use rows;
