//! The journal of a sweep: a line for what it is, then a line for each seed that is done.
//!
//! A line is written as soon as its seed is done, so a process that is killed loses but the seeds
//! that it was running; the same command goes on where it ended. A line that was not written to its
//! end is cut off. Nothing else is ever overwritten.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    path::Path,
};

use serde::{Deserialize, Serialize};

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

/// What came of the seeds of each scenario, and the line that says so.
pub(super) type Results = Vec<BTreeMap<u64, (SeedResult, usize)>>;

/// What came of the seeds of each scenario before.
pub(super) type Earlier = Vec<BTreeMap<u64, SeedResult>>;

impl Journal {
    /// Opens the journal of the sweep `header`, new or where it ended; also returns what is in it.
    ///
    /// # Errors
    /// If it cannot be read or written, or if it is not the journal of this sweep. Then nothing is
    /// changed.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Earlier), Problem> {
        let none = || vec![BTreeMap::new(); header.scenarios.len()];
        let kind = fs::metadata(path);
        if kind.as_ref().is_ok_and(|kind| !kind.is_file()) {
            // A pipe, or a device: what was written to it is not there to be read.
            let file = File::options().write(true).open(path);
            let journal = Self::new(path, file.map_err(|error| unwritable(path, &error))?);
            return Ok((journal.begin(header)?, none()));
        }
        let options = || File::options().append(true).create(true).clone();
        let text = if kind.is_ok() { read(path)? } else { String::new() };
        if line(header).starts_with(&text) {
            // It ended before it began.
            let file = options().open(path).and_then(|file| file.set_len(0).map(|()| file));
            let journal = Self::new(path, file.map_err(|error| unwritable(path, &error))?);
            return Ok((journal.begin(header)?, none()));
        }
        let (found, results, whole) = parse(path, &text)?;
        if let Some(difference) = found.difference(header) {
            let message = format!("the journal {} is of another sweep", display(path));
            let help = format!("it is of {difference}; name another journal, or remove this one");
            return Err(Problem::new(message).with_help(help));
        }
        let file = options().open(path).and_then(|file| {
            if whole < text.len() {
                file.set_len(whole as u64)?;
            }
            Ok(file)
        });
        let earlier = results
            .into_iter()
            .map(|results| results.into_iter().map(|(seed, (result, _))| (seed, result)).collect());
        let file = file.map_err(|error| unwritable(path, &error))?;
        Ok((Self::new(path, file), earlier.collect()))
    }

    fn new(path: &Path, file: File) -> Self {
        Self { file, name: display(path), unsure: 0 }
    }

    fn begin(mut self, header: &Header) -> Result<Self, Problem> {
        self.write(&line(header))?;
        self.make_sure()?;
        Ok(self)
    }

    /// Adds what came of a seed of the scenario that has this number in the header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, scenario: usize, result: &SeedResult) -> Result<(), Problem> {
        self.write(&line(&Entry { scenario, result }))?;
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

/// Reads a whole journal.
pub(super) fn load(path: &Path) -> Result<(Header, Results), Problem> {
    match fs::metadata(path) {
        Ok(kind) if kind.is_dir() => {
            Err(Problem::new(format!("{} is a folder, where a journal is expected", display(path))))
        }
        _ => parse(path, &read(path)?).map(|(header, results, _)| (header, results)),
    }
}

fn read(path: &Path) -> Result<String, Problem> {
    let bytes = fs::read(path).map_err(|error| {
        let message = format!("failed to read the journal {}: {}", display(path), reason(&error));
        Problem::new(message)
    })?;
    // The end of a torn line may be the middle of a letter, which the rest shall not suffer for.
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    match std::str::from_utf8(&bytes[..whole]) {
        Ok(text) => Ok(text.to_owned() + &String::from_utf8_lossy(&bytes[whole..])),
        Err(_) => Err(no_journal(path)),
    }
}

/// The header, the results, and how many bytes are whole lines.
fn parse(path: &Path, text: &str) -> Result<(Header, Results, usize), Problem> {
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let mut lines = text[..whole].lines();
    let first = lines.next().ok_or_else(|| no_journal(path))?;
    let header = match serde_json::from_str::<Header>(first) {
        Ok(header) if header.is_ours() => header,
        Ok(_) => return Err(foreign(path, first, "it is of another layout")),
        Err(error) => return Err(foreign(path, first, &said(&error))),
    };
    let mut results: Results = vec![BTreeMap::new(); header.scenarios.len()];
    for (index, text) in lines.enumerate() {
        let number = index + 2;
        let wrong = |why: &str| bad_line(path, number, why);
        let entry: Entry<SeedResult> =
            serde_json::from_str(text).map_err(|error| wrong(&said(&error)))?;
        let (at, result) = (entry.scenario, entry.result);
        let about = header.scenarios.get(at).ok_or_else(|| wrong("there is no such scenario"))?;
        if header.plan(about).place(result.seed).is_none() {
            return Err(wrong(&format!("seed {} does not belong to it", result.seed)));
        }
        if result.violations.iter().any(|violated| about.claim(&violated.claim).is_none()) {
            return Err(wrong("it is about a claim that is not asked"));
        }
        match results[at].get(&result.seed) {
            Some((first, line)) if *first != result => {
                let why = format!("it contradicts line {line} about seed {}", result.seed);
                return Err(wrong(&why));
            }
            Some(_) => {}
            None => drop(results[at].insert(result.seed, (result, number))),
        }
    }
    Ok((header, results, whole))
}

/// Why the first line is not our header: it may be that of another version.
fn foreign(path: &Path, first: &str, why: &str) -> Problem {
    let value: Option<serde_json::Value> = serde_json::from_str(first).ok();
    let version = value.as_ref().filter(|it| it["journal"].is_number());
    match version.and_then(|it| it["deathwatch"].as_str()) {
        Some(version) if version != env!("CARGO_PKG_VERSION") => {
            let message = format!("the journal {} is of version {version}", display(path));
            let help = format!(
                "this is version {}; its seeds may be other runs",
                env!("CARGO_PKG_VERSION")
            );
            Problem::new(message).with_help(help)
        }
        Some(_) => bad_line(path, 1, why),
        None => no_journal(path),
    }
}

fn no_journal(path: &Path) -> Problem {
    Problem::new(format!("{} is not a journal", display(path)))
        .with_help("journals are written by `deathwatch simulate --journal FILE`")
}

fn bad_line(path: &Path, line: usize, why: &str) -> Problem {
    Problem::new(format!("line {line} of the journal {} makes no sense: {why}", display(path)))
}

/// What is wrong with a line, which is the only one that the reader sees.
fn said(error: &serde_json::Error) -> String {
    error.to_string().replace("line 1 column", "column")
}

fn line(of: &impl Serialize) -> String {
    let text = serde_json::to_string(of);
    text.expect("its keys are text and its numbers are whole") + "\n"
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
