//! Arguments that are no command: those that are wrong, and those that ask for help or for the
//! version.

use std::{
    io::{self, Write as _},
    process,
};

use clap::Error;
use deathwatch_scenario::escape::{escape, escape_lines};

use crate::{diagnostics, exit::Abandon};

/// Reports a mistake in the arguments, or prints help or version, and ends the process.
pub(crate) fn exit(error: &Error) -> ! {
    if !error.use_stderr() {
        process::exit(match print(error) {
            Ok(()) => error.exit_code(),
            Err(failed) => Abandon::from(failed).report().code().into(),
        });
    }
    let is_harmless = |arg: String| escape(&arg) == arg.as_str();
    if std::env::args_os().all(|arg| is_harmless(arg.to_string_lossy().into_owned())) {
        error.exit();
    }
    diagnostics::write(&escape_lines(&error.render().to_string()));
    process::exit(error.exit_code());
}

/// Prints help or version, which clap itself would do without a look at whether it could.
fn print(error: &Error) -> io::Result<()> {
    let mut stdout = anstream::stdout();
    write!(stdout, "{}", error.render().ansi())?;
    stdout.flush()
}
