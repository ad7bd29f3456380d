//! Scenario files and their steps.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use deathwatch_model::{clause::Rule, txn::Why};
use deathwatch_scenario::{Problem, escape::escape_lines, load, replay, scenario::parse};
use miette::{GraphicalReportHandler, GraphicalTheme};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestRunner};

use super::{
    check,
    edits::{edited, edits},
    in_time,
};

/// The number of valid scenarios, whose scripts were carried out.
pub static ACCEPTED: AtomicUsize = AtomicUsize::new(0);

/// The greatest size of an error, in bytes.
const LARGEST_ERROR: usize = 5_000;

/// A scenario that uses most features.
const BASE: &str = concat!("\n", include_str!("../../../../tests/worlds/everything-mutated.toml"));

/// Valid scenarios after a few changes.
pub fn changed(runner: &mut TestRunner) -> Result<(), String> {
    let base = BASE.replace("storm = \"2s..3s\"", "storm = \"2s\"");
    parse(Path::new("test.toml"), base.as_str()).map_err(|problem| render(&problem))?;
    check(runner, &edits(), |edits| is_met(&edited(&base, &edits)))
}

pub fn any_text(runner: &mut TestRunner) -> Result<(), String> {
    check(runner, &"(?s).{0,200}", |text| is_met(&text))
}

pub fn any_bytes(runner: &mut TestRunner) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("test.toml");
    check(runner, &vec(any::<u8>(), 0..200), |bytes| {
        fs::write(&path, &bytes)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match load(&path) {
            Err(problem) => is_told(&problem, &text),
            Ok(scenario) => is_met(scenario.source()),
        }
    })
}

/// Scripts whose lines are nearly right.
pub fn steps(runner: &mut TestRunner) -> Result<(), String> {
    let one_of = |words: &'static [&'static str]| select(words).prop_map(str::to_owned);
    let name = || {
        one_of(&[
            "0",
            "1",
            "2",
            "0/lxc/0",
            "wordpress",
            "mysql",
            "wordpress/0",
            "wordpress/1",
            "wordpress/2",
            "logging/0",
            "mysql/0",
            "wordpress:db mysql:server",
            "wordpress:cluster",
            "nobody/7",
            "unit-agent wordpress/0",
            "machine-agent 1",
            "user",
            "é",
            "",
        ])
    };
    let actor = prop_oneof![
        one_of(&[
            "client",
            "client 7",
            "client 8",
            "user",
            "user 2",
            "user 3",
            "provisioner",
            "cleaner",
            "faults",
            "operator",
            "supervisor",
            "run",
            "run all",
            ""
        ]),
        (one_of(&["unit-agent", "machine-agent"]), name())
            .prop_map(|(kind, it)| format!("{kind} {it}")),
    ];
    let rules: Vec<String> = Rule::ALL.iter().map(|rule| rule.name().to_owned()).collect();
    let verb = prop_oneof![
        select(rules),
        one_of(&[
            "commit",
            "abort",
            "crash",
            "restart",
            "fail-hardware",
            "lose-connection",
            "resolve",
            "terminate",
            "upgrade",
            "abort-transaction",
            "run-hooks",
            "run-stop-hook",
            "fail-hooks",
            "fail-stop-hook",
            "fail-unit-hook",
            "deploy-unit",
            "=>"
        ]),
    ];
    let whys: Vec<String> = Why::ALL.iter().map(|why| format!("refused: {}", why.text())).collect();
    let outcome = prop_oneof![
        4 => Just(None),
        1 => one_of(&["no-op", "aborted", "contended", "aborted: remove-unit.4", "aborted:", "é", ""])
            .prop_map(Some),
        1 => select(whys).prop_map(Some),
    ];
    let line = (actor, select(&["", "begin ", "begin  "][..]), verb, vec(name(), 0..3), outcome);
    let line = line.prop_map(|(actor, begin, verb, names, outcome)| {
        let outcome = outcome.map(|outcome| format!(" => {outcome}")).unwrap_or_default();
        format!("{actor}: {begin}{verb} {}{outcome}", names.join(" "))
    });
    let world = &BASE[BASE.find("[variants]").expect("there are some")..];
    let script = (vec(line, 1..8), select(&["split", "atomic"][..]));
    check(runner, &script, |(lines, transactions)| {
        let world = world.replace("\"split\"", &format!("\"{transactions}\""));
        is_met(&format!("shows = 'A test.'\nsteps = '''\n{}\n'''\n{world}", lines.join("\n")))
    })
}

/// Asserts that a text is a scenario whose script can be carried out, or is refused with a place.
fn is_met(text: &str) -> Result<(), TestCaseError> {
    in_time(|| match parse(Path::new("test.toml"), text) {
        Err(problem) => is_told(&problem, text),
        Ok(scenario) => {
            ACCEPTED.fetch_add(1, Ordering::Relaxed);
            match replay(&scenario) {
                Err(impossible) => is_told(&impossible.problem, text),
                Ok(_) => Ok(()),
            }
        }
    })
}

/// Asserts that a problem has a place in the text, and is reported in a few harmless lines.
fn is_told(problem: &Problem, text: &str) -> Result<(), TestCaseError> {
    let told = render(problem);
    let place = problem.line_column();
    prop_assert!(place.is_some(), "no place: {told}");
    let (line, column) = place.unwrap_or_default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let there = text.split('\n').nth(line - 1);
    prop_assert!(there.is_some(), "there is no line {line}: {told}");
    let letters = there.unwrap_or_default().chars().count();
    prop_assert!(column <= letters + 1, "line {line} has no column {column}: {told}");
    prop_assert!(told.len() <= LARGEST_ERROR, "{} bytes: {told}", told.len());
    prop_assert!(escape_lines(&told) == told, "it is not escaped: {told:?}");
    Ok(())
}

fn render(problem: &Problem) -> String {
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    handler.with_width(100).render_report(&mut text, problem).expect("a string takes any text");
    text
}
