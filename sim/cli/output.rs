//! The output: stdout, or a file that is written whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use deathwatch_sim::{Problem, scenario::display};

use crate::{
    exit::Abandon,
    format::{Detail, Format},
    inputs::Inputs,
    look::Look,
    temporary::Temporary,
};

/// The number of bytes that are worth writing at once.
pub(crate) const PIECE: usize = 1 << 16;

/// The flags that say how and where the results of a command are written.
#[derive(clap::Args)]
pub(crate) struct Results {
    /// How to write the results
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Write the results to this file, whole or not at all, instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Results {
    /// Opens the output, which must be none of the files that are read.
    pub(crate) fn open(&self, inputs: &Inputs) -> Result<Output, Abandon> {
        Output::open(self.output.as_deref(), inputs)
    }

    /// The file of the output, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// The look of the results.
    pub(crate) fn look(&self, detail: Detail) -> Look {
        match self.output {
            Some(_) => Look::of_file(detail),
            None => Look::of_stdout(detail),
        }
    }
}

/// The destination of results.
pub(crate) enum Output {
    /// Stdout, as they come.
    Stdout(io::Stdout),
    /// Something that is no regular file, such as a named pipe.
    Special(File),
    /// A temporary file beside the wanted one, which it replaces in the end.
    File(Temporary),
}

impl Output {
    /// Output to stdout.
    pub(crate) fn stdout() -> Self {
        Self::Stdout(io::stdout())
    }

    /// Opens the output. So it is known to be writable before time is spent, and to be none of the
    /// inputs.
    pub(crate) fn open(path: Option<&Path>, inputs: &Inputs) -> Result<Self, Abandon> {
        let Some(path) = path else { return Ok(Self::stdout()) };
        inputs.spare(path)?;
        Ok(Self::file(path).map_err(|error| unwritable(path, &error))?)
    }

    fn file(path: &Path) -> io::Result<Self> {
        // A link is followed: its target is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(data) if !data.is_file() => {
                Ok(Self::Special(File::options().write(true).open(&path)?))
            }
            _ => Ok(Self::File(Temporary::beside(&path)?)),
        }
    }

    /// Writes `text`.
    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => {
                stdout.write_all(text.as_bytes())?;
                stdout.flush()
            }
            Self::Special(file) => file.write_all(text.as_bytes()),
            Self::File(file) => file.write_all(text.as_bytes()),
        }
    }

    /// Completes the output, so that what was written lasts.
    pub(crate) fn finish(self) -> Result<(), Abandon> {
        match self {
            Self::Stdout(_) | Self::Special(_) => Ok(()),
            Self::File(file) => {
                let path = file.path().to_owned();
                Ok(file.replace().map_err(|error| unwritable(&path, &error))?)
            }
        }
    }
}

/// Writes a whole file.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Problem> {
    let write = || -> io::Result<()> {
        let mut file = Temporary::beside(path)?;
        file.write_all(text.as_bytes())?;
        file.replace()
    };
    write().map_err(|error| unwritable(path, &error))
}

/// Makes a folder, unless it exists, and checks that it is writable.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Problem> {
    let failed = |what: &str, error: &io::Error| {
        Problem::new(format!("failed to {what} {}: {}", display(folder), reason(error)))
    };
    fs::create_dir_all(folder).map_err(|error| failed("make", &error))?;
    let file = tempfile::tempfile_in(folder);
    file.map(drop).map_err(|error| failed("write into", &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Problem {
    Problem::new(format!("failed to write {}: {}", display(path), reason(error)))
}

/// The reason why a file or a folder cannot be written.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "it would not be in a folder".to_owned(),
        io::ErrorKind::AlreadyExists => "there is a file of that name".to_owned(),
        kind => kind.to_string(),
    }
}
