//! `deathwatch schema`: the form of scenario files, for editors.

use crate::{
    exit::{Abandon, Exit},
    output::Output,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch schema > scenario.schema.json

Editors with a TOML language server complete and check scenario files that begin with:
  #:schema ./scenario.schema.json";

/// Print the JSON Schema of scenario files
///
/// Answers: what can a scenario file have?
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

/// Prints the schema.
pub(crate) fn run(_: &Args) -> Result<Exit, Abandon> {
    let mut output = Output::stdout();
    output.write(&format!("{:#}\n", deathwatch_sim::schema()))?;
    output.finish()?;
    Ok(Exit::AsExpected)
}
