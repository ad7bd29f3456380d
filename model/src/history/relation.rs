//! What has happened to a unit in a relation.
//!
//! A stay of a unit is from its entering of a scope to its leaving it. Names do not tell one stay from the
//! next.

use super::{Event, history};
use crate::{
    action::Hook,
    ids::{IdSet, RelationId, UnitId},
    rows::{Bounds, Told, said, unsaid},
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
    }
}

impl RelationHistory {
    /// Follows an event about another unit of the relation, or about a hook of this one.
    pub(super) fn follow(&mut self, event: Event) {
        match event {
            Event::HookBegins(_, Hook::Joined(other, _)) => self.joined.insert(other),
            Event::HookBegins(_, Hook::Departed(other, _)) => {
                self.joined.remove(other);
                self.not_departed.remove(other);
            }
            Event::Leaves(other, _) if self.joined.contains(other) => {
                self.joined.remove(other);
                self.not_departed.insert(other);
            }
            Event::HookBegins(..)
            | Event::Leaves(..)
            | Event::Enters(..)
            | Event::UnitCreated(_)
            | Event::ConfigChanges(_)
            | Event::InstanceAsked(_)
            | Event::InstanceRuns(_)
            | Event::InstanceNamed(_)
            | Event::InstanceEnds(_)
            | Event::InstancesEnd(_)
            | Event::ErrorWritten(_)
            | Event::ErrorResolved(_)
            | Event::MachineRemoved(_) => {}
        }
    }
}
