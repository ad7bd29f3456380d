//! Sweeps of seeds by the binary: their output, which shards, jobs and interruptions do not change.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is, bug_not_known,
    json, says, stderr_of,
};

/// A sweep that takes some seconds: its arguments without the journal.
pub(crate) const SWEEP: &str = "simulate large.toml --seeds 0..400 --keep-going --format json";

pub(crate) fn large() -> Folder {
    Folder::new().with("large.toml", LARGE)
}

pub(crate) fn stdout(folder: &Folder, line: &str) -> String {
    folder.stdout(line, AS_EXPECTED)
}

#[test]
fn a_sweep_says_the_same_for_any_number_of_jobs() {
    let folder = large();
    for flags in ["", "--verbose", "--format json", "--format junit"] {
        let seen = |jobs| {
            stdout(&folder, &format!("simulate large.toml --seeds 0..20 --jobs {jobs} {flags}"))
        };
        assert_eq!(seen(1), seen(3), "{flags}");
    }
}

#[test]
fn seeds_are_as_many_as_asked_for() {
    let folder = large();
    let seeds = |flags: &str| {
        let line = format!("simulate large.toml --format json {flags}");
        json(&folder.run(&line).code(AS_EXPECTED))["runs"][0]["seeds"].clone()
    };
    assert_eq!(seeds(""), 100, "if none are asked for");
    assert_eq!(seeds("--seed 17"), 1);
    assert_eq!(seeds("--seeds 0..5 --seeds 3..9 --seed 4 --seed 99"), 10);
}

#[test]
fn shards_are_merged_into_the_whole() {
    let folder = large();
    let whole = stdout(&folder, SWEEP);
    for number in 1..=3 {
        let line = format!("{SWEEP} --shard {number}/3 --journal {number}.jsonl");
        folder.run(&line).code(AS_EXPECTED);
    }
    assert_eq!(stdout(&folder, "merge 2.jsonl 3.jsonl 1.jsonl --format json"), whole);
    let lacking = folder.run("merge 1.jsonl 3.jsonl").code(UNDECIDED);
    lacking.stdout(predicate::str::contains("shard 2/3 is missing"));
}

#[test]
fn time_is_a_limit() {
    let folder = large();
    let line = "simulate large.toml --seeds 0..1000000 --time 1s";
    let run = folder.run(line).code(UNDECIDED);
    run.stdout(says("undecided: the time was over"));
}

/// A script with a step that violates a claim, after which the claim holds again.
const WRONG_STEP: &str = concat!("\n", include_str!("../worlds/wrong-step.toml"));

#[test]
fn what_a_script_violates_every_seed_violates() {
    let expecting = |answer| WRONG_STEP.replace("ANSWER", answer);
    let folder = Folder::new()
        .with("known.toml", expecting("violated"))
        .with("unknown.toml", expecting("holds"));
    folder.run("check known.toml").code(AS_EXPECTED);
    let known = stdout(&folder, "simulate known.toml --seeds 4..7");
    assert!(known.contains("first by seed 4 (1 kind)"), "{known}");
    let unknown = folder.run("simulate unknown.toml --seeds 4..7 --format json");
    let groups = json(&unknown.code(UNEXPECTED))["runs"][0]["groups"].clone();
    assert_eq!(groups.as_array().map(Vec::len), Some(1), "{groups}");
    let replayed = folder.run("replay known.toml --seed 5").code(AS_EXPECTED);
    replayed.stdout(predicate::str::contains("at step 0, for unit wordpress/0"));
}

#[test]
fn every_seed_can_be_run_twice() {
    folder_is_as_expected("simulate large.toml --seeds 0..10 --verify");
}

fn folder_is_as_expected(line: &str) {
    let stdout = stdout(&large(), line);
    assert!(stdout.ends_with("1 scenario as expected\n"), "{stdout}");
}

