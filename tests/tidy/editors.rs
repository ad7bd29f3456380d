//! Files for editors: the schema of scenarios, and the file that leads to it.

use super::{read, root};

/// One rule names the schema for every shipped scenario, so none repeats it.
#[test]
fn one_file_leads_editors_to_the_schema() {
    let rules: toml::Table = read(&root().join(".taplo.toml")).parse().expect("it is TOML");
    let [rule] = rules["rule"].as_array().expect("a list").as_slice() else {
        panic!("one rule is enough: {rules}");
    };
    assert_eq!(rule["include"].as_array(), Some(&vec!["scenarios/**/*.toml".into()]));
    let path = rule["schema"]["path"].as_str().expect("a path");
    assert!(root().join(path).is_file(), "{path} is there");
}

/// The schema in the repository is the one that the tool prints.
#[test]
fn the_schema_is_up_to_date() {
    let committed = read(&root().join("scenarios/scenario.schema.json"));
    let printed = format!("{:#}\n", deathwatch_scenario::schema());
    let how = "cargo run -- schema > scenarios/scenario.schema.json";
    assert!(committed == printed, "the schema has changed: {how}");
}
