//! README.md and the pages of `docs/`, compared with the tool: the commands that a page shows are
//! run, and their output is compared.

mod blocks;
mod commands;
mod figures;
#[path = "../program/mod.rs"]
mod program;
mod transcript;

use std::{
    fs,
    path::{Path, PathBuf},
};

use assert_cmd::Command;
use blocks::blocks;
use deathwatch_model::world::Details;
use program::program;

/// The language of a block that is a scenario.
const SCENARIO: &str = "toml";

/// Every scenario that a page shows has the answers that it expects.
#[test]
fn scenarios_are_answered_as_they_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut scenarios = 0;
    for (page, text) in pages() {
        for block in blocks(&text).iter().filter(|block| block.language == SCENARIO) {
            let name = format!("{}-{}.toml", page.replace('/', "-"), block.line);
            fs::write(folder.path().join(name), &block.text).expect("it can be written");
            scenarios += 1;
        }
    }
    assert!(scenarios >= 4, "the pages show {scenarios} scenarios");
    let mut deathwatch = Command::new(program());
    deathwatch.arg("check").arg(folder.path()).assert().success();
}

/// A workflow that a page shows is a file of `deploy/github`.
#[test]
fn workflows_are_those_of_deploy() {
    let folder = fs::read_dir(root().join("deploy/github")).expect("it is a folder");
    let files: Vec<String> = folder.map(|file| read(&file.expect("read").path())).collect();
    let pages = pages();
    let shown = pages
        .iter()
        .flat_map(|(page, text)| blocks(text).into_iter().map(move |block| (page, block)));
    let mut workflows = 0;
    for (page, block) in shown.filter(|(_, block)| block.language == "yaml") {
        assert!(files.contains(&block.text), "{page}:{} is in deploy/github", block.line);
        workflows += 1;
    }
    assert!(workflows > 0, "some page shows a workflow");
}

/// The pages to be read first are short, and link to every page of `docs/`.
#[test]
fn first_pages_are_short_and_lead_to_all_others() {
    let first = ["README.md", "ARCHITECTURE.md"].map(|name| read(&root().join(name)));
    for (text, most) in first.iter().zip([120, 200]) {
        assert!(text.lines().count() <= most, "{} lines", text.lines().count());
    }
    for (page, _) in pages() {
        let is_detail = page.starts_with("docs/details/") || page == "README.md";
        let is_linked = first.iter().any(|text| text.contains(&format!("]({page}")));
        assert!(is_detail || is_linked, "README.md or ARCHITECTURE.md leads to {page}");
    }
}

/// Each level of detail has a page, which the scenario language links to.
#[test]
fn details_have_their_pages() {
    let language = read(&root().join("docs/scenario-language.md"));
    for name in Details::NAMES {
        let page = format!("details/{name}.md");
        assert!(root().join("docs").join(&page).is_file(), "{page} is there");
        assert!(language.contains(&format!("]({page})")), "the scenario language leads to {page}");
    }
}

/// The change of a rule in the tour applies to a line that occurs exactly once. `.ci/tour` checks
/// its consequences.
#[test]
fn the_tour_changes_a_line_of_a_rule() {
    let tour = read(&root().join("docs/designers-tour.md"));
    let blocks = blocks(&tour);
    let diff = blocks.iter().find(|block| block.language == "diff").expect("it has a change");
    let lines: Vec<&str> = diff.text.lines().collect();
    let [before, after] = lines[..] else { panic!("it changes one line: {}", diff.text) };
    let (before, after) = (before.strip_prefix('-'), after.strip_prefix('+'));
    let (_, rule) = tour.split_once("](../model/src/ops/").expect("it names the rule");
    let rule = rule.split(')').next().unwrap_or_default();
    let text = read(&root().join("model/src/ops").join(rule));
    assert_eq!(text.matches(before.expect("it takes a line away")).count(), 1, "{rule}");
    assert_eq!(text.matches(after.expect("it adds a line")).count(), 0, "{rule}");
}

/// README.md and the pages of `docs/`, by their names below the root.
fn pages() -> Vec<(String, String)> {
    let mut found = vec![("README.md".to_owned(), read(&root().join("README.md")))];
    for folder in ["docs", "docs/details"] {
        let files = fs::read_dir(root().join(folder)).expect("it is a folder");
        let mut files: Vec<PathBuf> = files.map(|file| file.expect("read").path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "md")) {
            let name = file.strip_prefix(root()).expect("it is below the root");
            found.push((name.to_string_lossy().into_owned(), read(file)));
        }
    }
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
