//! What a unit's agent has seen of the other units in a relation: the detail `relations`
//! (D4:220-246).
//!
//! It is kept by unit and relation, as sets of units, so a relation of a thousand units takes a bit for
//! each pair of them, and nothing for pairs that never meet.

use super::{
    bounds::Bounds,
    declare::row,
    field::{Told, said, unsaid},
};
use crate::ids::{IdSet, RelationId, UnitId};

row! {
    /// What a unit's agent has seen of the other units in a relation.
    Sighting of (RelationId, UnitId) [Default] {
        /// On its disk: the units that it has seen, whose departure it has not seen yet.
        seen: IdSet<UnitId> = "seen", Bounds::sighted,
            Told::at(10).both([unsaid("nobody is seen"), said("{} seen")]);
        /// On its disk: the unit for which changed is the next hook of the relation, as joined has run.
        changed: Option<UnitId> = "changed-due", |of, _| of.any_unit(),
            Told::at(20).both([unsaid("nobody has just joined"), said("{} has just joined")]);
        /// Those that are seen and whose settings have changed since the last changed hook began: their
        /// document has a later version than the disk.
        stale: IdSet<UnitId> = "stale", Bounds::sighted,
            Told::at(30).both([unsaid("nobody's settings have changed"), said("new settings of {}")]);
        /// In its memory: the units whose settings the hook that runs has read.
        read: IdSet<UnitId> = "read", Bounds::read,
            Told::at(40).both([unsaid("its hook has read nothing"), said("its hook has read of {}")])
                .in_mind();
        /// Those of them whose settings had been written since they entered.
        read_written: IdSet<UnitId> = "read-written", Bounds::read,
            Told::at(50).both([unsaid(""), said(" (new ones of {})")]).in_mind();
        /// In its memory: whether the hook that runs has written its unit's settings, which nobody else
        /// sees yet.
        wrote: bool = "wrote", |of, _| of.wrote(),
            Told::at(60).both([unsaid("its hook has written nothing"), said("its hook has written")])
                .in_mind();
    }
}

impl Sighting {
    /// Whether a hook has read or written anything.
    pub fn has_sandbox(&self) -> bool {
        !self.read.is_empty() || self.wrote
    }

    /// The hook is over.
    pub fn empty_sandbox(&mut self) {
        (self.read, self.read_written) = (IdSet::default(), IdSet::default());
        self.wrote = false;
    }

    /// Whether the agent has seen `unit` and not its departure.
    pub fn has_seen(&self, unit: UnitId) -> bool {
        self.seen.contains(unit)
    }

    /// The agent has seen `unit`.
    pub fn joined(&mut self, unit: UnitId) {
        self.seen.insert(unit);
        self.stale.remove(unit);
    }

    /// The agent has seen `unit` depart.
    pub fn departed(&mut self, unit: UnitId) {
        self.seen.remove(unit);
        self.stale.remove(unit);
        self.changed = self.changed.filter(|due| *due != unit);
    }
}
