//! Limits of a search: they are kept, and the results within them depend neither on the number of
//! threads nor on their speed.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use deathwatch_claims::check::{
    self, CheckAnswer, CheckQuestion, CheckReport, Phase, SearchProgress, SearchSettings, Stop,
};
use deathwatch_scenario::{
    Scenario, replay,
    scenario::{self, Address},
};

fn shipped(name: &str) -> Scenario {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    scenario::load(Address::given(&scenarios.join(name))).expect("a scenario that loads")
}

/// A world in which transactions are planned and committed in steps of their own.
const SPLIT: &str = "lifecycle/everything-fixed-while-a-manager-fails.toml#everything-fixed-split";
const SMALL: &str = "relation-scope-bug/1-as-written.toml";

fn report(scenario: &Scenario, settings: &SearchSettings<'_>) -> CheckReport {
    let start = replay(scenario).expect("every step is possible").state;
    let claims = deathwatch_claims::all_in(&scenario.world).collect();
    let question = CheckQuestion {
        world: &scenario.world,
        start: &start,
        claims,
        witnesses: Vec::new(),
        refines: None,
    };
    check::check(&question, settings).expect("the world is small enough")
}

/// The results that may not depend on threads: the reason for stopping, states, transitions, bytes.
fn search(scenario: &Scenario, settings: &SearchSettings<'_>) -> (Option<Stop>, u64, u64, u64) {
    let CheckReport { stopped, states, transitions, bytes, .. } = report(scenario, settings);
    (stopped, states, transitions, bytes)
}

const fn settings(threads: usize, max_bytes: u64) -> SearchSettings<'static> {
    SearchSettings { max_bytes: Some(max_bytes), ..SearchSettings::without_limits(threads) }
}

#[test]
fn the_bound_of_memory_leaves_the_same_for_any_number_of_threads() {
    let scenario = shipped(SPLIT);
    for kib in [900, 2700, 3900] {
        let alone = search(&scenario, &settings(1, kib << 10));
        assert_eq!(alone.0, Some(Stop::Memory));
        assert!(alone.3 <= kib << 10);
        for threads in [2, 4] {
            assert_eq!(search(&scenario, &settings(threads, kib << 10)), alone);
        }
    }
}

/// The report of a search that is interrupted once the progress satisfies `when`.
fn interrupted(
    name: &str,
    threads: usize,
    when: impl Fn(SearchProgress) -> bool + Sync,
) -> CheckReport {
    let pressed = AtomicBool::new(false);
    let report = report(
        &shipped(name),
        &SearchSettings {
            stop: &|| pressed.load(Ordering::Relaxed).then_some(Stop::Interrupted),
            progress: &|progress| {
                pressed.fetch_or(when(progress), Ordering::Relaxed);
            },
            ..settings(threads, u64::MAX)
        },
    );
    assert_eq!(report.stopped, Some(Stop::Interrupted));
    report
}

#[test]
fn an_interruption_is_heard_while_states_are_found() {
    for threads in [1, 2, 5] {
        let report = interrupted(SPLIT, threads, |progress| progress.states > 3_000);
        assert!((3_000..50_000).contains(&report.states), "{}", report.states);
        let is_open = |answer| matches!(answer, CheckAnswer::Undecided | CheckAnswer::Violated);
        assert!(report.findings.iter().all(|finding| is_open(finding.answer)));
    }
}

#[test]
fn an_interruption_is_heard_while_fair_runs_are_decided() {
    for threads in [1, 2, 5] {
        let report = interrupted(SMALL, threads, |progress| progress.phase == Phase::Deciding);
        let is_open = |answer| matches!(answer, CheckAnswer::Undecided | CheckAnswer::Violated);
        assert!(report.findings.iter().all(|finding| is_open(finding.answer)));
    }
}
