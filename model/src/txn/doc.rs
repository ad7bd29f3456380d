//! Documents: the keys of the documents that ops can be about.
//!
//! Each kind of document has a type of keys: the identifier of an entity is the key of its
//! document, and a `Marker` that of a document without contents. The type determines the predicates
//! and changes of such a document, so no others can be written.

use crate::{
    ids::{ApplicationId, EntityId, MachineId, RelationId, UnitId},
    txn::{
        AnyOn, On,
        change::{
            ApplicationChange, MachineChange, MarkerChange, ModelChange, RelationChange, UnitChange,
        },
        predicate::{
            ApplicationPredicate, MachinePredicate, Predicate, RelationPredicate, UnitPredicate,
        },
    },
    world::World,
};

/// A key of a document.
pub trait DocumentKey: Copy {
    /// The predicates of such a document.
    type Predicate: Predicate;
    type Change: Copy + Eq;

    fn doc(self) -> Doc;
    /// The op on it, as an op of any kind.
    fn any(on: On<Self>) -> AnyOn;
}

macro_rules! entities {
    ($($kind:ident $id:ident $predicate:ident $change:ident)+) => {$(
        impl DocumentKey for $id {
            type Predicate = $predicate;
            type Change = $change;

            fn doc(self) -> Doc {
                Doc::Entity(EntityId::$kind(self))
            }

            fn any(on: On<Self>) -> AnyOn {
                AnyOn::$kind(on)
            }
        }
    )+};
}

entities! {
    Machine MachineId MachinePredicate MachineChange
    Application ApplicationId ApplicationPredicate ApplicationChange
    Unit UnitId UnitPredicate UnitChange
    Relation RelationId RelationPredicate RelationChange
}

/// A document of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doc {
    Entity(EntityId),
    /// A document without contents.
    Marker(Marker),
    Model,
}

/// The key of the model's document, which always exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Model;

impl DocumentKey for Model {
    type Predicate = std::convert::Infallible;
    type Change = ModelChange;

    fn doc(self) -> Doc {
        Doc::Model
    }

    fn any(on: On<Self>) -> AnyOn {
        AnyOn::Model(on)
    }
}

impl Doc {
    /// The unit that it belongs to, if any.
    pub(crate) fn unit(self) -> Option<UnitId> {
        match self {
            Doc::Entity(EntityId::Unit(unit))
            | Doc::Marker(Marker::Scope(_, unit) | Marker::ForceUnit(unit)) => Some(unit),
            Doc::Entity(
                EntityId::Machine(_) | EntityId::Application(_) | EntityId::Relation(_),
            )
            | Doc::Marker(
                Marker::ApplicationSettings(_)
                | Marker::RelationSettings(_)
                | Marker::LeftSettings(_)
                | Marker::SettingsCleanup(_)
                | Marker::UnitsCleanup(_)
                | Marker::ForceMachine(_),
            )
            | Doc::Model => None,
        }
    }

    /// The machine that it belongs to, if any.
    pub(crate) fn machine(self) -> Option<MachineId> {
        match self {
            Doc::Entity(EntityId::Machine(machine))
            | Doc::Marker(Marker::ForceMachine(machine)) => Some(machine),
            Doc::Entity(EntityId::Application(_) | EntityId::Unit(_) | EntityId::Relation(_))
            | Doc::Marker(
                Marker::ApplicationSettings(_)
                | Marker::RelationSettings(_)
                | Marker::LeftSettings(_)
                | Marker::SettingsCleanup(_)
                | Marker::UnitsCleanup(_)
                | Marker::ForceUnit(_)
                | Marker::Scope(..),
            )
            | Doc::Model => None,
        }
    }
}

macro_rules! markers {
    ($($(#[$doc:meta])* $kind:ident $id:ident $text:literal $entity:ident)+) => {
        /// A document without contents.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Marker {
            $($(#[$doc])* $kind($id),)+
            /// Says that a unit is in scope of a relation.
            Scope(RelationId, UnitId),
        }

        impl Marker {
            fn show(self, world: &World) -> String {
                match self {
                    $(Self::$kind(id) => format!($text, world.$entity(id).name),)+
                    Self::Scope(relation, unit) => {
                        let (relation, unit) = (world.relation(relation), world.unit(unit));
                        format!("scope of {} in relation {}", unit.name, relation.name)
                    }
                }
            }
        }
    };
}

markers! {
    /// The settings of an application.
    ApplicationSettings ApplicationId "settings of application {}" application
    /// The settings documents of a relation's units, all of them.
    RelationSettings RelationId "unit settings in relation {}" relation
    /// The settings documents that the units of a removed relation have left, all of them.
    LeftSettings RelationId "left unit settings of relation {}" relation
    /// Asks for the settings of a removed relation to be deleted.
    SettingsCleanup RelationId "cleanup of the settings of {}" relation
    /// Asks for the units of a Dying application to be destroyed.
    UnitsCleanup ApplicationId "cleanup of the units of {}" application
    /// Asks for a unit to be forced.
    ForceUnit UnitId "cleanup that forces unit {}" unit
    /// Asks for a machine to be forced.
    ForceMachine MachineId "cleanup that forces machine {}" machine
}

impl DocumentKey for Marker {
    type Predicate = std::convert::Infallible;
    type Change = MarkerChange;

    fn doc(self) -> Doc {
        Doc::Marker(self)
    }

    fn any(on: On<Self>) -> AnyOn {
        AnyOn::Marker(on)
    }
}

impl World {
    /// A document, as in "unit wordpress/0".
    pub fn show_doc(&self, doc: Doc) -> String {
        match doc {
            Doc::Entity(EntityId::Machine(id)) => format!("machine {}", self.machine(id).name),
            Doc::Entity(EntityId::Application(id)) => {
                format!("application {}", self.application(id).name)
            }
            Doc::Entity(EntityId::Unit(id)) => format!("unit {}", self.unit(id).name),
            Doc::Entity(EntityId::Relation(id)) => format!("relation {}", self.relation(id).name),
            Doc::Marker(marker) => marker.show(self),
            Doc::Model => "the model".to_owned(),
        }
    }
}
