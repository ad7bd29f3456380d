//! Questions that cannot be asked.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNIT, stderr_of, unit};

#[test]
fn a_world_that_is_too_large_is_a_question_that_cannot_be_asked() {
    let large = unit().replace("[expect]", "mysql.most-units = 90000\n[expect]");
    let folder = Folder::new().with("large.toml", large).with("unit.toml", unit());
    assert_snapshot!(folder.seen("check large.toml unit.toml"));
    assert_snapshot!(folder.seen("check large.toml --engine stateright"));
    assert_snapshot!(folder.seen("check large.toml unit.toml --format json"));
    assert_snapshot!(folder.seen("check large.toml unit.toml --format junit"));
    folder.run("replay large.toml").code(AS_EXPECTED);
}

#[test]
fn bad_files_are_reported_with_their_places() {
    let world = "shows = \"It is bad.\"\n[world.machines]\n0 = {}\n1 = {}\n\
                 [world.applications]\nwordpress.units = [\"1\"]\n";
    let with = |more: &str| format!("{world}{more}");
    let cyclic = "shows = \"It is bad.\"\n[world.machines]\n0.host = \"1\"\n1.host = \"0\"\n";
    let bad: [(&str, String, &str); 14] = [
        ("unknown key", with("[wurld]\n"), "bad.toml:7:2"),
        ("unknown inner key", with("[faults]\ncrush = true\n"), "bad.toml:8:1"),
        ("wrong type", "shows = 1\n".to_owned(), "bad.toml:1:9"),
        ("wrong inner type", with("[faults]\ncrash = \"yes\"\n"), "bad.toml:8:9"),
        ("no TOML", "shows = = 1\n".to_owned(), "bad.toml:1:"),
        ("unknown claim", with("[claims]\n\"it works\" = \"holds\"\n"), "bad.toml:8:1"),
        ("unknown unit", with("[expect]\ngone = [\"mysql/0\"]\n"), "bad.toml:8:9"),
        ("unknown variant", with("[variants]\nnone = \"of them\"\n"), "bad.toml:8:1"),
        ("bound of zero", with("[user]\n\"destroy-unit wordpress/0\" = 0\n"), "bad.toml:8:30"),
        ("huge bound", with("[user]\n\"destroy-unit wordpress/0\" = 99999\n"), "bad.toml:8:30"),
        ("huge number", with("mysql.most-units = 99999999999999999999\n"), "bad.toml:7:20"),
        ("cyclic container", cyclic.to_owned(), "bad.toml:"),
        ("empty", String::new(), "bad.toml:1:1"),
        (
            "step",
            format!("steps = \"faults: crash unit-agent wordpress/0\"\n{world}"),
            "bad.toml:1:",
        ),
    ];
    for (what, text, place) in bad {
        let folder = Folder::new().with("bad.toml", text);
        for command in ["check", "replay", "explore", "list scenarios"] {
            let assert = folder.run(&format!("{command} bad.toml")).code(NOT_ASKED).stdout("");
            let stderr = stderr_of(&assert);
            assert!(stderr.contains(place), "{what}: {place} is not in\n{stderr}");
            assert!(!stderr.contains("panicked"), "{what}:\n{stderr}");
        }
    }
}

#[test]
fn files_that_are_no_scenarios_are_reported() {
    let folder = Folder::new().with("binary.toml", [0, 159, 146, 150]).with("empty/note.md", "");
    assert_snapshot!(folder.seen("check binary.toml"));
    assert_snapshot!(folder.seen("check missing.toml"));
    assert_snapshot!(folder.seen("check empty"));
}

#[test]
fn all_bad_files_are_reported_at_once() {
    let folder = Folder::new()
        .with("unit.toml", unit())
        .with("one.toml", "shows = 1\n")
        .with("two.toml", "[wurld]\n");
    assert_snapshot!(folder.seen("check ."));
}

#[test]
fn a_step_that_is_not_enabled_is_a_bad_question() {
    let text = UNIT.replace("client: destroy-unit", "cleaner: remove-unit");
    let folder = Folder::new().with("unit.toml", text);
    assert_snapshot!(folder.seen("replay unit.toml"));
}

#[test]
fn a_client_that_does_not_finish_is_a_bad_question() {
    let steps =
        "client: destroy-unit wordpress/0\nunit-agent wordpress/0: set-unit-dead wordpress/0";
    let begun = "client: begin destroy-unit wordpress/0";
    let text = unit().replace(steps, begun).replace("dead =", "alive =");
    let text =
        text.replace("[world.machines]", "[world]\ntransactions = \"split\"\n[world.machines]");
    let not_asked = text.replace("witnesses =", "rules =").replace("[claims]", "[check]");
    let not_asked = not_asked.replace("\"a Dead unit is removed\" = \"holds\"\n", "");
    let folder = Folder::new().with("unit.toml", text).with("script.toml", not_asked);
    assert_snapshot!(folder.seen("check unit.toml"));
    folder.run("check script.toml").code(AS_EXPECTED);
    let args = ["check", "script.toml", "--claim", "a Dead unit is removed"];
    let place = predicate::str::contains("script.toml:5:1");
    folder.command(&args).assert().code(NOT_ASKED).stderr(place);
}

#[test]
fn diagnostics_have_no_colours_unless_somebody_sees_them() {
    let folder = Folder::new().with("bad.toml", "shows = 1\n");
    for line in ["check bad.toml", "check --threads 0", "check missing.toml"] {
        let escape = predicate::str::contains("\u{1b}").not();
        folder.run(line).code(NOT_ASKED).stderr(escape);
    }
}
