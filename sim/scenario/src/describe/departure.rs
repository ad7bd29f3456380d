//! Departures as text: what a step changes that the world without details cannot.

use deathwatch_model::{check::Departure, world::World};

use super::differences;

/// The departure as a paragraph, its clauses divided by semicolons.
pub fn departure(world: &World, departure: &Departure) -> String {
    let outline = &world.outline();
    let Departure { before, after, nearest } = departure;
    let changes = differences(outline, before, after).join("; ");
    match nearest {
        Some((action, state)) => {
            let nearest = outline.show(action);
            let left = differences(outline, state, after).join("; ");
            format!(
                "without details no step does this: {changes}; the nearest one is \"{nearest}\", after \
                 which this is still to be done: {left}"
            )
        }
        None => format!("without details this is not so, and nothing makes it so: {changes}"),
    }
}
