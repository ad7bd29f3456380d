//! The history of a unit in a relation.
//!
//! A stay of a unit is from its entering of a scope to its leaving it. Names do not tell one stay
//! from the next.

use super::{Event, history};
use crate::{
    action::{Hook, HookKind},
    ids::{IdSet, RelationId, UnitId},
    rows::{FieldText, WorldBounds, flag, hidden, shown},
    world::World,
};

history! {
    /// The history of a unit in a relation.
    RelationHistory of (RelationId, UnitId) as Relation {
        /// The units whose present stay its charm knows of: their joined hook has begun since they
        /// entered.
        joined: IdSet<UnitId> = "joined" of "relations" from [], WorldBounds::sighted,
            FieldText::at(10).both([hidden("its charm knows of nobody"), shown("its charm knows of {}")]);
        /// The units of which its charm knows a stay that has ended, perhaps before their joined
        /// hook began, and of which no departed hook has begun since.
        not_departed: IdSet<UnitId> = "not-departed" of "relations" from ["joined"], WorldBounds::sighted,
            FieldText::at(20).both([
                hidden("its charm knows of every departure"),
                shown("its charm does not know that {} left"),
            ]);
        /// The units that have come back since such a stay ended, and whose joined hook has not
        /// begun again.
        not_rejoined: IdSet<UnitId> = "not-rejoined" of "relations" from ["joined", "not-departed"], WorldBounds::sighted,
            FieldText::at(30).both([
                hidden("its charm knows of every return"),
                shown("its charm does not know that {} came back"),
            ]);
        /// Whether its broken hook has begun since it entered, and is not retried.
        broken: bool = "broken-begun" of "relations" from [], |_, _| flag(true),
            FieldText::at(34).both([hidden("its broken hook has not begun"), shown("its broken hook has begun")]);
        /// Whether its broken hook has begun again in one stay.
        broken_again: bool = "broken-again" of "relations" from ["broken-begun"], |_, _| flag(true),
            FieldText::at(36).both([
                hidden("its broken hook began once"),
                shown("its broken hook began again"),
            ]);
        /// Whether it has left the scope by itself while its charm, which has a departed hook, knew
        /// of somebody.
        left_unparted: bool = "left-unparted" of "relations" from ["joined", "not-departed"], |_, _| flag(true),
            FieldText::at(40).both([
                hidden("it parted from all before it left"),
                shown("it left without parting from somebody"),
            ]);
        /// The units whose settings have changed since the last changed hook about them began, of
        /// those that its charm knows of.
        unheard: IdSet<UnitId> = "unheard" of "relations" from ["joined"], WorldBounds::sighted,
            FieldText::at(30).both([
                hidden("its charm has heard of all changes"),
                shown("its charm has not heard of the newest settings of {}"),
            ]);
        /// The units whose settings the hook that runs was given.
        given: IdSet<UnitId> = "given" of "settings" from [], WorldBounds::read,
            FieldText::at(40).both([hidden("its hook was given nothing"), shown("its hook was given settings of {}")]);
        /// Whether its hook has written what is not in the store.
        buffered: bool = "buffered" of "settings" from [], |_, _| flag(true),
            FieldText::at(50).both([hidden("nothing is written that is not there"), shown("its hook's writes are not there")]);
        /// Whether a hook that counts as run has.
        writes_missing: bool = "writes-missing" of "settings" from ["buffered"], |_, _| flag(true),
            FieldText::at(52).both([
                hidden("what hooks wrote that have run is there"),
                shown("the writes of a hook that has run are not there"),
            ]);
        /// Whether a hook that has succeeded has written what is not in the store.
        unsent: bool = "writes-unsent" of "workflow" from [], |_, _| flag(true),
            FieldText::at(90).both([
                hidden("what its hooks wrote is there"),
                shown("what a hook wrote that has succeeded is not there"),
            ]);
        /// The units that the joined hook at hand is for and that have not entered since it began.
        telling: IdSet<UnitId> = "telling" of "workflow" from [], WorldBounds::sighted,
            FieldText::at(95).both([hidden("its charm is told of nobody"), shown("its charm is being told of {}")]);
        /// The units that the joined hook at hand is for and that have left since it began.
        telling_left: IdSet<UnitId> = "telling-left" of "workflow" from ["telling"], WorldBounds::sighted,
            FieldText::at(97).both([hidden("it is told of nobody who left"), shown("{} left meanwhile")]);
        /// The units of whose last stay the charm has been told, and of no end: their joined hook
        /// has begun since they entered last and succeeded, and no departed hook has succeeded
        /// since.
        told_stays: IdSet<UnitId> = "told-stays" of "workflow" from ["telling"], WorldBounds::sighted,
            FieldText::at(100).both([hidden("its charm was told of nobody"), shown("its charm was told of {}")]);
        /// The units of which the charm has been told a stay that has ended, perhaps before its
        /// joined hook did, and no departed hook has succeeded since.
        told_and_left: IdSet<UnitId> = "told-and-left" of "workflow" from ["telling-left", "told-stays"],
            WorldBounds::sighted,
            FieldText::at(110).both([
                hidden("its charm was told of every departure"),
                shown("its charm was not told that {} left"),
            ]);
        /// Whether the last joined hook that began is for a stay of which the charm had been told.
        joined_again: bool = "joined-again" of "workflow" from ["told-stays"], |_, _| flag(true),
            FieldText::at(120).both([hidden(""), shown("joined runs again")]);
        /// Whether the last departed hook that began is for a unit of which the charm had not been
        /// told.
        departed_untold: bool = "departed-untold" of "workflow" from ["told-stays", "told-and-left"],
            |_, _| flag(true),
            FieldText::at(130).both([hidden(""), shown("departed runs for a stranger")]);
        /// The units that the hook at hand is about, while what the hook has read of them as it
        /// began is the newest.
        reads: IdSet<UnitId> = "reads" of "workflow" from [], WorldBounds::sighted,
            FieldText::at(140).both([hidden("its hook has read nothing new"), shown("its hook has read of {}")]);
        /// The units of whose stay the charm had been told, or was being told, when their settings
        /// changed, which no hook has read since that has succeeded.
        unread: IdSet<UnitId> = "unread" of "workflow" from ["reads", "told-stays"], WorldBounds::sighted,
            FieldText::at(150).both([hidden("it has read all settings"), shown("it has not read what {} wrote")]);
    }
}

