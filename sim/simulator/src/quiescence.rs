//! Quiescence: tasks take turns until none of them can move.
//!
//! Round after round, each task does its first enabled action, up to `ACTIONS_A_ROUND` times. No
//! fault is injected and the user gives no new command. The order is fixed, so the same state
//! always leads to the same steps. Where this ends, no task can move. A bound on the steps ends
//! what goes round for ever.

use std::collections::BTreeMap;

use deathwatch_model::{action::Action, agents::Task, world::World};

/// The number of actions that a task may do in a round.
const ACTIONS_A_ROUND: usize = 16;

/// The bound on the steps towards a quiescent state, for each entity that there may be.
const STEPS_AN_ENTITY: usize = 100;

/// The number of actions that say what keeps moving.
const TOLD: usize = 3;

/// The bound came before all tasks were quiescent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBound;

/// Lets `tasks` take turns until none of them can move. `act` does the first enabled action of a
/// task, and says whether there was one.
///
/// # Errors
/// If the tasks have done more than `bound` steps.
pub fn take_turns(
    tasks: &[Task],
    bound: usize,
    mut act: impl FnMut(Task) -> bool,
) -> Result<(), OutOfBound> {
    let mut steps = 0;
    loop {
        let before = steps;
        for task in tasks {
            steps += (0..ACTIONS_A_ROUND).take_while(|_| act(*task)).count();
        }
        if steps == before {
            return Ok(());
        }
        if steps > bound {
            return Err(OutOfBound);
        }
    }
}

/// The number of steps after which a world that is not quiescent is given up.
pub fn bound(world: &World) -> usize {
    let entities = [world.machines.len(), world.applications.len(), world.units.len()];
    STEPS_AN_ENTITY * (entities.into_iter().sum::<usize>() + world.relations.len() + 1)
}

/// The actions that there are most of among the `recent` ones, as text.
pub fn what_moves<'a>(world: &World, recent: impl Iterator<Item = &'a Action>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for action in recent {
        *counts.entry(world.show(action)).or_default() += 1;
    }
    let mut most: Vec<(usize, String)> =
        counts.into_iter().map(|(action, count)| (count, action)).collect();
    most.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let most: Vec<String> = most.into_iter().take(TOLD).map(|(_, action)| action).collect();
    most.join("; ")
}
