//! `deathwatch completions`: the script with which a shell completes commands and flags.

use clap_complete::Shell;

use crate::{
    exit::{Abandon, Exit},
    output::Output,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch completions bash > ~/.local/share/bash-completion/completions/deathwatch
  deathwatch completions zsh > ~/.zfunc/_deathwatch
  deathwatch completions fish > ~/.config/fish/completions/deathwatch.fish";

/// Print the script with which a shell completes commands and flags
///
/// Answers: what can I type next?
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script for `command`.
pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<Exit, Abandon> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "deathwatch", &mut script);
    let script = String::from_utf8(script).expect("names and help are text");
    let mut output = Output::stdout();
    output.write(&script)?;
    output.finish()?;
    Ok(Exit::AsExpected)
}
