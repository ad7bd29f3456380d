//! What has happened to a unit in a relation.
//!
//! A stay of a unit is from its entering of a scope to its leaving it. Names do not tell one stay from the
//! next.

use super::{Event, history};
use crate::{
    action::Hook,
    ids::{IdSet, RelationId, UnitId},
    rows::{Bounds, Told, flag, said, unsaid},
};

history! {
    /// What has happened to a unit in a relation.
    RelationHistory of (RelationId, UnitId) {
        /// The units whose present stay its charm knows of: their joined hook has begun since they entered.
        joined: IdSet<UnitId> = "joined" of "relations" from [], Bounds::sighted,
            Told::at(10).both([unsaid("its charm knows of nobody"), said("its charm knows of {}")]);
        /// The units of which its charm knows a stay that has ended, and of which no departed hook has begun
        /// since.
        not_departed: IdSet<UnitId> = "not-departed" of "relations" from ["joined"], Bounds::sighted,
            Told::at(20).both([
                unsaid("its charm knows of every departure"),
                said("its charm does not know that {} left"),
            ]);
        /// The units whose settings have changed since the last changed hook about them began, of those that its
        /// charm knows of.
        unheard: IdSet<UnitId> = "unheard" of "relations" from ["joined"], Bounds::sighted,
            Told::at(30).both([
                unsaid("its charm has heard of all changes"),
                said("its charm has not heard of the newest settings of {}"),
            ]);
        /// The units whose settings the hook that runs was given.
        given: IdSet<UnitId> = "given" of "settings" from [], Bounds::read,
            Told::at(40).both([unsaid("its hook was given nothing"), said("its hook was given settings of {}")]);
        /// Whether its hook has written what is not in the store.
        buffered: bool = "buffered" of "settings" from [], |_, _| flag(true),
            Told::at(50).both([unsaid("nothing is written that is not there"), said("its hook's writes are not there")]);
        /// Whether a hook that counts as run has.
        writes_missing: bool = "writes-missing" of "settings" from ["buffered"], |_, _| flag(true),
            Told::at(52).both([
                unsaid("what hooks wrote that have run is there"),
                said("the writes of a hook that has run are not there"),
            ]);
    }
}

impl RelationHistory {
    /// Follows an event about this unit's settings in the relation, or about a hook of it, whichever that is.
    pub(super) fn follow_hook(&mut self, event: Event) {
        match event {
            Event::HookBegins(..) | Event::HookFails(_) => {
                self.given = IdSet::default();
                self.buffered = false;
            }
            Event::HookReads(_, other, _) => self.given.insert(other),
            Event::HookWrites(..) => self.buffered = true,
            Event::SettingsChange(..) | Event::Deployed(_) => {
                (self.buffered, self.writes_missing) = (false, false);
            }
            Event::HookSucceeds(_) => {
                self.given = IdSet::default();
                self.writes_missing |= std::mem::take(&mut self.buffered);
            }
            Event::Leaves(..)
            | Event::Enters(..)
            | Event::UnitCreated(_)
            | Event::ConfigChanges(_)
            | Event::InstanceAsked(_)
            | Event::ErrorWritten(_)
            | Event::ErrorResolved(_)
            | Event::MachineRemoved(_) => {}
        }
    }

    /// Follows an event about another unit of the relation, or about a hook of this one.
    pub(super) fn follow(&mut self, event: Event) {
        match event {
            Event::HookBegins(_, Hook::Joined(other, _)) => self.joined.insert(other),
            Event::HookBegins(_, Hook::Departed(other, _)) => {
                self.joined.remove(other);
                self.not_departed.remove(other);
                self.unheard.remove(other);
            }
            Event::HookBegins(_, Hook::Changed(other, _)) => self.unheard.remove(other),
            Event::SettingsChange(other, _) if self.joined.contains(other) => {
                self.unheard.insert(other);
            }
            Event::Leaves(other, _) if self.joined.contains(other) => {
                self.joined.remove(other);
                self.not_departed.insert(other);
                self.unheard.remove(other);
            }
            Event::HookBegins(..)
            | Event::HookSucceeds(_)
            | Event::HookFails(_)
            | Event::HookReads(..)
            | Event::HookWrites(..)
            | Event::SettingsChange(..)
            | Event::Deployed(_)
            | Event::Leaves(..)
            | Event::Enters(..)
            | Event::UnitCreated(_)
            | Event::ConfigChanges(_)
            | Event::InstanceAsked(_)
            | Event::ErrorWritten(_)
            | Event::ErrorResolved(_)
            | Event::MachineRemoved(_) => {}
        }
    }
}
