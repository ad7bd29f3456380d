//! Formats: how results are written.

mod json;
mod junit;
mod sweep;
mod text;

use std::time::Duration;

use clap::ValueEnum;
use deathwatch_sim::{escape::escape, verdict::Verdict};

pub(crate) use self::sweep::{Lacks, Swept, Took};

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: a line per scenario, more where the answer is not the expected one
    #[default]
    Text,
    /// For programs: one object
    Json,
    /// For build servers: a suite per folder or scenario
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

/// Which runs are told in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Those that show an answer other than the expected one.
    Surprises,
    /// Those of expected violations as well.
    Violations,
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
    pub(crate) fn each(self, run: &Run, detail: Detail) -> String {
        match self {
            Self::Text => text::run(run, detail),
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

/// Adds a line to a text. What it tells may be from outside, so it stays one line.
fn add_line(text: &mut String, indent: usize, line: &str) {
    text.extend(std::iter::repeat_n(' ', indent));
    text.push_str(&escape(line));
    text.push('\n');
}

/// What came of a command, as one JSON object.
pub(crate) fn json_object(command: &str, of: &str, value: serde_json::Value) -> String {
    json::object(command, of, value)
}

/// A list as one JSON object.
pub(crate) fn json_list(of: &str, items: Vec<serde_json::Value>) -> String {
    json::document(&format!("list {of}"), of, items)
}
