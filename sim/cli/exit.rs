//! Exit codes, which scripts depend on.

use std::{io, process::ExitCode};

use deathwatch_claims::check::Stop;
use deathwatch_documents::Status;
use deathwatch_scenario::Problem;
use deathwatch_study::verdict;

use crate::diagnostics;

/// The exit code of a command. A later one has precedence over an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All answers are the expected ones.
    AsExpected,
    /// An answer is missing, as a limit was reached.
    Undecided,
    /// An answer is not the expected one.
    Unexpected,
    /// The question could not be asked.
    NotAsked,
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::AsExpected | Status::Known => Self::AsExpected,
            Status::Undecided => Self::Undecided,
            Status::Unexpected => Self::Unexpected,
        }
    }
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::AsExpected => 0,
            Self::Unexpected => 1,
            Self::NotAsked => 2,
            Self::Undecided => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// The reason why a command ends early.
#[derive(Debug)]
pub(crate) enum Abandon {
    /// The command cannot be carried out; each reason is reported.
    Problems(Vec<Problem>),
    /// A limit was reached, or the command was interrupted, before the scenarios were loaded.
    Stopped(Stop),
    /// The same before all processes of a cluster were connected.
    Unconnected(Stop),
    /// The same before a run had got to its end, of which there would have been something to say.
    CutOff(Stop),
    /// The reader of the output has gone.
    NobodyReads,
}

/// The exit code of a command that answers a question; a closed output leaves it unanswered.
pub(crate) fn heard(done: Result<Exit, Abandon>) -> Result<Exit, Abandon> {
    match done {
        Err(Abandon::NobodyReads) => Ok(Exit::Undecided),
        done => done,
    }
}

/// Why there is no answer, if the scenarios were not loaded in time.
pub(crate) fn unloaded(stop: Stop) -> String {
    format!("{} before the scenarios were loaded", verdict::stopped(stop))
}

impl Abandon {
    /// Reports the reasons, and returns the exit code.
    pub(crate) fn report(self) -> Exit {
        match self {
            Self::Problems(problems) => {
                diagnostics::report(&problems);
                Exit::NotAsked
            }
            Self::Stopped(stop) => {
                diagnostics::say(format_args!("undecided: {}", unloaded(stop)));
                Exit::Undecided
            }
            Self::Unconnected(stop) => {
                let why = verdict::stopped(stop);
                diagnostics::say(format_args!("undecided: {why} before all processes had come"));
                Exit::Undecided
            }
            Self::CutOff(stop) => {
                let why = verdict::stopped(stop);
                diagnostics::say(format_args!("undecided: {why} before the run had ended"));
                Exit::Undecided
            }
            // `deathwatch list clauses | head` is no failure.
            Self::NobodyReads => Exit::AsExpected,
        }
    }
}

impl From<Problem> for Abandon {
    fn from(problem: Problem) -> Self {
        Self::Problems(vec![problem])
    }
}

impl From<io::Error> for Abandon {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::NobodyReads;
        }
        Problem::new(format!("failed to write the output: {error}")).into()
    }
}
