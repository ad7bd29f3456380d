//! Documents: what an op of a transaction can be about.
//!
//! Each kind of document has a type that names one: the identifier of an entity names its document,
//! and a `Marker` names one of which only the existence matters. The type determines the predicates
//! and changes of such a document, so no others can be written.

use crate::{
    ids::{ApplicationId, EntityId, MachineId, RelationId, UnitId},
    store::{Store, Touched},
    txn::{
        AnyOn, On,
        change::{
            ApplicationChange, Change, MachineChange, MarkerChange, ModelChange, RelationChange,
            UnitChange,
        },
        predicate::{
            ApplicationPredicate, MachinePredicate, Predicate, RelationPredicate, UnitPredicate,
        },
    },
    world::World,
};

/// A name of a document.
pub trait DocumentKey: Copy {
    /// The predicates of such a document.
    type Predicate: Predicate<Self>;
    /// Its changes.
    type Change: Change<Self>;

    /// The document, of whichever kind.
    fn doc(self) -> Doc;
    /// Whether it exists.
    fn exists(self, store: &Store) -> bool;
    /// The op on it, of whichever kind it is.
    fn any(on: On<Self>) -> AnyOn;
}

macro_rules! entities {
    ($($kind:ident $id:ident $predicate:ident $change:ident $read:ident)+) => {$(
        impl DocumentKey for $id {
            type Predicate = $predicate;
            type Change = $change;

            fn doc(self) -> Doc {
                Doc::Entity(EntityId::$kind(self))
            }

            fn exists(self, store: &Store) -> bool {
                store.$read(self).is_some()
            }

            fn any(on: On<Self>) -> AnyOn {
                AnyOn::$kind(on)
            }
        }
    )+};
}

entities! {
    Machine MachineId MachinePredicate MachineChange machine
    Application ApplicationId ApplicationPredicate ApplicationChange application
    Unit UnitId UnitPredicate UnitChange unit
    Relation RelationId RelationPredicate RelationChange relation
}

/// A document of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doc {
    /// The document of an entity.
    Entity(EntityId),
    /// A document of which only the existence matters.
    Marker(Marker),
    /// The model's document.
    Model,
}

/// The name of the model's document, which is always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Model;

impl DocumentKey for Model {
    type Predicate = std::convert::Infallible;
    type Change = ModelChange;

    fn doc(self) -> Doc {
        Doc::Model
    }

    fn exists(self, _: &Store) -> bool {
        true
    }

    fn any(on: On<Self>) -> AnyOn {
        AnyOn::Model(on)
    }
}

impl Doc {
    /// The unit that it belongs to, if it does.
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

    /// The machine that it belongs to, if it does.
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
    ($($(#[$doc:meta])* $kind:ident $id:ident $text:literal
        $docs:ident $docs_mut:ident $field:ident $entity:ident)+) => {
        /// A document of which only the existence matters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Marker {
            $($(#[$doc])* $kind($id),)+
            /// Says that a unit is in scope of a relation.
            Scope(RelationId, UnitId),
        }

        impl Marker {
            fn is_there(self, store: &Store) -> bool {
                match self {
                    $(Self::$kind(id) => store.$docs(id).$field,)+
                    Self::Scope(relation, unit) => store.in_scope(relation, unit),
                }
            }

            /// Makes it exist, or not.
            pub(super) fn set(self, change: MarkerChange, store: &mut Store, touched: &mut Touched) {
                match (self, change) {
                    $((Self::$kind(id), _) => {
                        store.$docs_mut(id, touched).$field = change == MarkerChange::Create;
                    })+
                    (Self::Scope(relation, unit), MarkerChange::Create) => {
                        store.enter_scope(relation, unit, touched);
                    }
                    (Self::Scope(relation, unit), MarkerChange::Remove) => {
                        store.leave_scope(relation, unit, touched);
                    }
                }
            }

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
    ApplicationSettings ApplicationId "settings of application {}"
        application_docs application_docs_mut settings application
    /// The settings documents of a relation's units, all of them.
    RelationSettings RelationId "unit settings in relation {}"
        relation_docs relation_docs_mut settings relation
    /// The settings documents that the units of a removed relation have left, all of them.
    LeftSettings RelationId "left unit settings of relation {}"
        relation_docs relation_docs_mut leftovers relation
    /// Asks for the settings of a removed relation to be deleted.
    SettingsCleanup RelationId "cleanup of the settings of {}"
        relation_docs relation_docs_mut cleanup relation
    /// Asks for the units of a Dying application to be destroyed.
    UnitsCleanup ApplicationId "cleanup of the units of {}"
        application_docs application_docs_mut units_cleanup application
    /// Asks for a unit to be forced.
    ForceUnit UnitId "cleanup that forces unit {}"
        unit_docs unit_docs_mut force unit
    /// Asks for a machine to be forced.
    ForceMachine MachineId "cleanup that forces machine {}"
        machine_docs machine_docs_mut force machine
}

impl DocumentKey for Marker {
    type Predicate = std::convert::Infallible;
    type Change = MarkerChange;

    fn doc(self) -> Doc {
        Doc::Marker(self)
    }

    fn exists(self, store: &Store) -> bool {
        self.is_there(store)
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
