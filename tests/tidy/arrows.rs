//! The map in ARCHITECTURE.md, compared with the manifests and the imports.

use std::collections::{BTreeMap, BTreeSet};

use super::{files, imports::imported_rooms, read, root};

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The folder of the crate of the command line, which is the package of the workspace itself.
const CLI: &str = "sim/cli";

#[test]
fn crates_depend_on_what_the_map_says() {
    let found: Arrows = members().into_iter().map(|it| (it.folder, it.own)).collect();
    assert_eq!(found, arrows(&block("Crates")), "found, and in the map");
}

#[test]
fn libraries_stand_where_the_map_says() {
    let shown = arrows(&block("Libraries"));
    for name in shown.values().flatten() {
        let members = members();
        let users = members.iter().filter(|it| it.libraries.contains(name));
        let users: Vec<&str> = users.map(|it| it.folder.as_str()).collect();
        let said: Vec<&str> =
            shown.iter().filter(|(_, it)| it.contains(name)).map(|(it, _)| it.as_str()).collect();
        assert_eq!(users, said, "the crates that depend on {name}, and those in the map");
    }
}

/// Every dependency is imported somewhere in its crate.
#[test]
fn dependencies_are_imported() {
    for member in members() {
        let texts = files(&member.source, "rs");
        for other in member.names.iter().chain(&member.libraries) {
            let name = other.replace('-', "_");
            let is_used = texts.iter().any(|(_, text)| text.contains(&name));
            assert!(is_used, "{} depends on {other} and does not use it", member.folder);
        }
    }
}

#[test]
fn rooms_use_what_the_map_says() {
    let (mut rooms, mut wrong) = (0, Vec::new());
    for member in members().iter().filter(|it| it.folder != CLI) {
        let found = imported_rooms(&root().join(&member.source));
        if found.values().all(BTreeSet::is_empty) {
            continue; // there is nothing to draw
        }
        rooms += found.len();
        let mistakes = mistakes(&found, &layers(&block(&member.source))).into_iter();
        wrong.extend(mistakes.map(|it| format!("{}: {it}", member.source)));
    }
    assert_eq!(wrong, [""; 0], "the map in ARCHITECTURE.md is wrong");
    assert!(rooms > 60, "{rooms} rooms were found");
}

/// The contradictions between the layers of a map and these imports.
fn mistakes(found: &Arrows, layers: &[Vec<String>]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let shown: Vec<&String> = layers.iter().flatten().collect();
    for room in shown.iter().copied().filter(|it| !found.contains_key(*it)) {
        mistakes.push(format!("{room} is no room"));
    }
    for room in found.keys() {
        let times = shown.iter().filter(|it| **it == room).count();
        if times != 1 {
            mistakes.push(format!("{room} is in {times} layers"));
        }
    }
    let layer = |room: &String| layers.iter().position(|it| it.contains(room)).unwrap_or_default();
    for (room, used) in found {
        let (earlier, others): (Vec<&String>, Vec<&String>) =
            used.iter().partition(|other| layer(other) < layer(room));
        if !others.is_empty() {
            mistakes.push(format!("{room} runs back to {others:?}"));
        }
        let nearest = earlier.iter().map(|it| layer(it) + 1).max().unwrap_or_default();
        if layer(room) != nearest {
            mistakes.push(format!("{room} is in layer {}, not {nearest}", layer(room)));
        }
    }
    mistakes
}

struct WorkspaceMember {
    folder: String,
    /// The folder of its source files.
    source: String,
    /// The folders of our crates that it depends on.
    own: BTreeSet<String>,
    names: Vec<String>,
    /// The names of the other crates that it depends on.
    libraries: Vec<String>,
}

/// The members of the workspace that have source files, by their manifests.
fn members() -> Vec<WorkspaceMember> {
    let workspace = manifest("Cargo.toml");
    let paths = our_crates(&workspace);
    let folders = workspace["workspace"]["members"].as_array().expect("members");
    let folders = folders.iter().filter_map(toml::Value::as_str);
    let crates = folders.map(|it| (it, format!("{it}/src"), manifest(&format!("{it}/Cargo.toml"))));
    let all = crates.chain([(CLI, CLI.to_owned(), workspace.clone())]);
    let mut found: Vec<WorkspaceMember> = all
        .filter(|(_, source, _)| root().join(source).is_dir())
        .map(|(folder, source, manifest)| {
            let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
            let names = dependencies.into_iter().flat_map(toml::Table::keys).cloned();
            let (names, others): (Vec<String>, _) =
                names.partition(|name| paths.contains_key(name));
            let own = names.iter().map(|name| paths[name].clone()).collect();
            WorkspaceMember { folder: folder.to_owned(), source, own, names, libraries: others }
        })
        .collect();
    found.sort_by(|one, other| one.folder.cmp(&other.folder));
    found
}

/// The folders of our crates, by their names.
fn our_crates(workspace: &toml::Table) -> BTreeMap<String, String> {
    let dependencies = workspace["workspace"]["dependencies"].as_table().expect("dependencies");
    let path = |value: &toml::Value| value.get("path")?.as_str().map(ToOwned::to_owned);
    dependencies.iter().filter_map(|(name, value)| Some((name.clone(), path(value)?))).collect()
}

fn manifest(name: &str) -> toml::Table {
    read(&root().join(name)).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The block below a heading of the map.
fn block(heading: &str) -> String {
    let map = read(&root().join("ARCHITECTURE.md"));
    let (_, below) = map
        .split_once(&format!("\n### {heading}\n"))
        .unwrap_or_else(|| panic!("the map has a heading {heading}"));
    let section = below.split("\n#").next().unwrap_or_default();
    let block = section.split("```").nth(1).unwrap_or_default();
    block.trim_start_matches("text\n").to_owned()
}

/// The arrows of a block: a line for each name, with the names it uses after `->`. A line without
/// an arrow continues the previous one.
fn arrows(block: &str) -> Arrows {
    let mut found = Arrows::new();
    let mut name = String::new();
    for line in block.lines() {
        let used = line.split_once("->").map_or(line, |(before, used)| {
            before.trim().clone_into(&mut name);
            used
        });
        let used = used.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        found.entry(name.clone()).or_default().extend(used);
    }
    found
}

/// The layers of a block: rooms with `<-` between one layer and the next.
fn layers(block: &str) -> Vec<Vec<String>> {
    let block = block.replace('\n', " ");
    let layers = block.split("<-").map(|layer| layer.split(',').map(|it| it.trim().to_owned()));
    layers.map(Iterator::collect).collect()
}

#[test]
fn a_map_that_is_wrong_is_noticed() {
    let found = arrows("a ->\nb -> a\nc -> b\nd -> a, c");
    let is_right = |map: &str| mistakes(&found, &layers(map)).is_empty();
    assert!(is_right("a <- b <- c <- d"));
    assert!(!is_right("a, d <- b <- c"), "an arrow that runs back");
    assert!(!is_right("a <- b <- c, d"), "an arrow within a layer");
    assert!(!is_right("a <- b <- c"), "a room without a layer");
    assert!(!is_right("a <- b <- c <- d, e"), "a layer with what is no room");
    assert!(!is_right("a <- b <- b, c <- d"), "a room with two layers");
    assert!(!is_right("a <- c <- b <- d"), "layers that their rooms do not need");
}
