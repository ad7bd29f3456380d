//! The shipped simulations: each workload ends with every claim held, seeds find the bugs of the
//! protocol as written, and the report's figures about seeds are right.
//!
//! The worlds of `scenarios/by-name/large/` take too long to be simulated here.

use std::{fs, path::Path};

use deathwatch_claims::{Claim, diagnosis::Reason};
use deathwatch_scenario::{
    replay::{self, Replay},
    scenario::{self, Address, Expected, Scenario},
};
use deathwatch_show::report::simulation::{self, LARGE, SIMULATION};
use deathwatch_study::{
    shrink::{self, Budget, FailingRun},
    simulate::{SeedRun, Simulation, SimulationEnd},
};

/// The length of the explorer's shortest run to the bug in a world of two units on each side, with
/// three steps more.
const FEW: usize = 3 + 3;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn load(address: Address) -> (Scenario, Replay) {
    let scenario = scenario::load(address).expect("a shipped scenario loads");
    let replay = replay::replay(&scenario).expect("every step is enabled");
    (scenario, replay)
}

/// The address of a shipped scenario.
fn named(name: &str) -> Address {
    Address::below(&root().join("scenarios"), name)
}

fn files(folder: &str) -> Vec<Address> {
    scenario::find(&[root().join(folder)]).expect("there are some")
}

fn run(simulation: &Simulation<'_>, seed: u64) -> SeedRun {
    simulation.run(seed, &|| false).expect("nobody stops it")
}

/// Asserts that each of these seeds settles, and that all claims hold.
fn all_hold(address: Address, seeds: std::ops::Range<u64>) {
    let (scenario, replay) = load(address);
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    assert!(simulation.claims.iter().all(|(_, expected)| *expected != Expected::Violated));
    for seed in seeds {
        let run = run(&simulation, seed);
        assert_eq!(run.end, SimulationEnd::Settled, "seed {seed} of {}", scenario.name);
        assert!(run.violations.is_empty(), "seed {seed} of {}: {run:#?}", scenario.name);
    }
}

#[test]
fn every_claim_holds_in_small_worlds_whatever_the_workload() {
    for file in files("scenarios/simulate/10-units") {
        all_hold(file, 0..10);
    }
}

#[test]
fn every_claim_holds_among_a_thousand_units_whatever_the_workload() {
    for file in files("scenarios/simulate/1000-units") {
        all_hold(file, 0..1);
    }
}

#[test]
fn the_mended_protocol_survives_what_catches_the_protocol_as_written() {
    all_hold(named("simulate/relation-scope-bug-by-swarm#fixed-by-swarm"), 0..200);
}

#[test]
fn each_workload_comes_in_every_size() {
    let names = |folder: &str| {
        let name = |it: &Address| it.name().rsplit_once('/').expect("a folder").1.to_owned();
        files(folder).iter().map(name).collect::<Vec<_>>()
    };
    let small = names("scenarios/simulate/10-units");
    assert_eq!(small, names("scenarios/simulate/1000-units"));
    assert_eq!(small, names(LARGE));
}

#[test]
fn seeds_find_the_relation_scope_bug_without_a_script_and_shrink_it() {
    let (scenario, replay) = load(named("simulate/relation-scope-bug-by-swarm"));
    assert!(scenario.steps.is_empty());
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let is_bug = |claim: &Claim| claim.name == "a Dying relation is removed";
    let (seed, violation) = (0..1000)
        .find_map(|seed| {
            let violations = run(&simulation, seed).violations;
            Some((seed, violations.into_iter().find(|it| is_bug(it.claim))?))
        })
        .expect("a thousand seeds are enough");
    let wait_for = violation.wait_for.as_ref().expect("it is about what must follow");
    let is_in_scope = wait_for.edges.iter().any(|edge| edge.reason == Reason::InScope);
    assert!(is_in_scope, "{}", wait_for.paragraph());
    let (_, steps) = simulation.trace(seed, Some(violation.claim));
    let subject = Some(violation.subject);
    let failing = FailingRun {
        scenario: &scenario,
        claim: violation.claim,
        subject,
        steps: &steps,
        root: None,
    };
    let budget = Budget { tries: 10_000, stop: &|| false, progress: &|_| () };
    let shrunk = shrink::shrink(&failing, "a seed", budget).expect("it is violated");
    assert!(shrunk.after.steps <= FEW, "seed {seed} shrinks to\n{}", shrunk.text);
}

#[test]
fn seeds_find_what_the_report_says() {
    let page = fs::read_to_string(root().join(SIMULATION)).expect("it is committed");
    let known = simulation::committed(&page).known;
    assert!(known.len() >= 50, "the table is read: {} rows", known.len());
    let mut loaded: Option<(&str, Scenario, Replay)> = None;
    for it in &known {
        if loaded.as_ref().is_none_or(|(name, ..)| *name != it.scenario) {
            let (scenario, replay) = load(named(&it.scenario));
            loaded = Some((&it.scenario, scenario, replay));
        }
        let (_, scenario, replay) = loaded.as_ref().expect("it was loaded just now");
        let mut claims = deathwatch_claims::all_in(&scenario.world)
            .chain(scenario.claims.iter().map(|(claim, _)| *claim));
        let claim = claims.find(|claim| claim.name == it.claim).expect("it is a claim");
        let claims = vec![(claim, Expected::Violated)];
        let simulation = Simulation::asking(scenario, replay, claims).expect("it can be simulated");
        let run = run(&simulation, it.seed);
        assert_eq!(run.violations.len(), 1, "seed {} of {}: {}", it.seed, it.scenario, it.claim);
    }
}
