//! Tables of acts and operations: a row for each.
//!
//! A row has a verb, the kinds of its arguments, an example and a meaning. The enumeration, its
//! printing and its parsing are made from the rows, so printing and parsing are inverses by
//! construction.

use crate::{
    actor::{Agent, Client},
    ids::{
        ApplicationId, Constraints, EntityId, MachineId, RelationId, Rename, Renaming, UnitId,
        UserId,
    },
};

/// The text of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowText {
    /// Its verb, the first word.
    pub verb: &'static str,
    /// The kinds of its arguments, in order.
    pub parameters: &'static [Parameter],
    pub example: &'static str,
    pub meaning: &'static str,
}

/// The greatest number of arguments of a row.
const MOST: usize = 2;

/// An enumeration made from rows.
pub trait RowEnum: Copy + 'static {
    /// Every row, in order.
    const ROWS: &'static [RowText];

    fn index(self) -> usize;

    /// Its arguments, in order.
    fn arguments(self) -> Arguments;

    /// The value with this verb, with arguments from `source`; `None` if no row has the verb.
    ///
    /// # Errors
    /// If an argument is not of the kind of its row.
    fn from_verb<S: Source>(verb: &str, source: &mut S) -> Result<Option<Self>, S::Error>;

    fn row(self) -> &'static RowText {
        &Self::ROWS[self.index()]
    }
}

/// A kind of argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parameter {
    Unit,
    Machine,
    Application,
    /// A relation; its name may have spaces in it, so it comes last.
    Relation,
    Constraints,
    Agent,
    /// A user, if there are several; the first one is not named.
    User,
    Client,
}

impl Parameter {
    pub fn placeholder(self) -> &'static str {
        match self {
            Parameter::Unit => "UNIT",
            Parameter::Machine => "MACHINE",
            Parameter::Application => "APPLICATION",
            Parameter::Relation => "RELATION",
            Parameter::Constraints => "CONSTRAINTS",
            Parameter::Agent => "AGENT",
            Parameter::User => "[USER]",
            Parameter::Client => "ACTOR",
        }
    }
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Argument {
    Unit(UnitId),
    Machine(MachineId),
    Application(ApplicationId),
    Relation(RelationId),
    Constraints(Constraints),
    Agent(Agent),
    User(UserId),
    Client(Client),
}

impl Argument {
    /// The entity that it names, if it names one.
    pub fn entity(self) -> Option<EntityId> {
        match self {
            Self::Unit(id) => Some(EntityId::Unit(id)),
            Self::Machine(id) => Some(EntityId::Machine(id)),
            Self::Application(id) => Some(EntityId::Application(id)),
            Self::Relation(id) => Some(EntityId::Relation(id)),
            Self::Constraints(_) | Self::Agent(_) | Self::User(_) | Self::Client(_) => None,
        }
    }

    /// The entity that it names, or that the agent in it belongs to.
    pub fn about(self) -> Option<EntityId> {
        match self {
            Self::Unit(id) | Self::Agent(Agent::Unit(id)) | Self::Client(Client::Unit(id)) => {
                Some(EntityId::Unit(id))
            }
            Self::Machine(id)
            | Self::Agent(Agent::Machine(id))
            | Self::Client(Client::Machine(id)) => Some(EntityId::Machine(id)),
            Self::Application(id) => Some(EntityId::Application(id)),
            Self::Relation(id) => Some(EntityId::Relation(id)),
            Self::Constraints(_)
            | Self::User(_)
            | Self::Client(
                Client::User(_) | Client::Script(_) | Client::Provisioner | Client::Cleaner,
            ) => None,
        }
    }
}

/// The arguments of one act, in order, then `None`.
pub type Arguments = [Option<Argument>; MOST];

/// A source of arguments, one after the other: the words of a line, or all combinations.
pub trait Source {
    /// The error for a missing or wrong argument.
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

