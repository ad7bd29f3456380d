//! What a unit's agent has seen of the other units in a relation: the detail `relations`
//! (D4:220-246), and with other fields the detail `workflow` (D5:45-70).
//!
//! It is kept by unit and relation, as sets of units, so a relation of a thousand units takes a bit for
//! each pair of them, and nothing for pairs that never meet.

use super::{
    bounds::Bounds,
    declare::row,
    field::{Told, said, unsaid},
    number::states,
    sets::Members,
    value::below,
};
use crate::ids::{IdSet, RelationId, UnitId};

row! {
    /// What a unit's agent has seen of the other units in a relation.
    Sighting of (RelationId, UnitId) [Default] {
        /// On its disk: the units that it has seen, whose departure it has not seen yet. With the older
        /// agent it is in its memory, unless the variant says otherwise.
        seen: IdSet<UnitId> = "seen", Bounds::sighted,
            Told::at(10).both([unsaid("nobody is seen"), said("{} seen")]);
        /// On its disk: the unit for which changed is the next hook of the relation, as joined has run.
        changed: Option<UnitId> = "changed-due", |of, _| if of.world.detail.relations { of.any_unit() } else { below(1) },
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
        /// In its memory: how the watch stands on the role nodes of the others.
        container: Container = "container-watch", |of, _| of.containers_watch(),
            Told::at(70).both([
                unsaid("it does not watch"),
                said("it watches"),
                said("its watch has fired"),
                said("what it watched is gone"),
                said("it has looked and does not watch"),
            ])
            .in_mind();
        /// In its memory: the units for which it has to run joined.
        joining: IdSet<UnitId> = "joining", watched,
            Told::at(72).both([unsaid("nobody joins"), said("{} joins")]).in_mind();
        /// In its memory: the units for which it has to run departed.
        leaving: IdSet<UnitId> = "leaving", watched,
            Told::at(74).both([unsaid("nobody departs"), said("{} departs")]).in_mind();
        /// In its memory: the units on whose settings it has set a watch.
        watched: IdSet<UnitId> = "settings-watched", watched,
            Told::at(76).both([unsaid("it watches no settings"), said("it watches settings of {}")])
                .in_mind();
        /// In its memory: the units whose settings have changed, as such a watch has told.
        fired: IdSet<UnitId> = "settings-fired", watched,
            Told::at(78).both([unsaid("no such watch has fired"), said("settings of {} have changed")])
                .in_mind();
        /// With its charm: the units for which joined has run, and not yet departed.
        told: IdSet<UnitId> = "told", watched,
            Told::at(80).both([unsaid("nobody has joined"), said("{} has joined")]);
    }
}

/// The units that the older agent can know of in a relation.
fn watched(of: &Bounds<'_>, key: (RelationId, UnitId)) -> Members {
    let none = || Members::ranges(std::iter::empty());
    if of.world.detail.workflow { of.sighted(key) } else { none() }
}

states! {
    /// The watch of the older agent on the role nodes of a relation's other units.
    Container {
        /// It is not set.
        Unwatched "unwatched";
        /// It is set.
        Watched "watched";
        /// It has fired, and is not set again.
        Fired "fired";
        /// It has told that the relation is gone.
        Gone "gone";
        /// It is about to be set: who is there has been read.
        Found "found";
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

    /// What is left of it without the watches of the older agent, and what they have told.
    #[must_use]
    pub fn without_watches(&self) -> Self {
        let told = |unit: &UnitId| self.told.contains(*unit);
        Self {
            seen: self.seen.clone(),
            stale: self.stale.iter().filter(told).collect(),
            told: self.told.clone(),
            ..Self::default()
        }
    }

    /// The older agent has seen `unit` depart.
    pub fn forget(&mut self, unit: UnitId) {
        for units in [
            &mut self.seen,
            &mut self.stale,
            &mut self.joining,
            &mut self.leaving,
            &mut self.watched,
            &mut self.fired,
            &mut self.told,
        ] {
            units.remove(unit);
        }
    }

    /// The units that it names.
    pub fn named(&self) -> IdSet<UnitId> {
        if self.container == Container::Unwatched && self.told.is_empty() {
            return self.seen.clone(); // which contains the stale ones
        }
        // Most are in most of these sets, and whole words of them are compared.
        let Self { seen, stale, joining, leaving, watched, fired, told, .. } = self;
        let all = [seen, stale, joining, leaving, watched, fired, told];
        let mut named = all.into_iter().max_by_key(|units| units.len()).unwrap_or(seen).clone();
        for units in all {
            let others: Vec<UnitId> = units.outside(&named).collect();
            for unit in others {
                named.insert(unit);
            }
        }
        named
    }

    /// The agent has seen `unit` depart.
    pub fn departed(&mut self, unit: UnitId) {
        self.seen.remove(unit);
        self.stale.remove(unit);
        self.changed = self.changed.filter(|due| *due != unit);
    }
}
