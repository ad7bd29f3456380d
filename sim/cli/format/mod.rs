//! The formats of results.

mod asked;
mod assumed;
mod gist;
mod json;
mod junit;
pub(crate) mod shrunk;
mod sweep;
mod text;

use std::time::Duration;

use clap::ValueEnum;
use deathwatch_sim::{escape::escape, verdict::Verdict};

pub(crate) use self::sweep::{Lacks, Swept, Took};

/// A format of results.
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

/// A format of lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one object
    Json,
}

/// The runs that the text format prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Runs that show an unexpected answer.
    Surprises,
    /// Runs of expected violations as well.
    Violations,
}

/// The result of one scenario.
pub(crate) struct Run {
    /// The answers.
    pub(crate) verdict: Verdict,
    /// The time that it took, if that is to be printed.
    pub(crate) took: Option<Duration>,
}

impl Format {
    /// The answer to a question that was asked on the spot.
    pub(crate) fn asked(self, run: &Run) -> String {
        match self {
            Self::Text => asked::searched(run),
            Self::Json => json::document("ask", "runs", vec![json::run(run)]),
            Self::Junit => junit::document("deathwatch ask", std::slice::from_ref(run)),
        }
    }

    /// The text that is written as soon as a scenario is answered.
    pub(crate) fn each(self, run: &Run, detail: Detail) -> String {
        match self {
            Self::Text => text::run(run, detail),
            Self::Json | Self::Junit => String::new(),
        }
    }

    /// The text that is written once all scenarios are answered.
    pub(crate) fn all(self, runs: &[Run]) -> String {
        match self {
            Self::Text => text::summary(runs),
            Self::Json => json::document("check", "runs", runs.iter().map(json::run).collect()),
            Self::Junit => junit::document("deathwatch check", runs),
        }
    }
}

/// Adds a line to a text. The line may quote text from outside, so line breaks in it are escaped.
fn add_line(text: &mut String, indent: usize, line: &str) {
    text.extend(std::iter::repeat_n(' ', indent));
    text.push_str(&escape(line));
    text.push('\n');
}

/// The result of a command as one JSON object.
pub(crate) fn json_object(command: &str, of: &str, value: serde_json::Value) -> String {
    json::object(command, of, value)
}

/// A list as one JSON object.
pub(crate) fn json_list(of: &str, items: Vec<serde_json::Value>) -> String {
    json::document(&format!("list {of}"), of, items)
}
