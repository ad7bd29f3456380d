//! Runs of seeds for a group whose worlds are too large for a search; they prove nothing.

use std::collections::BTreeSet;

use deathwatch_documents::diagnosis::Simulated;
use deathwatch_scenario::{Scenario, replay::replay};
use deathwatch_study::simulate::Simulation;

use super::{FittingScenario, Grouping};
use crate::{
    holders::said,
    search::CURES,
    world::{FittingState, goes},
};

/// The most states that are simulated.
const MOST_STATES: usize = 5;
const SEEDS: u64 = 20;

impl Grouping<'_> {
    /// The outcome of the first of these states in runs that are drawn. `None` if there is none, or
    /// no time.
    pub(super) fn simulated(&self, fitting: &[FittingScenario]) -> Option<Simulated> {
        let mut simulated = Simulated::default();
        for (number, scenario, _) in fitting.iter().take(MOST_STATES) {
            let candidate = self.candidate(*number, None, None);
            for seed in 0..SEEDS {
                let untouched = self.stays(&candidate, scenario, false, seed)?;
                let put_right = self.stays(&candidate, scenario, true, seed)?;
                simulated.runs += 1;
                simulated.by_itself += u64::from(untouched.is_empty());
                simulated.put_right += u64::from(put_right.is_empty());
                simulated.stays.extend(put_right);
            }
            simulated.states += 1;
        }
        simulated.stays.sort();
        simulated.stays.dedup();
        simulated.fitting = fitting.len();
        (simulated.states > 0).then_some(simulated)
    }

    /// The things that stay in the run of a seed without faults, in which an operator puts
    /// everything right, or nothing. `None` if there is no time.
    fn stays(
        &self,
        candidate: &FittingState<'_>,
        scenario: &Scenario,
        is_put_right: bool,
        seed: u64,
    ) -> Option<Vec<String>> {
        let mut scenario = scenario.clone();
        scenario.world = scenario.world.changed(|world| {
            for cure in CURES {
                cure.set(&mut world.assumptions, is_put_right);
            }
        });
        let settings = &mut scenario.simulate.settings;
        settings.swarm = false;
        settings.storm = 0;
        settings.faults.timed.iter_mut().for_each(|(_, every)| *every = None);
        settings.faults.chances.iter_mut().for_each(|(_, in_thousand)| *in_thousand = 0);
        let replay = replay(&scenario).ok()?;
        let simulation = Simulation::new(&scenario, &replay).ok()?;
        let run = simulation.run(seed, &|| (self.stop)().is_some())?;
        let violated: BTreeSet<&str> = run.violations.iter().map(|it| it.claim.name).collect();
        let things = candidate.things().into_iter();
        let stays = things.filter(|it| violated.contains(goes(candidate, it).as_str()));
        Some(stays.map(|it| said(self.juju, &it)).collect())
    }
}
