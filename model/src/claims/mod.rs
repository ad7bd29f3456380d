//! Claims: what ought to be true of the protocol, as data.
//!
//! A claim's name is a sentence that completes "we claim that", and every claim cites its passage.
//! Claims about what must follow (`Leads`) are made for each document on its own.

mod affected;
mod always;
mod blockers;
pub mod diagnosis;
mod leads;
mod monitor;
mod recount;
mod step;

use crate::{ids::Id, life::Life, state::State, store::Row, world::World};

pub use crate::ids::EntityId;
pub use diagnosis::Diagnosis;
pub use monitor::Monitor;
pub use recount::Recount;

/// A claim.
#[derive(Debug)]
pub struct Claim {
    /// Its name, a sentence.
    pub name: &'static str,
    /// The passage that it rests on.
    pub source: &'static str,
    /// When it is true.
    pub test: Formula,
}

/// When a claim is true.
#[derive(Clone, Copy)]
pub enum Formula {
    /// A claim about states: no document violates it in any state.
    Always(Always),
    /// A claim about transitions: no document violates it in any transition.
    Step(Step),
    /// For each document of a kind: on every fair run, `from` is followed by `to`.
    Leads(Leads),
}

/// A claim about states: no document violates it in any state.
#[derive(Clone, Copy)]
pub struct Always {
    /// The kinds of documents that it is about, in the order in which they are judged.
    pub of: &'static [EntityKind],
    /// Whether this document violates it.
    pub at_fault: fn(&View<'_>, EntityId) -> bool,
    /// The first document that violates it in a state.
    pub first: fn(&View<'_>) -> Option<EntityId>,
}

/// A state, as claims look at it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The constants.
    pub world: &'a World,
    /// The variables.
    pub state: &'a State,
    /// The recount of that state.
    pub recount: &'a Recount,
}

/// A claim about transitions: no document violates it in any transition.
#[derive(Clone, Copy)]
pub struct Step {
    /// The tables of the store in which it can be violated.
    pub of: &'static [Table],
    /// The document that violates it by the change of a touched row, if one does.
    pub at_fault: fn(&World, &State, &State, Row) -> Option<EntityId>,
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
    /// The kind of documents that it is about.
    pub of: EntityKind,
    /// The condition that creates the obligation.
    pub from: fn(&World, &State, EntityId) -> bool,
    /// The condition that discharges it.
    pub to: fn(&World, &State, EntityId) -> bool,
}

/// A kind of entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// Machines and containers.
    Machines,
    /// Applications.
    Applications,
    /// Units.
    Units,
    /// Relations.
    Relations,
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind().name())
    }
}

impl Formula {
    /// The kind of claim.
    pub fn kind(&self) -> ClaimKind {
        match self {
            Formula::Always(_) => ClaimKind::Always,
            Formula::Step(_) => ClaimKind::Step,
            Formula::Leads(_) => ClaimKind::Leads,
        }
    }
}

/// The kinds of claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// True in every state.
    Always,
    /// True of every transition.
    Step,
    /// On every fair run, one thing is followed by another.
    Leads,
}

impl ClaimKind {
    /// Its name in reports: "always", "step" or "leads".
    pub fn name(self) -> &'static str {
        match self {
            ClaimKind::Always => "always",
            ClaimKind::Step => "step",
            ClaimKind::Leads => "leads",
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
    pub fn kind(&self) -> ClaimKind {
        self.test.kind()
    }
}

impl Table {
    /// The table of a row, if it is one of the store.
    fn of(row: Row) -> Option<Self> {
        match row {
            Row::Machine(_) => Some(Table::Machines),
            Row::Application(_) => Some(Table::Applications),
            Row::Unit(_) => Some(Table::Units),
            Row::Relation(_) => Some(Table::Relations),
            Row::Scope(..) => Some(Table::Scopes),
            Row::MachineRuntime(_)
            | Row::UnitRuntime(_)
            | Row::Membership(..)
            | Row::User(_)
            | Row::Task(_)
            | Row::Client(_)
            | Row::Upgrade => None,
        }
    }
}

impl EntityId {
    /// Its kind.
    pub fn kind(self) -> EntityKind {
        match self {
            EntityId::Machine(_) => EntityKind::Machines,
            EntityId::Application(_) => EntityKind::Applications,
            EntityId::Unit(_) => EntityKind::Units,
            EntityId::Relation(_) => EntityKind::Relations,
        }
    }

    /// Its index among those of its kind.
    pub fn index(self) -> usize {
        match self {
            EntityId::Machine(id) => id.index(),
            EntityId::Application(id) => id.index(),
            EntityId::Unit(id) => id.index(),
            EntityId::Relation(id) => id.index(),
        }
    }

    /// Its life, if it exists.
    #[inline]
    pub fn life(self, state: &State) -> Option<Life> {
        match self {
            EntityId::Machine(id) => state.store.machine_life(id),
            EntityId::Application(id) => state.store.application_life(id),
            EntityId::Unit(id) => state.store.unit_life(id),
            EntityId::Relation(id) => state.store.relation_life(id),
        }
    }
}

impl EntityKind {
    /// Every kind.
    pub const ALL: [Self; 4] =
        [EntityKind::Machines, EntityKind::Applications, EntityKind::Units, EntityKind::Relations];

    /// The documents of this kind that a world may have.
    pub fn subjects(self, world: &World) -> impl Iterator<Item = EntityId> + use<> {
        (0..self.count(world)).map(move |index| self.subject(index))
    }

    /// The number of documents of this kind that a world may have.
    pub fn count(self, world: &World) -> usize {
        match self {
            EntityKind::Machines => world.machines.len(),
            EntityKind::Applications => world.applications.len(),
            EntityKind::Units => world.units.len(),
            EntityKind::Relations => world.relations.len(),
        }
    }

    /// The document with this index.
    pub fn subject(self, index: usize) -> EntityId {
        match self {
            EntityKind::Machines => EntityId::Machine(Id::new(index)),
            EntityKind::Applications => EntityId::Application(Id::new(index)),
            EntityKind::Units => EntityId::Unit(Id::new(index)),
            EntityKind::Relations => EntityId::Relation(Id::new(index)),
        }
    }
}
