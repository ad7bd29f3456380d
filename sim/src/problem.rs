//! Problems: why a scenario cannot be used, and where in which file.
//!
//! A problem is a diagnostic: it points into the file, and says what is wrong there and what would
//! be right.

use std::{ops::Range, sync::Arc};

use miette::{Diagnostic, LabeledSpan, NamedSource};
use thiserror::Error;

/// A reason why a scenario cannot be used.
#[derive(Clone, Debug, Error, Diagnostic)]
#[error("{message}")]
pub struct Problem {
    message: String,
    #[source_code]
    source_code: Option<Arc<NamedSource<Arc<str>>>>,
    #[label(collection)]
    labels: Vec<LabeledSpan>,
    #[help]
    help: Option<String>,
}

impl Problem {
    /// A problem with a file or a folder as a whole.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source_code: None, labels: Vec::new(), help: None }
    }

    /// Adds help: what can be done about it.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another position in the same file.
    pub(crate) fn with_label(mut self, span: Range<usize>, label: &str) -> Self {
        self.labels.push(LabeledSpan::at(span, label));
        self
    }

    /// Line and column in the file, both from 1, if it is in a file.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let source = self.source_code.as_ref()?.inner();
        Some(line_column(source, self.labels.first()?.offset()))
    }

    /// File, line and column, as in "scenarios/a.toml:3:7", if it is in a file.
    pub fn place(&self) -> Option<String> {
        let name = self.source_code.as_ref()?.name();
        let (line, column) = self.line_column()?;
        Some(format!("{name}:{line}:{column}"))
    }
}

/// Line and column, both from 1, of byte `offset`; columns count characters.
pub(crate) fn line_column(source: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(source.len());
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let before = &source[..end];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The offsets of the lines of a text, for looking up many positions.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    /// The lines of `source`.
    pub(crate) fn of(source: &str) -> Self {
        Self(source.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line of the byte at `offset`, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|newline| *newline < offset) + 1
    }
}

/// A file that problems point into.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    name: String,
    /// Its contents.
    pub(crate) source: Arc<str>,
}

impl Text {
    /// The text of the file called `name`.
    pub(crate) fn new(name: impl Into<String>, source: Arc<str>) -> Self {
        Self { name: name.into(), source }
    }

    /// A problem at `span`, where `label` says what was expected.
    pub(crate) fn problem(
        &self,
        span: &Range<usize>,
        message: impl Into<String>,
        label: &str,
    ) -> Problem {
        let named = NamedSource::new(&self.name, Arc::clone(&self.source));
        let label = LabeledSpan::new_primary_with_span(Some(label.to_owned()), span.clone());
        Problem { source_code: Some(Arc::new(named)), labels: vec![label], ..Problem::new(message) }
    }
}

/// The help for `name`, which is none of the `known` names.
pub(crate) fn suggestion<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Option<String> {
    const FEW: usize = 12;
    if let Some(near) = nearest(name, known.clone()) {
        return Some(near);
    }
    let few: Vec<String> = known.clone().take(FEW).map(quoted).collect();
    let more = known.count().saturating_sub(FEW);
    match (few.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(format!("possible: {}", few.join(", "))),
        (false, _) => Some(format!("possible: {} and {more} more", few.join(", "))),
    }
}

/// The `known` names that are most like `name`.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let length = name.chars().count();
    let limit = (1 + length / 3).min(length.saturating_sub(1));
    let distances = known.map(|other| (distance(name, other), other));
    let mut near: Vec<(usize, &str)> =
        distances.filter(|(distance, _)| *distance <= limit).collect();
    near.sort_by_key(|(distance, _)| *distance);
    let names: Vec<String> = near.into_iter().take(3).map(|(_, name)| quoted(name)).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

fn quoted(name: &str) -> String {
    format!("`{name}`")
}

/// The edit distance: how many letters have to be changed, added or removed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, candidate) in other.iter().enumerate() {
            let swap = diagonal + usize::from(letter != *candidate);
            diagonal = row[column + 1];
            row[column + 1] = swap.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_suggested_or_a_few_of_all() {
        let known = ["wordpress", "mysql", "logging"];
        let suggest = |name| suggestion(name, known.into_iter());
        assert_eq!(suggest("wordpres").as_deref(), Some("did you mean `wordpress`?"));
        assert_eq!(suggest("sql").as_deref(), Some("did you mean `mysql`?"));
        assert_eq!(
            suggest("haproxy").as_deref(),
            Some("possible: `wordpress`, `mysql`, `logging`")
        );
        assert_eq!(suggestion("x", std::iter::empty()), None);
        assert_eq!((distance("kitten", "sitting"), distance("", "abc")), (3, 3));
    }

    #[test]
    fn lines_and_columns_count_from_one_and_by_letters() {
        assert_eq!(line_column("", 0), (1, 1));
        assert_eq!(line_column("aé\nb", 3), (1, 3));
        assert_eq!(line_column("aé\nb", 4), (2, 1));
        assert_eq!(line_column("a", 7), (1, 2), "an offset beyond the end is the end");
        let text = "\n\nab\nc\n";
        let lines = Lines::of(text);
        for offset in 0..=text.len() {
            assert_eq!(lines.line(offset), line_column(text, offset).0, "{offset}");
        }
    }
}
