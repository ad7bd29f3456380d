//! Scripts on the command line: their transcripts, and those of scripts that cannot go on.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNEXPECTED, UNIT, bug_as_it_is, json, says, stdout_of, unit,
};

/// A script with runs and retries, in a world of split transactions.
const RUNS: &str = concat!("\n", include_str!("../worlds/runs.toml"));

#[test]
fn what_a_script_can_say_is_listed() {
    let folder = Folder::new();
    assert_snapshot!(folder.seen("list steps"));
    assert_snapshot!(folder.seen("list refusals"));
    assert_snapshot!(folder.seen("list fields"));
    let steps = json(&folder.run("list steps --format json"))["steps"].clone();
    let steps = steps.as_array().expect("an array").clone();
    let assign = steps.iter().find(|step| step["name"] == "assign-unit").expect("it is a step");
    assert_eq!(assign["arguments"], serde_json::json!(["UNIT", "MACHINE"]));
    assert_eq!(assign["example"], "client: assign-unit wordpress/0 1");
    let refusals = json(&folder.run("list refusals --format json"))["refusals"].clone();
    assert_eq!(refusals[0]["clauses"][0], "deploy.3");
}

#[test]
fn runs_and_retries_are_told_step_by_step() {
    let folder = Folder::new().with("runs.toml", RUNS);
    assert_snapshot!(folder.seen("replay runs.toml"));
    folder.run("check runs.toml").code(AS_EXPECTED);
}

#[test]
fn what_a_transcript_tells_is_a_script_again() {
    let folder = Folder::new().with("runs.toml", RUNS);
    let assert = folder.run("replay runs.toml").code(AS_EXPECTED);
    let transcript = stdout_of(&assert);
    let script: Vec<&str> = transcript.lines().filter(|line| !line.starts_with(' ')).collect();
    let (before, rest) = RUNS.split_once("user: begin").expect("its script begins so");
    let (_, after) = rest.split_once("\"\"\"").expect("it ends");
    let again = format!("{before}{}\n\"\"\"{after}", script.join("\n"));
    let folder = folder.with("again.toml", again);
    let assert = folder.run("replay again.toml").code(AS_EXPECTED);
    let told = stdout_of(&assert);
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(lines(&told), lines(&transcript));
}

/// A change of a rule is reported with all its consequences: a script that it ends early is one
/// answer among the others, in every format.
#[test]
fn a_script_that_cannot_go_on_is_an_answer() {
    let steps = "set-unit-dead wordpress/0\nrun all\nmachine-agent 1: remove-unit wordpress/0\n";
    let cut = unit().replace("set-unit-dead wordpress/0\n", steps);
    let folder = Folder::new().with("a/cut.toml", cut).with("a/unit.toml", unit());
    assert_snapshot!(folder.seen("check a"));
    let answers = json(&folder.run("check a --format json").code(UNEXPECTED));
    let [cut, fine] = [&answers["runs"][0], &answers["runs"][1]];
    let said = "line 8: not possible: there is nothing to do";
    assert_eq!((&cut["status"], &cut["failures"][0]), (&"unexpected".into(), &said.into()));
    assert_eq!(cut["claims"][0]["answer"], "undecided");
    assert_eq!(fine["status"], "as-expected");
    let junit = folder.run("check a --format junit").code(UNEXPECTED);
    junit.stdout(says("name=\"the script does what it expects\"").and(says(said)));
    folder.run("check a --format html").code(UNEXPECTED).stdout(says(said));
    let github = folder.run("check a --format github").code(UNEXPECTED);
    github.stdout(says("::error file=a/cut.toml,line=8"));
    folder.run("check a --format sarif").code(UNEXPECTED).stdout(says(said));
    folder.run("check a --journal all.jsonl").code(UNEXPECTED);
    folder.run("merge all.jsonl").code(UNEXPECTED).stdout(says(said));
    folder.run("check a --baseline all.jsonl").code(UNEXPECTED);
    folder.run("check a/cut.toml --write-graph cut.aut").code(NOT_ASKED);
    // No seed begins after an unfinished script.
    let seeds = "simulate a --seeds 0..5 --keep-going";
    let swept = folder.run(&format!("{seeds} --journal seeds.jsonl")).code(UNEXPECTED);
    swept.stdout(says(said));
    folder.run("merge seeds.jsonl").code(UNEXPECTED).stdout(says(said));
    let swept = json(&folder.run(&format!("{seeds} --format json")).code(UNEXPECTED));
    assert_eq!((&swept["runs"][0]["seeds"], &swept["runs"][1]["seeds"]), (&0.into(), &5.into()));
}

