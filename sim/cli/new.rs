//! `deathwatch new`: a commented scenario to start from.

use std::path::PathBuf;

use deathwatch_scenario::{scenario::display, shell::quoted};

use crate::{
    exit::{Abandon, Exit},
    output::Output,
};

/// The scenario.
const TEMPLATE: &str = include_str!("new.toml");

const EXAMPLES: &str = "\
Examples:
  deathwatch new my.toml
  deathwatch check my.toml --verbose";

/// Write a commented scenario to start from
///
/// Answers: what does a scenario look like? No file is overwritten.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file, which must not exist yet
    file: PathBuf,
}

/// Writes the scenario.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let mut file = Output::create(&args.file)?;
    file.write(TEMPLATE)?;
    file.finish()?;
    let mut output = Output::stdout();
    let file = quoted(&display(&args.file));
    output.write(&format!("wrote {file}; next: deathwatch check {file} --verbose\n"))?;
    output.finish()?;
    Ok(Exit::AsExpected)
}
