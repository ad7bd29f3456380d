//! Obligations that last for ever at the end of a script: on its whole loop, or without one, in a
//! state where no actor that is assumed to act can move.

use deathwatch_claims::{Claim, Monitor};
use deathwatch_model::{action::Action, agents, rows::Row, state::State, world::World};
use deathwatch_scenario::replay::{self, Interpreter};

/// The obligations that last for ever after a script that ends in `state` and then goes round
/// `cycle`. The `monitor` has seen the script.
pub(super) fn owed_for_ever(
    world: &World,
    state: &State,
    cycle: &[Action],
    monitor: &Monitor,
) -> Vec<(&'static Claim, Row)> {
    if cycle.is_empty() {
        let is_over = agents::is_quiescent(world, state);
        return if is_over { monitor.owed(world) } else { Vec::new() };
    }
    if !replay::is_lasso(world, state, cycle) {
        return Vec::new();
    }
    let mut round = Round { world, cycle, state, monitor: monitor.clone() };
    // What the loop makes owed for ever is owed at the end of its first round.
    let first = round.owed();
    let mut owed = first.last().cloned().unwrap_or_default();
    for now in round.owed() {
        owed.retain(|(claim, row)| now.iter().any(|(it, of)| it.name == claim.name && of == row));
    }
    owed
}

struct Round<'a> {
    world: &'a World,
    cycle: &'a [Action],
    /// The state in which it begins and ends.
    state: &'a State,
    monitor: Monitor,
}

impl Round<'_> {
    /// The open obligations after each of its steps.
    fn owed(&mut self) -> Vec<Vec<(&'static Claim, Row)>> {
        let mut interpreter = Interpreter::new(self.world, self.state.clone());
        let mut after = |action: &Action| {
            interpreter.step(*action, None);
            let touched = &interpreter.effects.touched;
            self.monitor.check_step(self.world, &interpreter.state, touched, &mut |_, _| {});
            self.monitor.owed(self.world)
        };
        self.cycle.iter().map(&mut after).collect()
    }
}
