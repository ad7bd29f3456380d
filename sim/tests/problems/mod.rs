//! Bad input: for every file that is no scenario, the problem has a position and an expectation.
//!
//! The files of `mistakes/` have a line for each mistake: its name, the template of the scenario
//! (`templates.toml`), and the text that replaces "…" there.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use deathwatch_scenario::replay;
use serde::Deserialize;

use crate::common::{PAIR, bad, good, parse, render};

#[derive(Deserialize)]
struct MistakeFile {
    mistakes: Vec<(String, String, String)>,
}

fn templates() -> BTreeMap<String, String> {
    toml::from_str(include_str!("templates.toml")).expect("each is a text")
}

/// The diagnostics for bad scenarios, each below its heading.
fn diagnostics(file: &MistakeFile, templates: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (what, template, wrong) in &file.mistakes {
        let source = templates[template].replace('…', wrong);
        let problem = match parse(&source) {
            Err(problem) => problem,
            Ok(scenario) => replay(&scenario).expect_err(what).problem,
        };
        assert!(problem.line_column().is_some(), "{what}: no place");
        let place = problem.position().expect("there is one");
        let _ = write!(text, "## {what} ({place})\n{}\n", render(&problem));
    }
    text
}

#[test]
fn each_mistake_is_told_with_its_place() {
    let templates = templates();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/problems/mistakes");
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    let mut told = 0;
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().and_then(|it| it.to_str()).expect("our names are text");
        let text = fs::read_to_string(&path).expect("it can be read");
        let file: MistakeFile = toml::from_str(&text).unwrap_or_else(|it| panic!("{name}: {it}"));
        told += file.mistakes.len();
        settings.bind(|| insta::assert_snapshot!(name, diagnostics(&file, &templates)));
    }
    assert!(told >= 300, "{told}");
}

#[test]
fn too_many_machines_are_refused() {
    let machines = |lines: &str| templates()["machines"].replace('…', lines);
    let lines: String =
        (0..=100_000).fold(String::new(), |lines, id| lines + &format!("{id} = {{}}\n"));
    let problem = bad(&machines(&lines));
    assert_eq!(problem.to_string(), "there can be at most 100000 machines");
    assert_eq!(problem.line_column(), Some((100_003, 1)));
    let deep = (1..100).fold("0 = {}\n".to_owned(), |lines, id| {
        lines + &format!("{id} = {{ host = \"{}\" }}\n", id - 1)
    });
    let problem = bad(&machines(&deep));
    assert_eq!(problem.to_string(), "containers nest too deeply");
}

#[test]
fn a_byte_order_mark_does_no_harm() {
    let step = "client: destroy-unit wordpress/0";
    let text =
        format!("\u{feff}shows = \"A test.\"\nsteps = \"\"\"\n# A comment.\n  {step}\n\"\"\"");
    let scenario = good(&format!("{text}{PAIR}"));
    assert_eq!(scenario.steps[0].line, 4);
    assert_eq!(&scenario.source()[scenario.steps[0].span.clone()], step);
}

#[test]
fn rows_of_a_start_may_disagree_where_that_is_meant() {
    let start = |lines: &str| templates()["start"].replace('…', lines);
    good(&start("inconsistent = true\nunits.wordpress = 1\ndead = [\"wordpress/0\"]"));
    let problem = bad(&start("inconsistent = true\nunits.wordpress = 99"));
    assert_eq!(problem.to_string(), "`units` of application wordpress is never this in this world");
}
