//! The run of the clearest seed of each kind of failure, for pages. A long run is cut down to the
//! steps that made the root at its end.

use deathwatch_claims::check::Stop;
use deathwatch_documents::{Run, Sweep, sweep::FailureGroup};
use deathwatch_scenario::{Replay, Scenario, replay};

use super::{Keep, Played, abridged, record_unless};
use crate::simulate::{KeptBounds, Simulation};

/// The greatest number of kinds of a sweep whose runs are written down.
const MOST_KINDS: usize = 5;
/// The greatest number of steps of a run that is played again.
const MOST_STEPS: u64 = 20_000;

/// Writes down the clearest run of each kind, unless a reason to stop comes first.
pub fn clearest(
    sweep: &mut Sweep,
    (simulation, scenario, replay): (&Simulation<'_>, &Scenario, &Replay),
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) {
    for group in sweep.groups.iter_mut().take(MOST_KINDS) {
        if group.clearest_steps > MOST_STEPS {
            continue;
        }
        let seed = group.clearest_seed;
        let drawn = scenario.simulate.draws_details.then(|| simulation.drawn(seed).clone());
        let run = match &drawn {
            None => written(group, simulation, (scenario, replay), stop),
            Some(drawn) => replay::replay(drawn)
                .ok()
                .and_then(|replay| written(group, simulation, (drawn, &replay), stop)),
        };
        group.run = run.map(Box::new);
    }
}

fn written(
    group: &FailureGroup,
    simulation: &Simulation<'_>,
    of: (&Scenario, &Replay),
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Option<Run> {
    let bounds = KeptBounds { stop, ..KeptBounds::NONE };
    let (run, actions, times) = simulation.trace_within(group.clearest_seed, None, &bounds).ok()?;
    let played = Played::seed(simulation, of, &run, (&actions, &times));
    let played = played.made_by(group.replay_clearest.clone());
    abridged(played, |played| record_unless(played, Keep::First, stop).ok())
}
