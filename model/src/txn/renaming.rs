//! The renaming of transactions.

use super::{
    AnyOn, ApplicationChange, ApplicationPredicate, Assert, MachineChange, MachinePredicate,
    Marker, MarkerChange, Model, ModelChange, On, Op, RelationChange, RelationPredicate, Txn,
    UnitChange, UnitPredicate, doc::DocumentKey,
};
use crate::{
    ids::{Rename, Renaming, unchanged},
    table,
};

impl Rename for Txn {
    fn renamed(&self, by: &Renaming) -> Self {
        let op = |op: &Op| Op { on: op.on.renamed(by), ..*op };
        Self {
            operation: table::renamed(self.operation, by),
            ops: self.ops.iter().map(op).collect(),
        }
    }
}

impl Rename for AnyOn {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Machine(on) => Self::Machine(on.renamed(by)),
            Self::Application(on) => Self::Application(on.renamed(by)),
            Self::Unit(on) => Self::Unit(on.renamed(by)),
            Self::Relation(on) => Self::Relation(on.renamed(by)),
            Self::Marker(on) => Self::Marker(on.renamed(by)),
            Self::Model(on) => Self::Model(on.renamed(by)),
        }
    }
}

impl<D> Rename for On<D>
where
    D: DocumentKey<Predicate: Rename, Change: Rename> + Rename,
{
    fn renamed(&self, by: &Renaming) -> Self {
        Self {
            doc: self.doc.renamed(by),
            assert: self.assert.renamed(by),
            change: self.change.renamed(by),
        }
    }
}

impl<P: Rename> Rename for Assert<P> {
    fn renamed(&self, by: &Renaming) -> Self {
        let all = |predicates: &[Option<P>; 3]| predicates.each_ref().map(|it| it.renamed(by));
        match self {
            Self::Nothing => Self::Nothing,
            Self::Exists => Self::Exists,
            Self::Missing => Self::Missing,
            Self::Any(predicates) => Self::Any(all(predicates)),
            Self::None(predicates) => Self::None(all(predicates)),
        }
    }
}

impl Rename for Marker {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::ForceUnit(id) => Self::ForceUnit(id.renamed(by)),
            Self::ForceMachine(id) => Self::ForceMachine(id.renamed(by)),
            Self::Scope(relation, id) => Self::Scope(*relation, id.renamed(by)),
            Self::ApplicationSettings(_)
            | Self::RelationSettings(_)
            | Self::LeftSettings(_)
            | Self::SettingsCleanup(_)
            | Self::UnitsCleanup(_) => *self,
        }
    }
}

impl Rename for MachinePredicate {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Satisfies(id) => Self::Satisfies(id.renamed(by)),
            Self::Life(_)
            | Self::HasInstance
            | Self::LostInstance
            | Self::IsInError
            | Self::HasPrincipals
            | Self::HasAlivePrincipals
            | Self::HasContainers
            | Self::ContainersAre(_)
            | Self::AnotherManager
            | Self::AnotherRunningManager => *self,
        }
    }
}

impl Rename for UnitPredicate {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::IsAt(placement) => Self::IsAt(placement.renamed(by)),
            Self::Life(_) | Self::HasSubordinates | Self::HasSubordinateOf(_) => *self,
        }
    }
}

impl Rename for MachineChange {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Assign(id) => Self::Assign(id.renamed(by)),
            Self::Unassign(id) => Self::Unassign(id.renamed(by)),
            Self::AddContainer(id) => Self::AddContainer(id.renamed(by)),
            Self::DropContainer(id) => Self::DropContainer(id.renamed(by)),
            Self::CopyUnit(id) => Self::CopyUnit(id.renamed(by)),
            Self::Create
            | Self::Remove
            | Self::SetLife(_)
            | Self::Record
            | Self::SetStart(_)
            | Self::CopyModel
            | Self::SetConstraints(_) => *self,
        }
    }
}

impl Rename for UnitChange {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Create(placement) => Self::Create(placement.renamed(by)),
            Self::PlaceOn(id) => Self::PlaceOn(id.renamed(by)),
            Self::AddSubordinate(id) => Self::AddSubordinate(id.renamed(by)),
            Self::DropSubordinate(id) => Self::DropSubordinate(id.renamed(by)),
            Self::Remove | Self::SetLife(_) | Self::Capture | Self::Constrain(_) => *self,
        }
    }
}

unchanged! {
    Model, ApplicationPredicate, ApplicationChange, RelationPredicate, RelationChange, ModelChange,
    MarkerChange
}
