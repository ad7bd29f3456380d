//! Claims: what ought to be true of the protocol, as data.
//!
//! A claim's name is a sentence that completes "we claim that", and every claim cites the passage
//! it rests on. Claims about what must follow (`Leads`) are made for each document on its own.

mod always;
mod diagnosis;
mod leads;
mod step;

use crate::{state::State, store::Slot, world::World};

pub use crate::ids::Subject;
pub use diagnosis::diagnose;

/// A claim.
#[derive(Debug)]
pub struct Claim {
    /// The sentence.
    pub name: &'static str,
    /// The passage it rests on.
    pub source: &'static str,
    /// When it is true.
    pub test: Test,
}

/// When a claim is true.
#[derive(Clone, Copy)]
pub enum Test {
    /// In every state no document is at fault: gives the first that is.
    Always(fn(&World, &State) -> Option<Subject>),
    /// In every transition no document is at fault: gives the first of those touched that is.
    Step(fn(&World, &State, &State, Slot) -> Option<Subject>),
    /// For each document of a kind: on every fair run, `from` is followed by `to`.
    Leads(Leads),
}

/// For each document of a kind: on every fair run, `from` is followed by `to`.
#[derive(Clone, Copy)]
pub struct Leads {
    /// The documents it is claimed of.
    pub of: Kinds,
    /// What obliges.
    pub from: fn(&World, &State, Subject) -> bool,
    /// What fulfils.
    pub to: fn(&World, &State, Subject) -> bool,
}

/// A kind of entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Machines and containers.
    Machines,
    /// Applications.
    Applications,
    /// Units.
    Units,
    /// Relations.
    Relations,
}

impl std::fmt::Debug for Test {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind().name())
    }
}

impl Test {
    /// The kind of claim.
    pub fn kind(&self) -> Kind {
        match self {
            Test::Always(_) => Kind::Always,
            Test::Step(_) => Kind::Step,
            Test::Leads(_) => Kind::Leads,
        }
    }
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

impl Kind {
    /// Its name in reports: "always", "step" or "leads".
    pub fn name(self) -> &'static str {
        match self {
            Kind::Always => "always",
            Kind::Step => "step",
            Kind::Leads => "leads",
        }
    }
}

impl Claim {
    /// The claim called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|claim| claim.name == name)
    }

    /// Every claim, the main ones first.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        leads::CLAIMS.iter().chain(always::CLAIMS).chain(step::CLAIMS)
    }

    /// When it is true.
    pub fn kind(&self) -> Kind {
        self.test.kind()
    }
}

impl Kinds {
    /// The documents of this kind that a world may have.
    pub fn subjects(self, world: &World) -> Vec<Subject> {
        match self {
            Kinds::Machines => world.machine_ids().map(Subject::Machine).collect(),
            Kinds::Applications => world.application_ids().map(Subject::Application).collect(),
            Kinds::Units => world.unit_ids().map(Subject::Unit).collect(),
            Kinds::Relations => world.relation_ids().map(Subject::Relation).collect(),
        }
    }
}
