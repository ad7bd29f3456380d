//! Cases: the questions that a scenario asks, and what came of each. Build servers, hosts of code
//! and summaries get answers and sweeps in the same form: as cases.

use crate::Status;

/// The cases of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Cases {
    /// The suite to which a build server counts them.
    pub suite: String,
    /// The scenario; empty if none was loaded.
    pub scenario: String,
    /// The file, without which of its scenarios it is.
    pub file: String,
    /// The time that it took, with `--timings`.
    pub seconds: Option<f64>,
    pub all: Vec<QuestionCase>,
}

/// A question, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionCase {
    /// The question in a few words that stay the same: a claim, or what is asked of each scenario.
    pub question: String,
    /// The passages that a claim rests on.
    pub source: Option<String>,
    /// The line of the file that asks it, if that is known.
    pub line: Option<usize>,
    pub status: Status,
    /// Whether a baseline has the same answer, if one is given.
    pub known: Option<bool>,
    /// The answer in lines; none if it is as expected, unless it warns.
    pub message: String,
    /// The same in one line, for a list of failures.
    pub brief: String,
    /// The steps of the run that shows it.
    pub steps: Vec<String>,
    pub readers: Readers,
}

/// The readers of a case. A build server counts cases, the good ones too; a host of code shows
/// those that are not as expected beside a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    All,
    BuildServers,
    Hosts,
}

impl Cases {
    /// The cases that hosts of code show.
    pub fn annotations(&self) -> impl Iterator<Item = &QuestionCase> {
        let told = self.all.iter().filter(|it| it.readers != Readers::BuildServers);
        told.filter(|it| it.status != Status::AsExpected || !it.message.is_empty())
    }

    /// The first that is not as expected, in a line, with the number of those beside it.
    pub fn failure(&self) -> Option<String> {
        let mut wrong = self.annotations().filter(|it| it.status == Status::Unexpected);
        let first = &wrong.next()?.brief;
        Some(match wrong.count() {
            0 => first.clone(),
            more => format!("{first}; and {more} more"),
        })
    }
}
