//! Transactions as data: on these documents, provided this, do that; all or nothing.
//!
//! Asserts and changes are values, never closures, because a pending transaction is compared,
//! printed and weakened. Their semantics are in `store/documents.rs`.

mod assert;
mod change;
mod doc;
mod predicate;
mod renaming;

pub use crate::refusal::Why;
use crate::{
    clause::Clause,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    operation::Operation,
    world::World,
};
pub use assert::{Assert, any, life_is, none};
pub use change::{
    ApplicationChange, MachineChange, MarkerChange, ModelChange, RelationChange, UnitChange,
};
pub use doc::{Doc, DocumentKey, Marker, Model};
pub use predicate::{
    ApplicationPredicate, MachinePredicate, Predicate, RelationPredicate, UnitPredicate,
};

/// A transaction that was planned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Txn {
    /// The operation that it carries out.
    pub operation: Operation,
    pub ops: Vec<Op>,
}

/// One op of a transaction, with its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op {
    /// The clause that it belongs to.
    pub clause: Clause,
    pub on: AnyOn,
    /// Whether the op carries out the clause, instead of only recording a condition of it.
    pub carries_out: bool,
}

/// On this document, provided this, do that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct On<D: DocumentKey> {
    pub doc: D,
    pub assert: Assert<D::Predicate>,
    /// The change, if there is one.
    pub change: Option<D::Change>,
}

/// An op on a document of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnyOn {
    Machine(On<MachineId>),
    Application(On<ApplicationId>),
    Unit(On<UnitId>),
    Relation(On<RelationId>),
    /// On a document without contents.
    Marker(On<Marker>),
    Model(On<Model>),
}

/// Applies the same expression to an op on a document of any kind.
macro_rules! of_any {
    ($any:expr, $on:ident => $same:expr) => {
        match $any {
            $crate::txn::AnyOn::Machine($on) => $same,
            $crate::txn::AnyOn::Application($on) => $same,
            $crate::txn::AnyOn::Unit($on) => $same,
            $crate::txn::AnyOn::Relation($on) => $same,
            $crate::txn::AnyOn::Marker($on) => $same,
            $crate::txn::AnyOn::Model($on) => $same,
        }
    };
}

pub(crate) use of_any;

impl Op {
    /// The document that it is about.
    pub fn doc(&self) -> Doc {
        of_any!(&self.on, on => on.doc.doc())
    }

    pub fn changes(&self) -> bool {
        of_any!(&self.on, on => on.change.is_some())
    }

    /// Whether it asserts that its document does not exist.
    pub fn expects_nothing(&self) -> bool {
        of_any!(&self.on, on => on.assert == Assert::Missing)
    }

    /// Its assert as text, beginning with "to" or "not to".
    pub fn expected(&self, world: &World) -> String {
        of_any!(&self.on, on => on.expected(world))
    }

    /// Whether it is about constraints only, which the outline lacks.
    pub(crate) fn is_of_constraints(&self) -> bool {
        match &self.on {
            AnyOn::Machine(on) => {
                matches!(on.change, Some(MachineChange::CopyUnit(_) | MachineChange::CopyModel))
            }
            AnyOn::Unit(on) => {
                matches!(on.change, Some(UnitChange::Capture | UnitChange::Constrain(_)))
            }
            AnyOn::Application(on) => {
                matches!(on.change, Some(ApplicationChange::SetConstraints(_)))
            }
            AnyOn::Model(_) => true,
            AnyOn::Relation(_) | AnyOn::Marker(_) => false,
        }
    }
}

impl<D: DocumentKey> On<D> {
    fn expected(&self, world: &World) -> String {
        self.assert.text(world)
    }
}

impl Txn {
    /// The documents of its ops; one may occur twice.
    pub fn docs(&self) -> impl Iterator<Item = Doc> + '_ {
        self.ops.iter().map(Op::doc)
    }

    /// The units that it names by a document of their own; one may occur twice.
    pub fn units(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.docs().filter_map(Doc::unit)
    }

    /// The machines that it names by a document of their own; one may occur twice.
    pub fn machines(&self) -> impl Iterator<Item = MachineId> + '_ {
        self.docs().filter_map(Doc::machine)
    }
}
