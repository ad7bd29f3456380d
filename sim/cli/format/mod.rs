//! Formats: how results are written.

mod json;
mod junit;
mod text;

use std::time::Duration;

use clap::ValueEnum;
use deathwatch_sim::verdict::Verdict;

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: a line per scenario, more where the answer is not the expected one
    #[default]
    Text,
    /// For programs: one object
    Json,
    /// For build servers: a suite per folder, a case per claim
    Junit,
}

/// How lists are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one object
    Json,
}

/// How much text says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Tell the runs of expected violations as well.
    pub(crate) verbose: bool,
    /// Say what differs from run to run: time and memory.
    pub(crate) timings: bool,
}

/// What came of one scenario.
pub(crate) struct Run {
    /// The answers.
    pub(crate) verdict: Verdict,
    /// How long it took, if that is to be told.
    pub(crate) took: Option<Duration>,
}

impl Format {
    /// What is written as soon as a scenario is answered.
    pub(crate) fn each(self, run: &Run, style: Style) -> String {
        match self {
            Self::Text => text::run(run, style),
            Self::Json | Self::Junit => String::new(),
        }
    }

    /// What is written once all scenarios are answered.
    pub(crate) fn all(self, runs: &[Run]) -> String {
        match self {
            Self::Text => text::summary(runs),
            Self::Json => json::document("check", "runs", runs.iter().map(json::run).collect()),
            Self::Junit => junit::document(runs),
        }
    }
}

/// A list as one JSON object.
pub(crate) fn json_list(of: &str, items: Vec<serde_json::Value>) -> String {
    json::document(&format!("list {of}"), of, items)
}