    /// The next argument, a set of constraints.
    ///
    /// # Errors
    /// If it is not one.
    fn constraints(&mut self) -> Result<Constraints, Self::Error>;

    /// The next argument, an agent.
    ///
    /// # Errors
    /// If it is not one.
    fn agent(&mut self) -> Result<Agent, Self::Error>;

    /// The next argument, a user; the first one if there is none.
    ///
    /// # Errors
    /// If it is not one.
    fn user(&mut self) -> Result<UserId, Self::Error>;

    /// The next argument, a client.
    ///
    /// # Errors
    /// If it is not one.
    fn client(&mut self) -> Result<Client, Self::Error>;
}

pub(crate) trait IsArgument: Copy {
    const PARAMETER: Parameter;

    /// The value as an argument of any kind.
    fn argument(self) -> Argument;

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
    Constraints Constraints constraints
    Agent Agent agent
    User UserId user
    Client Client client
}

/// Arguments given in advance.
pub(crate) struct FixedArguments(pub(crate) std::vec::IntoIter<Argument>);

/// The error that the next argument is missing or of another kind.
pub(crate) struct Mismatch;

macro_rules! given {
    ($($next:ident $kind:ident $type:ident)*) => {
        impl Source for FixedArguments {
            type Error = Mismatch;

            $(fn $next(&mut self) -> Result<$type, Mismatch> {
                match self.0.next() {
                    Some(Argument::$kind(value)) => Ok(value),
                    _ => Err(Mismatch),
                }
            })*
        }
    };
}

given! {
    unit Unit UnitId
    machine Machine MachineId
    application Application ApplicationId
    relation Relation RelationId
    constraints Constraints Constraints
    agent Agent Agent
    user User UserId
    client Client Client
}

impl Rename for Argument {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Unit(id) => Self::Unit(id.renamed(by)),
            Self::Machine(id) => Self::Machine(id.renamed(by)),
            Self::Agent(agent) => Self::Agent(agent.renamed(by)),
            Self::Client(client) => Self::Client(client.renamed(by)),
            Self::Application(_) | Self::Relation(_) | Self::Constraints(_) | Self::User(_) => {
                *self
            }
        }
    }
}

/// The image of an act under a renaming of the units and machines that it mentions.
pub(crate) fn renamed<A: RowEnum>(act: A, by: &Renaming) -> A {
    let arguments: Vec<Argument> =
        act.arguments().into_iter().flatten().map(|argument| argument.renamed(by)).collect();
    let found = A::from_verb(act.row().verb, &mut FixedArguments(arguments.into_iter()));
    found.ok().flatten().expect("a row has the verb, and arguments of these kinds")
}

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

        impl $crate::table::RowEnum for $name {
            const ROWS: &'static [$crate::table::RowText] = &[
                $($crate::table::RowText {
                    verb: $verb,
                    parameters: &[
                        $($(<$type as $crate::table::IsArgument>::PARAMETER),+)?
                    ],
                    example: $example,
                    meaning: $meaning,
                }),+
            ];

            fn index(self) -> usize {
                enum VariantIndex { $($variant),+ }
                match self { $(Self::$variant { .. } => VariantIndex::$variant as usize),+ }
            }

            fn arguments(self) -> $crate::table::Arguments {
                match self {
                    $(Self::$variant $(($($parameter),+))? => {
                        $crate::table::arguments([$($(
                            $crate::table::IsArgument::argument($parameter)
                        ),+)?])
                    })+
                }
            }

            fn from_verb<S: $crate::table::Source>(
                verb: &str,
                source: &mut S,
            ) -> Result<Option<Self>, S::Error> {
                Ok(Some(match verb {
                    $($verb => Self::$variant $(($(
                        <$type as $crate::table::IsArgument>::from(source)?
                    ),+))?,)+
                    _ => return Ok(None),
                }))
            }
        }
    };
}

pub(crate) use rows;
