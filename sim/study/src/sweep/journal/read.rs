//! Reading journals: whatever the file says, it is understood in full or refused with a reason.

use std::{collections::BTreeMap, fs, io, path::Path};

use serde_json::Value;

use super::{
    super::{
        header::{Header, LAYOUT},
        plan::Plan,
        result::SeedResult,
    },
    Entry, line, reason,
};
use deathwatch_scenario::{Problem, input, scenario::display};

/// What came of the seeds of each scenario, and the line that says so.
pub(in crate::sweep) type Results = Vec<BTreeMap<u64, (SeedResult, usize)>>;

/// A journal that was read.
pub(in crate::sweep) struct Read {
    /// The sweep.
    pub(in crate::sweep) header: Header,
    /// What came of its seeds.
    pub(in crate::sweep) results: Results,
    /// The length of its whole lines, in bytes.
    pub(super) whole: usize,
}

/// Reads the journal at `path`.
pub(in crate::sweep) fn load(path: &Path) -> Result<Read, Problem> {
    parse(path, &read_file(path)?)
}

/// The bytes of the journal at `path`, which has to be an ordinary file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Problem> {
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

/// Reads a journal that has these bytes. A last line without its end is a seed that was not
/// finished.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Read, Problem> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n');
    let first = lines.next().ok_or_else(|| no_journal(path))?;
    let header = header(path, first)?;
    let plans: Vec<Plan> = header.scenarios.iter().map(|about| header.plan(about)).collect();
    let mut results: Results = vec![BTreeMap::new(); header.scenarios.len()];
    for (index, line) in lines.enumerate() {
        let number = index + 2;
        let wrong = |why: &str| bad_line(path, number, why);
        let text = sealed(line).ok_or_else(|| damaged(path, number))?;
        let entry: Entry<SeedResult> =
            serde_json::from_str(&text).map_err(|error| wrong(&said(&error)))?;
        let (at, result) = (entry.scenario, entry.result);
        let plan = plans.get(at).ok_or_else(|| wrong("there is no such scenario"))?;
        if plan.position(result.seed).is_none() {
            return Err(wrong(&format!("seed {} does not belong to it", result.seed)));
        }
        let about = &header.scenarios[at];
        for (index, violated) in result.violations.iter().enumerate() {
            if about.claim(&violated.claim).is_none() {
                return Err(wrong("it is about a claim that is not asked"));
            }
            if result.violations[..index].iter().any(|it| it.claim == violated.claim) {
                return Err(wrong("it names a claim twice"));
            }
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
    Ok(Read { header, results, whole })
}

/// The header that the first line is.
fn header(path: &Path, first: &[u8]) -> Result<Header, Problem> {
    let Some(text) = sealed(first) else { return Err(unsealed(path, first)) };
    match serde_json::from_str::<Header>(&text) {
        Ok(header) if header.is_ours() => match header.mistake() {
            None => Ok(header),
            Some(why) => Err(bad_line(path, 1, why)),
        },
        Ok(_) => Err(foreign(path, &text, "it is of another layout")),
        Err(error) => Err(foreign(path, &text, &said(&error))),
    }
}

/// The object of a line, if its checksum is right.
pub(crate) fn sealed(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    line::read(line.strip_suffix('\n')?)
}

/// Why the first line has no checksum, or a wrong one: in the first layout there were none.
fn unsealed(path: &Path, first: &[u8]) -> Problem {
    let value: Option<Value> = serde_json::from_slice(first).ok();
    let value = value.filter(|it| it["deathwatch"].is_string() && it["journal"].is_number());
    match value {
        Some(value) if value["journal"] == 1 => {
            let message = format!("the journal {} has no checksums", display(path));
            let help = "it is of an older layout: run its sweep again, with another journal";
            Problem::new(message).with_help(help)
        }
        Some(_) => damaged(path, 1),
        None => no_journal(path),
    }
}

/// Why the first line is not our header, though it is whole: it may be that of another version.
fn foreign(path: &Path, first: &str, why: &str) -> Problem {
    let value: Option<Value> = serde_json::from_str(first).ok();
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
        Some(_) if version.and_then(|it| it["journal"].as_u64()) < Some(LAYOUT.into()) => {
            Problem::new(format!("the journal {} is of an older layout", display(path)))
                .with_help("run its sweep again, with another journal")
        }
        Some(_) => bad_line(path, 1, why),
        None => no_journal(path),
    }
}

fn no_journal(path: &Path) -> Problem {
    Problem::new(format!("{} is not a journal", display(path)))
        .with_help("journals are written by `deathwatch simulate --journal FILE`")
}

pub(crate) fn damaged(path: &Path, line: usize) -> Problem {
    let message = format!("line {line} of the journal {} is damaged", display(path));
    Problem::new(message)
        .with_help("its checksum is wrong: it was changed after it had been written")
}

pub(crate) fn bad_line(path: &Path, line: usize, why: &str) -> Problem {
    Problem::new(format!("line {line} of the journal {} makes no sense: {why}", display(path)))
}

/// What is wrong with a line, which is the only one that the reader sees.
pub(crate) fn said(error: &serde_json::Error) -> String {
    error.to_string().replace("line 1 column", "column")
}
