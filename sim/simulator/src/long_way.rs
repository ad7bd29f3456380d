//! The long way: what debug builds of small worlds compare short cuts with.

use deathwatch_model::world::World;

/// The number of units and machines up to which a world is small.
const SMALL: usize = 24;

/// Whether a debug build compares short cuts with the long way in `world` after each step.
pub fn is_taken(world: &World) -> bool {
    world.units.len() + world.machines.len() <= SMALL
}
