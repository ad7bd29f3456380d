//! A membership: what one unit's agent knows of a relation.
//!
//! Directories are kept by relation, and forgotten when the relation's document goes: a later
//! relation of the same name is another one, and nobody looks at the directory of a relation that
//! is gone.

use super::{
    columns::columns,
    field::{Told, said, unsaid},
    value::flag,
};
use crate::ids::{IdSet, RelationId, UnitId};

columns! {
    /// What one unit's agent knows of a relation.
    Membership,
    /// What the agents of a relation's units know of it.
    Memberships {
        /// On disk: a directory for it.
        directory: bool = "directory", |of, _| flag(of.directories()),
            Told::at(70).both([unsaid("no directories"), said("directories of {}")]);
        /// In memory: the unit has entered its scope and its directory is about to be written.
        unwritten: bool = "unwritten", |of, _| flag(of.directories() && of.world.faults.crash),
            Told::at(80).both([unsaid("none to be written"), said("directories to be written by {}")]);
        /// On disk: the hooks for the unit's departure have run.
        departed: bool = "departed", |of, _| flag(of.world.has_hooks()),
            Told::at(90).both([unsaid("no hooks run"), said("hooks run by {}")]);
    }
}
