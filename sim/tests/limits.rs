//! Limits of a search: they are kept, and the results within them do not depend on the number of
//! threads, nor on which of them is faster.

use std::path::Path;

use deathwatch_model::{
    check::{self, Question, Report, Settings, Stop},
    claims::Claim,
};
use deathwatch_sim::{Scenario, replay, scenario};

/// A world in which transactions are planned and committed in steps of their own.
fn split() -> Scenario {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("scenarios/lifecycle/everything-mended-split.toml");
    scenario::load(&path).expect("a scenario that loads")
}

/// The results that may not depend on threads: the reason why it stopped, states, transitions,
/// bytes.
fn search(scenario: &Scenario, settings: &Settings<'_>) -> (Option<Stop>, u64, u64, u64) {
    let start = replay(scenario).expect("every step is possible").state;
    let claims = Claim::all().collect();
    let question =
        Question { world: &scenario.world, start: &start, claims, witnesses: Vec::new() };
    let Report { stopped, states, transitions, bytes, .. } =
        check::check(&question, settings).expect("the world is small enough");
    (stopped, states, transitions, bytes)
}

const fn settings(threads: usize, max_bytes: u64) -> Settings<'static> {
    Settings {
        threads,
        max_states: None,
        max_bytes: Some(max_bytes),
        stop: &|| None,
        progress: &|_| {},
    }
}

#[test]
fn the_bound_of_memory_leaves_the_same_for_any_number_of_threads() {
    let scenario = split();
    for kib in [900, 2700, 3900] {
        let alone = search(&scenario, &settings(1, kib << 10));
        assert_eq!(alone.0, Some(Stop::Memory));
        assert!(alone.3 <= kib << 10);
        for threads in [2, 2, 3, 4] {
            assert_eq!(search(&scenario, &settings(threads, kib << 10)), alone);
        }
    }
}
