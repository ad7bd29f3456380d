//! Sweeps of seeds by the binary: what divides, interrupts or kills one does not change its report.

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_not_known, json,
};

/// A sweep that takes some seconds, and its arguments but for the journal.
const SWEEP: &str = "simulate large.toml --seeds 0..60 --keep-going --format json";

fn large() -> Folder {
    Folder::new().with("large.toml", LARGE)
}

fn stdout(folder: &Folder, line: &str) -> String {
    let assert = folder.run(line).code(AS_EXPECTED);
    String::from_utf8(assert.get_output().stdout.clone()).expect("it writes text")
}

/// A sweep that goes on by itself.
fn begin(folder: &Folder, line: &str) -> Child {
    let begun = Command::new(assert_cmd::cargo::cargo_bin!("deathwatch"))
        .current_dir(&folder.0)
        .args(line.split_whitespace())
        .stdout(Stdio::null())
        .spawn();
    begun.expect("it starts")
}

/// Waits until so many lines are in a journal, or its sweep is over.
fn wait_for(lines: usize, journal: &PathBuf, sweep: &mut Child) {
    let is_over = |sweep: &mut Child| sweep.try_wait().expect("it is ours").is_some();
    while fs::read_to_string(journal).unwrap_or_default().lines().count() < lines && !is_over(sweep)
    {
        thread::sleep(Duration::from_millis(1));
    }
}

fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
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

#[cfg(unix)]
#[test]
fn a_killed_sweep_goes_on_as_if_nothing_had_happened() {
    let folder = large();
    let undisturbed = stdout(&folder, &format!("{SWEEP} --journal whole.jsonl"));
    let whole = folder.read("whole.jsonl");
    for lines in [1, 2, 9, 30, 55] {
        let name = format!("killed-at-{lines}.jsonl");
        let line = format!("{SWEEP} --jobs 2 --journal {name}");
        // It is killed again and again, each time a little later.
        for more in 0..3 {
            let mut sweep = begin(&folder, &line);
            wait_for(lines + 2 * more, &folder.path(&name), &mut sweep);
            sweep.kill().expect("it is ours");
            sweep.wait().expect("it ends");
        }
        assert_eq!(stdout(&folder, &line), undisturbed, "killed at {lines}");
        assert_eq!(sorted_lines(&folder.read(&name)), sorted_lines(&whole));
        assert_eq!(stdout(&folder, &format!("merge {name} --format json")), undisturbed);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_tells_what_it_knows_and_goes_on() {
    let folder = large();
    let line = format!("{SWEEP} --journal journal.jsonl --output report.json");
    let mut sweep = begin(&folder, &line.replace("0..60", "0..1000000"));
    wait_for(5, &folder.path("journal.jsonl"), &mut sweep);
    let id = sweep.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(killed.success());
    assert_eq!(sweep.wait().expect("it ends").code(), Some(UNDECIDED));
    let report: serde_json::Value =
        serde_json::from_str(&folder.read("report.json")).expect("it is JSON");
    assert_eq!(report["runs"][0]["stopped"], "interrupted");
    assert!(report["runs"][0]["seeds"].as_u64() >= Some(4));
    folder.run(&line).code(NOT_ASKED).stderr(predicate::str::contains("other seeds"));
}

#[test]
fn time_is_a_limit() {
    let folder = large();
    let line = "simulate large.toml --seeds 0..1000000 --time 300ms";
    let run = folder.run(line).code(UNDECIDED);
    run.stdout(predicate::str::contains("undecided: the time was over"));
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
fn a_surprise_is_told_and_can_be_recorded() {
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

#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_cannot_be_written_ends_a_sweep() {
    let folder = large();
    assert_snapshot!(folder.seen("simulate large.toml --seeds 0..5 --journal /dev/full"));
    assert_snapshot!(folder.seen("simulate large.toml --seeds 0..5 --journal missing/x"));
    assert_snapshot!(folder.seen("simulate large.toml --seeds 0..5 --journal ."));
    assert_snapshot!(folder.seen("simulate large.toml --seeds 0..5 --journal large.toml"));
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
        let stderr = assert.code(NOT_ASKED).stdout("").get_output().stderr.clone();
        let stderr = String::from_utf8(stderr).expect("it writes text");
        seen.push_str(stderr.lines().next().expect("it says something"));
        seen.push('\n');
    }
    assert_snapshot!(seen);
    folder.run("simulate").code(NOT_ASKED);
    folder.run("simulate missing.toml").code(NOT_ASKED);
}
