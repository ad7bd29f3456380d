//! The formats of results.

mod answers;
mod asked;
mod assumed;
pub(crate) mod json;
pub(crate) mod shrunk;
mod sweep;
mod unloaded;

use clap::ValueEnum;
use deathwatch_documents::{Answer, Answers, Status};
use deathwatch_scenario::escape::escape;
use deathwatch_show::{
    answers::junit,
    page::check::{Among, of_answers},
    text::Detail,
};

pub(crate) use self::{
    answers::{Timed, exit},
    sweep::{Lacks, Swept, Took},
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

impl HowMuch {
    /// The detail that these flags ask for, of which one is given at most.
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::OnlySurprises,
            (false, true) => Detail::Violations,
            (false, false) => Detail::Surprises,
        }
    }
}

impl Format {
    /// The answer to a question that was asked on the spot.
    pub(crate) fn asked(self, answer: &Answer) -> String {
        match self {
            Self::Text => asked::searched(answer),
            Self::Json => json::text(&Answers::document("ask", vec![answer.clone()])),
            Self::Junit => junit("deathwatch ask", [answer]),
            Self::Html => of_answers(&[answer], Among::Alone),
        }
    }

    /// The text that is written as soon as a scenario is answered.
    pub(crate) fn each(self, timed: &Timed, look: &Look) -> String {
        match self {
            Self::Text => answers::one(timed, look),
            Self::Json | Self::Junit | Self::Html => String::new(),
        }
    }

    /// The text that is written once all scenarios are answered.
    pub(crate) fn all(self, all: &[Timed], among: Among, look: &Look) -> String {
        let given = all.iter().map(|timed| &timed.answer);
        match self {
            Self::Text => answers::summary(all, look),
            Self::Json => {
                let has_runs = look.detail == Detail::Violations;
                let runs = given.map(|it| if has_runs { it.clone() } else { it.without_runs() });
                json::text(&Answers::document("check", runs.collect()))
            }
            Self::Junit => junit("deathwatch check", given),
            Self::Html => {
                let is_shown = |it: &&Answer| {
                    look.detail != Detail::OnlySurprises || it.status != Status::AsExpected
                };
                of_answers(&given.filter(is_shown).collect::<Vec<_>>(), among)
            }
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
