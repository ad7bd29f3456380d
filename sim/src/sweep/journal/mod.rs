//! The journal of a sweep: a line for what it is, then a line for each seed that is done.
//!
//! A line is written as soon as its seed is done, so a process that is killed loses but the seeds
//! that it was running; the same command goes on where it ended. A line that was not written to its
//! end is cut off. Nothing else is ever overwritten. A journal is locked while it is open, and each
//! of its lines has a checksum.

mod line;
mod read;

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io::{self, Read as _, Write as _},
    path::Path,
};

use serde::{Deserialize, Serialize};

use self::read::Read;
pub(super) use self::read::{Results, load};
use super::{header::Header, result::SeedResult};
use crate::{Problem, scenario::display};

/// The disk is asked to make sure after so many seeds: what a power cut may cost.
const SURE: u32 = 256;

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    name: String,
    unsure: u32,
}

/// What came of a seed of a scenario.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<R> {
    /// The number of the scenario in the header.
    scenario: usize,
    result: R,
}

/// What came of the seeds of each scenario before.
pub(super) type Earlier = Vec<BTreeMap<u64, SeedResult>>;

impl Journal {
    /// Opens the journal of the sweep `header`, new or where it ended; also returns what is in it.
    /// It is locked for as long as it is open.
    ///
    /// # Errors
    /// If it cannot be read or written, if another process has it open, or if it is not the journal
    /// of this sweep. Then nothing is changed.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Earlier), Problem> {
        let none = || vec![BTreeMap::new(); header.scenarios.len()];
        if fs::metadata(path).is_ok_and(|kind| !kind.is_file()) {
            // A pipe, or a device: what was written to it is not there to be read.
            let file = File::options().write(true).open(path);
            let journal = Self::new(path, file.map_err(|error| unwritable(path, &error))?);
            return Ok((journal.begin(header)?, none()));
        }
        let file = File::options().read(true).append(true).create(true).open(path);
        let mut journal = Self::new(path, file.map_err(|error| unwritable(path, &error))?);
        journal.lock()?;
        let mut bytes = Vec::new();
        let all = journal.file.read_to_end(&mut bytes);
        all.map_err(|error| read::unreadable(path, &error))?;
        if line::write(header).as_bytes().starts_with(&bytes) {
            // It ended before it began.
            journal.cut(0)?;
            return Ok((journal.begin(header)?, none()));
        }
        let Read { header: found, results, whole } = read::parse(path, &bytes)?;
        if let Some(difference) = found.difference(header) {
            let message = format!("the journal {} is of another sweep", display(path));
            let help = format!("it is of {difference}; name another journal, or remove this one");
            return Err(Problem::new(message).with_help(help));
        }
        if whole < bytes.len() {
            journal.cut(whole as u64)?;
        }
        let earlier = results
            .into_iter()
            .map(|results| results.into_iter().map(|(seed, (result, _))| (seed, result)).collect());
        Ok((journal, earlier.collect()))
    }

    /// Keeps other processes out until the journal is closed.
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

    /// Cuts off what is behind the first `length` bytes.
    fn cut(&self, length: u64) -> Result<(), Problem> {
        self.file.set_len(length).map_err(|error| self.problem(&error))
    }

    fn new(path: &Path, file: File) -> Self {
        Self { file, name: display(path), unsure: 0 }
    }

    fn begin(mut self, header: &Header) -> Result<Self, Problem> {
        self.write(&line::write(header))?;
        self.make_sure()?;
        Ok(self)
    }

    /// Adds what came of a seed of the scenario that has this number in the header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, scenario: usize, result: &SeedResult) -> Result<(), Problem> {
        self.write(&line::write(&Entry { scenario, result }))?;
        self.unsure += 1;
        if self.unsure >= SURE { self.make_sure() } else { Ok(()) }
    }

    /// Has the disk make sure of what was written.
    ///
    /// # Errors
    /// If it cannot.
    pub fn make_sure(&mut self) -> Result<(), Problem> {
        self.unsure = 0;
        match self.file.sync_data() {
            // A pipe has nothing to make sure of.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(self.problem(&error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Writes a line in one go, so that only the last one can ever be torn.
    fn write(&mut self, line: &str) -> Result<(), Problem> {
        self.file.write_all(line.as_bytes()).map_err(|error| self.problem(&error))
    }

    fn problem(&self, error: &io::Error) -> Problem {
        let message = format!("failed to write the journal {}: {}", self.name, reason(error));
        let help = "what it has of finished seeds is kept, and the same command goes on from there";
        Problem::new(message).with_help(help)
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Problem {
    Problem::new(format!("failed to write the journal {}: {}", display(path), reason(error)))
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        kind => kind.to_string(),
    }
}
