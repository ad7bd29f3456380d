//! The shipped scenarios: each has the answers that it expects, the same by one thread and by two,
//! and stateright counts the same states and agrees on everything that it can decide.
//!
//! The largest worlds are left to `deathwatch report --check` in `.ci/run`, which is optimised;
//! here, debug assertions compare every short cut of the explorer with the long way.

use std::path::Path;

use deathwatch_claims::check::{CheckAnswer, FindingSubject, SearchSettings};
use deathwatch_documents::Status;
use deathwatch_scenario::{
    replay,
    scenario::{self, Expected, Scenario},
};
use deathwatch_study::verdict::{self, Engine, Refines, Verdict, VerdictOptions};

/// The greatest number of states of a world that is checked here; `.ci/run` checks the others.
const LARGEST: u64 = 2_000;

/// The greatest number of states of a world that is asked here for every number of units: that
/// takes some worlds a thousand times as long as their states.
const LARGEST_FOR_EVERY_NUMBER: u64 = 60;

fn shipped() -> Vec<Scenario> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let files = scenario::find(&[root]).expect("scenarios are shipped");
    files.iter().map(|file| scenario::load(file).expect("a shipped scenario loads")).collect()
}

fn asks(scenario: &Scenario) -> bool {
    !scenario.claims.is_empty() || !scenario.witnesses.is_empty()
}

fn is_small(scenario: &Scenario) -> bool {
    !asks(scenario) || scenario.states.is_some_and(|states| states <= LARGEST)
}

/// The small worlds, with the questions that are asked here.
fn small() -> impl Iterator<Item = Scenario> {
    shipped().into_iter().filter(is_small).map(|mut scenario| {
        scenario.any_size =
            scenario.any_size.filter(|_| scenario.states <= Some(LARGEST_FOR_EVERY_NUMBER));
        scenario
    })
}

fn judge(scenario: &Scenario, engine: Engine, threads: usize) -> Verdict {
    let settings = SearchSettings::without_limits(threads);
    let replay = replay::replay(scenario).expect("every step is enabled");
    let how = VerdictOptions { engine, only: &[], refines: Refines::default(), settings };
    verdict::judge(scenario, &replay, &how).expect("the world is small enough")
}

/// The whole verdict as text, but for the memory used.
fn told(verdict: &Verdict) -> String {
    let mut verdict = verdict.clone();
    if let Some(report) = &mut verdict.report {
        report.bytes = 0;
    }
    format!("{verdict:#?}")
}

/// The reports distinguish claims that hold from vacuous ones, so each expectation must, too.
#[test]
fn every_shipped_scenario_says_which_answers_it_expects() {
    let is_open = |it: &Scenario| it.claims.iter().any(|(_, it)| *it == Expected::NotViolated);
    let open = shipped().into_iter().filter(is_open);
    assert_eq!(open.map(|it| it.name).collect::<Vec<_>>(), Vec::<String>::new());
}

/// A scenario that describes a mistake of the documents is on the page of findings.
#[test]
fn what_calls_itself_a_finding_is_one() {
    let is_called_one =
        |it: &Scenario| it.comments().join(" ").trim_start().starts_with("A finding");
    let untold = shipped().into_iter().filter(|it| is_called_one(it) && it.finding.is_none());
    assert_eq!(untold.map(|it| it.name).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn every_world_that_is_checked_pins_its_states() {
    let loose = shipped().into_iter().filter(|it| asks(it) && it.states.is_none());
    assert_eq!(loose.map(|it| it.name).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn every_world_with_details_that_is_checked_says_whether_it_keeps_to_its_outline() {
    let detailed: Vec<Scenario> =
        shipped().into_iter().filter(|it| it.world.detail.any() && asks(it)).collect();
    // A world with rules of its own has no outline, nor has one with a clause that is off at one
    // place.
    let detailed: Vec<Scenario> =
        detailed.into_iter().filter(|it| !it.world.is_amended()).collect();
    let silent = detailed.iter().filter(|it| it.refines.is_none());
    assert_eq!(silent.map(|it| it.name.as_str()).collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(detailed.len() >= 20, "{} worlds", detailed.len());
}

#[test]
fn every_scenario_is_answered_as_expected_whoever_searches() {
    for scenario in &small().collect::<Vec<_>>() {
        let alone = judge(scenario, Engine::Own, 1);
        assert_eq!(alone.status, Status::AsExpected, "{}: {alone:#?}", scenario.name);
        let together = judge(scenario, Engine::Own, 2);
        assert!(told(&alone) == told(&together), "{} depends on threads", scenario.name);
        if asks(scenario) {
            agrees(&alone, &judge(scenario, Engine::Stateright, 2));
        }
    }
}

/// Asserts that stateright counts the same states, and has the same answers to everything that it
/// decides.
fn agrees(ours: &Verdict, theirs: &Verdict) {
    let name = &ours.scenario;
    let [ours, theirs] = [ours, theirs].map(|it| it.report.as_ref().expect("asked"));
    assert_eq!(ours.states, theirs.states, "unique states of {name}");
    assert_eq!(ours.transitions, theirs.transitions, "transitions of {name}");
    for finding in &theirs.findings {
        let twin = ours.findings.iter().find(|ours| same(ours.asked, finding.asked));
        let twin: CheckAnswer = twin.expect("ours answers more").answer;
        assert_eq!(twin, finding.answer, "{name}: {:?}", finding.asked);
    }
}

fn same(one: FindingSubject, other: FindingSubject) -> bool {
    match (one, other) {
        (FindingSubject::Claim(one), FindingSubject::Claim(other)) => one.name == other.name,
        (FindingSubject::Witness(one), FindingSubject::Witness(other)) => one == other,
        (FindingSubject::Refinement, FindingSubject::Refinement) => true,
        (FindingSubject::Claim(_) | FindingSubject::Witness(_) | FindingSubject::Refinement, _) => {
            false
        }
    }
}
