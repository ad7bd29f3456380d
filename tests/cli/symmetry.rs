//! Symmetry reduction: one state stands for its orbit, and the answers are the same.

use predicates::prelude::*;
use serde_json::Value;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, json};

/// A world of over 8,000 states, in which two units a side are alike and a claim is violated.
const WORLD: &str =
    include_str!("../../scenarios/relation-scope-bug/7-two-units-a-side-as-written.toml");

fn answer(folder: &Folder, flags: &str) -> Value {
    let line = format!("check world.toml# --format json --verbose {flags}");
    json(&folder.run(&line).code(AS_EXPECTED))["runs"][0].clone()
}

#[test]
fn the_answers_do_not_depend_on_it() {
    let folder = Folder::new().with("world.toml", WORLD);
    let (every, some) = (answer(&folder, "--symmetry off"), answer(&folder, "--symmetry on"));
    assert_eq!(every["representatives"], Value::Null);
    assert!(some["representatives"].as_u64() < every["states"].as_u64().map(|it| it / 3));
    for counted in ["states", "transitions", "depth", "answer"] {
        assert_eq!(every[counted], some[counted], "{counted}");
    }
    let claims = |answer: &Value| {
        let claims = answer["claims"].as_array().expect("there are some").clone();
        let each = claims.into_iter().map(|claim| {
            let steps = claim["trace"]["steps"].as_array().map(Vec::len);
            (claim["claim"].clone(), claim["answer"].clone(), steps)
        });
        each.collect::<Vec<_>>()
    };
    assert_eq!(claims(&every), claims(&some));
    assert!(claims(&every).iter().any(|claim| claim.1 == "violated"));
    let threads = answer(&folder, "--symmetry on --threads 3");
    assert_eq!(threads, some, "any number of threads has the same run");
}

#[test]
fn a_small_world_is_explored_whole_unless_it_is_asked_for() {
    let folder = Folder::new().with("world.toml", WORLD);
    let auto = answer(&folder, "");
    assert_eq!(auto, answer(&folder, "--symmetry auto"));
    assert_eq!(auto, answer(&folder, "--symmetry off"));
    let text = folder.run("check world.toml# --symmetry on --verbose").code(AS_EXPECTED);
    let units = "  exchanged: machine 3 with machine 4, unit mysql/0 with unit mysql/1\n";
    text.stdout(predicate::str::contains("2,664 states explored for all"))
        .stdout(predicate::str::contains(units));
}

#[test]
fn machines_of_which_one_comes_first_are_not_exchanged() {
    let world = include_str!("../../scenarios/findings/nobody-starts-the-new-version.toml");
    let folder = Folder::new().with("world.toml", world);
    let text = folder.run("check world.toml# --symmetry on --verbose").code(AS_EXPECTED);
    text.stdout(predicate::str::contains("not exchanged: machine 0 with machine 1"))
        .stdout(predicate::str::contains("states explored for all").not());
}

/// Units need not have machines of their own to be alike.
#[test]
fn units_at_one_place_are_exchanged() {
    let world = |place: &str| {
        format!(
            "shows = \"Two units are at one place.\"\n\
             [world]\napplications.wordpress = {{ units = [\"{place}\", \"{place}\"] }}\n\
             [user]\n\"destroy-unit wordpress/0\" = 1\n\"destroy-unit wordpress/1\" = 1\n\
             [claims]\n\"a Dead unit is removed\" = \"not-violated\"\n"
        )
    };
    for (place, states, explored) in [("1", 25, 15), ("unassigned", 4, 3)] {
        let folder = Folder::new().with("world.toml", world(place));
        let some = answer(&folder, "--symmetry on");
        let pair = serde_json::json!([[["unit wordpress/0", "unit wordpress/1"]]]);
        assert_eq!((&some["exchanged"], &some["states"]), (&pair, &states.into()), "{place}");
        assert_eq!(some["representatives"], explored, "{place}");
    }
}

#[test]
fn a_search_with_limits_says_what_it_kept() {
    let folder = Folder::new().with("world.toml", WORLD);
    let line = "check world.toml# --symmetry on --max-states 1000 --format json";
    let stopped: Value = json(&folder.run(line).code(UNDECIDED));
    let stopped = &stopped["runs"][0];
    assert_eq!((&stopped["states"], &stopped["answer"]), (&1000.into(), &"undecided".into()));
    folder.run("check world.toml --symmetry sometimes").code(NOT_ASKED);
}
