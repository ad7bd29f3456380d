//! The work queue of a manager task: the documents that it has yet to check.
//!
//! Provisioner and cleaner handle one document at a time. A document that their watchers report
//! waits in the queue, once, until the task takes it.

use deathwatch_model::ids::EntityId;
use deathwatch_model::{ids::Id, world::World};

use crate::dice::Dice;

/// The documents that a task has yet to check.
#[derive(Debug)]
pub(crate) struct WorkQueue {
    waiting: Vec<EntityId>,
    /// By kind and index: whether the document is in the queue.
    is_queued: [Vec<bool>; 4],
    /// The virtual time, in milliseconds, before which the task does nothing.
    pub(crate) away_until: u64,
}

impl WorkQueue {
    /// An empty queue.
    pub(crate) fn new(world: &World) -> Self {
        let sizes = [
            world.machines.len(),
            world.applications.len(),
            world.units.len(),
            world.relations.len(),
        ];
        let is_queued = sizes.map(|len| vec![false; len]);
        Self { waiting: Vec::new(), is_queued, away_until: 0 }
    }

    /// Adds `subject`, unless it is in the queue already.
    pub(crate) fn push(&mut self, subject: EntityId) {
        if !std::mem::replace(self.flag(subject), true) {
            self.waiting.push(subject);
        }
    }

    /// Takes any document out of the queue.
    pub(crate) fn take_any(&mut self, dice: &mut Dice) -> Option<EntityId> {
        if self.waiting.is_empty() {
            return None;
        }
        let subject = self.waiting.swap_remove(dice.index(self.waiting.len()));
        *self.flag(subject) = false;
        Some(subject)
    }

    /// Whether `subject` is in the queue.
    pub(crate) fn contains(&mut self, subject: EntityId) -> bool {
        *self.flag(subject)
    }

    fn flag(&mut self, subject: EntityId) -> &mut bool {
        match subject {
            EntityId::Machine(id) => &mut self.is_queued[0][id.index()],
            EntityId::Application(id) => &mut self.is_queued[1][id.index()],
            EntityId::Unit(id) => &mut self.is_queued[2][id.index()],
            EntityId::Relation(id) => &mut self.is_queued[3][id.index()],
        }
    }
}
