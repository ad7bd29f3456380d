//! The way out of a state: the shortest run by which all goes, by the names of the model.

use std::collections::BTreeSet;

use deathwatch_documents::diagnosis::FreeingRun;
use deathwatch_model::{action::Action, world::World};
use deathwatch_scenario::{Scenario, replay};
use deathwatch_study::recording::{Keep, Played, record};

use crate::{
    words::{self, CONTROLLER},
    world::FittingState,
};

/// The way out of a state that was searched.
pub struct WayOut {
    /// The state, in a world with the names of the model.
    scenario: Scenario,
    /// The units of the model that are in it.
    units: BTreeSet<String>,
    /// The steps; `None` if there is no way out.
    steps: Option<Vec<Action>>,
}

impl WayOut {
    pub(crate) fn of(
        candidate: &FittingState<'_>,
        mut scenario: Scenario,
        steps: Option<Vec<Action>>,
    ) -> Self {
        scenario.world = named(candidate, &scenario.world);
        let units = candidate.names().into_keys().collect();
        Self { scenario, units, steps }
    }

    /// The steps in words; those of one actor in succession are one.
    pub(crate) fn words(&self) -> Vec<(String, String)> {
        let steps = self.steps.iter().flatten();
        words::joined(steps.filter_map(|it| words::step(&self.scenario.world, it)))
    }

    /// The run as data: one without steps where there is no way out. `None` if it is too long.
    pub fn recorded(&self) -> Option<FreeingRun> {
        let replay = replay::replay(&self.scenario).ok()?;
        let steps = self.steps.clone().unwrap_or_default();
        let words = steps.iter().map(|it| words::step(&self.scenario.world, it)).collect();
        let played = Played::explored(&self.scenario, &replay, (steps, 0), 0);
        // The page does not tell what could not happen instead.
        let mut run = record(played.asking(BTreeSet::new()), Keep::All).ok()?;
        // It is about the claims of the scenario, which the diagnosis tells in its own words.
        run.claims.clear();
        // The controller is not the model's, and nobody has asked for more units.
        run.world.machines.shift_remove(CONTROLLER);
        for application in run.world.applications.values_mut() {
            application.units.retain(|it| self.units.contains(it));
        }
        Some(FreeingRun { run, words, frees: self.steps.is_some() })
    }
}

/// The world of a candidate, with the names that its units have in the model.
fn named(candidate: &FittingState<'_>, world: &World) -> World {
    let (names, controller) = (candidate.names(), candidate.controller());
    world.changed(|world| {
        for unit in &mut world.units {
            let real = names.iter().find(|(_, name)| **name == unit.name);
            if let Some((real, _)) = real {
                unit.name.clone_from(real);
            }
        }
        for machine in world.machines.iter_mut().filter(|it| it.name == controller) {
            CONTROLLER.clone_into(&mut machine.name);
        }
    })
}
