//! Claims: what ought to be true of the protocol.

use crate::ids::{ApplicationId, MachineId, RelationId, UnitId};

/// A claim. Its name is a sentence that completes "we claim that".
#[derive(Debug)]
pub struct Claim {
    /// The sentence.
    pub name: &'static str,
    /// The passage it rests on.
    pub source: &'static str,
    /// When it is true.
    pub kind: Kind,
}

/// The kinds of claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True in every state.
    Always,
    /// True of every transition.
    Step,
    /// On every fair run, one thing is followed by another.
    Leads,
}

/// The document that a claim is about, where it is made for each document on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A machine.
    Machine(MachineId),
    /// An application.
    Application(ApplicationId),
    /// A unit.
    Unit(UnitId),
    /// A relation.
    Relation(RelationId),
}

impl Claim {
    /// The claim called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|claim| claim.name == name)
    }

    /// Every claim.
    pub fn all() -> &'static [Self] {
        &[]
    }
}
