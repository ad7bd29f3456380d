//! Places: the lines of a file at which a scenario begins, and at which it says something of a
//! claim.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::Scenario;
use crate::problem::line_column;

impl Scenario {
    /// The line of its file, from 1, at which it begins: that of its table `also`, or of what it
    /// shows.
    pub fn first_line(&self) -> usize {
        self.line().or_else(|| self.line_of(&[&["shows"]])).unwrap_or(1)
    }

    /// The line of its file, from 1, at which it says what it expects of the claim with this name,
    /// or makes it one of its own; if it says so of all claims, that line, and else its first.
    pub fn line_of_claim(&self, name: &str) -> usize {
        let own = self.text.part.as_ref().map(|part| &*part.name);
        let tables = [["claims", name], ["own", name], ["claims", "all"]];
        let mut paths: Vec<Vec<&str>> = Vec::new();
        for table in &tables {
            paths.extend(own.map(|also| vec!["also", also, table[0], table[1]]));
            paths.push(table.to_vec());
        }
        let paths: Vec<&[&str]> = paths.iter().map(Vec::as_slice).collect();
        self.line_of(&paths).unwrap_or_else(|| self.first_line())
    }

    /// The line of the first of these keys that the file has.
    fn line_of(&self, paths: &[&[&str]]) -> Option<usize> {
        let document = DeTable::parse(self.source()).ok()?;
        let span = paths.iter().find_map(|path| span_of(document.get_ref(), path))?;
        Some(line_column(self.source(), span.start).0)
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