#[test]
fn an_unexpected_violation_is_shown_and_can_be_recorded() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    let line = "simulate bug.toml --seeds 0..200 --format json";
    let report = json(&folder.run(&format!("{line} --record")).code(UNEXPECTED));
    let seed = report["runs"][0]["ended_by"].as_u64().expect("a seed shows the bug");
    assert!(folder.read("bug.toml").contains(&format!("[simulate]\nseeds = [{seed}]")));
    let again = json(&folder.run(line).code(UNEXPECTED));
    assert_eq!(again["runs"][0]["ended_by"], seed);
    assert_eq!(again["runs"][0]["seeds"], 1, "what is known is run first");
    let text = folder.run("simulate bug.toml --seeds 0..200").code(UNEXPECTED);
    text.stdout(predicate::str::contains(format!("deathwatch replay bug.toml --seed {seed}")));
}

#[test]
fn a_sweep_is_shown_in_every_format() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    let line = "simulate bug.toml --seeds 0..60 --keep-going";
    for flags in ["", "--verbose", "--format json", "--format junit"] {
        assert_snapshot!(folder.seen(&format!("{line} {flags}")));
    }
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    assert_snapshot!(folder.seen(line));
}

/// A world in which several faults strike between plan and commit.
const SPLIT: &str = r#"
shows = "Units and a relation come and go."
world.transactions = "split"
world.machines = { 1 = {}, 2 = {} }
world.applications = { wordpress = { units = ["1"] }, mysql = { units = ["2"] } }
world.relations = { "wordpress:db mysql:server" = {} }
faults = { crash = true, abort = true, hook-failure = true }
claims = { "an application counts its relations" = "holds" }
[user]
"destroy-relation *" = "unlimited"
"integrate *" = "unlimited"
"destroy-unit *" = "unlimited"
"#;

/// With few seeds there are duties at which a fault has never struck, and with many there are none.
#[test]
fn it_is_told_at_which_duties_a_fault_never_struck() {
    let folder = Folder::new().with("split.toml", SPLIT);
    let asked = |seeds: &str, flags: &str| {
        let line = format!("simulate split.toml --seeds {seeds} --keep-going {flags}");
        String::from_utf8(folder.run(&line).get_output().stdout.clone()).expect("text")
    };
    let few = asked("0..2", "--verbose");
    assert!(few.contains("crash never struck between plan and commit of"), "{few}");
    assert!(!asked("0..60", "--verbose").contains("crash never struck"));
    assert!(asked("0..2", "--format html").contains("where they never struck agents"));
    asked("0..2", "--shard 1/2 --journal 1");
    asked("0..2", "--shard 2/2 --journal 2");
    assert_eq!(stdout(&folder, "merge 1 2 --verbose"), few);
}

#[test]
fn recording_changes_nothing_else_in_a_file() {
    let source = format!("# Why it is.\n{}\n# The end.\n", bug_not_known());
    let folder = Folder::new().with("bug.toml", &source);
    folder.run("simulate bug.toml --seeds 0..200 --keep-going --record").code(UNEXPECTED);
    let recorded = folder.read("bug.toml");
    let lines: Vec<&str> = recorded.lines().collect();
    let is_left = |line: &&str| lines.contains(line);
    assert!(source.lines().all(|line| is_left(&line)), "{recorded}");
    assert!(recorded.contains("\n[simulate]\nseeds = ["), "{recorded}");
    folder.run("simulate bug.toml --seeds 0..200 --keep-going --record").code(UNEXPECTED);
    assert_eq!(folder.read("bug.toml"), recorded, "what is recorded is not recorded again");
    folder.run("check bug.toml").code(UNEXPECTED);
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let folder = large();
    let mut seen = String::new();
    for flags in [
        "--seeds=5..5",
        "--seeds=9..5",
        "--seeds=5",
        "--seeds=0..=9",
        "--seeds=0..",
        "--seeds=a..b",
        "--seeds=0..9223372036854775808",
        "--seed=-1",
        "--seed=x",
        "--seed=9223372036854775808",
        "--shard=0/8",
        "--shard=9/8",
        "--shard=2",
        "--shard=1/0",
        "--jobs=0",
        "--jobs=99999",
        "--time=0",
        "--format=xml",
    ] {
        let assert = folder.run(&format!("simulate large.toml {flags}"));
        let stderr = stderr_of(&assert.code(NOT_ASKED).stdout(""));
        seen.push_str(stderr.lines().next().expect("it says something"));
        seen.push('\n');
    }
    assert_snapshot!(seen);
    folder.run("simulate").code(NOT_ASKED);
    folder.run("simulate missing.toml").code(NOT_ASKED);
}
