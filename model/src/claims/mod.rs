//! Claims: what ought to be true of the protocol, as data.
//!
//! A claim's name is a sentence that completes "we claim that", and every claim cites the passage
//! it rests on. Claims about what must follow (`Leads`) are made for each document on its own.

mod always;
mod census;
mod concerned;
mod diagnosis;
mod leads;
mod monitor;
mod step;

use crate::{ids::Id, life::Life, state::State, store::Slot, world::World};

pub use crate::ids::Subject;
pub use census::Census;
pub use diagnosis::diagnose;
pub use monitor::Monitor;

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
    /// In every state no document is at fault.
    Always(Always),
    /// In every transition no document is at fault.
    Step(Step),
    /// For each document of a kind: on every fair run, `from` is followed by `to`.
    Leads(Leads),
}

/// In every state no document is at fault.
#[derive(Clone, Copy)]
pub struct Always {
    /// The documents it is claimed of, in the order of subjects.
    pub of: &'static [Kinds],
    /// Whether it fails for this document.
    pub at_fault: fn(&View<'_>, Subject) -> bool,
    /// The first document that it fails for in a state.
    pub first: fn(&View<'_>) -> Option<Subject>,
}

/// A state, as claims look at it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The constants.
    pub world: &'a World,
    /// The variables.
    pub state: &'a State,
    /// What there is to count in that state.
    pub census: &'a Census,
}

/// In every transition no document is at fault.
#[derive(Clone, Copy)]
pub struct Step {
    /// Where in the store it can fail.
    pub of: &'static [Table],
    /// The document that it fails for, if it fails for what is at an entry that was touched.
    pub at_fault: fn(&World, &State, &State, Slot) -> Option<Subject>,
}

/// A table of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Machines and containers.
    Machines,
    /// Applications.
    Applications,
    /// Units.
    Units,
    /// Relations.
    Relations,
    /// Scope documents.
    Scopes,
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

impl Table {
    /// The table of an entry, if it is one of the store.
    fn of(slot: Slot) -> Option<Self> {
        match slot {
            Slot::Machine(_) => Some(Table::Machines),
            Slot::Application(_) => Some(Table::Applications),
            Slot::Unit(_) => Some(Table::Units),
            Slot::Relation(_) => Some(Table::Relations),
            Slot::Scope(..) => Some(Table::Scopes),
            Slot::MachineHost(_)
            | Slot::UnitHost(_)
            | Slot::Memory(_)
            | Slot::Recollection(..)
            | Slot::Others => None,
        }
    }
}

impl Subject {
    /// Its kind.
    pub fn kind(self) -> Kinds {
        match self {
            Subject::Machine(_) => Kinds::Machines,
            Subject::Application(_) => Kinds::Applications,
            Subject::Unit(_) => Kinds::Units,
            Subject::Relation(_) => Kinds::Relations,
        }
    }

    /// Its number among those of its kind.
    pub fn index(self) -> usize {
        match self {
            Subject::Machine(id) => id.index(),
            Subject::Application(id) => id.index(),
            Subject::Unit(id) => id.index(),
            Subject::Relation(id) => id.index(),
        }
    }

    /// Its life, if it exists.
    #[inline]
    pub fn life(self, state: &State) -> Option<Life> {
        match self {
            Subject::Machine(id) => state.store.machine_life(id),
            Subject::Application(id) => state.store.application_life(id),
            Subject::Unit(id) => state.store.unit_life(id),
            Subject::Relation(id) => state.store.relation_life(id),
        }
    }
}

impl Kinds {
    /// Every kind.
    pub const ALL: [Self; 4] =
        [Kinds::Machines, Kinds::Applications, Kinds::Units, Kinds::Relations];

    /// The documents of this kind that a world may have.
    pub fn subjects(self, world: &World) -> impl Iterator<Item = Subject> + use<> {
        (0..self.count(world)).map(move |index| self.subject(index))
    }

    /// How many documents of this kind a world may have.
    pub fn count(self, world: &World) -> usize {
        match self {
            Kinds::Machines => world.machines.len(),
            Kinds::Applications => world.applications.len(),
            Kinds::Units => world.units.len(),
            Kinds::Relations => world.relations.len(),
        }
    }

    /// The document with this number.
    pub fn subject(self, index: usize) -> Subject {
        match self {
            Kinds::Machines => Subject::Machine(Id::new(index)),
            Kinds::Applications => Subject::Application(Id::new(index)),
            Kinds::Units => Subject::Unit(Id::new(index)),
            Kinds::Relations => Subject::Relation(Id::new(index)),
        }
    }
}
