//! The file of a journal: lines that are appended, each in one go, while other processes are kept
//! out.

use std::{
    fs::{File, TryLockError},
    io::{self, Read as _, Write as _},
    path::Path,
};

use deathwatch_scenario::{Problem, scenario::display};
use serde::Serialize;

use super::{line, read, reason};
use crate::destination;

/// A file that is appended to.
#[derive(Debug)]
pub(crate) struct AppendFile {
    file: File,
    name: String,
}

impl AppendFile {
    /// The file at `path`, new or as it is, and its contents. It is locked as long as it is open. A
    /// pipe or a device has no contents, as bytes written there cannot be read back.
    pub(crate) fn open(path: &Path) -> Result<(Self, Vec<u8>), Problem> {
        let failed = |error: io::Error| unwritable(path, &error);
        let special = destination::open_special(path).map_err(failed)?;
        let is_special = special.is_some();
        let file = match special {
            Some(file) => file,
            None => ordinary(path).map_err(failed)?,
        };
        let mut opened = Self { file, name: display(path) };
        let mut bytes = Vec::new();
        if !is_special {
            opened.lock()?;
            let all = opened.file.read_to_end(&mut bytes);
            all.map_err(|error| read::unreadable(path, &error))?;
        }
        Ok((opened, bytes))
    }

    /// Begins the journal with `header`, unless `bytes`, which are in it, go beyond that: then they
    /// are given back.
    pub(crate) fn unless_it_begins(
        &mut self,
        header: &impl Serialize,
        bytes: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, Problem> {
        if !line::write(header).as_bytes().starts_with(&bytes) {
            return Ok(Some(bytes));
        }
        if !bytes.is_empty() {
            // It ended before it began.
            self.cut(0)?;
        }
        self.add(header)?;
        self.make_sure()?;
        Ok(None)
    }

    /// Keeps other processes out until the file is closed.
    fn lock(&self) -> Result<(), Problem> {
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                let message = format!("the journal {} is in use by another process", self.name);
                Err(Problem::new(message).with_help("wait for it, or name another journal"))
            }
            Err(TryLockError::Error(error)) => {
                let (name, why) = (&self.name, reason(&error));
                let message = format!("failed to lock the journal {name}: {why}");
                Err(Problem::new(message).with_help("a journal needs a file system with locks"))
            }
        }
    }

    /// Cuts off everything behind the first `length` bytes.
    pub(crate) fn cut(&self, length: u64) -> Result<(), Problem> {
        self.file.set_len(length).map_err(|error| self.problem(&error))
    }

    /// Adds a line in one go, so that only the last one can ever be torn.
    pub(crate) fn add(&mut self, object: &impl Serialize) -> Result<(), Problem> {
        let line = line::write(object);
        self.file.write_all(line.as_bytes()).map_err(|error| self.problem(&error))
    }

    /// Waits until the disk has everything that was written.
    pub(crate) fn make_sure(&mut self) -> Result<(), Problem> {
        match self.file.sync_data() {
            // A pipe has nothing to make sure of.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(self.problem(&error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn problem(&self, error: &io::Error) -> Problem {
        let message = format!("failed to write the journal {}: {}", self.name, reason(error));
        let help = "what was finished before is kept, and the same command goes on from there";
        Problem::new(message).with_help(help)
    }
}

/// Opens the ordinary file at `path`, new or as it is.
fn ordinary(path: &Path) -> io::Result<File> {
    destination::make_folders_to(path)?;
    File::options().read(true).append(true).create(true).open(path)
}

fn unwritable(path: &Path, error: &io::Error) -> Problem {
    Problem::new(format!("failed to write the journal {}: {}", display(path), reason(error)))
}
