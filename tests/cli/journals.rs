//! Journals of sweeps: kills, interruptions and full disks do not change the result.

#![cfg(unix)]

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::{
    fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, code_after},
    program::program,
    sweeps::{SWEEP, large, stdout},
};

fn begin(folder: &Folder, line: &str) -> Child {
    let begun = folder.process(line.split_whitespace()).stdout(Stdio::null()).spawn();
    begun.expect("it starts")
}

/// Waits until a journal has this number of lines, or its sweep is over.
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
fn a_killed_sweep_goes_on_as_if_nothing_had_happened() {
    let folder = large();
    let undisturbed = stdout(&folder, &format!("{SWEEP} --journal whole.jsonl"));
    let whole = folder.read("whole.jsonl");
    let mut kills = 0;
    for lines in [0, 1, 9, 120, 300] {
        let name = format!("killed-at-{lines}.jsonl");
        let line = format!("{SWEEP} --jobs 2 --journal {name}");
        // It is killed again and again, each time a little later.
        for more in 0..3 {
            let mut sweep = begin(&folder, &line);
            wait_for(lines + 20 * more, &folder.path(&name), &mut sweep);
            sweep.kill().expect("it is ours");
            let ended = sweep.wait().expect("it ends");
            kills += usize::from(ended.code().is_none());
        }
        assert_eq!(stdout(&folder, &line), undisturbed, "killed at {lines}");
        assert_eq!(sorted_lines(&folder.read(&name)), sorted_lines(&whole));
        assert_eq!(stdout(&folder, &format!("merge {name} --format json")), undisturbed);
    }
    assert!(kills > 5, "only {kills} of 15 were killed before their end");
}

#[test]
fn an_interrupted_sweep_reports_and_goes_on() {
    let folder = large();
    let line = format!("{SWEEP} --journal journal.jsonl --output report.json");
    let mut sweep = begin(&folder, &line.replace("0..400", "0..1000000"));
    wait_for(5, &folder.path("journal.jsonl"), &mut sweep);
    assert_eq!(code_after(&mut sweep, "-INT"), Some(UNDECIDED));
    let report: serde_json::Value =
        serde_json::from_str(&folder.read("report.json")).expect("it is JSON");
    assert_eq!(report["runs"][0]["stopped"], "interrupted");
    assert!(report["runs"][0]["seeds"].as_u64() >= Some(4));
    folder.run(&line).code(NOT_ASKED).stderr(predicate::str::contains("other seeds"));
}

/// Sweeps begin together on a journal that does not exist yet.
#[test]
fn a_journal_is_used_by_one_process_at_a_time() {
    for round in 0..20 {
        let folder = large();
        let line = "simulate large.toml --seeds 0..9 --keep-going --journal journal.jsonl";
        let spawn = |_| {
            folder
                .process(line.split(' '))
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts")
        };
        let sweeps: Vec<Child> = (0..3).map(spawn).collect();
        let mut done = 0;
        for sweep in sweeps {
            let output = sweep.wait_with_output().expect("it ends");
            let says = String::from_utf8(output.stderr).expect("text");
            match output.status.code() {
                Some(AS_EXPECTED) => done += 1,
                code => {
                    assert_eq!(code, Some(NOT_ASKED), "{says}");
                    let refused = "the journal journal.jsonl is in use by another process";
                    assert!(says.contains(refused), "{says}");
                }
            }
        }
        assert!(done > 0, "somebody gets it");
        assert_eq!(folder.read("journal.jsonl").lines().count(), 10, "round {round}");
        folder.run("merge journal.jsonl").code(AS_EXPECTED);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_cannot_be_written_ends_a_sweep() {
    let folder = large();
    assert_snapshot!(folder.seen("simulate large.toml --seeds 0..5 --journal /dev/full"));
    assert_snapshot!(folder.seen("simulate large.toml --seeds 0..5 --journal large.toml/x"));
    assert_snapshot!(folder.seen("simulate large.toml --seeds 0..5 --journal ."));
    assert_snapshot!(folder.seen("simulate large.toml --seeds 0..5 --journal large.toml"));
}

/// The limit on the size of a file stands for a disk that becomes full: a line may be written in
/// part.
#[test]
fn a_disk_that_becomes_full_costs_no_finished_seed() {
    let folder = large();
    let undisturbed = stdout(&folder, SWEEP);
    let line = format!("{SWEEP} --journal journal.jsonl");
    let mut before = 0;
    for blocks in [1, 17, 60] {
        let binary = program().display().to_string();
        let script = format!("ulimit -f {blocks}; exec {binary} {line}");
        let mut full = Command::new("sh");
        let full = full.current_dir(&folder.0).args(["-c", &script]).output().expect("it runs");
        assert_eq!(full.status.code(), Some(NOT_ASKED));
        let says = String::from_utf8(full.stderr).expect("text");
        assert!(says.contains("failed to write the journal journal.jsonl"), "{says}");
        let lines = folder.read("journal.jsonl").lines().count();
        assert!(lines >= before, "what is written stays written");
        before = lines;
    }
    assert!(before > 10, "some seeds were finished");
    assert_eq!(stdout(&folder, &line), undisturbed);
}

#[test]
fn a_sweep_goes_on_with_other_jobs_and_another_limit() {
    let folder = large();
    let undisturbed = stdout(&folder, SWEEP);
    let line = format!("{SWEEP} --journal journal.jsonl");
    for flags in ["--jobs 1 --time 50ms", "--jobs 4 --time 100ms", "--jobs 2 --time 60ms"] {
        // A fast machine may be done in that time.
        let code = predicate::in_iter([AS_EXPECTED, UNDECIDED]);
        folder.run(&format!("{line} {flags}")).code(code);
    }
    assert_eq!(stdout(&folder, &format!("{line} --jobs 3")), undisturbed);
    let read = folder.read("journal.jsonl");
    assert_eq!(stdout(&folder, &line), undisturbed, "all seeds are in the journal");
    assert_eq!(folder.read("journal.jsonl"), read);
}

#[test]
fn a_journal_grows_to_more_seeds_and_nothing_else() {
    let folder = large();
    let at_once = stdout(&folder, &format!("{SWEEP} --journal at-once.jsonl"));
    let line = format!("{SWEEP} --journal journal.jsonl");
    stdout(&folder, &line.replace("0..400", "0..60"));
    let few = folder.read("journal.jsonl");
    assert_eq!(stdout(&folder, &line), at_once);
    let more = folder.read("journal.jsonl");
    assert!(more.starts_with(&few), "nothing is overwritten");
    assert_eq!(more[few.len()..].lines().count(), 1 + 340, "nothing is run again");
    assert_eq!(stdout(&folder, "merge journal.jsonl --format json"), at_once);
    for (other, says) in [
        (line.replace("0..400", "0..60"), "other seeds, 0..400"),
        (format!("{line} --verify"), "seeds that are run once"),
        (line.replace("--keep-going", ""), "a sweep"),
        (format!("{line} --set relation-tracking=remote-scope"), "other variants of large"),
        (format!("{line} --seeds 0..500 --shard 1/2"), "other seeds, 0..400"),
    ] {
        let refused = folder.run(&other).code(NOT_ASKED);
        refused.stderr(predicate::str::contains(says));
        assert_eq!(folder.read("journal.jsonl"), more, "{other}");
    }
}
