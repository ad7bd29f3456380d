//! The calm after a run: who owes something goes on, in turn, until nobody can.
//!
//! The order is fixed: round after round, every actor does the first of what it can do, a few
//! times (a provisioner may have a thousand instances to start). Faults strike no more, the user gives no new command, and what the scenario does not assume is not
//! done. Where this ends, no fair run goes on; so what is still owed there stays owed on a fair
//! run, whatever other orders would have led to. What keeps moving beyond a bound has not settled,
//! and nothing is concluded from it.

use deathwatch_model::{
    action::{Act, Action, Actor},
    agents,
    state::State,
    world::World,
};

/// How often an actor may act in a round.
pub(super) const TURN: usize = 16;

/// How many steps a calm may take for each thing there may be.
const PATIENCE: usize = 100;

/// Those who can owe anything, in the order in which they take turns.
pub(super) fn actors(world: &World) -> Vec<Actor> {
    agents::actors(world).filter(|actor| *actor != Actor::Faults).collect()
}

/// After how many steps a calm is given up.
pub(super) fn patience(world: &World) -> usize {
    let things = [&world.machines.len(), &world.applications.len(), &world.units.len()];
    PATIENCE * (things.into_iter().sum::<usize>() + world.relations.len() + 1)
}

/// Whether somebody owes `action` in `state`.
pub(super) fn is_owed(world: &World, state: &State, action: &Action) -> bool {
    let assumed = &world.assumptions;
    match (action.actor, action.act) {
        (Actor::Faults | Actor::Client(_), _) => false,
        (Actor::User, act) => assumed.commands_finish && agents::goes_on_with(world, state, act),
        (Actor::Operator, Act::Resolve(_)) => assumed.hook_errors_are_resolved,
        (Actor::Operator, Act::Terminate(_)) => assumed.failed_hardware_is_terminated,
        (Actor::Operator, _) => assumed.agents_are_upgraded,
        (Actor::Supervisor, _) => assumed.crashed_agents_restart,
        (Actor::UnitAgent(_) | Actor::MachineAgent(_) | Actor::Provisioner | Actor::Cleaner, _) => {
            assumed.agents_act
        }
    }
}
