//! Journals: a line with the question, then a line for each result. If more is asked later, another
//! line says so.
//!
//! A line is written as soon as there is a result, so a process that is killed loses but what it
//! was doing; the same command goes on where it ended. A line that was not written to its end is
//! cut off. Nothing else is ever overwritten. A journal is locked while it is open, and each of its
//! lines has a checksum.
//!
//! `check` and `simulate` write journals of one form. They differ in their headers and in their
//! results, which are documents.

mod file;
mod line;
mod merge;
mod read;

use std::{collections::BTreeMap, io, path::Path};

use deathwatch_scenario::{Problem, scenario::display};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use self::file::AppendFile;
pub use self::read::command_of;
pub(crate) use self::{
    merge::merge,
    read::{ReadJournal, ResultsByKey, load},
};

/// The version of the layout of journals.
const LAYOUT: u32 = 9;

/// The beginning of each header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalFormat {
    /// The version of this program. Another one may have other results.
    deathwatch: String,
    layout: u32,
    of: String,
}

/// A header: the question that the results answer.
pub trait JournalHeader: Clone + Serialize + DeserializeOwned {
    /// The command that writes such journals.
    const COMMAND: &'static str;
    /// The kind of such a journal, as in "sweep".
    const OF: &'static str;
    /// The facts that a result depends on, besides the version; for the message that refuses
    /// another question.
    const DEPENDS: &'static str;
    /// The number of results after which the disk is asked to make sure of them; a power cut costs
    /// at most these.
    const SURE: u32;
    type Result: Clone + PartialEq + Serialize + DeserializeOwned;

    /// The same header without a shard.
    #[must_use]
    fn whole(&self) -> Self;

    /// The number of scenarios that it is about.
    fn scenarios(&self) -> usize;

    /// The subject of a result, given its key and the number of its scenario, for messages.
    fn subject(&self, scenario: usize, key: u64) -> String;

    /// The first thing in which `self` differs from `other`, as the end of "it is of …".
    fn difference(&self, other: &Self) -> Option<String>;

    /// Whether `later` asks all of this and more, so that this journal can grow to one of that.
    fn grows_to(&self, _later: &Self) -> bool {
        false
    }

    /// Validates a header that was read.
    ///
    /// # Errors
    /// If nobody writes such a header: what is wrong with it.
    fn validate(&self) -> Result<(), &'static str>;

    /// Tells the results of a scenario apart: its seed, if it has one.
    ///
    /// # Errors
    /// If the scenario with this number, which is below their number, has no such result.
    fn key(&self, scenario: usize, result: &Self::Result) -> Result<u64, String>;
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    unsure: u32,
    sure: u32,
}

/// A result of the scenario with this number in the header.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<R> {
    scenario: usize,
    result: R,
}

/// The results of each scenario before, by their keys.
pub type Earlier<R> = Vec<BTreeMap<u64, R>>;

impl JournalFormat {
    /// The form of a journal that `command` writes.
    pub(crate) fn of(command: &str) -> Self {
        let deathwatch = env!("CARGO_PKG_VERSION").to_owned();
        Self { deathwatch, layout: LAYOUT, of: command.to_owned() }
    }
}

impl Journal {
    /// The journal of `header`, new or where it ended, and its contents. It is locked as long as it
    /// is open.
    ///
    /// # Errors
    /// If it cannot be read or written, if another process has it open, or if it is not the journal
    /// of this header. Then nothing is changed.
    pub fn open<H: JournalHeader>(
        path: &Path,
        header: &H,
    ) -> Result<(Self, Earlier<H::Result>), Problem> {
        let (mut file, bytes) = AppendFile::open(path)?;
        let Some(bytes) = file.unless_it_begins(header, bytes)? else {
            let none = vec![BTreeMap::new(); header.scenarios()];
            return Ok((Self { file, unsure: 0, sure: H::SURE }, none));
        };
        let ReadJournal { header: found, results, whole } = read::parse::<H>(path, &bytes)?;
        let difference = found.difference(header);
        let grows = difference.is_some() && found.grows_to(header);
        if let Some(difference) = difference.filter(|_| !grows) {
            let message = format!("the journal {} is of another {}", display(path), H::OF);
            let help = format!("it is of {difference}; name another journal, or remove this one");
            return Err(Problem::new(message).with_help(help));
        }
        if whole < bytes.len() {
            file.cut(whole as u64)?;
        }
        if grows {
            file.add(header)?;
            file.make_sure()?;
        }
        let earlier = results
            .into_iter()
            .map(|results| results.into_iter().map(|(key, (result, _))| (key, result)).collect());
        Ok((Self { file, unsure: 0, sure: H::SURE }, earlier.collect()))
    }

    /// Adds a result of the scenario that has this number in the header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, scenario: usize, result: &impl Serialize) -> Result<(), Problem> {
        self.file.add(&Entry { scenario, result })?;
        self.unsure += 1;
        if self.unsure >= self.sure { self.make_sure() } else { Ok(()) }
    }

    /// Waits until the disk has everything that was written.
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
