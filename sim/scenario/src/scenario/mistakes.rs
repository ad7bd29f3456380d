//! All mistakes of a file, where the reader can go on behind the first one.
//!
//! The reader stops at a mistake. So the key or the item that has it is left out, and the rest is
//! read again, until nothing is wrong any more. What is wrong with the rest may follow from what
//! was left out: a world without a unit has no claim about it. So the form of all tables is read
//! first, and then a mistake counts only in tables that are read without those that lack something.

use std::collections::BTreeSet;

use super::{
    Address, also, display,
    not_understood::{MISSING_KEY, not_understood},
    read,
};
use crate::problem::{Problem, Text};

/// The greatest number of mistakes of a file that are listed.
const MOST_TOLD: usize = 10;
/// The greatest number of times that a file is read. Its world may be large, however small the file
/// is.
const MOST_READ: usize = 2 * MOST_TOLD;
/// The size of the largest file that is read again, in bytes.
const LARGEST: usize = 1 << 20;

/// Tables that are understood without any other.
const ALONE: &[&str] = &["rules", "switch-off", "variants", "witnesses"];
/// Tables without which most others are not understood.
const FIRST: &[&str] = &["also", "assume", "detail", "world"];
/// Tables, each with those of which an entry may be missed in it.
const MISSED: &[(&str, &[&str])] = &[
    ("finding", &["claims", "own"]),
    ("loop", &["user"]),
    ("rules", &["rule"]),
    ("simulate", &["own", "simulate", "user"]),
    ("start", &["start"]),
    ("steps", &["user"]),
    ("switch-off", &["rule"]),
    ("witnesses", &["rule"]),
];

/// The mistakes in the file of the scenario at `address`, in the order of the file. There are none
/// if the scenario can be read, or if its file is too large to be read again for each.
pub fn mistakes(address: &Address) -> Vec<Problem> {
    let mut search = MistakeSearch::default();
    let source = read::source(&address.file).ok().filter(|source| source.len() <= LARGEST);
    match source.map(|source| read::text(address, source.into(), address.also.as_ref())) {
        Some(Ok(text)) => search.run(address, text),
        Some(Err(problem)) => return vec![problem],
        None => {}
    }
    search.found.sort_by_key(Problem::line_column);
    let more = search.found.len().saturating_sub(MOST_TOLD);
    search.found.truncate(MOST_TOLD);
    if more > 0 {
        let (at_least, s) = (if search.is_cut { "at least " } else { "" }, plural(more));
        let file = display(&address.file);
        search.found.push(Problem::new(format!("and {at_least}{more} more mistake{s} in {file}")));
    }
    search.found
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The mistakes so far, and the parts that were left out.
#[derive(Default)]
struct MistakeSearch {
    found: Vec<Problem>,
    lacking: BTreeSet<String>,
    /// Claims of the scenario's own that were left out.
    own: BTreeSet<String>,
    is_cut: bool,
}

impl MistakeSearch {
    fn run(&mut self, address: &Address, mut text: Text) {
        for _ in 0..MOST_READ {
            let Err(problem) = read::scenario(address, &text) else { return };
            let left_out = problem.offset().filter(|at| !text.left_out.contains(at));
            let path = left_out.and_then(|at| path(&text, at));
            if self.found.is_empty() || self.counts(&problem, &text, path.as_deref()) {
                self.found.push(problem);
            }
            let (Some(at), Some(path)) = (left_out, path) else { return };
            text.left_out.push(at);
            if let ["own", name, ..] = path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                self.own.insert(name.to_owned());
            }
            self.lacking.extend(path.into_iter().next());
        }
        self.is_cut = true;
    }

    /// Whether the mistake is one of its own, and does not follow from a part that was left out
    /// before.
    fn counts(&self, problem: &Problem, text: &Text, path: Option<&[String]>) -> bool {
        let Some([table, names @ ..]) = path else { return false };
        if problem.to_string().starts_with(MISSING_KEY) {
            return false;
        }
        let is_form = read::file(text).is_err();
        let is_alone = ALONE.contains(&table.as_str()) && !self.lacking.contains("rule");
        if is_form || is_alone {
            return true;
        }
        let lacks = |names: &[&str]| names.iter().any(|name| self.lacking.contains(*name));
        let missed = MISSED.iter().find(|(name, _)| name == table).map_or(&[][..], |it| it.1);
        let is_own = ["claims", "simulate"].contains(&table.as_str())
            && names.iter().any(|name| self.own.contains(name));
        !lacks(FIRST) && !lacks(missed) && !is_own
    }
}

/// The keys that lead to the part to leave out, for the mistake at this offset.
fn path(text: &Text, at: usize) -> Option<Vec<String>> {
    let not_toml = |error: &toml::de::Error| not_understood(text, error);
    also::leave_out(also::ParsedFile::new(text, &not_toml).ok()?.document(text).ok()?.get_mut(), at)
}
