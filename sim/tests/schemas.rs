//! The schema and the reader agree: each file is accepted by both or refused by both.

use std::{fs, path::Path};

use deathwatch_scenario::{Problem, Scenario, find, load, scenario::Address, schema};
use serde_json::Value;

use crate::common::{MIXED, PAIR};

fn json(source: &str) -> Value {
    let table: toml::Table = toml::from_str(source).expect("TOML");
    serde_json::to_value(table).expect("TOML without dates is JSON")
}

/// Reads the scenarios of a file.
fn read(source: &str) -> Result<Vec<Scenario>, Problem> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("test.toml");
    fs::write(&file, source).expect("a file");
    find(&[file])?.into_iter().map(|address| load(&address)).collect()
}

const ALL: &str = concat!("\n", include_str!("../../tests/worlds/every-key.toml"));

#[test]
fn good_scenarios_satisfy_the_schema() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    for source in [
        ALL.replace("WORLD", PAIR),
        ALL.replace("WORLD", MIXED),
        "shows = \"Nothing.\"\n[world]\n".to_owned(),
    ] {
        read(&source).expect("they are scenarios");
        let errors: Vec<String> =
            validator.iter_errors(&json(&source)).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{source}");
    }
}

#[test]
fn shipped_scenarios_satisfy_the_schema() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    for Address { file, .. } in find(&[folder]).expect("there are some") {
        let source = fs::read_to_string(&file).expect("it was found");
        let errors: Vec<String> =
            validator.iter_errors(&json(&source)).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{}", file.display());
    }
}

#[test]
fn bad_shapes_are_refused_by_the_schema_and_by_the_reader() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let good = ALL.replace("WORLD", PAIR);
    for (from, to) in [
        ("shows = \"Everything that can be said.\"", ""),
        ("shows = \"Everything that can be said.\"", "shows = 1"),
        ("rules = [", "rule = ["),
        ("steps = \"client: destroy-unit wordpress/0\"", "steps = []"),
        ("transactions = \"split\"", "transactions = \"both\""),
        ("tries = 2", "tries = 0"),
        ("tries = 2", "tries = 11"),
        ("tries = 2", "tries = 1.5"),
        ("most-units = 2", "most-units = 0"),
        ("most-units = 2", "most-units = 100001"),
        ("1 = {}", "1 = { jobs = [\"serve\"] }"),
        ("1 = {}", "1 = { exist = true }"),
        ("entered = [", "enter = ["),
        ("\"remote-scope\"", "\"remote\""),
        ("relation-tracking =", "relation-track ="),
        ("hooks = true", "hook = true"),
        ("hooks = true", "hooks = \"on\""),
        ("= \"unlimited\"", "= \"always\""),
        ("= \"unlimited\"", "= 0"),
        ("= \"unlimited\"", "= 256"),
        ("crash = true", "crash = 1"),
        ("crash = true", "crashes = true"),
        ("hardware-failure = true", "hardware-failure = \"1\""),
        ("[\"1\", \"0\"]", "[1]"),
        ("per = \"duty\"", "per = \"unit\""),
        ("clauses = [", "clause = ["),
        ("units = { wordpress = 2 }", "units = { wordpress = -1 }"),
        ("dying = [", "undead = ["),
        ("all = \"holds\"", "all = true"),
        ("\"a Dying unit is removed\"", "\"pigs fly\""),
        ("states = 4711", "states = -1"),
        ("states = 4711", "state = 1"),
        ("refines = true", "refines = \"holds\""),
        ("shows = \"The same with less.\"\n", ""),
        ("without = [\"steps\", \"faults\"]", "without = 1"),
        ("world.tries = 3", "world.tries = 0"),
        ("world.tries = 3", "also.deeper.shows = \"More.\""),
        ("claims.vacuous = [\"a Dead unit is removed\"]", "claims.vacuous = \"all\""),
        ("check.states = 9", "check.state = 9"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(bad != good, "{from} is not there");
        assert!(!validator.is_valid(&json(&bad)), "the schema allows {to}");
        assert!(read(&bad).is_err(), "the reader allows {to}");
    }
}
