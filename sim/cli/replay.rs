//! `deathwatch replay`: what each step of a script changes.

use std::path::PathBuf;

use crate::{
    exit::{Abandon, Exit},
    load::{self, Ready},
    output::Output,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch replay scenarios/transactions/remove-unit
  deathwatch replay counterexample.toml

Exit codes: 0 as expected, 1 not as expected, 2 a step is not possible or a file is bad.";

/// Carry out the script of a scenario and show what each step changes
///
/// Answers: what happens in this run? Prints each step with the documents that it changed, then
/// where the documents are not as the scenario expects. Nothing is searched.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Scenario files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints the transcripts.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let ready = load::scenarios(&args.files)?;
    let mut output = Output::open(None)?;
    let mut exit = Exit::AsExpected;
    for (index, scenario) in ready.iter().enumerate() {
        if index > 0 {
            output.write("\n")?;
        }
        output.write(&transcript(scenario, ready.len() > 1))?;
        if !scenario.replay.failures.is_empty() {
            exit = Exit::Unexpected;
        }
    }
    output.finish()?;
    Ok(exit)
}

/// The transcript, under the scenario's name where there are several.
fn transcript(ready: &Ready, is_one_of_many: bool) -> String {
    let mut lines = Vec::new();
    if is_one_of_many {
        lines.push(format!("# {}", ready.scenario.name));
    }
    if ready.scenario.steps.is_empty() {
        lines.push(format!("{} has no steps", ready.scenario.name));
    }
    lines.extend(ready.replay.transcript.lines().map(str::to_owned));
    lines.extend(ready.replay.failures.iter().map(|it| format!("not as expected: {it}")));
    lines.into_iter().map(|line| line + "\n").collect()
}
