//! Simulations of every shipped scenario: that they run, that they can be repeated, that old seeds
//! stay what they were, and that they agree with the exhaustive explorer.
//!
//! These are debug builds, so that after every turn of every run here the wake-ups are held against
//! a look at everything, and so is the monitor at every end.

use std::{collections::BTreeSet, fmt::Write as _, path::PathBuf};

use deathwatch_model::{
    check::{self, Answer, Asked, Question, Settings},
    claims::Claim,
    protocol::{self, Effects},
    state::State,
    world::World,
};
use deathwatch_sim::{
    Expected, Replay, Scenario, find, load, replay,
    simulate::{End, Simulation},
};
use insta::assert_snapshot;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../scenarios")
}

/// Every shipped scenario, and where its script leads.
fn shipped() -> Vec<(Scenario, Replay)> {
    let files = find(&[folder()]).expect("a folder of scenarios");
    assert!(files.len() > 200, "the scenarios were not found");
    let read = |file: PathBuf| {
        let scenario = load(&file).expect("a scenario");
        let replay = replay(&scenario).expect("a script");
        (scenario, replay)
    };
    files.into_iter().map(read).collect()
}

/// A simulation that tasks every claim, whatever its scenario asks.
fn of_everything<'a>(scenario: &'a Scenario, replay: &Replay) -> Simulation<'a> {
    let mut simulation = Simulation::new(scenario, replay).expect("it can be simulated");
    simulation.claims = Claim::all().map(|claim| (claim, Expected::Holds)).collect();
    simulation
}

#[test]
fn every_shipped_scenario_runs_and_can_be_repeated() {
    for (scenario, replay) in shipped() {
        let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
        for seed in 0..2 {
            let run = simulation.verify(seed, &|| false).expect("nobody stops it");
            let run = run.unwrap_or_else(|differed| {
                panic!("{} seed {seed}: {differed:?}", scenario.name);
            });
            assert_eq!(run.end, End::Settled, "{} seed {seed}", scenario.name);
        }
    }
}

#[test]
fn whoever_follows_a_run_changes_nothing() {
    let (scenario, replay) = one("findings/the-last-manager-fails-mended.toml");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    for seed in 0..20 {
        let run = simulation.run(seed, &|| false).expect("nobody stops it");
        let mut states = 0;
        let visited = simulation.visit(seed, &mut |_| states += 1);
        let (traced, actions) = simulation.trace(seed, None);
        assert_eq!((run.digest, &run.stats), (visited.digest, &visited.stats));
        assert_eq!((run.digest, &run.stats), (traced.digest, &traced.stats));
        assert_eq!(run.stats.steps, actions.len() as u64);
        assert_eq!(run.stats.steps + 1, states, "each step leads to a state");
    }
}

fn one(path: &str) -> (Scenario, Replay) {
    let scenario = load(&folder().join(path)).expect("a scenario");
    let replay = replay(&scenario).expect("a script");
    (scenario, replay)
}

/// A seed that is written down somewhere must stay what it was. Whoever changes this on purpose
/// says so in the change log, as recorded seeds then show something else.
#[test]
fn old_seeds_are_what_they_were() {
    let mut seen = String::new();
    for path in [
        "relation-scope-bug/1-as-written.toml",
        "lifecycle/everything-mended-split.toml",
        "findings/the-last-manager-fails-mended.toml",
        "caveats/hook-error-resolved.toml",
    ] {
        let (scenario, replay) = one(path);
        let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
        for seed in [0, 1, 17, u64::MAX >> 1] {
            let run = simulation.run(seed, &|| false).expect("nobody stops it");
            let (steps, digest) = (run.stats.steps, run.digest);
            writeln!(seen, "{path} seed {seed}: {steps} steps, {digest:016x}").expect("it fits");
        }
    }
    assert_snapshot!(seen);
}

