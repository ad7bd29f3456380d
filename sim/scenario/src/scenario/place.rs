//! Places: the lines of a file at which a scenario begins, and at which it says something of a
//! claim.

use std::ops::Range;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::Scenario;
use crate::problem::Lines;

impl Scenario {
    /// The line of its file, from 1, at which it begins: that of its table `also`, or of what it
    /// shows.
    pub fn first_line(&self) -> usize {
        self.line().or_else(|| self.line_of(&[&["shows"]])).unwrap_or(1)
    }

    /// The lines of its file, from 1, at which it says what it expects of the claims with these
    /// names, or makes them its own; if it says so of all claims, that line, and else its first.
    pub fn lines_of_claims<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<usize> {
        let own = self.text.part.as_ref().map(|part| &*part.name);
        let places = Places::of(self.source());
        let first = self.first_line();
        let line = |name| {
            let tables = [["claims", name], ["own", name], ["claims", "all"]];
            let mut paths: Vec<Vec<&str>> = Vec::new();
            for table in &tables {
                paths.extend(own.map(|also| vec!["also", also, table[0], table[1]]));
                paths.push(table.to_vec());
            }
            let paths: Vec<&[&str]> = paths.iter().map(Vec::as_slice).collect();
            places.as_ref().and_then(|it| it.line_of(&paths)).unwrap_or(first)
        };
        names.into_iter().map(line).collect()
    }

    /// The line of the first of these keys that the file has.
    fn line_of(&self, paths: &[&[&str]]) -> Option<usize> {
        Places::of(self.source())?.line_of(paths)
    }
}

/// A file whose keys are looked up. It is read once, however many there are.
struct Places<'a> {
    document: Spanned<DeTable<'a>>,
    lines: Lines,
}

impl<'a> Places<'a> {
    fn of(source: &'a str) -> Option<Self> {
        Some(Self { document: DeTable::parse(source).ok()?, lines: Lines::of(source) })
    }

    /// The line of the first of these keys.
    fn line_of(&self, paths: &[&[&str]]) -> Option<usize> {
        let span = paths.iter().find_map(|path| span_of(self.document.get_ref(), path))?;
        Some(self.lines.line(span.start))
    }
}

/// The bytes of the key at the end of `path`.
fn span_of(table: &DeTable<'_>, path: &[&str]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.get_key_value(*first)?;
    match (value.get_ref(), rest) {
        (_, []) => Some(key.span()),
        (DeValue::Table(table), rest) => span_of(table, rest),
        _ => None,
    }
}
