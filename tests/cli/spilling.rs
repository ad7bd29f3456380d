//! Transitions on disk: the same answers in less memory, and nothing left behind.

#![cfg(unix)]

use std::{fs, process::Command};

use predicates::prelude::*;

use crate::{
    fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED},
    program::program,
};

/// A world of 67,326 states, in which claims of the kind leads are decided.
const WORLD: &str = include_str!("../../scenarios/relation-scope-bug/2-a-crash-is-enough.toml");

fn folder() -> Folder {
    Folder::new().with("world.toml", WORLD)
}

fn stdout(folder: &Folder, line: &str) -> Vec<u8> {
    folder.run(line).code(AS_EXPECTED).get_output().stdout.clone()
}

#[test]
fn what_is_on_disk_changes_no_answer() {
    let folder = folder();
    let ask = "check world.toml#before-entering-split --format json --verbose --symmetry off";
    let in_memory = stdout(&folder, ask);
    for flags in ["--threads 3 --checkpoint cp --resume", "--processes 2"] {
        let on_disk = stdout(&folder, &format!("{ask} --spill disk {flags}"));
        assert!(on_disk == in_memory, "{flags}");
    }
    let timed = "check world.toml#before-entering-split --symmetry off --timings --spill disk";
    let timed = stdout(&folder, timed);
    assert!(String::from_utf8_lossy(&timed).contains("on disk"), "what is there is told");
    assert!(!String::from_utf8_lossy(&in_memory).contains("spilled"));
    assert_eq!(fs::read_dir(folder.path("disk")).expect("it was made").count(), 0);
}

/// The limit on the size of a file stands for a disk that becomes full.
#[test]
fn a_full_disk_leaves_a_search_undecided() {
    let folder = folder();
    let binary = program().display().to_string();
    let line = "check world.toml --symmetry off --spill disk";
    let script = format!("ulimit -f 100; exec {binary} {line}");
    let mut full = Command::new("sh");
    let full = full.current_dir(&folder.0).args(["-c", &script]).output().expect("it runs");
    assert_eq!(full.status.code(), Some(UNDECIDED));
    let (says, answers) =
        (String::from_utf8_lossy(&full.stderr), String::from_utf8_lossy(&full.stdout));
    assert!(says.contains("failed to write transitions to disk"), "{says}");
    assert!(answers.replace("\n        ", " ").contains("could not be written"), "{answers}");
}

#[test]
fn a_folder_that_cannot_be_is_refused() {
    let folder = folder();
    let refused = folder.run("check world.toml --spill world.toml").code(NOT_ASKED).stdout("");
    refused.stderr(predicate::str::contains("failed to make world.toml"));
    let other = folder.run("check world.toml --spill disk --engine stateright").code(NOT_ASKED);
    other.stdout("").stderr(predicate::str::contains("stateright keeps no transitions"));
}
