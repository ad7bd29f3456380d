//! What editors read: the schema, and the line of each scenario that names it.

use std::{fs, path::Path};

use super::{read, root};

/// Every shipped scenario begins with the line by which an editor finds the schema.
#[test]
fn every_scenario_names_the_schema() {
    let folder = root().join("scenarios");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    assert!(files.len() > 500, "{} scenarios", files.len());
    for file in files {
        let inside = file.strip_prefix(&folder).expect("it is in there");
        let up = match inside.components().count() {
            1 => "./".to_owned(),
            steps => "../".repeat(steps - 1),
        };
        let line = format!("#:schema {up}scenario.schema.json");
        let text = read(&file);
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(first, line, "{} begins with the line", file.display());
        let named = file.parent().expect("a folder").join(format!("{up}scenario.schema.json"));
        assert!(named.is_file(), "{} is there", named.display());
    }
}

/// The schema in the repository is the one that the tool prints.
#[test]
fn the_schema_is_up_to_date() {
    let committed = read(&root().join("scenarios/scenario.schema.json"));
    let printed = format!("{:#}\n", deathwatch_scenario::schema());
    let how = "cargo run -- schema > scenarios/scenario.schema.json";
    assert!(committed == printed, "the schema has changed: {how}");
}

/// Adds the scenarios in `folder` and below.
fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
}
