//! Answers that are as expected, and answers that are not.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, BUG, CYCLE, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, UNIT, WHILE, bug_as_it_is,
    bug_not_known, json, says, unit,
};

#[test]
fn an_expected_violation_passes() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("check bug.toml unit.toml"));
    assert_snapshot!(folder.seen("check bug.toml unit.toml --verbose"));
}

#[test]
fn an_unexpected_violation_fails() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    assert_snapshot!(folder.seen("check bug.toml"));
}

#[test]
fn a_run_that_ends_in_a_cycle_is_shown_with_it() {
    let folder = Folder::new().with("cycle.toml", CYCLE);
    assert_snapshot!(folder.seen("check cycle.toml"));
    let claim = json(&folder.run("check cycle.toml --format json"))["runs"][0]["claims"][0].clone();
    assert_eq!(claim["trace"]["steps"].as_array().map(Vec::len), Some(3));
    assert_eq!(claim["trace"]["cycle"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_claim_that_the_script_breaks_is_violated() {
    let claim = "[claims]\n\"a Dead unit is in no scope\" = \"holds\"\n";
    let folder = Folder::new().with("while.toml", format!("{WHILE}{claim}"));
    assert_snapshot!(folder.seen("check while.toml"));
    let by_stateright = folder.run("check while.toml --engine stateright --write-traces found");
    by_stateright.code(UNEXPECTED).stdout(predicate::str::contains("in the script:"));
    assert_snapshot!(folder.read("found/while/a-dead-unit-is-in-no-scope.toml"));
    folder.run("check found").code(AS_EXPECTED);
}

#[test]
fn what_the_search_cannot_know_to_be_owed_is_undecided() {
    let claim = "[claims]\n\"a Dying unit is removed\" = \"holds\"\n";
    let folder = Folder::new().with("while.toml", format!("{WHILE}{claim}"));
    assert_snapshot!(folder.seen("check while.toml"));
    assert_snapshot!(folder.seen("check while.toml --format json"));
    assert_snapshot!(folder.seen("check while.toml --format junit"));
}

#[test]
fn claims_are_named_only_where_somebody_asks() {
    let vacuous = [
        "a Dying machine is removed",
        "a Dead machine is removed",
        "a Dying application is removed",
        "a Dying relation is removed",
        "a unit that is forced is removed",
    ];
    let claims = vacuous.map(|claim| format!("\"{claim}\" = \"vacuous\"\n")).concat();
    let claims = format!("[claims]\n\"a Dead unit is removed\" = \"holds\"\n{claims}");
    let folder = Folder::new().with("unit.toml", format!("{UNIT}{claims}"));
    assert_snapshot!(folder.seen("check unit.toml"));
    assert_snapshot!(folder.seen("check unit.toml --max-states 1"));
    assert_snapshot!(folder.seen("check unit.toml --verbose"));
}

#[test]
fn a_claim_that_unexpectedly_holds_fails() {
    let claims = "[claims]\n\"a Dead unit is removed\" = \"violated\"\n\
                  \"a Dying relation is removed\" = \"holds\"\n";
    let folder = Folder::new().with("unit.toml", format!("{UNIT}{claims}"));
    assert_snapshot!(folder.seen("check unit.toml"));
}

#[test]
fn a_script_must_do_what_it_says() {
    let folder = Folder::new().with("unit.toml", UNIT.replace("dead =", "alive ="));
    assert_snapshot!(folder.seen("check unit.toml"));
    assert_snapshot!(folder.seen("replay unit.toml"));
}

#[test]
fn a_script_alone_is_an_answer() {
    let script = UNIT.replace("witnesses = [\"remove-unit.1\", \"remove-unit.3\"]", "");
    let folder = Folder::new().with("unit.toml", script);
    assert_snapshot!(folder.seen("check unit.toml"));
}

#[test]
fn without_a_table_of_claims_none_may_be_violated() {
    let claims = "[claims]\nall = \"not-violated\"\n";
    let fine =
        BUG.replace("hardware-failure = [\"2\"]", "[variants]\nsettings-cleanup = \"cleaner\"");
    let folder = Folder::new()
        .with("silent.toml", BUG)
        .with("all.toml", format!("{BUG}{claims}"))
        .with("empty.toml", format!("claims = {{}}{BUG}"))
        .with("fine.toml", fine);
    let violated = "violated, but expected not to be violated: \"a Dying relation is removed\"";
    for file in ["silent", "all"] {
        folder.run(&format!("check {file}.toml")).code(UNEXPECTED).stdout(says(violated));
    }
    let swept = folder.run("simulate silent.toml --seeds 0..20 --keep-going").code(UNEXPECTED);
    swept.stdout(says("violated, but expected not to be violated"));
    folder.run("check empty.toml").code(AS_EXPECTED).stdout(predicate::str::contains("1 witness,"));
    let counted = predicate::str::is_match(r" \d+ hold, \d+ vacuous, ").expect("it is a pattern");
    folder.run("check fine.toml").code(AS_EXPECTED).stdout(counted);
}

#[test]
fn a_script_without_expectations_and_without_claims_is_held_against_all_claims() {
    let steps = WHILE.replace("[variants]\ndead-while-in-scope = \"allowed\"\n", "");
    let steps = steps.replace("client: set-unit-dead wordpress/0\n", "");
    let folder = Folder::new()
        .with("violates.toml", WHILE)
        .with("keeps.toml", steps)
        .with("expects.toml", format!("{WHILE}[expect]\ndead = [\"wordpress/0\"]\n"))
        .with(
            "own.toml",
            format!("{BUG}[own.\"it is so\"]\neach = \"unit\"\nalways = \"it.exists\""),
        );
    let said = says("\"a Dead unit is in no scope\"");
    folder.run("check violates.toml").code(UNEXPECTED).stdout(said);
    folder.run("check keeps.toml").code(AS_EXPECTED);
    let script = predicate::str::contains("script of 3 steps");
    folder.run("check expects.toml").code(AS_EXPECTED).stdout(script);
    folder.run("check own.toml").code(AS_EXPECTED).stdout(predicate::str::contains(" 1 holds, "));
}

#[test]
fn pinned_numbers_must_be_right() {
    let pins = "[check]\nstates = 4\ntransitions = 2\n";
    let folder = Folder::new().with("unit.toml", format!("{UNIT}{pins}"));
    assert_snapshot!(folder.seen("check unit.toml"));
}

#[test]
fn a_witness_must_be_seen() {
    let folder = Folder::new().with("unit.toml", UNIT.replace("remove-unit.3", "deploy.1"));
    assert_snapshot!(folder.seen("check unit.toml"));
}

#[test]
fn single_claims_can_be_asked() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let ask = |claim: &str| folder.command(&["check", "bug.toml", "--claim", claim]).assert();
    ask("a Dying relation is removed").code(AS_EXPECTED);
    ask("an application counts its relations")
        .code(AS_EXPECTED)
        .stdout(predicate::str::contains(" 1 holds, 18 states\n"));
    ask("no such claim").code(NOT_ASKED).stderr(predicate::str::contains("list claims"));
}

#[test]
fn a_claim_that_is_named_twice_is_asked_once() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let claim = "a Dying relation is removed";
    for engine in ["own", "stateright"] {
        let answer = |claims: &[&str]| {
            let flags = claims.iter().flat_map(|claim| ["--claim", claim]);
            let args = ["check", "bug.toml", "--format", "json", "--engine", engine];
            let output = folder.command(&args).args(flags).output().expect("it runs");
            (output.status.code(), String::from_utf8(output.stdout).expect("text"))
        };
        let other = "an application counts its relations";
        assert_eq!(answer(&[claim, claim]), answer(&[claim]), "{engine}");
        assert_eq!(answer(&[other, other]), answer(&[other]), "{engine}");
        assert_eq!(answer(&[other]).0, Some(AS_EXPECTED), "{engine}");
    }
}

#[test]
fn stateright_is_asked_what_it_can_decide() {
    let claim = "\"an application counts its relations\" = \"holds\"\n";
    let folder = Folder::new().with("bug.toml", bug_as_it_is() + claim);
    assert_snapshot!(folder.seen("check bug.toml --engine stateright --verbose"));
    let line = ["check", "bug.toml", "--engine", "stateright", "--claim"];
    let named = folder.command(&[&line[..], &["a Dying relation is removed"]].concat()).assert();
    let named = named.code(NOT_ASKED).stdout("");
    named.stderr(predicate::str::contains("stateright cannot decide \"a Dying relation"));
    let junit = folder.run("check bug.toml --engine stateright --format junit");
    junit.code(UNDECIDED).stdout(predicate::str::contains("errors=\"1\""));
}

#[test]
fn both_engines_count_the_same_states() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    let states = |engine: &str| {
        let line = format!("check bug.toml unit.toml --format json --engine {engine}");
        let runs = json(&folder.run(&line))["runs"].clone();
        let runs = runs.as_array().expect("an array").clone();
        runs.iter().map(|run| run["states"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(states("own"), states("stateright"));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = Folder::new().with("bug.toml", bug_not_known()).with("unit.toml", unit());
    for format in ["text", "json", "junit"] {
        let bytes = |threads: u8| {
            let line = format!("check . --format {format} --threads {threads}");
            folder.run(&line).get_output().stdout.clone()
        };
        assert_eq!(bytes(1), bytes(2), "{format}");
    }
}

/// A run that violates several claims is printed once, below all of them.
#[test]
fn claims_of_one_run_are_told_together() {
    let own = |name: &str| {
        format!("own.{name} = {{ always = \"relations.all(r, r.life != 'dying')\" }}\n")
    };
    let text = own("one") + &own("two") + BUG.trim_start();
    let folder = Folder::new().with("bug.toml", text);
    let told = folder.stdout("check bug.toml", UNEXPECTED);
    let steps = told.lines().filter(|it| it.contains("user: destroy-relation")).count();
    assert_eq!(steps, 1, "{told}");
    assert!(told.contains("by one run:"), "{told}");
    let page = folder.run("check bug.toml --format html").code(UNEXPECTED);
    page.stdout(predicate::str::contains("violated</strong>, but expected to hold: <strong>one"));
}
