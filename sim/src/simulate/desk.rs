//! The desk of a task: the documents that it has yet to look at.
//!
//! Provisioner and cleaner look after everything of their kind, one thing at a time. What their
//! watchers tell them of lies on their desk until they get to it, each document once.

use deathwatch_model::{claims::EntityId, ids::Id, world::World};

use crate::dice::Dice;

/// What a task has yet to look at.
#[derive(Debug)]
pub(super) struct Desk {
    waiting: Vec<EntityId>,
    /// By kind and index: whether it lies on the desk.
    lies: [Vec<bool>; 4],
    /// The task does nothing before this time.
    pub(super) away_until: u64,
}

impl Desk {
    /// An empty desk.
    pub(super) fn new(world: &World) -> Self {
        let lies = [
            world.machines.len(),
            world.applications.len(),
            world.units.len(),
            world.relations.len(),
        ];
        Self { waiting: Vec::new(), lies: lies.map(|len| vec![false; len]), away_until: 0 }
    }

    /// Puts `subject` on the desk, unless it lies there.
    pub(super) fn put(&mut self, subject: EntityId) {
        let lies = self.place(subject);
        if !std::mem::replace(lies, true) {
            self.waiting.push(subject);
        }
    }

    /// Takes any document from the desk.
    pub(super) fn take(&mut self, dice: &mut Dice) -> Option<EntityId> {
        if self.waiting.is_empty() {
            return None;
        }
        let subject = self.waiting.swap_remove(dice.index(self.waiting.len()));
        *self.place(subject) = false;
        Some(subject)
    }

    /// Whether `subject` lies on the desk.
    pub(super) fn has(&mut self, subject: EntityId) -> bool {
        *self.place(subject)
    }

    fn place(&mut self, subject: EntityId) -> &mut bool {
        match subject {
            EntityId::Machine(id) => &mut self.lies[0][id.index()],
            EntityId::Application(id) => &mut self.lies[1][id.index()],
            EntityId::Unit(id) => &mut self.lies[2][id.index()],
            EntityId::Relation(id) => &mut self.lies[3][id.index()],
        }
    }
}
