//! Predicates of documents: each kind of document has its own, each with its meaning and its text.

use std::convert::Infallible;

use crate::{
    ids::{ApplicationId, Placement, UnitId},
    life::Life,
    world::World,
};

/// A predicate of a kind of document. It does not hold for a missing one.
pub trait Predicate: Copy {
    /// The predicate as text, completing "to …" and "not to …".
    fn text(self, world: &World) -> String;
}

/// A predicate of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MachinePredicate {
    Life(Life),
    HasInstance,
    /// It had an instance, and has lost it.
    LostInstance,
    /// Its last start failed, and the error is not resolved.
    IsInError,
    HasPrincipals,
    HasAlivePrincipals,
    HasContainers,
    /// It has exactly this many containers.
    ContainersAre(u32),
    /// Another machine with the manage-model job is Alive, and not about to be forced.
    AnotherManager,
    /// As `AnotherManager`, and that machine has an instance id.
    AnotherRunningManager,
    /// Its constraints satisfy those of this unit.
    Satisfies(UnitId),
}

impl From<Life> for MachinePredicate {
    fn from(life: Life) -> Self {
        Self::Life(life)
    }
}

impl Predicate for MachinePredicate {
    fn text(self, world: &World) -> String {
        match self {
            Self::Life(life) => format!("be {life}"),
            Self::HasInstance => "have an instance".to_owned(),
            Self::LostInstance => "have lost an instance".to_owned(),
            Self::IsInError => "be in error".to_owned(),
            Self::HasPrincipals => "have units".to_owned(),
            Self::HasAlivePrincipals => "have Alive units".to_owned(),
            Self::HasContainers => "have containers".to_owned(),
            Self::ContainersAre(count) => format!("have exactly {count} containers"),
            Self::AnotherManager => "have another Alive manager beside it".to_owned(),
            Self::AnotherRunningManager => {
                "have another Alive manager running beside it".to_owned()
            }
            Self::Satisfies(unit) => format!("have what {} asks for", world.unit(unit).name),
        }
    }
}

/// A predicate of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApplicationPredicate {
    Life(Life),
    /// It has at least this many units.
    Units(u32),
    /// It is in at least this many relations.
    Relations(u32),
    /// It is in exactly this many relations.
    RelationsAre(u32),
    Exposed,
}

impl From<Life> for ApplicationPredicate {
    fn from(life: Life) -> Self {
        Self::Life(life)
    }
}

impl Predicate for ApplicationPredicate {
    fn text(self, _: &World) -> String {
        match self {
            Self::Life(life) => format!("be {life}"),
            Self::Units(least) => format!("have {}", at_least(least, "unit")),
            Self::Relations(least) => format!("be in {}", at_least(least, "relation")),
            Self::RelationsAre(1) => "be in exactly 1 relation".to_owned(),
            Self::RelationsAre(count) => format!("be in exactly {count} relations"),
            Self::Exposed => "be exposed".to_owned(),
        }
    }
}

/// A predicate of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitPredicate {
    Life(Life),
    HasSubordinates,
    HasSubordinateOf(ApplicationId),
    IsAt(Placement),
}

impl From<Life> for UnitPredicate {
    fn from(life: Life) -> Self {
        Self::Life(life)
    }
}

impl Predicate for UnitPredicate {
    fn text(self, world: &World) -> String {
        match self {
            Self::Life(life) => format!("be {life}"),
            Self::HasSubordinates => "have subordinates".to_owned(),
            Self::HasSubordinateOf(id) => {
                format!("have a subordinate of {}", world.application(id).name)
            }
            Self::IsAt(Placement::Nowhere) => "be without a machine".to_owned(),
            Self::IsAt(Placement::Machine(id)) => {
                format!("be on machine {}", world.machine(id).name)
            }
            Self::IsAt(Placement::Principal(id)) => {
                format!("be a subordinate of {}", world.unit(id).name)
            }
        }
    }
}

/// A predicate of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationPredicate {
    Life(Life),
    /// At least this many units are in its scope.
    InScope(u32),
}

impl From<Life> for RelationPredicate {
    fn from(life: Life) -> Self {
        Self::Life(life)
    }
}

impl Predicate for RelationPredicate {
    fn text(self, _: &World) -> String {
        match self {
            Self::Life(life) => format!("be {life}"),
            Self::InScope(least) => format!("have {} in scope", at_least(least, "unit")),
        }
    }
}

/// A document without contents has no predicates.
impl Predicate for Infallible {
    fn text(self, _: &World) -> String {
        match self {}
    }
}

fn at_least(least: u32, what: &str) -> String {
    match least {
        1 => format!("a {what}"),
        least => format!("at least {least} {what}s"),
    }
}
