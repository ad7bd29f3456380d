//! Starts on the command line: a search begins at `[start]`, impossible starts are refused, and the
//! end of a script is a start.

use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNIT};

/// A Dying unit in a world of two machines.
fn dying(lines: &str) -> String {
    format!(
        "shows = \"A unit is Dying.\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n\
         [world.applications]\nwordpress.units = [\"1\"]\n[start]\ndying = [\"wordpress/0\"]\n{lines}\n\
         [claims]\n\"a Dying unit is removed\" = \"holds\"\n"
    )
}

#[test]
fn a_search_begins_where_the_start_says() {
    let folder = Folder::new().with("dying.toml", dying(""));
    folder.run("check dying.toml").code(AS_EXPECTED).stdout(predicate::str::contains("4 states"));
    folder.run("check dying.toml --engine stateright").code(predicate::ne(NOT_ASKED));
}

#[test]
fn what_a_start_cannot_say_is_told_with_its_place() {
    for (lines, place, told) in [
        ("units.wordpress = 3", "bad.toml:9:19", "a number below 3 was expected"),
        ("units.wordpress = 0", "bad.toml:9:7", "\"an application counts its units\""),
        ("down.\"wordpress/0\" = true", "bad.toml:9:22", "[faults]"),
        ("pending.provisioner = \"remove-machine 1\"", "bad.toml:9:23", "begin it in `steps`"),
        ("inconsistent = true\nunits.wordpress = 3", "bad.toml:10:19", "below 3"),
    ] {
        let folder = Folder::new().with("bad.toml", dying(lines));
        let told = predicate::str::contains(place).and(predicate::str::contains(told));
        folder.run("check bad.toml").code(NOT_ASKED).stderr(told);
    }
    let meant = dying("inconsistent = true\nunits.wordpress = 0");
    let folder = Folder::new().with("meant.toml", &meant);
    folder.run("check meant.toml").code(predicate::ne(NOT_ASKED));
    folder.run("simulate meant.toml --seed 1").code(predicate::ne(NOT_ASKED));
}

#[test]
fn the_end_of_a_script_is_written_as_a_start() {
    let folder = Folder::new().with("unit.toml", UNIT);
    folder.run("replay unit.toml --write-end end.toml").code(AS_EXPECTED);
    let text = folder.read("end.toml");
    assert!(text.contains("\n[start]\ndead = [\"wordpress/0\"]\n"), "{text}");
    assert!(!text.contains("steps"), "{text}");
    folder.run("replay end.toml --verbose").code(AS_EXPECTED);
    folder.run("replay unit.toml --write-end end.toml").code(NOT_ASKED);
    let claims = "\n[own.mine]\neach = \"unit\"\nalways = \"it.life != 'alive'\"\n\n[claims]\n\
                  \"a Dead unit is removed\" = \"holds\"\nmine = \"holds\"\n";
    let also = "[also.again]\nshows = \"The same.\"\n";
    let folder = Folder::new().with("unit.toml", format!("{UNIT}{claims}{also}"));
    let told = predicate::str::contains("the tables [also] are not written");
    folder.run("replay unit.toml --write-end end.toml").code(AS_EXPECTED).stderr(told);
    folder.run("check end.toml").code(AS_EXPECTED).stdout(predicate::str::contains("2 hold"));
    let pending =
        UNIT.replace("[world.machines]", "[world]\ntransactions = \"split\"\n[world.machines]");
    let pending =
        pending.replace("unit-agent wordpress/0: set", "unit-agent wordpress/0: begin set");
    let folder = Folder::new().with("pending.toml", pending.replace("dead =", "dying ="));
    let told = predicate::str::contains("commit or abort");
    folder.run("replay pending.toml --write-end end.toml").code(NOT_ASKED).stderr(told);
    assert!(!folder.path("end.toml").exists());
}

/// A claim over history depends on events of the script, which a start cannot express.
#[test]
fn an_end_whose_history_is_asked_about_is_not_written() {
    let world = r#"
shows = "A charm is upgraded without its hook."
steps = "user: upgrade-charm wordpress\nunit-agent wordpress/0: write-charm"
switch-off.clauses = ["charm.6"]
detail = { hooks = true, charm = true }
user."upgrade-charm wordpress" = 1
claims."each charm that is written without force is followed by upgrade-charm" = "violated"
[world.machines]
0 = { jobs = ["manage-model", "host-units"] }
[world.applications]
wordpress = { units = ["0"], hooks = ["config-changed", "upgrade-charm"] }
"#;
    let folder = Folder::new().with("charm.toml", world);
    folder.run("check charm.toml").code(AS_EXPECTED);
    let told = predicate::str::contains("no table says what has happened");
    folder.run("replay charm.toml --write-end end.toml").code(NOT_ASKED).stderr(told);
    assert!(!folder.path("end.toml").exists());
}

/// An obligation may be open since a step of the script whose state no longer shows the cause.
#[test]
fn an_end_at_which_something_is_owed_since_before_is_not_written() {
    let claim = "\n[claims]\n\"a Dying unit is removed\" = \"not-violated\"\n";
    let folder = Folder::new().with("unit.toml", format!("{UNIT}{claim}"));
    let told = predicate::str::contains("is owed for unit wordpress/0 since a step");
    let help = predicate::str::contains("end the script before line");
    folder.run("replay unit.toml --write-end end.toml").code(NOT_ASKED).stderr(told.and(help));
    assert!(!folder.path("end.toml").exists());
}
