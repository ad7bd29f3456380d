//! Changes: the effects of ops on their documents.

use crate::{
    ids::{Constraints, MachineId, Placement, UnitId},
    life::{Life, StartStatus},
};

/// A change of a machine's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MachineChange {
    Create,
    Remove,
    SetLife(Life),
    Assign(UnitId),
    Unassign(UnitId),
    AddContainer(MachineId),
    DropContainer(MachineId),
    Record,
    SetStart(StartStatus),
    /// It gets the constraints of this unit.
    CopyUnit(UnitId),
    /// It gets the constraints of the model.
    CopyModel,
    SetConstraints(Constraints),
}

/// A change of an application's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApplicationChange {
    Create,
    Remove,
    SetLife(Life),
    AddUnit,
    DropUnit,
    /// It counts this many relations more.
    AddRelations(u32),
    /// It counts this many relations less.
    DropRelations(u32),
    /// Its configuration changes; the commit notes this for its units.
    SetConfig,
    /// It gets another charm; the commit notes this for its units.
    Upgrade,
    /// As `Upgrade`, even where a unit is in error.
    ForceUpgrade,
    /// Its units' open ports can be reached.
    Expose,
    /// Its units' open ports cannot be reached any more.
    Unexpose,
    SetConstraints(Constraints),
}

/// A change of a unit's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitChange {
    /// It is created with this placement, Alive.
    Create(Placement),
    Remove,
    SetLife(Life),
    PlaceOn(MachineId),
    AddSubordinate(UnitId),
    DropSubordinate(UnitId),
    /// It gets the constraints in force for it.
    Capture,
    Constrain(Constraints),
}

/// A change of a relation's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationChange {
    Create,
    /// It is deleted; the settings of its units are left over.
    Remove,
    SetLife(Life),
    /// It counts one unit in scope more.
    Enter,
    /// It counts one unit in scope less.
    Leave,
}

/// A change of the model's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelChange {
    SetConstraints(Constraints),
}

/// A change of a document without contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkerChange {
    /// It is created, unless it exists.
    Create,
    /// It is deleted, if it exists.
    Remove,
}
