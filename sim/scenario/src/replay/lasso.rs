//! The loop of a script: whether its steps can be repeated for ever.
//!
//! A claim about what must follow is violated by a run that never ends, if that is fair. So such a
//! run is a script and a loop: steps that lead back to where they begin, and that keep nobody from
//! acting for ever who is assumed to act.

use deathwatch_model::{action::Action, state::State, world::World};

use super::Interpreter;
use crate::turns;

/// Why `steps` cannot be repeated for ever from `entry` on, which has the number `first`; nothing,
/// if they can.
pub(super) fn flaws(
    world: &World,
    (entry, first): (&State, usize),
    steps: &[Action],
) -> Vec<String> {
    let mut interpreter = Interpreter::new(world, entry.clone());
    let mut states = vec![entry.clone()];
    for step in steps {
        interpreter.step(*step, None);
        states.push(interpreter.state.clone());
    }
    if steps.is_empty() || interpreter.state != *entry {
        return vec!["the loop does not lead back to where it begins".to_owned()];
    }
    match turns::turns(world, &states, steps, first) {
        Ok(turns) => {
            let unfair = turns.into_iter().filter(|turn| !turn.is_fair);
            unfair.map(|it| format!("the loop is not fair: {} {}", it.actor, it.says)).collect()
        }
        Err(why) => vec![format!("the loop cannot be judged: {}", why.reason())],
    }
}

/// Whether `steps` can be repeated for ever from `entry` on.
pub fn is_lasso(world: &World, entry: &State, steps: &[Action]) -> bool {
    flaws(world, (entry, 0), steps).is_empty()
}
