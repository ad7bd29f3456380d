//! Long runs as text: the steps of a slice, each with its number, and how many others lie between.

use std::{collections::BTreeSet, fmt::Write as _};

use deathwatch_model::{action::Action, clause::Clause, state::State, world::World};
use deathwatch_scenario::replay::RecordedRun;
use deathwatch_show::text::{number, thousands};
use deathwatch_study::recording::Slice;

/// The steps of a slice, of a run with these actions from a state on; `before` is the number of
/// steps before that. Also returns the clauses that the run carries out.
pub(super) fn text(
    (world, start): (&World, &State),
    (actions, before): (&[Action], usize),
    slice: &Slice,
) -> (String, BTreeSet<Clause>) {
    let mut run = RecordedRun::new(world, start.clone());
    let width = actions.len().to_string().len();
    let mut others = 0;
    let mut text = format!(
        "of {} steps those that change something of what holds the end, or a life of\n\
         what waits for it; --verbose has all\n",
        thousands(actions.len() as u64)
    );
    for (index, action) in actions.iter().enumerate() {
        let line = run.render_line(*action);
        if slice.shows(before + index) {
            text.push_str(&left_out(others, width));
            write!(text, "{:>width$}  {line}", index + 1).expect("a string takes everything");
            others = 0;
        } else {
            others += 1;
        }
    }
    text.push_str(&left_out(others, width));
    (text, run.into_clauses())
}

/// The number of steps that are left out, if there are any.
fn left_out(others: u64, width: usize) -> String {
    match others {
        0 => String::new(),
        others => format!("{:>width$}  {} of others\n", "…", number(others, "step")),
    }
}
