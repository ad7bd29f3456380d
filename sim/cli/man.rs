//! `deathwatch man`: a manual page for each command.

use std::path::PathBuf;

use clap_mangen::Man;

use crate::{
    exit::{Abandon, Exit},
    folder, write,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch man ~/.local/share/man/man1
  man deathwatch-check";

/// The words that each page of ours has, and without which a file is not replaced.
const OURS: &str = ".TH deathwatch";

/// Write a manual page for each command
///
/// Answers: where is the manual? Pages of another version are replaced, and no other files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder that gets deathwatch.1, deathwatch-check.1 and so on
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages of `command`.
pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<Exit, Abandon> {
    command.build();
    let pages: Vec<(PathBuf, String)> =
        pages(&command).map(|(name, page)| (args.folder.join(format!("{name}.1")), page)).collect();
    for (path, _) in &pages {
        folder::spare_others(path, |beginning| beginning.contains(OURS))?;
    }
    folder::make(&args.folder)?;
    for (path, page) in &pages {
        write::write_file(path, page)?;
    }
    Ok(Exit::AsExpected)
}

/// The page of `command` and of each of its subcommands, with their names.
fn pages(command: &clap::Command) -> impl Iterator<Item = (String, String)> {
    let subcommands = command.get_subcommands().filter(|it| it.get_name() != "help");
    let named = subcommands.map(|it| (format!("deathwatch-{}", it.get_name()), it));
    let all = std::iter::once(("deathwatch".to_owned(), command)).chain(named);
    all.map(|(name, command)| {
        let page = page(&name, command);
        (name, page)
    })
}

/// The page of `command`, which is called `name`.
fn page(name: &str, command: &clap::Command) -> String {
    let mut page = Vec::new();
    let written = Man::new(command.clone()).title(name).render(&mut page);
    written.expect("memory takes any page");
    String::from_utf8(page).expect("names and help are text")
}
