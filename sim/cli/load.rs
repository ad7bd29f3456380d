//! Loading: every file is read, and every script carried out, before any search begins.
//!
//! A bad file is reported before time is spent, and all bad files are reported at once.

use std::path::PathBuf;

use deathwatch_sim::{
    replay::{self, Replay},
    scenario::{self, Scenario},
};

use crate::exit::Abandon;

/// A scenario and where its script led.
pub(crate) struct Ready {
    /// The scenario.
    pub(crate) scenario: Scenario,
    /// Where its script led.
    pub(crate) replay: Replay,
}

/// Loads the scenarios that `paths` name: files, or folders of files.
pub(crate) fn scenarios(paths: &[PathBuf]) -> Result<Vec<Ready>, Abandon> {
    let files = self::files(paths)?;
    let mut ready = Vec::new();
    let mut problems = Vec::new();
    for file in &files {
        match load(file) {
            Ok(scenario) => ready.push(scenario),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(ready) } else { Err(Abandon::Problems(problems)) }
}

/// The files that `paths` name.
pub(crate) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Abandon> {
    Ok(scenario::find(paths).map_err(miette::Report::new)?)
}

fn load(file: &std::path::Path) -> miette::Result<Ready> {
    let scenario = scenario::load(file).map_err(miette::Report::new)?;
    let replay = replay::replay(&scenario).map_err(miette::Report::new)?;
    let ready = Ready { scenario, replay };
    match unfinished(&ready).filter(|_| ready.scenario.is_searched()) {
        Some(problem) => Err(problem),
        None => Ok(ready),
    }
}

/// That no script ends in the middle of a client's transaction, for a question that goes on after
/// the script even where the scenario does not ask it.
pub(crate) fn all_finished(scenarios: &[Ready]) -> Result<(), Abandon> {
    let problems: Vec<miette::Report> = scenarios.iter().filter_map(unfinished).collect();
    if problems.is_empty() { Ok(()) } else { Err(Abandon::Problems(problems)) }
}

fn unfinished(ready: &Ready) -> Option<miette::Report> {
    replay::unfinished(&ready.scenario, &ready.replay).map(miette::Report::new)
}