/// A file that cannot be read does not affect the answers of the others. A journal is refused then,
/// as its header needs all scenarios.
#[test]
fn a_bad_file_leaves_the_others_their_answers() {
    let folder = Folder::new().with("a/bad.toml", "shows = 1\n").with("a/unit.toml", unit());
    let both = folder.run("check a").code(NOT_ASKED);
    both.stdout(says("ok a/unit").and(says("open a/bad"))).stderr(says("a/bad.toml:1:9"));
    let answers = json(&folder.run("check a --format json").code(NOT_ASKED));
    assert_eq!(answers["runs"][0]["status"], "as-expected");
    assert_eq!(answers["runs"][1]["unanswered"], true);
    let junit = folder.run("check a --format junit").code(NOT_ASKED);
    junit.stdout(says("name=\"the scenario is answered\""));
    let seeds = folder.run("simulate a --seeds 0..5").code(NOT_ASKED);
    seeds.stdout(says("ok a/unit")).stderr(says("a/bad.toml:1:9"));
    for line in ["check a", "simulate a --seeds 0..5"] {
        folder.run(&format!("{line} --journal all.jsonl")).code(NOT_ASKED).stdout("");
    }
    folder.run("check a/bad.toml").code(NOT_ASKED).stdout("");
}

#[test]
fn a_step_that_is_not_possible_leaves_the_transcript_up_to_it() {
    let impossible = UNIT.replace(
        "unit-agent wordpress/0: set",
        "faults: crash unit-agent wordpress/0\nunit-agent wordpress/0: set",
    );
    let folder = Folder::new().with("impossible.toml", impossible).with("unit.toml", unit());
    assert_snapshot!(folder.seen("replay impossible.toml"));
    let both = folder.run("replay impossible.toml unit.toml").code(NOT_ASKED);
    both.stdout(predicate::str::contains("# unit\nclient: destroy-unit wordpress/0\n"));
    folder.run("check impossible.toml").code(NOT_ASKED).stdout("");
}

#[test]
fn documents_are_told_if_they_are_asked_for() {
    let folder = Folder::new().with("unit.toml", unit()).with("bug.toml", bug_as_it_is());
    assert_snapshot!(folder.seen("replay unit.toml -v"));
    let told = predicate::str::contains("unit mysql/0: Alive, on machine 2, deployed\n");
    folder.run("replay bug.toml --verbose").code(AS_EXPECTED).stdout(told);
}

#[test]
fn what_is_begun_and_not_finished_is_told() {
    let steps = "client: destroy-unit wordpress/0\nunit-agent wordpress/0: begin set-unit-dead \
                 wordpress/0\nclient 2: begin destroy-application wordpress";
    let script = RUNS.replace("user: begin destroy-unit wordpress/0\n", "");
    let (before, rest) = script.split_once("client:").expect("its script begins so");
    let (_, after) = rest.split_once("\"\"\"").expect("it ends");
    let script = format!("{before}{steps}\n\"\"\"{after}").replace("gone =", "dying =");
    let folder = Folder::new().with("early.toml", &script);
    assert_snapshot!(folder.seen("replay early.toml"));
    let claims = "[claims]\n\"a Dying unit is removed\" = \"holds\"\n";
    let folder = folder.with("asked.toml", format!("{script}{claims}"));
    let asked = folder.run("replay asked.toml").code(NOT_ASKED);
    asked.stdout(predicate::str::contains("pending at the end: client 2 has begun"));
    folder.run("check asked.toml").code(NOT_ASKED).stdout("");
}
