//! Repairs of scenarios, as `assume --all-claims` prints them.

use insta::assert_snapshot;
use serde_json::Value;

use crate::fixture::{AS_EXPECTED, BUG, Folder, LARGE, NOT_ASKED, UNDECIDED, UNIT};

/// The variants that make a difference here, as a debug build takes long to find them.
const TRIED: &str = "--variants relation-tracking,settings-cleanup";

/// The bug, with two claims.
fn bug() -> String {
    let claims = "\"a Dying relation is removed\" = \"violated\"\n\
                  \"the settings of a removed relation are deleted\" = \"violated\"\n";
    format!("{BUG}[claims]\n{claims}")
}

/// One rule is carried out without its asserts, and another one not at all.
const SWITCHED: &str = concat!("\n", include_str!("../worlds/switched-off.toml"));

#[test]
fn the_smallest_sets_and_their_costs_are_told() {
    let folder = Folder::new().with("bug.toml", bug()).with("unit.toml", UNIT);
    let folder = folder.with("switched.toml", SWITCHED).with(
        "own.toml",
        format!("{BUG}[own.\"it stays\"]\nalways = \"relations.all(r, r.exists)\"\n"),
    );
    assert_snapshot!(folder.seen(&format!("assume bug.toml --all-claims {TRIED}")));
    let except = "the settings of a removed relation are deleted";
    let json = ["--except", except, "--format", "json"];
    let line = ["assume", "bug.toml", "--all-claims", "--variants", "relation-tracking"];
    let output = folder.command(&[&line[..], &json].concat()).assert().code(AS_EXPECTED);
    let output = output.get_output().stdout.clone();
    assert_snapshot!(String::from_utf8(output).expect("text"));
}

#[test]
fn what_is_switched_off_is_switched_on() {
    let folder = Folder::new().with("switched.toml", SWITCHED);
    assert_snapshot!(folder.seen("assume switched.toml --all-claims --no-variants"));
}

/// One set repairs both claims: neither fix is enough alone.
#[test]
fn several_scenarios_are_repaired_together() {
    let with = |claim: &str| format!("{BUG}[claims]\n\"{claim}\" = \"violated\"\n");
    let folder = Folder::new()
        .with("relation.toml", with("a Dying relation is removed"))
        .with("settings.toml", with("the settings of a removed relation are deleted"));
    let line = format!("assume relation.toml settings.toml --all-claims {TRIED}=cleaner");
    assert_snapshot!(folder.seen(&line));
}

#[test]
fn what_is_cut_off_is_no_repair() {
    let folder = Folder::new().with("bug.toml", bug()).with("large.toml", LARGE);
    let line = "assume bug.toml --all-claims --format json --variants";
    let one = format!("{line} relation-tracking=remote-scope,settings-cleanup=cleaner");
    let read = |line: &str, code: i32| -> Value {
        let output = folder.run(line).code(code).get_output().stdout.clone();
        serde_json::from_slice(&output).expect("JSON")
    };
    let whole = read(&one, AS_EXPECTED);
    assert_eq!(whole["runs"][0]["repairs"].as_array().map(Vec::len), Some(1));
    let cut = read(&format!("{one} --max-states 5"), UNDECIDED);
    assert_eq!(cut["runs"][0]["repairs"].as_array().map(Vec::len), Some(0));
    assert_eq!(cut["runs"][0]["decided"], false);
    // With more sets than are tried the answer is undecided, too, and smaller repairs are printed.
    let all = folder.run(&format!("{line} relation-tracking --max-states 1"));
    all.code(UNDECIDED);
    folder.run("assume large.toml --all-claims --time 1ms --no-variants").code(UNDECIDED);
}

#[test]
fn where_all_holds_nothing_is_repaired() {
    let claims = "[claims]\n\"a Dead unit is removed\" = \"holds\"\n";
    let folder = Folder::new().with("unit.toml", format!("{UNIT}{claims}"));
    assert_snapshot!(folder.seen("assume unit.toml --all-claims"));
}

#[test]
fn the_repairs_do_not_depend_on_threads() {
    let folder = Folder::new().with("bug.toml", bug());
    let with = |threads: u32| {
        let line = format!("assume bug.toml --all-claims {TRIED} --threads {threads}");
        folder.run(&line).code(AS_EXPECTED).get_output().stdout.clone()
    };
    assert_eq!(with(1), with(5));
}

#[test]
fn repairs_that_make_no_sense_are_refused() {
    let folder = Folder::new().with("bug.toml", bug());
    let claim = "a Dying relation is removed";
    for more in [
        &["--all-claims", "--stuck"][..],
        &["--all-claims", "--chosen"],
        &["--all-claims", "--claim", claim],
        &["--except", claim],
        &["--elsewhere", "."],
        &["--all-claims", "--elsewhere", "missing"],
        &["--all-claims", "--except", "no such claim"],
    ] {
        let line = [&["assume", "bug.toml"], more].concat();
        folder.command(&line).assert().code(NOT_ASKED).stdout("");
    }
    let line = ["assume", "bug.toml", "--all-claims", "--except", "a Dying relation is remove"];
    let output = folder.command(&line).assert().get_output().stderr.clone();
    assert_snapshot!(String::from_utf8(output).expect("text"));
}
