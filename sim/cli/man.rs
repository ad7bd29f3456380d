//! `deathwatch man`: a manual page for each command.

use std::path::{Path, PathBuf};

use clap_mangen::Man;
use deathwatch_sim::Problem;

use crate::{
    exit::{Abandon, Exit},
    output,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch man ~/.local/share/man/man1
  man deathwatch-check";

/// Write a manual page for each command
///
/// Answers: where is the manual?
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder that gets deathwatch.1, deathwatch-check.1 and so on
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages of `command`.
pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<Exit, Abandon> {
    output::make_folder(&args.folder)?;
    command.build();
    write(&args.folder, "deathwatch", &command)?;
    for subcommand in command.get_subcommands().filter(|it| it.get_name() != "help") {
        write(&args.folder, &format!("deathwatch-{}", subcommand.get_name()), subcommand)?;
    }
    Ok(Exit::AsExpected)
}

/// Writes the page of `command`, which is called `name`.
fn write(folder: &Path, name: &str, command: &clap::Command) -> Result<(), Problem> {
    let mut page = Vec::new();
    let written = Man::new(command.clone()).title(name).render(&mut page);
    written.expect("memory takes any page");
    let page = String::from_utf8(page).expect("names and help are text");
    output::write_file(&folder.join(format!("{name}.1")), &page)
}
