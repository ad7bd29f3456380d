//! Sightings: the units of a relation as another unit's agent has seen them. They exist in worlds
//! with the detail `relations` (D4:220-246), and with other fields with `workflow` (D5:45-70).
//!
//! There is a row for each unit and relation, made of sets of units. So a relation of a thousand
//! units takes a bit for each pair of them, and nothing for pairs that never meet.

use super::{
    bounds::WorldBounds,
    declare::row,
    field::{FieldText, hidden, shown},
    number::states,
    sets::Members,
    slot::below,
};
use crate::{
    ids::{IdSet, RelationId, UnitId},
    variants::MembersKnown,
};

row! {
    /// A unit's agent's knowledge of the other units in a relation.
    Sighting of (RelationId, UnitId) [Default] {
        /// On its disk: the units that it has seen, whose departure it has not seen yet. With the
        /// older agent it is in its memory, unless the variant says otherwise.
        seen: IdSet<UnitId> = "seen", WorldBounds::sighted,
            FieldText::at(10).note().both([hidden("nobody is seen"), shown("{} seen")]);
        /// On its disk: the unit for which changed is the next hook of the relation, as joined has
        /// run.
        changed: Option<UnitId> = "changed-due", |of, _| if of.world.detail.relations { of.any_unit() } else { below(1) },
            FieldText::at(20).note().both([hidden("nobody has just joined"), shown("{} has just joined")]);
        /// The units that are seen and whose settings have changed since the last changed hook
        /// began: their document has a later version than the disk.
        stale: IdSet<UnitId> = "stale", WorldBounds::sighted,
            FieldText::at(30).note().both([hidden("nobody's settings have changed"), shown("new settings of {}")]);
        /// The units that are seen, or whose joined hook is under way, and whose scope document of
        /// then is gone.
        left: IdSet<UnitId> = "left", stays,
            FieldText::at(35).note().both([hidden("nobody's stay has ended"), shown("the stay of {} has ended")]);
        /// On its disk: the units that it has seen depart, whose settings its hooks can still read.
        remembered: IdSet<UnitId> = "remembered", WorldBounds::remembered,
            FieldText::at(35).note().both([hidden("nobody's settings are kept in mind"), shown("settings of {} are kept in mind")]);
        /// In its memory: the units whose settings the hook that runs has read, perhaps its own.
        read: IdSet<UnitId> = "read", WorldBounds::read,
            FieldText::at(40).note().both([hidden("its hook has read nothing"), shown("its hook has read of {}")])
                .private();
        /// The units of `read` whose settings have changed since.
        read_old: IdSet<UnitId> = "read-old", WorldBounds::read,
            FieldText::at(50).note().both([hidden(""), shown(" (which {} has changed since)")]).private();
        /// The units of which one value was read before a change, and another after it.
        read_mixed: IdSet<UnitId> = "read-mixed", WorldBounds::mixed,
            FieldText::at(52).note().both([hidden(""), shown(" (some before and some after {} changed them)")])
                .private();
        /// In its memory, or with the record of the hook on its disk: whether its hook has written
        /// its unit's settings, which nobody else sees yet. Of several values nobody ever sees any
        /// but the last, so it does not say how often.
        wrote: bool = "wrote", WorldBounds::wrote,
            FieldText::at(60).note().both([hidden("its hook has written nothing"), shown("its hook has written")])
                .private();
        /// In its memory: how the watch stands on the role nodes of the others.
        container: Container = "container-watch", |of, _| of.containers_watch(),
            FieldText::at(70).note().both([
                hidden("it does not watch"),
                shown("it watches"),
                shown("its watch has fired"),
                shown("what it watched is gone"),
                shown("it has looked and does not watch"),
            ])
            .private();
        /// In its memory: the units for which it has to run joined.
        joining: IdSet<UnitId> = "joining", watched,
            FieldText::at(72).note().both([hidden("nobody joins"), shown("{} joins")]).private();
        /// In its memory: the units for which it has to run departed.
        leaving: IdSet<UnitId> = "leaving", watched,
            FieldText::at(74).note().both([hidden("nobody departs"), shown("{} departs")]).private();
        /// In its memory: the units on whose settings it has set a watch.
        watched: IdSet<UnitId> = "settings-watched", watched,
            FieldText::at(76).note().both([hidden("it watches no settings"), shown("it watches settings of {}")])
                .private();
        /// In its memory: the units whose settings have changed, as such a watch has told.
        fired: IdSet<UnitId> = "settings-fired", watched,
            FieldText::at(78).note().both([hidden("no such watch has fired"), shown("settings of {} have changed")])
                .private();
        /// With its charm: the units for which joined has run, and not yet departed.
        told: IdSet<UnitId> = "told", watched,
            FieldText::at(80).note().both([hidden("nobody has joined"), shown("{} has joined")]);
    }
}

/// The units whose stays an agent can distinguish in a relation.
fn stays(of: &WorldBounds<'_>, key: (RelationId, UnitId)) -> Members {
    let tells =
        of.world.detail.relations && of.world.variants.members_known == MembersKnown::ByStay;
    if tells { of.sighted(key) } else { Members::ranges(std::iter::empty()) }
}

/// The units that the older agent can know of in a relation.
fn watched(of: &WorldBounds<'_>, key: (RelationId, UnitId)) -> Members {
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

    /// Forgets the reads of a hook that is over; its writes may still have to go to the store.
    pub fn forget_reads(&mut self) {
        self.read = IdSet::default();
        self.read_old = IdSet::default();
        self.read_mixed = IdSet::default();
    }

    /// Forgets the settings of a unit whose number a new one has taken.
    pub fn forget_settings(&mut self, unit: UnitId) {
        for units in
            [&mut self.remembered, &mut self.read, &mut self.read_old, &mut self.read_mixed]
        {
            units.remove(unit);
        }
    }

    /// Whether the agent has seen `unit` and not its departure.
    pub fn has_seen(&self, unit: UnitId) -> bool {
        self.seen.contains(unit)
    }

    /// Notes that the agent has seen `unit`.
    pub fn joined(&mut self, unit: UnitId) {
        self.seen.insert(unit);
        self.stale.remove(unit);
        self.remembered.remove(unit);
    }

    /// The sighting without the watches of the older agent, and without their pending events.
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

    /// Notes that the older agent has seen `unit` depart.
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

    pub fn named(&self) -> IdSet<UnitId> {
        if self.container == Container::Unwatched && self.told.is_empty() && self.left.is_empty() {
            return self.seen.clone(); // which contains the stale ones
        }
        // Most members are in most of these sets, and comparing takes whole words of them.
        let Self { seen, stale, left, joining, leaving, watched, fired, told, .. } = self;
        let all = [seen, stale, left, joining, leaving, watched, fired, told];
        let mut named = all.into_iter().max_by_key(|units| units.len()).unwrap_or(seen).clone();
        for units in all {
            let others: Vec<UnitId> = units.outside(&named).collect();
            for unit in others {
                named.insert(unit);
            }
        }
        named
    }

    /// Notes that the agent has seen `unit` depart.
    pub fn departed(&mut self, unit: UnitId) {
        self.seen.remove(unit);
        self.stale.remove(unit);
        self.left.remove(unit);
        self.changed = self.changed.filter(|due| *due != unit);
    }
}
