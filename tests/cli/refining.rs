//! Refinement: whether worlds with details keep to their outlines.

use std::{fs, path::Path};

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, UNIT, json, says, unit,
};

/// A world with hooks, and this table `[check]`.
fn with_hooks(check: &str) -> String {
    format!("{}{check}", hooked(&unit()))
}

/// `scenario` with hooks, in which its unit also runs the stop hook.
fn hooked(scenario: &str) -> String {
    let dead = "unit-agent wordpress/0: set-unit-dead wordpress/0";
    let stopped = format!("unit-agent wordpress/0: run-stop-hook\n{dead}");
    format!("{}[detail]\nhooks = true\n", scenario.replace(dead, &stopped))
}

#[test]
fn a_world_that_keeps_to_its_outline_is_told_in_each_format() {
    let folder = Folder::new()
        .with("asked.toml", with_hooks("[check]\nrefines = true\n"))
        .with("unasked.toml", with_hooks(""))
        .with("without.toml", unit());
    let keeps = predicate::str::contains(", keeps to its outline, ").count(2);
    folder.run("check . --refines").code(AS_EXPECTED).stdout(keeps.clone());
    folder.run("check . --refines --engine own --threads 3").code(AS_EXPECTED).stdout(keeps);
    let once = predicate::str::contains("keeps to its outline").count(1);
    folder.run("check .").code(AS_EXPECTED).stdout(once);
    let run = json(&folder.run("check asked.toml --format json").code(AS_EXPECTED));
    let claims = run["runs"][0]["claims"].as_array().expect("an array");
    let last = claims.last().expect("it is asked last");
    assert_eq!((&last["kind"], &last["answer"]), (&"refinement".into(), &"holds".into()));
    let case = "every run is one of the world without them";
    let junit = folder.run("check unasked.toml --refines --format junit").code(AS_EXPECTED);
    junit.stdout(predicate::str::contains(case));
    let claim = ["check", "asked.toml", "--claim", "a Dead unit is removed"];
    let not_asked = predicate::str::contains("outline").not();
    folder.command(&claim).assert().code(AS_EXPECTED).stdout(not_asked);
    let asked = predicate::str::contains("keeps to its outline");
    folder.command(&claim).arg("--refines").assert().code(AS_EXPECTED).stdout(asked);
}

#[test]
fn what_is_not_searched_is_not_asked() {
    let steady = "scenarios/simulate/hooks/steady-churn.toml";
    let steady = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(steady))
        .expect("it is shipped");
    let witnesses = UNIT.lines().find(|line| line.starts_with("witnesses"));
    let script = UNIT.replace(witnesses.expect("it has some"), "");
    let folder = Folder::new()
        .with("asked.toml", with_hooks(""))
        .with("script.toml", hooked(&script))
        .with("simulated.toml", steady);
    let once = predicate::str::contains("keeps to its outline").count(1);
    let told = once.and(predicate::str::contains("nothing is claimed").count(1));
    let all = told.and(predicate::str::contains("script of 3 steps").count(1));
    folder.run("check . --refines").code(AS_EXPECTED).stdout(all);
    for file in ["script", "simulated"] {
        let none = predicate::str::contains("no world here that has details is searched");
        folder.run(&format!("check {file}.toml --refines")).code(NOT_ASKED).stderr(none);
    }
    // A claim that is named is searched as well.
    let claim = ["check", "script.toml", "--refines", "--claim", "a Dead unit is removed"];
    let asked = predicate::str::contains("keeps to its outline");
    folder.command(&claim).assert().code(AS_EXPECTED).stdout(asked);
}

#[test]
fn what_a_scenario_says_of_its_outline_has_to_be_so() {
    let folder = Folder::new().with("departs.toml", with_hooks("[check]\nrefines = false\n"));
    for engine in ["own", "stateright"] {
        let told = says("holds, but expected to be violated: \"with the details");
        folder.run(&format!("check departs.toml --engine {engine}")).code(UNEXPECTED).stdout(told);
    }
    let limited = "check departs.toml --max-states 2";
    let open = says("\"with the details hidden, every run is one of the world");
    folder.run(limited).code(UNDECIDED).stdout(open);
}

#[test]
fn a_world_with_rules_is_compared_with_an_outline_that_has_them_too() {
    let rule = |when: &str| {
        let only = "only = \"destroy-unit\"\neach = \"unit\"";
        format!("{}[rule.\"a rule\"]\n{only}\nwhen = '{when}'\n", with_hooks(""))
    };
    let hidden = "!it.exists || variant(\"placement\") == \"any-machine\"";
    let alive = rule("it.life == \"alive\"");
    let series = rule(hidden) + "[variants]\nplacement = \"clean-machine-that-satisfies\"\n";
    let folder = Folder::new().with("alive.toml", alive).with("hidden.toml", series);
    let keeps = predicate::str::contains("keeps to its outline").count(1);
    folder.run("check alive.toml --refines").code(AS_EXPECTED).stdout(keeps.clone());
    // A world that cannot be compared is reported, and refused only if it is the only one.
    let why = "the rule `a rule`: it reads the variant `placement`, which is hidden in the outline";
    folder.run("check . --refines").code(AS_EXPECTED).stdout(keeps).stderr(says(why));
    folder.run("check hidden.toml --refines").code(NOT_ASKED).stderr(says(why));
}

#[test]
fn a_world_without_details_cannot_be_asked() {
    let folder = Folder::new()
        .with("unit.toml", unit())
        .with("refines.toml", format!("{}[check]\nrefines = true\n", unit()));
    assert_snapshot!(folder.seen("check unit.toml --refines"));
    folder.run("check unit.toml --refines").code(NOT_ASKED);
    folder.run("check refines.toml").code(NOT_ASKED);
}
