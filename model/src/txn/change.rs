//! Changes: what an op of a transaction does to its document.

use crate::{
    ids::{Constraints, MachineId, Placement, UnitId},
    life::{Life, StartStatus},
};

/// A change of a machine's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MachineChange {
    /// It is created, Alive.
    Create,
    /// It is deleted.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// It gets this principal.
    Assign(UnitId),
    /// It loses this principal.
    Unassign(UnitId),
    /// It gets this container.
    AddContainer(MachineId),
    /// It loses this container.
    DropContainer(MachineId),
    /// It gets an instance id.
    Record,
    /// Its start stands so.
    SetStart(StartStatus),
    /// It gets the constraints of this unit.
    CopyUnit(UnitId),
    /// It gets the constraints of the model.
    CopyModel,
    /// It gets these constraints.
    SetConstraints(Constraints),
}

/// A change of an application's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApplicationChange {
    /// It is created, Alive.
    Create,
    /// It is deleted.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// It counts one unit more.
    AddUnit,
    /// It counts one unit less.
    DropUnit,
    /// It counts this many relations more.
    AddRelations(u32),
    /// It counts this many relations less.
    DropRelations(u32),
    /// Its configuration changes, which the commit tells its units.
    SetConfig,
    /// It gets another charm, which the commit tells its units.
    Upgrade,
    /// The same, even where a unit is in error.
    ForceUpgrade,
    /// Its units' open ports can be reached.
    Expose,
    /// They cannot be reached any more.
    Unexpose,
    /// It gets these constraints.
    SetConstraints(Constraints),
}

/// A change of a unit's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitChange {
    /// It is created with this placement, Alive.
    Create(Placement),
    /// It is deleted.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// It is placed on this machine.
    PlaceOn(MachineId),
    /// It gets this subordinate.
    AddSubordinate(UnitId),
    /// It loses this subordinate.
    DropSubordinate(UnitId),
    /// It gets the constraints that are in force for it.
    Capture,
    /// It gets these constraints.
    Constrain(Constraints),
}

/// A change of a relation's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationChange {
    /// It is created, Alive.
    Create,
    /// It is deleted; the settings of its units are left over.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// It counts one unit in scope more.
    Enter,
    /// It counts one unit in scope less.
    Leave,
}

/// A change of the model's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelChange {
    /// It gets these constraints.
    SetConstraints(Constraints),
}

/// A change of a document of which only the existence matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkerChange {
    /// It is created, unless it exists.
    Create,
    /// It is deleted, if it exists.
    Remove,
}
