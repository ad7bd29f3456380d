//! `deathwatch new`: a commented scenario to start from, or one of those that are shipped.

use std::{borrow::Cow, path::PathBuf};

use deathwatch_scenario::{scenario::display, shell::quoted};

use crate::{
    exit::{Abandon, Exit},
    output::Output,
    shipped::{self, NameParser},
};

const TEMPLATE: &str = include_str!("new.toml");

const EXAMPLES: &str = "\
Examples:
  deathwatch new my.toml
  deathwatch check my.toml --verbose
  deathwatch new --from relation-scope-bug/1-as-written";

/// Write a commented scenario to start from, or a shipped one
///
/// Answers: what does a scenario look like? No file is overwritten.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file, which must not exist yet; with --from its default is the name of the scenario's
    #[arg(required_unless_present = "from")]
    file: Option<PathBuf>,

    /// The shipped scenario to write, as in relation-scope-bug/1-as-written, with all others of its
    /// file; `deathwatch list scenarios` names them where no folder is called scenarios
    #[arg(long, value_name = "NAME", value_parser = NameParser, hide_possible_values = true)]
    from: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let text = match &args.from {
        Some(name) => shipped::text(name)?,
        None => Cow::Borrowed(TEMPLATE),
    };
    let path = match (&args.file, &args.from) {
        (Some(file), _) => file.clone(),
        (None, from) => shipped::file_name(from.as_deref().unwrap_or_default()),
    };
    let mut file = Output::create(&path)?;
    file.write(&text)?;
    file.finish()?;
    let mut output = Output::stdout();
    let file = quoted(&display(&path));
    output.write(&format!("wrote {file}; next: deathwatch check {file} --verbose\n"))?;
    output.finish()?;
    Ok(Exit::AsExpected)
}
