//! Random changes of valid files: the binary ends by itself with one of its four exit codes, and
//! its output is short and harmless.

#[path = "../../sim/tests/fuzz/properties/edits.rs"]
#[expect(unreachable_pub, reason = "it is shared with the tests of the library")]
mod edits;

use std::fs;

use proptest::{
    prelude::*,
    sample::select,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use self::edits::{edited, edits};
use crate::{
    fixture::{Folder, LARGE, bug_not_known, sealed, unit},
    hostile::is_harmless,
};

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

/// Asserts that a run ends in this way.
fn ends_well(folder: &Folder, line: &str) -> Result<(), TestCaseError> {
    let output = folder.command(&line.split(' ').collect::<Vec<_>>()).output()?;
    let (stdout, stderr) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    let (Ok(stdout), Ok(stderr)) = (stdout, stderr) else {
        return Err(TestCaseError::fail(format!("{line} writes what is no text")));
    };
    let code = output.status.code();
    prop_assert!(matches!(code, Some(0..=3)), "{line} exits with {code:?}: {stderr}");
    prop_assert!(stderr.len() < 5_000, "{line} says too much: {stderr}");
    prop_assert!(is_harmless(&stdout) && is_harmless(&stderr), "{line}: {stdout:?} {stderr:?}");
    Ok(())
}

#[test]
fn changed_scenarios_end_in_an_exit_code() {
    changed_scenarios(50);
}

#[test]
#[ignore = "takes minutes"]
fn many_changed_scenarios_end_in_an_exit_code() {
    changed_scenarios(1000);
}

fn changed_scenarios(cases: u32) {
    let folder = Folder::new();
    let command = select(vec![
        "check x.toml --max-states 500 --verbose",
        "check x.toml --max-states 500 --engine stateright --format junit",
        "replay x.toml",
        "replay x.toml --seed 3 --verbose",
        "simulate x.toml --seeds 0..2 --time 2s --format json",
        "list scenarios x.toml",
        "shrink x.toml --tries 20",
    ]);
    let scenario = select(vec![unit(), bug_not_known(), LARGE.to_owned()]);
    let changes = (scenario, edits(), command);
    let result = runner(cases).run(&changes, |(text, edits, command)| {
        fs::write(folder.path("x.toml"), edited(&text, &edits))?;
        ends_well(&folder, command)
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn changed_journals_end_in_an_exit_code() {
    changed_journals(40);
}

#[test]
#[ignore = "takes minutes"]
fn many_changed_journals_end_in_an_exit_code() {
    changed_journals(1000);
}

fn changed_journals(cases: u32) {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    let sweep = "simulate bug.toml --seeds 0..9 --keep-going --journal";
    folder.run(&format!("{sweep} good.jsonl"));
    let good = folder.read("good.jsonl");
    let command = select(vec![
        "merge bad.jsonl".to_owned(),
        "merge bad.jsonl --verbose".to_owned(),
        "merge good.jsonl bad.jsonl --format json".to_owned(),
        "merge bad.jsonl --format junit".to_owned(),
        format!("{sweep} bad.jsonl"),
    ]);
    let changes = (edits(), any::<bool>(), command);
    let result = runner(cases).run(&changes, |(edits, is_sealed, command)| {
        let text = edited(&good, &edits);
        fs::write(folder.path("bad.jsonl"), if is_sealed { sealed(&text) } else { text })?;
        ends_well(&folder, &command)
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}
