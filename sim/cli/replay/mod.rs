//! `deathwatch replay`: what each step of a script changes, or what happens in the run of a seed.

mod seed;

use std::path::PathBuf;

use deathwatch_model::claims::Claim;
use deathwatch_sim::{Problem, escape::escape, sweep};

use crate::{
    check::claim,
    exit::{Abandon, Exit},
    load::{self, Ready},
    output::Output,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch replay scenarios/transactions/remove-unit
  deathwatch replay counterexample.toml
  deathwatch replay big.toml --seed 4711
  deathwatch replay big.toml --seed 4711 --claim \"a Dying unit is removed\" --verbose

Exit codes: 0 as expected, 1 not as expected, 2 a step is not possible or a file is bad.
With --seed: 0 no unexpected violation, 1 an unexpected one, 2 could not be asked.";

/// Carry out the script of a scenario, or the run of a seed, and show each step
///
/// Answers: what happens in this run? Prints each step with the documents that it changed, then
/// where the documents are not as the scenario expects. Nothing is searched. With --seed, the run
/// that `simulate` makes of the seed is told from the end of the script on: a line a step, with the
/// clauses that it carries out, then the claims that it violates.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Scenario files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Replay the run of this seed instead, of one scenario
    #[arg(long, value_name = "N", value_parser = sweep::seed)]
    seed: Option<u64>,

    /// Watch this claim only, and end where it is violated
    #[arg(long, value_name = "SENTENCE", value_parser = claim, requires = "seed")]
    claim: Option<&'static Claim>,

    /// Tell of each step what came of it and what it changed as well
    #[arg(long, short, requires = "seed")]
    verbose: bool,

    /// Write the run to this new file, as a scenario whose script it is
    #[arg(long, value_name = "FILE", requires = "seed")]
    write_scenario: Option<PathBuf>,
}

/// Prints the transcripts.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let ready = load::scenarios(&args.files)?;
    if let Some(seed) = args.seed {
        let [ready] = ready.as_slice() else {
            let count = ready.len();
            let message = format!("failed to replay seed {seed}: these are {count} scenarios");
            return Err(Problem::new(message).into());
        };
        return seed::run(args, ready, seed);
    }
    let mut output = Output::stdout();
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
    lines.iter().map(|line| escape(line).into_owned() + "\n").collect()
}
