//! Checks that every shrunk run has to pass.

use std::path::Path;

use deathwatch_claims::{
    Claim,
    check::{CheckAnswer, SearchSettings},
};
use deathwatch_model::{action::Action, rows::Row};
use deathwatch_scenario::{Expected, Scenario, load, replay};
use deathwatch_study::shrink::{self, Budget, FailingRun, ShrinkResult};

pub(crate) fn shipped(folder: &str) -> Vec<Scenario> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(folder);
    let files = deathwatch_scenario::find(&[root]).expect("there are some");
    files.iter().map(|file| load(file).expect("it is good")).collect()
}

pub(crate) fn shrunk(
    scenario: &Scenario,
    claim: &'static Claim,
    steps: &[Action],
) -> Option<ShrinkResult> {
    let failing = FailingRun { scenario, claim, subject: None, steps, root: None };
    let budget = Budget { tries: 100_000, stop: &|| false, progress: &|_| () };
    shrink::shrink(&failing, "a walk", budget)
}

pub(crate) fn confirmed(shrunk: &ShrinkResult) -> Option<CheckAnswer> {
    let settings =
        SearchSettings { max_states: Some(200_000), ..SearchSettings::without_limits(1) };
    shrink::confirm(shrunk, settings)
}

/// Asserts that the result replays, violates the claim, is found by a search, and is minimal.
pub(crate) fn inspect(shrunk: &ShrinkResult) {
    let text = &shrunk.text;
    assert!(shrunk.is_minimal && (shrunk.after.steps > 0 || is_owed_at_start(shrunk)), "{text}");
    let scenario = &shrunk.scenario;
    assert_eq!(scenario.claims.len(), 1, "{text}");
    assert_eq!(scenario.claims[0].1, Expected::Violated, "{text}");
    let replay =
        replay(scenario).unwrap_or_else(|it| panic!("{}\n{text}", super::render(&it.problem)));
    assert_eq!(replay.failures, [], "{text}");
    assert_eq!(confirmed(shrunk), Some(CheckAnswer::Violated), "{text}");
    if shrunk.after.steps != replay.actions.len() {
        return; // the script is a part of the run only
    }
    let (claim, subject) = (shrunk.claim, Some(shrunk.subject));
    let root = shrunk.root;
    let fails = |steps: &[Action]| {
        shrink::violates(&FailingRun { scenario, claim, subject, steps, root }).is_some()
    };
    assert!(fails(&replay.actions), "{text}");
    for index in 0..replay.actions.len() {
        let mut fewer = replay.actions.clone();
        let line = scenario.world.show(&fewer.remove(index));
        assert!(!fails(&fewer), "it can do without {line}:\n{text}");
    }
}

/// Whether the start alone has an open obligation, such as a machine without an instance: then no
/// step is needed to violate the claim.
fn is_owed_at_start(shrunk: &ShrinkResult) -> bool {
    let ShrinkResult { scenario, claim, subject, .. } = shrunk;
    let obligation = claim.obligation();
    obligation.is_some_and(|it| it.from(&scenario.world, &scenario.start, *subject))
}

pub(crate) fn violates(
    scenario: &Scenario,
    claim: &'static Claim,
    subject: Option<Row>,
    steps: &[Action],
) -> bool {
    shrink::violates(&FailingRun { scenario, claim, subject, steps, root: None }).is_some()
}
