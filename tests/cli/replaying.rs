//! Replaying seeds: the commands that a sweep prints for a failure work as printed.
//!
//! The failing seed is read from the sweep, so that the tests do not depend on it.

use std::collections::BTreeSet;

use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNEXPECTED, bug_as_it_is, bug_not_known, json, unit,
    words,
};

const CLAIM: &str = "a Dying relation is removed";

fn bug() -> Folder {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    folder.with("known.toml", bug_as_it_is())
}

/// The commands that a sweep prints for its first failure, without the name of the binary.
fn printed(folder: &Folder) -> [String; 2] {
    let told = folder.stdout("simulate bug.toml --seeds 0..100", UNEXPECTED);
    ["replay", "shrink"].map(|verb| {
        let prefix = format!("deathwatch {verb} bug.toml --seed ");
        let mut lines = told.lines().map(str::trim);
        let line = lines.find(|line| line.starts_with(&prefix)).expect("it prints one");
        line.strip_prefix("deathwatch ").expect("it begins so").to_owned()
    })
}

#[test]
fn what_a_sweep_prints_replays_the_failure() {
    let folder = bug();
    let [replay, _] = printed(&folder);
    let told = folder.stdout(&replay, UNEXPECTED);
    let (steps, ending) = told.split_once("and nothing more happens, after ").expect(&told);
    let count = steps.lines().count();
    assert!(ending.starts_with(&format!("{count} steps\n")), "{told}");
    let violated = format!(
        "violated: \"{CLAIM}\" at step {count}, for relation wordpress:db mysql:server held by "
    );
    assert!(words(ending).contains(&violated), "{told}");
    let destroys = "user: destroy-relation wordpress:db mysql:server  [destroy-relation.1, ";
    assert!(steps.contains(destroys), "{told}");
    assert_eq!(told, folder.stdout(&replay, UNEXPECTED), "it is the same again");
    let known = replay.replace("bug.toml", "known.toml");
    let told = folder.stdout(&known, AS_EXPECTED);
    assert!(told.contains("violated as expected"), "{told}");
}

#[test]
fn what_a_sweep_prints_shrinks_the_failure() {
    let folder = bug();
    let [_, shrink] = printed(&folder);
    folder
        .run(&format!("{shrink} --output small.toml"))
        .code(AS_EXPECTED)
        .stdout("")
        .stderr(predicate::str::contains("an exhaustive search finds the violation, too"));
    folder.run("replay small.toml").code(AS_EXPECTED);
    folder.run("check small.toml").code(AS_EXPECTED);
    let small = folder.read("small.toml");
    let is_step = |line: &&str| line.contains(": ") && !line.starts_with("shows");
    assert!(small.lines().filter(is_step).count() <= 8, "{small}");
}

#[test]
fn changes_are_shown_if_asked_for() {
    let folder = bug();
    let [replay, _] = printed(&folder);
    let told = folder.stdout(&format!("{replay} --verbose"), UNEXPECTED);
    let change = "    relation wordpress:db mysql:server: Alive -> Dying\n";
    let outcome = "  committed [destroy-relation.1, ";
    assert!(told.contains(change) && told.contains(outcome), "{told}");
    for line in told.lines() {
        assert!(!line.ends_with(' '), "{line}");
    }
}

#[test]
fn a_run_that_is_written_is_a_scenario_that_replays_alike() {
    let folder = bug();
    let [replay, _] = printed(&folder);
    let write = format!("{replay} --write-scenario run.toml");
    let told = folder.stdout(&write, UNEXPECTED);
    folder.run(&write).code(NOT_ASKED).stderr(predicate::str::contains("a file of that name"));
    let again = folder.stdout("replay run.toml", AS_EXPECTED);
    let line = |line: &str| line.split("  [").next().map(str::to_owned);
    let (steps, _) = told.split_once("and nothing more").expect("it settles");
    let steps: Vec<String> = steps.lines().filter_map(line).collect();
    let is_step = |line: &&str| !line.starts_with(' ');
    assert_eq!(steps, again.lines().filter(is_step).collect::<Vec<_>>());
    let args = ["shrink", "run.toml", "--claim", CLAIM, "--output", "small.toml"];
    folder.command(&args).assert().code(AS_EXPECTED);
    folder.run("check small.toml").code(AS_EXPECTED);
}

