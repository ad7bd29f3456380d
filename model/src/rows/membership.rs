//! A membership: the knowledge of one unit's agent about a relation.
//!
//! Directories are kept by relation, and deleted with the relation's document: a later relation of
//! the same name is another one, and no agent reads the directory of a relation that is gone.

use super::{
    columns::columns,
    field::{FieldText, hidden, shown},
    slot::flag,
};
use crate::ids::{IdSet, RelationId, UnitId};

columns! {
    /// The knowledge of one unit's agent about a relation.
    Membership,
    /// The knowledge of all agents of a relation's units about it.
    Memberships {
        /// On disk: whether it has a directory.
        directory: bool = "directory", |of, _| flag(of.directories()),
            FieldText::at(70).note().both([hidden("no directories"), shown("directories of {}")]);
        /// In memory: whether the unit has entered its scope and its directory is about to be
        /// written.
        unwritten: bool = "unwritten", |of, _| flag(of.directories() && of.world.agents_crash()),
            FieldText::at(80).note().both([hidden("none to be written"), shown("directories to be written by {}")]);
        /// On disk: whether the hooks for the unit's departure have run.
        departed: bool = "departed", |of, _| flag(of.world.has_hooks()),
            FieldText::at(90).note().both([hidden("no hooks run"), shown("hooks run by {}")]);
    }
}
