//! Runs of seeds: whatever a simulation finds can be replayed, and shrinks to a scenario that
//! shows it.

mod common;

use std::collections::BTreeSet;

use common::shrinking::{inspect, shipped};
use deathwatch_model::action::Action;
use deathwatch_sim::{
    Scenario, replay,
    shrink::{self, Effort, Failing, Shrunk},
    simulate::{Simulation, Violation},
};

const EFFORT: Effort<'static> = Effort { tries: 100_000, stop: &|| false, progress: &|_| () };

/// What a seed violates, shrunk.
fn found(scenario: &Scenario, seed: u64) -> Vec<Shrunk> {
    let replay = replay(scenario).expect("it replays");
    let Ok(simulation) = Simulation::new(scenario, &replay) else { return Vec::new() };
    let (run, actions) = simulation.trace(seed, None);
    let steps: Vec<Action> = replay.actions.iter().copied().chain(actions).collect();
    run.violations.iter().map(|violation| shrunk(scenario, violation, &steps)).collect()
}

fn shrunk(scenario: &Scenario, violation: &Violation, steps: &[Action]) -> Shrunk {
    let Violation { claim, subject, .. } = *violation;
    let failing = Failing { scenario, claim, subject: Some(subject), steps };
    shrink::shrink(&failing, "a seed", EFFORT)
        .unwrap_or_else(|| panic!("{} of {} cannot be shrunk", claim.name, scenario.name))
}

#[test]
fn whatever_a_seed_violates_shrinks_to_a_minimal_scenario() {
    let (mut runs, mut longest, mut claims) = (0, 0, BTreeSet::new());
    for folder in ["relation-scope-bug", "findings", "caveats"] {
        for scenario in shipped(folder) {
            for seed in 0..12 {
                for result in found(&scenario, seed) {
                    inspect(&result);
                    runs += 1;
                    longest = longest.max(result.after.steps);
                    claims.insert(result.claim.name);
                }
            }
        }
    }
    assert!(runs >= 100 && claims.len() >= 12, "{runs} runs of {} claims", claims.len());
    assert!(longest <= 12, "{longest} steps");
}

#[test]
fn the_known_bug_is_told_in_a_few_steps() {
    let bug = &shipped("relation-scope-bug")[0];
    let results: Vec<Shrunk> = (0..60).flat_map(|seed| found(bug, seed)).collect();
    assert!(results.len() >= 3, "{} runs", results.len());
    for result in results {
        assert!(result.after.steps <= 8, "{}", result.text);
    }
}
