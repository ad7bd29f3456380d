//! Where results go: to stdout, or to a file that is whole or not there at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use miette::miette;
use tempfile::NamedTempFile;

use crate::exit::Abandon;

/// Where results go.
pub(crate) enum Output {
    /// To stdout, as they come.
    Stdout(io::Stdout),
    /// To something that is no file of its own, such as a pipe with a name.
    Special(File),
    /// To a file beside the one that is wanted, which replaces it in the end.
    File(NamedTempFile, PathBuf),
}

impl Output {
    /// Opens the output, so that it is known to be writable before time is spent.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Abandon> {
        match path {
            None => Ok(Self::Stdout(io::stdout())),
            Some(path) => Ok(Self::file(path).map_err(|error| unwritable(path, &error))?),
        }
    }

    fn file(path: &Path) -> io::Result<Self> {
        // A link is followed, so that what it points to is replaced and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(data) if !data.is_file() => {
                Ok(Self::Special(File::options().write(true).open(&path)?))
            }
            _ => Ok(Self::File(beside(&path)?, path)),
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
            Self::File(file, _) => file.write_all(text.as_bytes()),
        }
    }

    /// Makes what was written last.
    pub(crate) fn finish(self) -> Result<(), Abandon> {
        match self {
            Self::Stdout(_) | Self::Special(_) => Ok(()),
            Self::File(file, path) => {
                let done = file.persist(&path);
                done.map_err(|error| unwritable(&path, &error.error))?;
                Ok(())
            }
        }
    }
}

/// Writes a whole file.
pub(crate) fn write_file(path: &Path, text: &str) -> miette::Result<()> {
    let write = || -> io::Result<()> {
        let mut file = beside(path)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| unwritable(path, &error))
}

/// A file beside `path`, with the rights that a new file has.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if path.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".deathwatch-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(|error| plain(&error))
}

/// The error without the name of the temporary file, which tells nobody anything.
fn plain(error: &io::Error) -> io::Error {
    error.kind().into()
}

fn unwritable(path: &Path, error: &io::Error) -> miette::Report {
    miette!("failed to write {}: {}", path.display(), reason(error))
}

/// Why a file or a folder cannot be written.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "it would not be in a folder".to_owned(),
        io::ErrorKind::AlreadyExists => "there is a file of that name".to_owned(),
        kind => kind.to_string(),
    }
}
