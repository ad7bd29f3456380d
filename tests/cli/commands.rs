//! The other commands.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, bug_as_it_is, json, unit};

#[test]
fn a_variant_is_listed_alone() {
    let folder = Folder::new();
    let listed = folder.stdout("list variants settings-cleanup", AS_EXPECTED);
    assert!(listed.starts_with("settings-cleanup  Who deletes"), "{listed}");
    assert_eq!(listed.lines().filter(|line| !line.starts_with(' ')).count(), 1, "{listed}");
    let unknown = folder.run("list variants settings-cleanup relation-traking").code(NOT_ASKED);
    unknown.stdout("").stderr(predicate::str::contains("relation-tracking"));
}

#[test]
fn replay_shows_what_each_step_changes() {
    let folder = Folder::new().with("unit.toml", unit()).with("bug.toml", bug_as_it_is());
    assert_snapshot!(folder.seen("replay unit.toml"));
    assert_snapshot!(folder.seen("replay unit.toml bug.toml"));
    folder.run("replay ./bug.toml").code(AS_EXPECTED).stdout("bug has no steps\n");
}

#[test]
fn lists_name_what_there_is() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("list scenarios bug.toml unit.toml"));
    assert_snapshot!(folder.seen("list scenarios bug.toml --format json"));
    for (what, name) in [
        ("claims", "a Dying unit is removed"),
        ("variants", "relation-tracking"),
        ("details", "hooks"),
        ("clauses", "remove-unit.4"),
        ("steps", "remove-unit"),
        ("refusals", "it has units"),
        ("fields", "deployed-by"),
    ] {
        let contains = || predicate::str::contains(name);
        folder.run(&format!("list {what}")).code(AS_EXPECTED).stdout(contains());
        let assert = folder.run(&format!("list {what} --format json")).code(AS_EXPECTED);
        let list = json(&assert);
        assert_eq!(list["command"], format!("list {what}"));
        assert_eq!(list["version"], 1);
        let names = list[what].as_array().expect("an array").iter();
        assert!(names.clone().any(|item| item["name"] == name), "{what}");
    }
    folder.run("list everything").code(NOT_ASKED);
    folder.run("list claims bug.toml").code(NOT_ASKED);
}

#[test]
fn the_schema_is_json() {
    let folder = Folder::new();
    let assert = folder.run("schema").code(AS_EXPECTED);
    assert!(json(&assert)["properties"]["world"].is_object());
}

#[test]
fn help_says_what_each_command_answers() {
    let folder = Folder::new();
    assert_snapshot!(folder.seen("--help"));
    for command in ["check", "replay", "explore", "list", "shrink", "schema"] {
        let both = predicate::str::contains("Answers: ").and(predicate::str::contains("Examples:"));
        folder.run(&format!("{command} --help")).code(AS_EXPECTED).stdout(both);
    }
    folder.run("").code(NOT_ASKED);
    folder.run("chekc").code(NOT_ASKED).stderr(predicate::str::contains("'check'"));
}
