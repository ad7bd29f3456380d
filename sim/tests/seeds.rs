//! Runs of seeds: every violation found by a simulation can be replayed, and shrinks to a scenario
//! that shows it.

use std::collections::BTreeSet;

use deathwatch_documents::Begins;
use deathwatch_model::action::Action;
use deathwatch_scenario::{Scenario, replay, replay::RecordedRun};
use deathwatch_study::{
    shrink::{self, Budget, FailingRun, ShrinkResult},
    simulate::{SeedViolation, Simulation},
    to_scenario_text,
};

use crate::common::{
    cases,
    shrinking::{inspect, shipped},
};

const BUDGET: Budget<'static> = Budget { tries: 100_000, stop: &|| false, progress: &|_| () };

/// The violations of a seed, shrunk.
fn found(scenario: &Scenario, seed: u64) -> Vec<ShrinkResult> {
    let replay = replay(scenario).expect("it replays");
    let Ok(simulation) = Simulation::new(scenario, &replay) else { return Vec::new() };
    let (run, actions) = simulation.trace(seed, None);
    let steps: Vec<Action> = replay.actions.iter().copied().chain(actions).collect();
    run.violations.iter().map(|violation| shrunk(scenario, violation, &steps)).collect()
}

fn shrunk(scenario: &Scenario, violation: &SeedViolation, steps: &[Action]) -> ShrinkResult {
    let SeedViolation { claim, subject, .. } = *violation;
    let failing = FailingRun { scenario, claim, subject: Some(subject), steps, root: None };
    shrink::shrink(&failing, "a seed", BUDGET)
        .unwrap_or_else(|| panic!("{} of {} cannot be shrunk", claim.name, scenario.name))
}

#[test]
fn every_violation_of_a_seed_shrinks_to_a_minimal_scenario() {
    let (mut runs, mut longest, mut claims) = (0, 0, BTreeSet::new());
    for folder in ["relation-scope-bug", "findings", "caveats"] {
        for scenario in shipped(folder) {
            for seed in 0..cases(6, 12) {
                for result in found(&scenario, seed) {
                    inspect(&result);
                    runs += 1;
                    longest = longest.max(result.after.steps);
                    claims.insert(result.claim.name);
                }
            }
        }
    }
    assert!(
        runs >= cases(50, 100) && claims.len() >= cases(10, 12),
        "{runs} runs of {} claims",
        claims.len()
    );
    assert!(longest <= 13, "{longest} steps");
}

#[test]
fn the_known_bug_shrinks_to_a_few_steps() {
    let bug = &shipped("relation-scope-bug")[0];
    let results: Vec<ShrinkResult> = (0..60).flat_map(|seed| found(bug, seed)).collect();
    assert!(results.len() >= 3, "{} runs", results.len());
    for result in results {
        assert!(result.after.steps <= 8, "{}", result.text);
    }
}

/// Many units, whose agents crash before they have written their directories.
const CROWD: &str = concat!("\n", include_str!("../../tests/worlds/crowd-of-seeds.toml"));

#[test]
fn a_violation_among_many_units_shrinks_to_one_of_them() {
    let crowd = crate::common::good(CROWD);
    let results: Vec<ShrinkResult> = (0..4).flat_map(|seed| found(&crowd, seed)).collect();
    assert!(results.len() >= 2, "{} runs", results.len());
    for result in results {
        assert!(result.before.steps > 2_000 && result.tries < 2_000, "{}", result.text);
        assert!(result.after.steps <= 5 && result.after.machines <= 3, "{}", result.text);
        inspect(&result);
    }
}

/// Recorded runs can be read again, however long they are.
#[test]
fn long_runs_are_long_scripts() {
    let crowd = crate::common::good(CROWD);
    let start = replay(&crowd).expect("it has no steps");
    let simulation = Simulation::new(&crowd, &start).expect("it can be simulated");
    let (_, actions) = simulation.trace(1, None);
    assert!(actions.len() > 2_000, "{}", actions.len());
    let text = to_scenario_text(&crowd, "A long run.", Begins::AfterScript, &actions, &[]);
    let again = replay(&crate::common::good(&text)).expect("each step was possible");
    assert_eq!(again.failures, []);
    assert_eq!(again.actions.len(), actions.len());
    let mut run = RecordedRun::new(&crowd.world, start.state);
    let transcript: String = actions.iter().map(|action| run.render_step(*action)).collect();
    assert_eq!(*run.state(), again.state);
    let same = transcript.lines().zip(again.transcript.lines()).position(|(one, two)| one != two);
    assert_eq!(same, None, "it is told as its script is");
}
