//! Shrinking: what is left of random failing runs still fails, and nothing more can be left out.

mod common;

use std::path::Path;

use deathwatch_model::{
    action::{Action, Actor},
    check::{Answer, Settings},
    claims::{Claim, Subject},
    protocol::{self, Effects},
};
use deathwatch_sim::{
    Expected, Scenario, load, replay,
    shrink::{self, Effort, Failing, Shrunk},
};

/// A small generator of numbers (`SplitMix64`), so that walks are the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bound = u64::try_from(bound).expect("small");
        usize::try_from((mixed ^ (mixed >> 31)) % bound).expect("small")
    }
}

/// A storm in which anything can happen, then a calm without faults and commands.
fn walk(scenario: &Scenario, seed: u64, storm: usize) -> Vec<Action> {
    let mut dice = Dice(seed);
    let replay = replay(scenario).expect("it replays");
    let (mut state, mut actions) = (replay.state, replay.actions);
    let (mut effects, mut offers) = (Effects::default(), Vec::new());
    for index in 0..storm + 300 {
        offers.clear();
        protocol::enabled(&scenario.world, &state, &mut offers);
        if index >= storm {
            offers.retain(|it| !matches!(it.actor, Actor::Faults | Actor::User));
        }
        if offers.is_empty() {
            if index >= storm {
                break;
            }
            continue;
        }
        let action = offers[dice.below(offers.len())];
        protocol::step(&scenario.world, &mut state, action, &mut effects);
        actions.push(action);
    }
    actions
}

/// The shipped scenarios of a folder.
fn shipped(folder: &str) -> Vec<Scenario> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(folder);
    let files = deathwatch_sim::find(&[root]).expect("there are some");
    files.iter().map(|file| load(file).expect("it is good")).collect()
}

fn shrunk(scenario: &Scenario, claim: &'static Claim, steps: &[Action]) -> Option<Shrunk> {
    let failing = Failing { scenario, claim, subject: None, steps };
    let effort = Effort { tries: 100_000, stop: &|| false, progress: &|_| () };
    shrink::shrink(&failing, "a walk", effort)
}

fn confirmed(shrunk: &Shrunk) -> Option<Answer> {
    let settings = Settings {
        threads: 1,
        max_states: Some(200_000),
        max_bytes: None,
        stop: &|| None,
        progress: &|_| (),
    };
    shrink::confirm(shrunk, settings)
}

/// That the result replays, fails, is found by a search, and is minimal.
fn inspect(shrunk: &Shrunk) {
    let text = &shrunk.text;
    assert!(shrunk.is_minimal, "{text}");
    let scenario = &shrunk.scenario;
    assert_eq!(scenario.claims.len(), 1, "{text}");
    assert_eq!(scenario.claims[0].1, Expected::Violated, "{text}");
    let replay = replay(scenario).unwrap_or_else(|it| panic!("{}\n{text}", common::render(&it)));
    assert_eq!(replay.failures, [], "{text}");
    assert_eq!(confirmed(shrunk), Some(Answer::Violated), "{text}");
    if shrunk.after.steps != replay.actions.len() {
        return; // the script is a part of the run only
    }
    let (claim, subject) = (shrunk.claim, Some(shrunk.subject));
    let fails = |steps: &[Action]| violates(scenario, claim, subject, steps);
    assert!(fails(&replay.actions), "{text}");
    for index in 0..replay.actions.len() {
        let mut fewer = replay.actions.clone();
        let line = scenario.world.show(&fewer.remove(index));
        assert!(!fails(&fewer), "it can do without {line}:\n{text}");
    }
}

fn violates(
    scenario: &Scenario,
    claim: &'static Claim,
    subject: Option<Subject>,
    steps: &[Action],
) -> bool {
    shrink::violates(&Failing { scenario, claim, subject, steps }).is_some()
}

#[test]
fn random_runs_shrink_to_minimal_scenarios() {
    let (mut runs, mut longest, mut claims) = (0, 0, std::collections::BTreeSet::new());
    for folder in ["relation-scope-bug", "findings", "caveats"] {
        for scenario in shipped(folder) {
            for (claim, expected) in scenario.claims.clone() {
                let seeds = if expected == Expected::Violated { 0..6 } else { 0..0 };
                for seed in seeds {
                    let steps = walk(&scenario, seed, 60);
                    let Some(result) = shrunk(&scenario, claim, &steps) else { continue };
                    eprintln!(
                        "{} {seed} {}: {} -> {} in {} tries",
                        scenario.name,
                        claim.name,
                        result.before.steps,
                        result.after.steps,
                        result.tries
                    );
                    inspect(&result);
                    runs += 1;
                    longest = longest.max(result.after.steps);
                    claims.insert(claim.name);
                }
            }
        }
    }
    eprintln!("{runs} runs, {longest} steps at most, {} claims", claims.len());
    assert!(runs >= 60 && claims.len() >= 8, "{runs} runs of {} claims", claims.len());
    assert!(longest <= 12, "{longest} steps");
}
