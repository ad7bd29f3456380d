//! Claims that are vacuous in a world, and machines that a world has without mentioning them.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNEXPECTED, json};

/// A world in which all claims hold that are not vacuous; its machines are implied.
const WORLD: &str = r#"
shows = "An application that nothing refers to goes at once."
[world.applications]
wordpress.units = ["2", "0"]
mysql = {}
[user]
"destroy-application mysql" = 1
[claims]
all = "holds"
"#;

/// The claims that are vacuous there although the user may destroy an application.
const LIST: &str = r#"vacuous = [
    "a Dying application is removed",
    "the name of a destroyed application becomes free",
]
"#;

#[test]
fn what_the_constants_exclude_is_expected_to_be_vacuous_and_the_rest_is_listed() {
    let folder = Folder::new().with("world.toml", format!("{WORLD}{LIST}"));
    assert_snapshot!(folder.seen("check world.toml --verbose"));
    let folder = Folder::new().with("world.toml", WORLD);
    assert_snapshot!(folder.seen("check world.toml"));
}

#[test]
fn a_claim_that_is_named_is_expected_as_it_says() {
    let named = format!("{WORLD}{LIST}\"a Dying machine is removed\" = \"holds\"\n");
    let folder = Folder::new().with("world.toml", named);
    let said = predicate::str::contains("vacuous, but expected to hold: \"a Dying machine");
    folder.run("check world.toml").code(UNEXPECTED).stdout(said);
    let named = format!("{WORLD}{LIST}\"a Dying machine is removed\" = \"vacuous\"\n");
    Folder::new().with("world.toml", named).run("check world.toml").code(AS_EXPECTED);
}

#[test]
fn a_list_of_vacuous_claims_names_each_once_and_none_that_there_is_not() {
    for (list, said) in [
        ("vacuous = [\"a Dying unit is remove\"]", "did you mean `a Dying unit is removed`"),
        ("vacuous = [\"no claim\"]", "no such claim"),
        ("vacuous = [\"a Dead unit is removed\", \"a Dead unit is removed\"]", "given twice"),
        (
            "vacuous = [\"a Dead unit is removed\"]\n\"a Dead unit is removed\" = \"holds\"",
            "given twice",
        ),
        ("vacuous = [\"the broken hook runs once\"]", "about the detail `relations`"),
        ("vacuous = \"holds\"", "world.toml:10:11]"),
    ] {
        let folder = Folder::new().with("world.toml", format!("{WORLD}{list}\n"));
        let said = predicate::str::contains(said);
        folder.run("check world.toml").code(NOT_ASKED).stderr(said);
    }
}

#[test]
fn a_world_that_names_no_machines_has_a_manager_and_those_of_its_units() {
    let rows = |world: &str| {
        let folder = Folder::new().with("world.toml", world);
        let document = json(&folder.run("replay world.toml --format json").code(AS_EXPECTED));
        document["runs"][0]["states"][0]["rows"].clone()
    };
    let named = WORLD.replace(
        "[world.applications]",
        "[world.machines]\n0 = { jobs = [\"manage-model\", \"host-units\"] }\n2 = {}\n[world.applications]",
    );
    let implied = rows(WORLD);
    assert_eq!(implied, rows(&named));
    assert_eq!(implied["machine"].as_object().map(serde_json::Map::len), Some(2), "{implied}");
    let none = WORLD
        .replace("[\"2\", \"0\"]", "[]")
        .replace("mysql = {}", "mysql = {}\n[world]\nmachines = {}");
    assert_eq!(rows(&none)["machine"].as_object().map_or(0, serde_json::Map::len), 0);
    for (place, said) in
        [("1/lxc/0", "no such machine: `1/lxc/0`"), ("01", "no such machine: `01`")]
    {
        let folder =
            Folder::new().with("world.toml", WORLD.replace("\"2\"", &format!("{place:?}")));
        folder.run("check world.toml").code(NOT_ASKED).stderr(predicate::str::contains(said));
    }
}

/// An obligation that opens and is met within the script counts, although the search after it finds
/// none.
#[test]
fn what_is_owed_and_kept_within_the_script_holds() {
    let world = r#"
shows = "A unit is destroyed, and goes."
steps = "user: destroy-unit wordpress/0\nrun all"
world.applications.wordpress.units = ["1"]
user."destroy-unit wordpress/0" = 1
expect.gone = ["wordpress/0"]
claims = { "a Dying unit is removed" = "holds", "a Dying machine is removed" = "vacuous" }
"#;
    let folder = Folder::new().with("kept.toml", world);
    let said = predicate::str::contains("1 holds, 1 vacuous");
    folder.run("check kept.toml").code(AS_EXPECTED).stdout(said);
}
