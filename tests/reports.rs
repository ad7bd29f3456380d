//! The reports that are committed are those that would be made.
//!
//! The figures of large worlds in which everything holds are taken from the reports themselves, as
//! `deathwatch report --check --quick` does; `.ci/run` compares everything.

use std::{fs, path::Path};

use assert_cmd::Command;
use deathwatch_model::variants::Variants;
use deathwatch_sim::report::weaken::{self, UNEXPLAINED};

#[test]
#[ignore = "takes long, and `.ci/run` compares more"]
fn what_is_committed_is_what_would_be_made() {
    let mut command = Command::cargo_bin("deathwatch").expect("cargo has built it");
    let report = command.current_dir(root()).args(["report", "--check", "--quick"]);
    report.assert().success().stdout("");
}

#[test]
fn each_clause_that_no_claim_misses_has_an_explanation_and_no_other_has() {
    let clauses = fs::read_to_string(root().join("reports/clauses.md")).expect("it is committed");
    assert!(!clauses.contains(UNEXPLAINED), "some clause lacks an explanation");
    assert!(!clauses.contains("too large to be decided"), "some world grows too large");
    for clause in weaken::explained() {
        let row = format!("| `{clause}` | all of it | none: ");
        assert!(clauses.contains(&row), "some claim breaks without {clause}: explain it no more");
    }
}

#[test]
fn a_fix_is_a_value_of_a_variant_or_an_assumption() {
    let findings = fs::read_to_string(root().join("reports/findings.md")).expect("it is committed");
    let fixes: Vec<&str> = findings.lines().filter_map(|it| it.strip_prefix("Fixed by ")).collect();
    assert!(!fixes.is_empty(), "some findings have a fix");
    for fix in fixes {
        let (parts, _) = fix.split_once(": [").expect("a fix names the scenario that shows it");
        for part in parts.split("; ").filter(|it| !it.starts_with("the assumption that ")) {
            let value = part.trim_start_matches('`').split('`').next().unwrap_or_default();
            let (name, value) = value.split_once(" = ").unwrap_or((value, ""));
            let set = Variants::default().set(name, value);
            assert!(set.is_ok(), "\"{part}\" fixes something, but is no value of a variant");
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