impl RelationHistory {
    /// Whether it may change when another unit enters, leaves or has new settings.
    pub(super) fn concerns(&self, world: &World, other: UnitId) -> bool {
        let known = [&self.joined, &self.not_departed, &self.not_rejoined];
        // An older agent reads the settings even of units that its charm does not know.
        world.detail.workflow || known.iter().any(|units| units.contains(other))
    }

    /// Whether `follow_hook` may change something.
    pub(super) fn is_concerned(&self, event: Event) -> bool {
        let is_used = !self.given.is_empty() || self.buffered || self.writes_missing;
        is_used || matches!(event, Event::HookReads(..) | Event::HookWrites(..))
    }

    /// Follows an event about this unit's settings in the relation, or about any hook of the unit.
    pub(super) fn follow_hook(&mut self, event: Event) {
        match event {
            Event::HookBegins(..) | Event::HookFails(_) => {
                self.given = IdSet::default();
                self.buffered = false;
            }
            Event::HookReads(_, other, _) => self.given.insert(other),
            Event::HookWrites(..) => self.buffered = true,
            Event::SettingsChange(..) | Event::AgentDeployed(_) => {
                (self.buffered, self.writes_missing) = (false, false);
            }
            Event::HookSucceeds(..) => {
                self.given = IdSet::default();
                self.writes_missing |= std::mem::take(&mut self.buffered);
            }
            _ => {}
        }
    }

    /// Follows an event about this unit's settings, which its older agent sends to the store.
    pub(super) fn follow_sent(&mut self, event: Event) {
        match event {
            Event::HookWrites(..) => self.unsent = true,
            Event::SettingsChange(..) => self.unsent = false,
            _ => {}
        }
    }

