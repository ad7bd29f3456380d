//! The journal of a shard: a line for what is asked, then a line for each scenario that is answered.
//!
//! It is written like the journal of a sweep, so a task that is killed and starts again goes on
//! where it ended.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{answered::Answered, header::Header, markup};
use crate::sweep::journal::{Appended, bad_line, damaged, read_file, said, sealed};
use deathwatch_scenario::{Problem, scenario::display};

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal(Appended);

/// The answers of a scenario, by its number in the header.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<A> {
    scenario: usize,
    answered: A,
}

/// The answers of scenarios by their numbers, each with the line that says so.
pub(super) type Answers = BTreeMap<usize, (Answered, usize)>;

impl Journal {
    /// Opens the journal of the shard that `header` describes, new or where it ended; also returns
    /// what is in it. It is locked for as long as it is open.
    ///
    /// # Errors
    /// If it cannot be read or written, if another process has it open, or if it is another
    /// journal. Then nothing is changed.
    pub fn open(
        path: &Path,
        header: &Header,
    ) -> Result<(Self, BTreeMap<usize, Answered>), Problem> {
        let (mut file, bytes) = Appended::open(path)?;
        let Some(bytes) = file.unless_it_begins(header, bytes)? else {
            return Ok((Self(file), BTreeMap::new()));
        };
        let (found, answers, whole) = parse(path, &bytes)?;
        let shard = (found.shard != header.shard).then(|| format!("shard {}", found.shard));
        if let Some(difference) = found.difference(header).or(shard) {
            let message = format!("the journal {} is of another check", display(path));
            let help = format!("it is of {difference}; name another journal, or remove this one");
            return Err(Problem::new(message).with_help(help));
        }
        if whole < bytes.len() {
            file.cut(whole as u64)?;
        }
        let answers = answers.into_iter().map(|(at, (answered, _))| (at, answered));
        Ok((Self(file), answers.collect()))
    }

    /// Adds the answers of the scenario that has this number in the header. A scenario takes
    /// seconds rather than microseconds, so the disk is asked to make sure each time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, scenario: usize, answered: &Answered) -> Result<(), Problem> {
        self.0.add(&Entry { scenario, answered })?;
        self.0.make_sure()
    }
}

/// Whether the file at `path` begins like a journal of `check`.
pub fn is_journal(path: &Path) -> bool {
    let Ok(bytes) = read_file(path) else { return false };
    let first = bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    let value: Option<Value> = sealed(first).and_then(|text| serde_json::from_str(&text).ok());
    value.is_some_and(|value| value["answers"].is_number())
}

/// Reads the journal at `path`.
pub(super) fn load(path: &Path) -> Result<(Header, Answers), Problem> {
    let (header, answers, _) = parse(path, &read_file(path)?)?;
    Ok((header, answers))
}

/// Reads a journal that has these bytes; also returns the length of its whole lines. A last line
/// without its end is a scenario that was not finished.
fn parse(path: &Path, bytes: &[u8]) -> Result<(Header, Answers, usize), Problem> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n');
    let header = header(path, lines.next().unwrap_or_default())?;
    let mut answers = Answers::new();
    for (index, line) in lines.enumerate() {
        let number = index + 2;
        let wrong = |why: &str| bad_line(path, number, why);
        let text = sealed(line).ok_or_else(|| damaged(path, number))?;
        let entry: Entry<Answered> =
            serde_json::from_str(&text).map_err(|error| wrong(&said(&error)))?;
        let Entry { scenario, answered } = entry;
        match header.scenarios.get(scenario) {
            Some(subject) if subject.scenario != answered.scenario => {
                return Err(wrong("the scenario has another name"));
            }
            Some(_) if header.has(scenario) => {}
            Some(_) => return Err(wrong("the scenario is in another shard")),
            None => return Err(wrong("there is no such scenario")),
        }
        if !answered.page.as_deref().is_none_or(markup::is_ours) {
            return Err(wrong("its page has markup that is not ours"));
        }
        match answers.get(&scenario) {
            Some((first, line)) if *first != answered => {
                return Err(wrong(&format!("it contradicts line {line}")));
            }
            Some(_) => {}
            None => drop(answers.insert(scenario, (answered, number))),
        }
    }
    Ok((header, answers, whole))
}

/// The header that the first line is.
fn header(path: &Path, first: &[u8]) -> Result<Header, Problem> {
    let none = || {
        Problem::new(format!("{} is not a journal of `check`", display(path)))
            .with_help("such journals are written by `deathwatch check --journal FILE`")
    };
    let text = sealed(first).ok_or_else(none)?;
    let value: Value = serde_json::from_str(&text).map_err(|_| none())?;
    if !value["answers"].is_number() {
        return Err(none());
    }
    let header: Result<Header, _> = serde_json::from_value(value.clone());
    match header {
        Ok(header) if header.is_ours() => Ok(header),
        Ok(_) | Err(_) if value["deathwatch"] != env!("CARGO_PKG_VERSION") => {
            let version = value["deathwatch"].as_str().unwrap_or("another");
            let message = format!("the journal {} is of version {version}", display(path));
            let help = format!("this is version {}", env!("CARGO_PKG_VERSION"));
            Err(Problem::new(message).with_help(help))
        }
        Ok(_) => Err(bad_line(path, 1, "it is of another layout")),
        Err(error) => Err(bad_line(path, 1, &said(&error))),
    }
}
