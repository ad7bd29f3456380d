//! Predicates of documents: each kind of document has its own, each with its meaning and its text.

use std::convert::Infallible;

use crate::{
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    life::Life,
    rows::StartStatus,
    store::{Machine, Placement, Store},
    world::World,
};

/// A predicate of a kind of document. It does not hold of a missing one.
pub trait Predicate<D>: Copy {
    /// Whether it holds of `doc`.
    fn holds(self, doc: D, store: &Store, world: &World) -> bool;
    /// The predicate as text, completing "to …" and "not to …".
    fn text(self, world: &World) -> String;
}

/// A predicate of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MachinePredicate {
    /// It has this life.
    Life(Life),
    /// It has an instance id.
    HasInstance,
    /// It had one, and has lost it.
    LostInstance,
    /// Its last start failed, and nobody has resolved that.
    IsInError,
    /// It has principals.
    HasPrincipals,
    /// It has a principal that is Alive.
    HasAlivePrincipals,
    /// It has containers.
    HasContainers,
    /// It has exactly this many containers.
    ContainersAre(u32),
    /// Another machine with the manage-model job is Alive, and not about to be forced.
    AnotherManager,
    /// The same, and that machine has an instance id.
    AnotherRunningManager,
    /// Its constraints have what this unit asks for.
    Satisfies(UnitId),
}

impl From<Life> for MachinePredicate {
    fn from(life: Life) -> Self {
        Self::Life(life)
    }
}

impl Predicate<MachineId> for MachinePredicate {
    fn holds(self, id: MachineId, store: &Store, world: &World) -> bool {
        let Some(machine) = store.machine(id) else { return false };
        let other_managers = || world.managers().filter(|other| *other != id);
        match self {
            Self::Life(life) => machine.life == life,
            Self::HasInstance => machine.instance,
            Self::LostInstance => machine.lost,
            Self::IsInError => machine.start == StartStatus::Error,
            Self::HasPrincipals => !machine.principals.is_empty(),
            Self::HasAlivePrincipals => {
                machine.principals.iter().any(|unit| store.unit_life(unit) == Some(Life::Alive))
            }
            Self::HasContainers => !machine.containers.is_empty(),
            Self::ContainersAre(count) => machine.containers.len() == count as usize,
            Self::AnotherManager => other_managers().any(|other| stays(other, store).is_some()),
            Self::AnotherRunningManager => {
                other_managers().any(|it| stays(it, store).is_some_and(|other| other.instance))
            }
            Self::Satisfies(unit) => {
                let asked = store.constraints_for(world, unit);
                world.constraints.satisfies(machine.constraints, asked)
            }
        }
    }

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

/// The machine, if it is Alive and nobody has asked to force it.
fn stays(id: MachineId, store: &Store) -> Option<&Machine> {
    let machine = store.machine(id).filter(|machine| machine.life == Life::Alive)?;
    (!store.machine_docs(id).force).then_some(machine)
}

/// A predicate of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApplicationPredicate {
    /// It has this life.
    Life(Life),
    /// It has at least this many units.
    Units(u32),
    /// It is in at least this many relations.
    Relations(u32),
    /// It is in exactly this many relations.
    RelationsAre(u32),
    /// It is exposed.
    Exposed,
}

impl From<Life> for ApplicationPredicate {
    fn from(life: Life) -> Self {
        Self::Life(life)
    }
}

impl Predicate<ApplicationId> for ApplicationPredicate {
    fn holds(self, id: ApplicationId, store: &Store, _: &World) -> bool {
        store.application(id).is_some_and(|application| match self {
            Self::Life(life) => application.life == life,
            Self::Units(least) => application.units >= least,
            Self::Relations(least) => application.relations >= least,
            Self::RelationsAre(count) => application.relations == count,
            Self::Exposed => application.exposed,
        })
    }

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
    /// It has this life.
    Life(Life),
    /// It has subordinates.
    HasSubordinates,
    /// It has a subordinate of this application.
    HasSubordinateOf(ApplicationId),
    /// It has this placement.
    IsAt(Placement),
}

impl From<Life> for UnitPredicate {
    fn from(life: Life) -> Self {
        Self::Life(life)
    }
}

impl Predicate<UnitId> for UnitPredicate {
    fn holds(self, id: UnitId, store: &Store, world: &World) -> bool {
        store.unit(id).is_some_and(|unit| match self {
            Self::Life(life) => unit.life == life,
            Self::HasSubordinates => !unit.subordinates.is_empty(),
            Self::HasSubordinateOf(application) => {
                unit.subordinates.iter().any(|id| world.unit(id).application == application)
            }
            Self::IsAt(placement) => unit.placement == placement,
        })
    }

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
    /// It has this life.
    Life(Life),
    /// At least this many units are in its scope.
    InScope(u32),
}

impl From<Life> for RelationPredicate {
    fn from(life: Life) -> Self {
        Self::Life(life)
    }
}

impl Predicate<RelationId> for RelationPredicate {
    fn holds(self, id: RelationId, store: &Store, _: &World) -> bool {
        store.relation(id).is_some_and(|relation| match self {
            Self::Life(life) => relation.life == life,
            Self::InScope(least) => relation.in_scope >= least,
        })
    }

    fn text(self, _: &World) -> String {
        match self {
            Self::Life(life) => format!("be {life}"),
            Self::InScope(least) => format!("have {} in scope", at_least(least, "unit")),
        }
    }
}

/// A document of which only the existence matters has no predicates.
impl<D> Predicate<D> for Infallible {
    fn holds(self, _: D, _: &Store, _: &World) -> bool {
        match self {}
    }

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
