//! The command line, as users and scripts see it: exit codes, formats, and words.
//!
//! Every test writes its own scenarios to a folder of its own and runs the binary there, so that no
//! path of this machine gets into a snapshot.

mod also;
mod annotations;
mod answers;
mod any_size;
mod asking;
mod assuming;
mod baselines;
mod boards;
mod checkpoints;
mod cluster;
mod commands;
mod diagnosing;
mod diffs;
mod explorer;
mod files;
mod fixture;
mod formats;
mod graphs;
mod hostile;
mod installing;
mod journals;
mod kinds;
mod limits;
mod lost_processes;
mod merges;
mod mistakes;
mod own;
mod pages;
#[path = "../program/mod.rs"]
mod program;
mod questions;
mod random;
mod recording;
mod refining;
mod regressions;
mod reloading;
mod repairing;
mod replaying;
mod reports;
mod schemas;
mod scripts;
mod setting;
mod shards;
mod shrinking;
mod spilling;
mod starts;
mod sweep_pages;
mod sweeps;
mod symmetry;
mod terminal;
mod vacuous;
mod walks;
mod watching;

use std::{fs, path::Path};

/// Snapshots contain only files that the tests write themselves.
#[test]
fn no_test_leaves_a_path_in_a_snapshot() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots");
    for entry in fs::read_dir(folder).expect("there are snapshots") {
        let path = entry.expect("read").path();
        let text = fs::read_to_string(&path).expect("text");
        assert!(!text.contains("/tmp"), "{}", path.display());
    }
}
