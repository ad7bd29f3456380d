//! Cleanup documents: the fields that are declared as such, and their names in scenarios.

use deathwatch_model::ids::EntityId;
use deathwatch_model::{ids::Id as _, rows::ShownValue, state::State, world::World};

use crate::describe;

/// The key of the list of cleanup documents.
pub const CLEANUPS: &str = "cleanups";

/// A cleanup document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cleanup {
    /// The place of its entity among all that there may be, in the order of the cleaner.
    rank: (u8, usize),
    /// Its name, before that of its entity.
    prefix: &'static str,
    pub entity: EntityId,
    pub field: &'static str,
}

impl Cleanup {
    /// Its name, as in "force unit wordpress/0".
    pub fn name(&self, world: &World) -> String {
        format!("{} {}", self.prefix, describe::bare_name(world, self.entity))
    }
}

/// All cleanup documents that are possible, each with whether it exists.
fn all(world: &World, state: &State) -> Vec<(Cleanup, bool)> {
    let mut all = Vec::new();
    for entity in EntityId::all(world) {
        let rank = match entity {
            EntityId::Relation(id) => (0, id.index()),
            EntityId::Application(id) => (1, id.index()),
            EntityId::Unit(id) => (2, id.index()),
            EntityId::Machine(id) => (3, id.index()),
        };
        state.entity_fields(entity, &mut |field, shown| {
            let Some(prefix) = field.texts.cleanup else { return };
            let exists = shown == Some(ShownValue::Flag(true));
            all.push((Cleanup { rank, prefix, entity, field: field.name }, exists));
        });
    }
    all.sort_unstable_by_key(|(cleanup, _)| *cleanup);
    all
}

/// The cleanup documents that exist in `state`, in the order of the cleaner.
pub fn cleanups(world: &World, state: &State) -> Vec<Cleanup> {
    let all = all(world, state).into_iter();
    all.filter_map(|(cleanup, exists)| exists.then_some(cleanup)).collect()
}

/// All cleanup documents that are possible.
pub(crate) fn every_cleanup(world: &World, state: &State) -> impl Iterator<Item = Cleanup> {
    all(world, state).into_iter().map(|(cleanup, _)| cleanup)
}

/// All cleanup documents that are possible, by name.
pub(super) fn known(world: &World, state: &State) -> Vec<(String, Cleanup)> {
    every_cleanup(world, state).map(|cleanup| (cleanup.name(world), cleanup)).collect()
}
