//! What has happened to a unit in a relation.
//!
//! A stay of a unit is from its entering of a scope to its leaving it. Names do not tell one stay from the
//! next.

use super::{Event, history};
use crate::{
    action::Hook,
    ids::{IdSet, RelationId, UnitId},
    rows::{Bounds, Mark, Told, flag, said, unsaid},
    world::World,
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
        /// The units that have come back since such a stay ended, and whose joined hook has not begun again.
        not_rejoined: IdSet<UnitId> = "not-rejoined" of "relations" from ["joined", "not-departed"], Bounds::sighted,
            Told::at(30).both([
                unsaid("its charm knows of every return"),
                said("its charm does not know that {} came back"),
            ]);
        /// Whether its broken hook has begun since it entered, and is not retried.
        broken: bool = "broken-begun" of "relations" from [], |_, _| flag(true),
            Told::at(34).both([unsaid("its broken hook has not begun"), said("its broken hook has begun")]);
        /// Whether its broken hook has begun again in one stay.
        broken_again: bool = "broken-again" of "relations" from ["broken-begun"], |_, _| flag(true),
            Told::at(36).both([
                unsaid("its broken hook began once"),
                said("its broken hook began again"),
            ]);
        /// Whether it has left the scope by itself while its charm, which has a departed hook, knew of somebody.
        left_unparted: bool = "left-unparted" of "relations" from ["joined", "not-departed"], |_, _| flag(true),
            Told::at(40).both([
                unsaid("it parted from all before it left"),
                said("it left without parting from somebody"),
            ]);
    }
}

impl RelationHistory {
    /// Follows an event about another unit of the relation, or about a hook of this one.
    pub(super) fn follow(&mut self, event: Event) {
        match event {
            Event::HookBegins(_, Hook::Joined(other, _)) => {
                self.joined.insert(other);
                self.not_rejoined.remove(other);
            }
            Event::HookBegins(_, Hook::Departed(other, _)) => {
                self.joined.remove(other);
                self.not_departed.remove(other);
            }
            Event::Leaves(other, _) | Event::LeavesByItself(other, _) => {
                if self.joined.contains(other) {
                    self.joined.remove(other);
                    self.not_departed.insert(other);
                }
                self.not_rejoined.remove(other);
            }
            Event::HookBegins(_, Hook::Broken(_)) => {
                self.broken_again |= self.broken;
                self.broken = true;
            }
            Event::HookRetried(_) => self.broken = false,
            Event::Enters(other, _) => {
                if self.not_departed.contains(other) {
                    self.not_rejoined.insert(other);
                }
            }
            Event::HookBegins(..)
            | Event::UnitCreated(_)
            | Event::AgentDeployed(_)
            | Event::HookEnds(_)
            | Event::ResolutionAsked(_)
            | Event::HookResolved(_)
            | Event::CharmUpgraded(_)
            | Event::CharmForced(_)
            | Event::CharmInstalled(_)
            | Event::CharmWritten(_)
            | Event::UnitEnds(_)
            | Event::ConfigChanges(_)
            | Event::InstanceAsked(_)
            | Event::ErrorWritten(_)
            | Event::ErrorResolved(_)
            | Event::MachineRemoved(_) => {}
        }
    }
    /// Follows the unit itself, which leaves the scope and knows of nobody any more.
    pub(super) fn leave(&mut self, world: &World, event: Event) {
        let knows = !self.joined.is_empty() || !self.not_departed.is_empty();
        let parts = match event {
            Event::LeavesByItself(me, _) => !world.charm_of(me).has_named(Mark::Departed),
            _ => true,
        };
        let left_unparted = self.left_unparted || knows && !parts;
        *self = Self { left_unparted, broken_again: self.broken_again, ..Self::default() };
    }
}
