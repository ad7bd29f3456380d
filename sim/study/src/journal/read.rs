//! Reading journals: whatever the file says, it is understood in full or refused with a reason.

use std::{collections::BTreeMap, fs, io, path::Path};

use deathwatch_scenario::{Problem, input, scenario::display};
use serde_json::Value;

use super::{Entry, JournalHeader, LAYOUT, line, reason};

/// The beginning of a header, and of no result.
const HEADER: &str = "{\"form\":";

/// The results of each scenario by their keys, each with the line that has it.
pub(crate) type ResultsByKey<R> = Vec<BTreeMap<u64, (R, usize)>>;

pub(crate) struct ReadJournal<H: JournalHeader> {
    pub(crate) header: H,
    pub(crate) results: ResultsByKey<H::Result>,
    /// The length of its whole lines, in bytes.
    pub(super) whole: usize,
}

/// Reads the journal at `path`.
pub(crate) fn load<H: JournalHeader>(path: &Path) -> Result<ReadJournal<H>, Problem> {
    parse(path, &read_file(path)?)
}

/// The command that has written the journal at `path`; `None` if it is no journal of this version.
pub fn command_of(path: &Path) -> Option<String> {
    let bytes = read_file(path).ok()?;
    let first = bytes.split_inclusive(|byte| *byte == b'\n').next()?;
    let value: Value = serde_json::from_str(&sealed(first)?).ok()?;
    Some(value["form"]["of"].as_str()?.to_owned())
}

/// The bytes of the journal at `path`, which has to be an ordinary file.
fn read_file(path: &Path) -> Result<Vec<u8>, Problem> {
    let kind = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if !kind.is_file() {
        let what = if kind.is_dir() { "a folder" } else { "not an ordinary file" };
        let message = format!("{} is {what}, where a journal is expected", display(path));
        return Err(Problem::new(message));
    }
    input::read(path, u64::MAX).map_err(|error| unreadable(path, &error))
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> Problem {
    Problem::new(format!("failed to read the journal {}: {}", display(path), reason(error)))
}

/// Reads a journal that has these bytes. A last line without its end is a result that was not
/// finished.
pub(super) fn parse<H: JournalHeader>(
    path: &Path,
    bytes: &[u8],
) -> Result<ReadJournal<H>, Problem> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n');
    let mut header: H = header(path, lines.next().unwrap_or_default())?;
    let mut results: ResultsByKey<H::Result> = vec![BTreeMap::new(); header.scenarios()];
    for (index, line) in lines.enumerate() {
        let number = index + 2;
        let wrong = |why: &str| bad_line(path, number, why);
        let text = sealed(line).ok_or_else(|| damaged(path, number))?;
        if text.starts_with(HEADER) {
            let later: H =
                serde_json::from_str(&text).map_err(|error| wrong(&parse_error(&error)))?;
            later.validate().map_err(&wrong)?;
            if !header.grows_to(&later) {
                return Err(wrong("what is asked does not follow from what was asked before"));
            }
            header = later;
            continue;
        }
        let entry: Entry<H::Result> =
            serde_json::from_str(&text).map_err(|error| wrong(&parse_error(&error)))?;
        let Entry { scenario, result } = entry;
        if scenario >= results.len() {
            return Err(wrong("there is no such scenario"));
        }
        let key = header.key(scenario, &result).map_err(|why| wrong(&why))?;
        match results[scenario].get(&key) {
            Some((first, line)) if *first != result => {
                return Err(wrong(&format!("it contradicts line {line}")));
            }
            Some(_) => {}
            None => drop(results[scenario].insert(key, (result, number))),
        }
    }
    Ok(ReadJournal { header, results, whole })
}

/// The header that the first line is.
fn header<H: JournalHeader>(path: &Path, first: &[u8]) -> Result<H, Problem> {
    let Some(text) = sealed(first) else { return Err(unsealed(path, first)) };
    let value: Value = serde_json::from_str(&text).map_err(|_| no_journal::<H>(path))?;
    if let Some(refusal) = refusal::<H>(path, &value) {
        return Err(refusal);
    }
    let header: H =
        serde_json::from_str(&text).map_err(|error| bad_line(path, 1, &parse_error(&error)))?;
    header.validate().map_err(|why| bad_line(path, 1, why))?;
    Ok(header)
}

/// Why a journal with this header is not read: another version has written it, or another command.
fn refusal<H: JournalHeader>(path: &Path, header: &Value) -> Option<Problem> {
    let version = header["deathwatch"].as_str().or_else(|| header["form"]["deathwatch"].as_str());
    let Some(version) = version else { return Some(no_journal::<H>(path)) };
    if version != env!("CARGO_PKG_VERSION") {
        let message = format!("the journal {} is of version {version}", display(path));
        let help =
            format!("this is version {}, which may answer otherwise", env!("CARGO_PKG_VERSION"));
        return Some(Problem::new(message).with_help(help));
    }
    let form = &header["form"];
    // Before layout 6 the journals of `check` numbered their layouts by themselves.
    let is_older = header["journal"].is_number() || header["answers"].is_number();
    if is_older || form["layout"].as_u64() < Some(LAYOUT.into()) {
        let message = format!("the journal {} is of an older layout", display(path));
        return Some(Problem::new(message).with_help("ask again, with another journal"));
    }
    if form["layout"] != LAYOUT {
        return Some(bad_line(path, 1, "it is of another layout"));
    }
    (form["of"] != H::COMMAND).then(|| no_journal::<H>(path))
}

/// The object of a line, if its checksum is right.
fn sealed(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    line::read(line.strip_suffix('\n')?)
}

/// Why the first line has no checksum, or a wrong one: in the first layout there were none.
fn unsealed(path: &Path, first: &[u8]) -> Problem {
    let value: Option<Value> = serde_json::from_slice(first).ok();
    let is_ours = |it: &Value| it["deathwatch"].is_string() || it["form"]["deathwatch"].is_string();
    match value.filter(is_ours) {
        Some(value) if value["journal"] == 1 => {
            let message = format!("the journal {} has no checksums", display(path));
            let help = "it is of an older layout: run its sweep again, with another journal";
            Problem::new(message).with_help(help)
        }
        Some(value) if value["journal"].is_number() || value["form"].is_object() => {
            damaged(path, 1)
        }
        Some(_) | None => Problem::new(format!("{} is not a journal", display(path))).with_help(
            "journals are written by `check --journal FILE` and `simulate --journal FILE`",
        ),
    }
}

fn no_journal<H: JournalHeader>(path: &Path) -> Problem {
    let (path, command) = (display(path), H::COMMAND);
    Problem::new(format!("{path} is not a journal of `{command}`"))
        .with_help(format!("such journals are written by `deathwatch {command} --journal FILE`"))
}

fn damaged(path: &Path, line: usize) -> Problem {
    let message = format!("line {line} of the journal {} is damaged", display(path));
    Problem::new(message)
        .with_help("its checksum is wrong: it was changed after it had been written")
}

fn bad_line(path: &Path, line: usize, why: &str) -> Problem {
    Problem::new(format!("line {line} of the journal {} makes no sense: {why}", display(path)))
}

/// The mistake in a line, which is the only one that the reader sees.
fn parse_error(error: &serde_json::Error) -> String {
    error.to_string().replace("line 1 column", "column")
}
