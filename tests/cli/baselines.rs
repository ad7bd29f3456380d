//! `--baseline`: a failure that an earlier journal has, too, is known and does not fail the
//! command.

use predicates::prelude::*;
use serde_json::Value;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNEXPECTED, WHILE, bug_as_it_is, bug_not_known, json, says,
    unit,
};

/// The bug with a second violated claim that no baseline has.
fn worse() -> String {
    bug_not_known() + "\"a Dying unit is removed\" = \"violated\"\n"
}

#[test]
fn an_answer_that_the_baseline_has_is_known_and_another_one_is_new() {
    let folder = Folder::new().with("bug.toml", bug_not_known()).with("unit.toml", unit());
    folder.run("check bug.toml unit.toml --journal before.jsonl").code(UNEXPECTED);
    let line = "check bug.toml unit.toml --baseline before.jsonl";
    let known = folder.run(line).code(AS_EXPECTED);
    known
        .stdout(says("old bug").and(says("known by the baseline: violated, but expected to hold")));
    let github = folder.run(&format!("{line} --format github")).code(AS_EXPECTED);
    github.stdout(says("::notice file=bug.toml"));
    let junit = folder.run(&format!("{line} --format junit")).code(AS_EXPECTED);
    junit.stdout(says("<skipped message=\"known by the baseline\">").and(says("failures=\"0\"")));
    let html = folder.run(&format!("{line} --format html")).code(AS_EXPECTED);
    html.stdout(says("1 of 2 scenarios fail as the baseline does"));
    let answers = json(&folder.run(&format!("{line} --format json")).code(AS_EXPECTED));
    let [bug, fine] = [&answers["runs"][0], &answers["runs"][1]];
    assert_eq!((&bug["status"], &bug["known"]), (&"known".into(), &true.into()));
    assert_eq!(bug["claims"][0]["known"], true);
    assert_eq!((&fine["status"], &fine["known"]), (&"as-expected".into(), &Value::Null));
    // A new failure beside the known one fails the command.
    let folder = folder.with("bug.toml", worse());
    let mixed = folder.run(line).code(UNEXPECTED);
    mixed.stdout(says("1 answer not as expected, 1 answer known by the baseline"));
    let sarif = json(&folder.run(&format!("{line} --format sarif")).code(UNEXPECTED));
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let states: Vec<(&str, &str)> = results
        .iter()
        .map(|it| {
            let text = |value: &'static str| it[value].as_str().expect("text");
            (text("baselineState"), text("level"))
        })
        .collect();
    assert_eq!(states, [("new", "error"), ("unchanged", "note")]);
    // Without a baseline the report does not mention one, and a journal never has one.
    let plain = json(&folder.run("check bug.toml --format sarif").code(UNEXPECTED));
    assert!(plain["runs"][0]["results"][0].get("baselineState").is_none());
    folder.run(&format!("{line} --journal after.jsonl")).code(UNEXPECTED);
    assert!(!folder.read("after.jsonl").contains("\"known\":"));
    // A journal that goes on cannot be what is known: all that it gets would be.
    let both = "check bug.toml --baseline after.jsonl --journal after.jsonl";
    let refused = predicate::str::contains("this command reads that file");
    folder.run(both).code(NOT_ASKED).stderr(refused);
    folder.run("merge after.jsonl").code(UNEXPECTED);
    folder.run("merge after.jsonl --baseline after.jsonl").code(AS_EXPECTED);
    folder.run("merge after.jsonl --baseline before.jsonl").code(UNEXPECTED);
}

/// A changed expectation makes a failure new, even if the answer is the same.
#[test]
fn an_answer_that_was_as_expected_is_never_known() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    folder.run("check bug.toml --journal before.jsonl").code(AS_EXPECTED);
    let seeds = "simulate bug.toml --seeds 0..40 --keep-going";
    folder.run(&format!("{seeds} --journal seeds.jsonl")).code(AS_EXPECTED);
    let folder = folder.with("bug.toml", bug_not_known());
    let new = folder.run("check bug.toml --baseline before.jsonl").code(UNEXPECTED);
    new.stdout(says("violated, but expected to hold").and(says("known by").not()));
    folder.run(&format!("{seeds} --baseline seeds.jsonl")).code(UNEXPECTED);
    let both = folder.run(&format!("{seeds} --baseline seeds.jsonl --journal seeds.jsonl"));
    both.code(NOT_ASKED).stderr(predicate::str::contains("this command reads that file"));
    // A failure is known only if the same answer was expected.
    folder.run("check bug.toml --journal failed.jsonl").code(UNEXPECTED);
    let vacuous = bug_not_known().replace("\"holds\"", "\"vacuous\"");
    let folder = folder.with("bug.toml", vacuous);
    folder.run("check bug.toml --baseline failed.jsonl").code(UNEXPECTED);
}

#[test]
fn a_script_that_fails_is_never_known() {
    let script = format!("{WHILE}[expect]\ndying = [\"wordpress/0\"]\n");
    let folder = Folder::new().with("script.toml", script);
    folder.run("check script.toml --journal before.jsonl").code(UNEXPECTED);
    folder.run("check script.toml --baseline before.jsonl").code(UNEXPECTED);
}

#[test]
fn a_kind_of_failure_is_known_by_whatever_seeds() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    let sweep = "simulate bug.toml --keep-going --seeds";
    folder.run(&format!("{sweep} 0..40 --journal before.jsonl")).code(UNEXPECTED);
    let line = format!("{sweep} 40..80 --baseline before.jsonl");
    let known = folder.run(&line).code(AS_EXPECTED);
    known.stdout(says("old bug").and(says("known by the baseline")));
    let swept = json(&folder.run(&format!("{line} --format json")).code(AS_EXPECTED));
    let swept = &swept["runs"][0];
    assert_eq!((&swept["known"], &swept["expected"]), (&true.into(), &false.into()));
    assert_eq!(swept["groups"][0]["known"], true);
    folder.run(&format!("{line} --format junit")).code(AS_EXPECTED).stdout(says("failures=\"0\""));
    let html = folder.run(&format!("{line} --format html")).code(AS_EXPECTED);
    html.stdout(says("known by the baseline"));
    folder.run(&format!("{sweep} 40..80 --journal after.jsonl")).code(UNEXPECTED);
    folder.run("merge after.jsonl --baseline before.jsonl").code(AS_EXPECTED);
    // A baseline without results about it.
    folder.run(&format!("{sweep} 0..0 --journal none.jsonl"));
    let fine = Folder::new().with("bug.toml", bug_as_it_is());
    fine.run("check bug.toml --baseline none.jsonl").code(NOT_ASKED);
    let new = "simulate bug.toml --seed 1 --keep-going --journal one.jsonl";
    fine.run(new);
    fine.run("check bug.toml --baseline one.jsonl").code(NOT_ASKED);
}

#[test]
fn a_baseline_is_read_and_never_replaced() {
    let folder = Folder::new().with("unit.toml", unit());
    folder.run("check unit.toml --journal before.jsonl").code(AS_EXPECTED);
    let line = "check unit.toml --baseline before.jsonl --output before.jsonl";
    folder.run(line).code(NOT_ASKED).stderr(says("this command reads that file"));
    folder.run("check unit.toml --baseline none.jsonl").code(NOT_ASKED);
    folder.run("simulate unit.toml --baseline before.jsonl").code(NOT_ASKED);
    let other = folder.run("simulate unit.toml --keep-going --baseline before.jsonl");
    other.code(NOT_ASKED).stderr(says("before.jsonl is not a journal of `simulate`"));
}
