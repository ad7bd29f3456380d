//! Starts on the command line: what `[start]` says is where a search begins, what it cannot say is
//! refused, and the end of a script is a start.

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
    let pending =
        UNIT.replace("[world.machines]", "[world]\ntransactions = \"split\"\n[world.machines]");
    let pending =
        pending.replace("unit-agent wordpress/0: set", "unit-agent wordpress/0: begin set");
    let folder = Folder::new().with("pending.toml", pending.replace("dead =", "dying ="));
    let told = predicate::str::contains("commit or abort");
    folder.run("replay pending.toml --write-end end.toml").code(NOT_ASKED).stderr(told);
    assert!(!folder.path("end.toml").exists());
}