/// A world in which an application goes on to count a removed relation.
fn miscount() -> Folder {
    let off = "[switch-off]\nclauses = [\"leave-scope.6\"]\n";
    Folder::new().with("off.toml", format!("{}{off}", bug_not_known()))
}

#[test]
fn a_run_ends_where_the_claim_is_violated() {
    let folder = miscount();
    let claim = "an application counts its relations";
    let ended = (0..30).filter(|seed| {
        let seed = seed.to_string();
        let args = ["replay", "off.toml", "--seed", &seed, "--claim", claim];
        let assert = folder.command(&args).assert();
        let output = assert.get_output();
        let told = String::from_utf8(output.stdout.clone()).expect("text");
        let is_ended = told.contains("\nended after ");
        assert_eq!(is_ended, told.contains(&format!("violated: \"{claim}\" at step")), "{told}");
        assert_eq!(output.status.code(), Some(i32::from(is_ended)), "{told}");
        is_ended
    });
    assert!(ended.count() > 3);
}

#[test]
fn questions_that_cannot_be_asked_are_refused() {
    let folder = bug();
    let one = "these are 2 scenarios";
    folder.run("replay . --seed 1").code(NOT_ASKED).stderr(predicate::str::contains(one));
    folder.run("replay bug.toml --seed -1").code(NOT_ASKED);
    folder.run("replay bug.toml --seed x").code(NOT_ASKED);
    folder.run("replay bug.toml --write-scenario run.toml").code(NOT_ASKED);
    folder.run("replay bug.toml --seed 1 --write-scenario bug.toml/run.toml").code(NOT_ASKED);
    folder.run("replay missing.toml --seed 1").code(NOT_ASKED);
    let args = ["replay", "bug.toml", "--seed", "1", "--claim", "it works"];
    folder.command(&args).assert().code(NOT_ASKED);
}

#[test]
fn the_details_that_a_seed_draws_are_told_and_written() {
    let hooks = "wordpress.hooks = [\"start\"]\nmysql.units";
    let text = LARGE.replace("mysql.units", hooks);
    let draws = "[detail]\nhooks = true\n[simulate]\ndraw-details = true\n";
    let folder = Folder::new().with("drawn.toml", format!("{text}{draws}"));
    let mut told = BTreeSet::new();
    for seed in 0..8 {
        let line = format!("replay drawn.toml --seed {seed} --write-scenario {seed}.toml");
        let output = folder.stdout(&line, AS_EXPECTED);
        let first = output.lines().next().expect("it says what is drawn").to_owned();
        folder.run(&format!("replay {seed}.toml")).code(AS_EXPECTED);
        told.insert(first);
    }
    let lines = ["hooks", "none"].map(|it| format!("details that the seed draws: {it}"));
    assert_eq!(told, lines.into());
}

#[test]
fn verbose_runs_quote_the_clauses_that_they_carry_out() {
    let folder = Folder::new().with("unit.toml", unit()).with("bug.toml", bug_as_it_is());
    for (line, clause) in [
        ("replay unit.toml", "destroy-unit.1"),
        ("replay bug.toml --counterexample", "destroy-relation.3"),
        ("replay bug.toml --seed 0", "destroy-relation.3"),
    ] {
        let told = |line: &str| words(&folder.seen(line));
        let quoted = format!(" {clause}: {}", text(clause));
        assert!(told(&format!("{line} --verbose")).contains(&quoted), "{line}: {quoted}");
        assert!(!told(line).contains(&quoted), "{line}");
    }
}

/// The text of a clause, and its passages.
fn text(clause: &str) -> String {
    let list = json(&Folder::new().run("list clauses --format json"));
    let mut clauses = list["clauses"].as_array().expect("a list").iter();
    let found = clauses.find(|it| it["name"] == clause).expect("it is listed");
    let word = |key: &str| found[key].as_str().expect("a text").to_owned();
    format!("{} ({})", word("says"), word("source"))
}
