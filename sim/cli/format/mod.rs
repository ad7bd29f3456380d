//! The formats of results.

mod asked;
mod assumed;
mod gist;
mod html;
pub(crate) mod json;
mod junit;
mod named;
pub(crate) mod shrunk;
mod sweep;
mod text;
mod told;
mod unloaded;

use std::time::Duration;

use clap::ValueEnum;
use deathwatch_scenario::escape::escape;
use deathwatch_show::page::check::Among;
use deathwatch_study::{answers, verdict::Verdict};

pub(crate) use self::{
    sweep::{Lacks, Swept, Took},
    text::{clauses, wrapped},
    told::Told,
};
use crate::look::Look;

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
    /// For a browser: a page that needs nothing beside it
    Html,
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

impl From<ListFormat> for Format {
    fn from(format: ListFormat) -> Self {
        match format {
            ListFormat::Text => Self::Text,
            ListFormat::Json => Self::Json,
        }
    }
}

/// What the text format prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Nothing but unexpected answers.
    OnlySurprises,
    /// Numbers, and runs that show an unexpected answer.
    Surprises,
    /// Runs of expected violations as well, and the names of all claims.
    Violations,
}

impl Detail {
    /// The detail that these flags ask for, of which one is given at most.
    pub(crate) fn of(how: &HowMuch) -> Self {
        match (how.quiet, how.verbose) {
            (true, _) => Self::OnlySurprises,
            (false, true) => Self::Violations,
            (false, false) => Self::Surprises,
        }
    }
}

/// The flags that say how much the text format prints.
#[derive(clap::Args)]
pub(crate) struct HowMuch {
    /// Print expected violations as well, with their runs and the texts of their clauses, the names
    /// of all claims, and statistics; in the JSON of `check`, the run of each violated claim as data, in
    /// the form of `deathwatch schema run`; in that of `simulate`, seeds one by one and in columns, and
    /// distributions
    #[arg(long, short)]
    verbose: bool,

    /// Print nothing but what is unexpected
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
}

/// The time that a scenario took.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Timing {
    /// For people who watch: in text only.
    Seen(Duration),
    /// As `--timings` asks for it: in every format, with the memory.
    Asked(Duration),
    /// Not printed, as it is another one each time.
    Hidden,
}

impl Timing {
    /// The time, if it is to be printed in text.
    fn any(self) -> Option<Duration> {
        match self {
            Self::Seen(time) | Self::Asked(time) => Some(time),
            Self::Hidden => None,
        }
    }

    /// The time, if it is asked for.
    fn asked(self) -> Option<Duration> {
        match self {
            Self::Asked(time) => Some(time),
            Self::Seen(_) | Self::Hidden => None,
        }
    }
}

/// The result of one scenario.
pub(crate) struct Run {
    /// The answers.
    pub(crate) verdict: Verdict,
    /// The file of the scenario.
    pub(crate) file: String,
    /// The command that asks it again, and prints all that there is to say.
    pub(crate) command: String,
    /// The time that it took.
    pub(crate) timing: Timing,
    /// For each answer its run as data, if there is one; nothing at all if that is not asked for.
    pub(crate) recorded: Option<Vec<Option<deathwatch_documents::Run>>>,
    /// What a page says of it, if that is asked for.
    pub(crate) page: Option<String>,
}

impl Format {
    /// The answer to a question that was asked on the spot.
    pub(crate) fn asked(self, run: &Run) -> String {
        match self {
            Self::Text => asked::searched(run),
            Self::Json => json::text(&answers::document("ask", vec![told::entry(run).json()])),
            Self::Junit => junit::document("deathwatch ask", &[Told::of(run)]),
            Self::Html => html::page(&[Told::of(run)], Among::Alone, Detail::Surprises),
        }
    }

    /// The text that is written as soon as a scenario is answered.
    pub(crate) fn each(self, told: &Told, look: &Look) -> String {
        match self {
            Self::Text => text::told(told, look),
            Self::Json | Self::Junit | Self::Html => String::new(),
        }
    }

    /// The text that is written once all scenarios are answered.
    pub(crate) fn all(self, all: &[Told], among: Among, look: &Look) -> String {
        match self {
            Self::Text => told::summary(all, look),
            Self::Json => {
                let runs = all.iter().map(|told| told.answered.json.clone());
                json::text(&answers::document("check", runs.collect()))
            }
            Self::Junit => junit::document("deathwatch check", all),
            Self::Html => html::page(all, among, look.detail),
        }
    }
}

/// Adds a line to a text. The line may quote text from outside, so line breaks in it are escaped.
fn add_line(text: &mut String, indent: usize, line: &str) {
    text.extend(std::iter::repeat_n(' ', indent));
    text.push_str(&escape(line));
    text.push('\n');
}

/// A list as one JSON object.
pub(crate) fn json_list(of: &str, items: Vec<serde_json::Value>) -> String {
    json::document(&format!("list {of}"), of, items)
}
