//! Identifiers: small numbers that index dense tables, and sets of them.
//!
//! Names are in the `World`; everything else has these `Copy` numbers, so that a state is small and
//! a step costs what it touches.

mod constraints;
mod form;
mod placement;
mod renaming;
mod set;
mod window;

pub use constraints::Constraints;
pub use placement::Placement;
pub(crate) use renaming::unchanged;
pub use renaming::{Rename, Renaming};
pub use set::{IdSet, identities};

/// A number that stands for one entity of a world.
pub trait Id: Copy + Eq + Ord {
    fn new(index: usize) -> Self;
    /// The index in the tables of its kind.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a world has fewer than 2^32 entities of a kind"))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A machine or a container.
    MachineId
    /// An application.
    ApplicationId
    /// A unit of an application.
    UnitId
    /// A relation: a canonical name, "wordpress:db mysql:server".
    RelationId
    /// A user, who gives commands.
    UserId
    /// A client of a script.
    ClientId
}

impl UserId {
    /// The first user.
    pub const FIRST: Self = Self(0);
}

/// An entity of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityId {
    Machine(MachineId),
    Application(ApplicationId),
    Unit(UnitId),
    Relation(RelationId),
}
