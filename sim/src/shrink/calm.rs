//! The calm after a run: who owes something goes on, in turn, until nobody can.
//!
//! The order is fixed: round after round, everybody does the first of what they can do about each
//! thing that they look after, a few times. Faults strike no more, the user gives no new command,
//! and what the scenario does not assume is not done. Where this ends, no fair run goes on; so what
//! is still owed there stays owed on a fair run, whatever other orders would have led to. What
//! keeps moving beyond a bound has not settled, and nothing is concluded from it.
//!
//! A run of a simulation has had a calm of its own. Its steps are steps of the run, so it ends as
//! it did; they are left out wherever this calm leads to the same.

use deathwatch_model::{
    agents::{self, Task},
    world::World,
};

/// How often an actor may act about one thing in a round.
pub(super) const TURN: usize = 16;

/// How many steps a calm may take for each thing there may be.
const PATIENCE: usize = 100;

/// What those who owe anything look at, in the order in which they take turns.
pub(super) fn tasks(world: &World) -> Vec<Task> {
    let tasks = agents::actors(world).flat_map(|actor| agents::tasks(world, actor));
    tasks.filter(|task| task.is_owed(world)).collect()
}

/// After how many steps a calm is given up.
pub(super) fn patience(world: &World) -> usize {
    let things = [&world.machines.len(), &world.applications.len(), &world.units.len()];
    PATIENCE * (things.into_iter().sum::<usize>() + world.relations.len() + 1)
}