/// Worlds with more states than this are not compared.
const SMALL: u64 = 3_000;
/// So many seeds of each are.
const SEEDS: u64 = 25;

/// What the comparison of a world with its simulation comes to.
#[derive(Debug, Default)]
struct Compared {
    worlds: usize,
    /// All states of the worlds, and those that a run came by.
    states: u64,
    visited: u64,
    /// The worlds of which every state was visited.
    exhausted: usize,
    /// The claims that the explorer finds violated, and those that a run violates too.
    violated: usize,
    found: usize,
}

impl Compared {
    fn add(&mut self, scenario: &Scenario, replay: &Replay) {
        let question = Question {
            world: &scenario.world,
            start: &replay.state,
            claims: Claim::all().collect(),
            witnesses: Vec::new(),
        };
        let settings = Settings {
            threads: 1,
            max_states: Some(SMALL),
            max_bytes: None,
            stop: &|| None,
            progress: &|_| {},
        };
        let Ok(report) = check::check(&question, &settings) else { return };
        if report.stopped.is_some() {
            return;
        }
        let reachable = reachable(&scenario.world, &replay.state);
        assert_eq!(report.states, reachable.len() as u64);
        let (visited, found) = simulate(scenario, replay, &reachable);
        for finding in &report.findings {
            let Asked::Claim(claim) = finding.asked else { continue };
            let (is_found, name) = (found.contains(claim.name), &scenario.name);
            match finding.answer {
                Answer::Violated => {
                    self.violated += 1;
                    self.found += usize::from(is_found);
                }
                Answer::Holds | Answer::Vacuous => {
                    assert!(!is_found, "{name}: the explorer says that {} holds", claim.name);
                }
                Answer::Inconclusive => panic!("{name}: {} is open", claim.name),
            }
        }
        self.worlds += 1;
        self.states += report.states;
        self.visited += visited;
        self.exhausted += usize::from(visited == report.states);
    }
}

/// All states that can be reached from `start`, by a search that is too simple to be wrong.
fn reachable(world: &World, start: &State) -> BTreeSet<State> {
    let mut found = BTreeSet::from([start.clone()]);
    let (mut left, mut enabled) = (vec![start.clone()], Vec::new());
    while let Some(state) = left.pop() {
        enabled.clear();
        protocol::enabled(world, &state, &mut enabled);
        for action in &enabled {
            let mut next = state.clone();
            protocol::step(world, &mut next, *action, &mut Effects::default());
            if found.insert(next.clone()) {
                left.push(next);
            }
        }
    }
    found
}

/// How many states the runs come by, all of which can be reached, and the claims they violate.
fn simulate(
    scenario: &Scenario,
    replay: &Replay,
    reachable: &BTreeSet<State>,
) -> (u64, BTreeSet<&'static str>) {
    let simulation = of_everything(scenario, replay);
    let (mut visited, mut found) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..SEEDS {
        let run = simulation.visit(seed, &mut |state| {
            let known = reachable.get(state).unwrap_or_else(|| {
                panic!("{} seed {seed} is where the explorer never was", scenario.name);
            });
            visited.insert(known);
        });
        found.extend(run.violations.iter().map(|violation| violation.claim.name));
    }
    (visited.len() as u64, found)
}

/// Every state that a run comes by is one that the explorer found, and nothing that the explorer
/// finds to hold is violated on any run. That this says something is seen from the figures: how
/// much of the worlds the runs come by, and how much of what can go wrong does.
#[test]
fn in_small_worlds_both_explorers_agree() {
    let mut compared = Compared::default();
    for (scenario, replay) in shipped() {
        compared.add(&scenario, &replay);
    }
    assert!(compared.worlds > 150, "{compared:?}");
    assert!(compared.exhausted > 80, "of many worlds every state is visited: {compared:?}");
    assert!(compared.visited * 8 > compared.states, "{compared:?}");
    assert!(compared.found * 3 > compared.violated * 2, "{compared:?}");
}