    /// Follows an event about another unit of the relation, or about a hook of this one.
    pub(super) fn follow(&mut self, world: &World, event: Event) {
        if world.detail.workflow {
            return self.follow_told(event);
        }
        match event {
            Event::HookBegins(_, Hook::Joined(other, _)) => {
                self.joined.insert(other);
                self.not_rejoined.remove(other);
            }
            Event::HookIsLate(_, other, _) => {
                self.joined.remove(other);
                self.not_departed.insert(other);
            }
            Event::HookBegins(_, Hook::Departed(other, _)) => {
                self.joined.remove(other);
                self.not_departed.remove(other);
                self.unheard.remove(other);
            }
            Event::HookBegins(_, Hook::Changed(other, _)) => self.unheard.remove(other),
            Event::SettingsChange(other, _) if self.joined.contains(other) => {
                self.unheard.insert(other);
            }
            Event::Leaves(other, _) | Event::LeavesByItself(other, _) => {
                if self.joined.contains(other) {
                    self.joined.remove(other);
                    self.not_departed.insert(other);
                    self.unheard.remove(other);
                }
                self.not_rejoined.remove(other);
            }
            Event::HookBegins(_, Hook::Broken(_)) => {
                self.broken_again |= self.broken;
                self.broken = true;
            }
            Event::HookRetried(_) => self.broken = false,
            Event::Enters(other, _) if self.not_departed.contains(other) => {
                self.not_rejoined.insert(other);
            }
            _ => {}
        }
    }

    /// Follows the end of the unit's own stay, after which its charm knows no other unit. An older
    /// agent watches on, so its charm still knows the units that it was told about.
    pub(super) fn leave(&mut self, world: &World, event: Event) {
        if world.detail.workflow {
            return;
        }
        let knows = !self.joined.is_empty() || !self.not_departed.is_empty();
        let parts = match event {
            Event::LeavesByItself(me, _) => !world.charm_of(me).has(HookKind::Departed),
            _ => true,
        };
        let left_unparted = self.left_unparted || knows && !parts;
        *self = Self { left_unparted, broken_again: self.broken_again, ..Self::default() };
    }

    /// Follows an event in the fields about the news that hooks which succeeded gave the charm.
    fn follow_told(&mut self, event: Event) {
        match event {
            Event::HookBegins(_, hook) => {
                if let Hook::Joined(other, _) = hook {
                    self.joined_again = self.told_stays.contains(other);
                }
                if let Hook::Departed(other, _) = hook {
                    let is_told = |units: &IdSet<UnitId>| units.contains(other);
                    self.departed_untold =
                        !is_told(&self.told_stays) && !is_told(&self.told_and_left);
                }
                self.no_hook_runs();
                if let Hook::Joined(other, _) | Hook::Changed(other, _) = hook {
                    self.reads.insert(other);
                }
                if let Hook::Joined(other, _) = hook {
                    self.telling.insert(other);
                }
            }
            Event::HookCutShort(..) => self.no_hook_runs(),
            Event::HookIsFor(_, other, _) => {
                self.joined_again |= self.told_stays.contains(other);
                self.reads.insert(other);
                self.telling.insert(other);
            }
            Event::HookSucceeds(_, hook) => {
                if let Hook::Joined(other, _) = hook {
                    // Its charm was told about the unit, even if that has left meanwhile.
                    if self.telling.contains(other) {
                        self.told_stays.insert(other);
                    }
                    if self.telling_left.contains(other) {
                        self.told_and_left.insert(other);
                    }
                    self.telling.remove(other);
                    self.telling_left.remove(other);
                }
                if let Hook::Joined(other, _) | Hook::Changed(other, _) = hook
                    && self.reads.contains(other)
                {
                    self.unread.remove(other);
                    self.reads.remove(other);
                }
                if let Hook::Departed(other, _) = hook {
                    self.told_and_left.remove(other);
                    self.told_stays.remove(other);
                    self.unread.remove(other);
                }
                if let Hook::Broken(_) = hook {
                    *self = Self::default();
                }
            }
            Event::SettingsChange(other, _) => {
                self.reads.remove(other);
                if self.told_stays.contains(other) || self.telling.contains(other) {
                    self.unread.insert(other);
                }
            }
            Event::Leaves(other, _) | Event::LeavesByItself(other, _) => {
                if self.told_stays.contains(other) {
                    self.told_and_left.insert(other);
                }
                if self.telling.contains(other) {
                    self.telling_left.insert(other);
                }
                self.unread.remove(other);
            }
            Event::Enters(other, _) => {
                self.telling.remove(other);
                self.told_stays.remove(other);
            }
            Event::AgentDeployed(_) => *self = Self::default(),
            _ => {}
        }
    }

    /// Forgets the fields about the current hook.
    fn no_hook_runs(&mut self) {
        self.reads = IdSet::default();
        (self.telling, self.telling_left) = (IdSet::default(), IdSet::default());
    }
}
