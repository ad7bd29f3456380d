//! `deathwatch new`: a commented scenario to start from.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use deathwatch_sim::{Problem, scenario::display};

use crate::{
    exit::{Abandon, Exit},
    output::{Output, reason},
    shell::quoted,
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
    write(&args.file).map_err(|error| refused(&args.file, &error))?;
    let mut output = Output::stdout();
    let file = quoted(&display(&args.file));
    output.write(&format!("wrote {file}; next: deathwatch check {file} --verbose\n"))?;
    output.finish()?;
    Ok(Exit::AsExpected)
}

fn write(path: &Path) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(TEMPLATE.as_bytes())
}

fn refused(path: &Path, error: &io::Error) -> Problem {
    let problem = Problem::new(format!("failed to write {}: {}", display(path), reason(error)));
    match error.kind() {
        io::ErrorKind::AlreadyExists => problem.with_help("no file is overwritten; name another"),
        _ => problem,
    }
}
