//! Helpers for the tests of scenarios.

pub(crate) mod expected;
pub(crate) mod shrinking;
pub(crate) mod worlds;

use std::path::Path;

use deathwatch_scenario::{Problem, Scenario, scenario};
use deathwatch_simulator::dice::{Dice, Stream};
use miette::{GraphicalReportHandler, GraphicalTheme};

/// Two applications with one unit each, and a relation whose scope both units are in.
pub(crate) const PAIR: &str = concat!("\n", include_str!("../../../tests/worlds/pair.toml"));

/// A principal and its subordinate, a container, a peer relation, and entities that may be added.
pub(crate) const MIXED: &str = concat!("\n", include_str!("../../../tests/worlds/mixed.toml"));

/// Reads a scenario that is called "test.toml".
pub(crate) fn parse(source: &str) -> Result<Scenario, Problem> {
    scenario::parse(Path::new("test.toml"), source)
}

pub(crate) fn good(source: &str) -> Scenario {
    parse(source).unwrap_or_else(|problem| panic!("{}\n{source}", render(&problem)))
}

pub(crate) fn bad(source: &str) -> Problem {
    match parse(source) {
        Ok(scenario) => panic!("this should not be a scenario: {}", scenario.source()),
        Err(problem) => problem,
    }
}

/// The text of a problem, without colours.
pub(crate) fn render(problem: &Problem) -> String {
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::none()).with_width(100);
    handler.render_report(&mut text, problem).expect("a string takes any text");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// The text of the scenario `table` that asks the claims of these names and no other.
pub(crate) fn asking(table: &toml::Table, names: &[&str]) -> String {
    let mut table = table.clone();
    for key in ["simulate", "finding"] {
        table.remove(key);
    }
    // An own claim is asked wherever it is written.
    if let Some(toml::Value::Table(own)) = table.get_mut("own") {
        own.retain(|name, _| names.contains(&name));
    }
    let asked = names.iter().map(|name| ((*name).to_owned(), "not-violated".into()));
    table.insert("claims".to_owned(), toml::Value::Table(asked.collect()));
    toml::to_string(&table).expect("a table can be written")
}

/// A number of cases: `few` in each run of the tests, and `all` where `THOROUGH` is set, as
/// `.ci/by-name` does with an optimised build.
#[expect(clippy::disallowed_methods, reason = "it says which tests run, not what they find")]
pub(crate) fn cases<T>(few: T, all: T) -> T {
    if std::env::var_os("THOROUGH").is_some() { all } else { few }
}

/// The random numbers of a test.
pub(crate) fn dice(seed: u64) -> Dice {
    Dice::new(seed, Stream::Workload)
}
