//! Runs in formats for other tools.

use clap::ValueEnum;
use deathwatch_documents::{Run, Runs};
use deathwatch_scenario::{Problem, Scenario};
use deathwatch_show::{page, run};
use deathwatch_study::recording::{self, Keep, Played, TooLong, Unrecorded};

use crate::{exit::Abandon, format::json, interrupt::Deadline, output::Output};

/// A format of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormat {
    /// For people: each step, and what it changed
    #[default]
    Text,
    /// For programs: all facts about the run, in the form of `deathwatch schema run`
    Json,
    /// A sequence diagram of actors and store, which Mermaid draws
    Mermaid,
    /// A graph of states and steps, which Graphviz draws
    Dot,
    /// The states in the Informal Trace Format of Apalache
    Itf,
    /// A page to look at in a browser, which needs nothing beside it
    Html,
}

impl RunFormat {
    /// Whether this format has room for one run only.
    pub(crate) fn draws_one(self) -> bool {
        match self {
            Self::Mermaid | Self::Dot | Self::Itf => true,
            Self::Text | Self::Json | Self::Html => false,
        }
    }
}

/// The states of a run that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhichStates {
    /// Every state, with its possible and its impossible actions
    #[default]
    All,
    /// The first one; the others follow from the changes of the steps
    First,
}

impl WhichStates {
    fn keep(self) -> Keep {
        match self {
            Self::All => Keep::All,
            Self::First => Keep::First,
        }
    }
}

/// Writes runs in this format, which is not text.
pub(super) fn write(runs: Vec<Run>, format: RunFormat, output: &mut Output) -> Result<(), Abandon> {
    let text = match (format, runs.as_slice()) {
        (RunFormat::Mermaid, [run]) => run::mermaid(run),
        (RunFormat::Dot, [run]) => run::dot(run),
        (RunFormat::Itf, [run]) => json::text(&run::itf(run)),
        (RunFormat::Html, runs) => page::of_runs(runs),
        (
            RunFormat::Text
            | RunFormat::Json
            | RunFormat::Mermaid
            | RunFormat::Dot
            | RunFormat::Itf,
            _,
        ) => json::text(&Runs::document("replay", runs)),
    };
    Ok(output.write(&text)?)
}

pub(super) fn recorded(played: Played<'_>, states: WhichStates) -> Result<Run, Problem> {
    recording::record(played, states.keep()).map_err(|long| too_long(long, states))
}

/// Writes down the run of a seed, which may be so long that the time is over first.
pub(super) fn recorded_within(
    deadline: &Deadline,
    played: Played<'_>,
    states: WhichStates,
) -> Result<Run, Abandon> {
    recording::record_unless(played, states.keep(), &|| deadline.stop()).map_err(|why| match why {
        Unrecorded::TooLong(long) => too_long(long, states).into(),
        Unrecorded::Stopped(stop) => Abandon::CutOff(stop),
    })
}

fn too_long(TooLong { states: count, rows }: TooLong, states: WhichStates) -> Problem {
    let message = format!("the run is too long: {count} states of {rows} rows each");
    match states {
        WhichStates::All => {
            Problem::new(message).with_help("write its first state only: --states first")
        }
        WhichStates::First => Problem::new(message),
    }
}

/// The command that makes a run again.
pub(super) fn made_by(scenario: &Scenario, flags: &[String]) -> String {
    let mut words = vec!["deathwatch replay".to_owned(), scenario.words()];
    words.extend_from_slice(flags);
    words.join(" ")
}
