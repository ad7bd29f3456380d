//! What agents remember of relations: for all units of a relation in sets, as there can be very
//! many of them; for one unit at a time to whoever changes it.

use crate::{
    ids::{IdSet, UnitId},
    rows::put_member,
};

/// What the agents of a relation's units remember of it.
///
/// Directories are kept by relation, and forgotten when the relation's document goes: a later
/// relation of the same name is another one, and nobody looks at the directory of a relation that
/// is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Memberships {
    /// On disk: the units whose agents have a directory for it.
    pub directories: IdSet<UnitId>,
    /// In memory: the units that have entered its scope and are about to write their directory.
    pub unwritten: IdSet<UnitId>,
    /// On disk: the units whose hooks for their departure have run.
    pub departed: IdSet<UnitId>,
}

/// What one unit's agent remembers of a relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Membership {
    /// On disk: a directory for it.
    pub directory: bool,
    /// In memory: the unit has entered its scope and its directory is about to be written.
    pub unwritten: bool,
    /// On disk: the hooks for the unit's departure have run.
    pub departed: bool,
}

impl Memberships {
    /// What one unit's agent remembers.
    pub(super) fn of(&self, unit: UnitId) -> Membership {
        Membership {
            directory: self.directories.contains(unit),
            unwritten: self.unwritten.contains(unit),
            departed: self.departed.contains(unit),
        }
    }

    /// One unit's agent remembers this from now on.
    pub(super) fn put(&mut self, unit: UnitId, membership: Membership) {
        put_member(&mut self.directories, unit, membership.directory);
        put_member(&mut self.unwritten, unit, membership.unwritten);
        put_member(&mut self.departed, unit, membership.departed);
    }
}
