//! The journal of a sweep: a line for what it is, then a line for each seed that is done.
//!
//! A line is written as soon as its seed is done, so a process that is killed loses but the seeds
//! that it was running; the same command goes on where it ended. A line that was not written to its
//! end is cut off. Nothing else is ever overwritten. A journal is locked while it is open, and each
//! of its lines has a checksum.

mod file;
mod line;
mod read;

use std::{collections::BTreeMap, io, path::Path};

use serde::{Deserialize, Serialize};

use self::read::Read;
pub(super) use self::read::{Results, load};
pub(crate) use self::{
    file::Appended,
    read::{bad_line, damaged, read_file, said, sealed},
};
use super::{header::Header, result::SeedResult};
use deathwatch_scenario::{Problem, scenario::display};

/// The disk is asked to make sure after so many seeds: what a power cut may cost.
const SURE: u32 = 256;

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: Appended,
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
        let (mut file, bytes) = Appended::open(path)?;
        let Some(bytes) = file.unless_it_begins(header, bytes)? else {
            let none = vec![BTreeMap::new(); header.scenarios.len()];
            return Ok((Self { file, unsure: 0 }, none));
        };
        let Read { header: found, results, whole } = read::parse(path, &bytes)?;
        if let Some(difference) = found.difference(header) {
            let message = format!("the journal {} is of another sweep", display(path));
            let help = format!("it is of {difference}; name another journal, or remove this one");
            return Err(Problem::new(message).with_help(help));
        }
        if whole < bytes.len() {
            file.cut(whole as u64)?;
        }
        let earlier = results
            .into_iter()
            .map(|results| results.into_iter().map(|(seed, (result, _))| (seed, result)).collect());
        Ok((Self { file, unsure: 0 }, earlier.collect()))
    }

    /// Adds what came of a seed of the scenario that has this number in the header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, scenario: usize, result: &SeedResult) -> Result<(), Problem> {
        self.file.add(&Entry { scenario, result })?;
        self.unsure += 1;
        if self.unsure >= SURE { self.make_sure() } else { Ok(()) }
    }

    /// Has the disk make sure of what was written.
    ///
    /// # Errors
    /// If it cannot.
    pub fn make_sure(&mut self) -> Result<(), Problem> {
        self.unsure = 0;
        self.file.make_sure()
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "it would not be in a folder".to_owned(),
        // These are our own.
        io::ErrorKind::Other => error.to_string(),
        kind => kind.to_string(),
    }
}
