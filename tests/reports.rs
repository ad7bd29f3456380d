//! The reports that are committed are those that would be made.
//!
//! The figures of large worlds in which everything holds are taken from the reports themselves, as
//! `deathwatch report --check --quick` does; `.ci/run` compares everything.

use std::path::Path;

use assert_cmd::Command;
use deathwatch_sim::report::weaken;

#[test]
fn what_is_committed_is_what_would_be_made() {
    let mut command = Command::cargo_bin("deathwatch").expect("cargo has built it");
    let report = command.current_dir(root()).args(["report", "--check", "--quick"]);
    report.assert().success().stdout("");
}

#[test]
fn each_clause_that_no_claim_misses_has_an_explanation_and_no_other_has() {
    let noticed = weaken::weaken(2, &|| None, &|_, _| {}).expect("nobody interrupts");
    let (missing, superfluous) = weaken::unexplained(&noticed);
    assert!(missing.is_empty(), "no claim breaks without these; say why: {missing:?}");
    assert!(superfluous.is_empty(), "some claim breaks without these: {superfluous:?}");
    let undecided: Vec<_> = noticed.iter().filter(|it| !it.undecided.is_empty()).collect();
    assert!(undecided.is_empty(), "these worlds grow too large: {undecided:?}");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
