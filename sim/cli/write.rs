//! Files that are written, and the reasons why they cannot be.

use std::{
    io::{self, Write as _},
    path::Path,
};

use deathwatch_scenario::{Problem, scenario::display};

use crate::temporary::Temporary;

/// Writes a whole file.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Problem> {
    let write = || -> io::Result<()> {
        let mut file = Temporary::beside(path)?;
        file.write_all(text.as_bytes())?;
        file.replace()
    };
    write().map_err(|error| unwritable(path, &error))
}

/// The problem that a new file cannot be written, perhaps as there is one.
pub(crate) fn exists(path: &Path, error: &io::Error) -> Problem {
    let problem = unwritable(path, error);
    match error.kind() {
        io::ErrorKind::AlreadyExists => problem.with_help("no file is overwritten; name another"),
        _ => problem,
    }
}

pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Problem {
    Problem::new(format!("failed to write {}: {}", display(path), reason(error)))
}

/// The reason why a file or a folder cannot be written.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "it would not be in a folder".to_owned(),
        io::ErrorKind::AlreadyExists => "there is a file of that name".to_owned(),
        // These are our own.
        io::ErrorKind::Other => error.to_string(),
        kind => kind.to_string(),
    }
}
