//! Problems: why a scenario cannot be used, and where in which file.
//!
//! A problem is a diagnostic: it points into the file, and says what is wrong there and what would
//! be right. Its text is escaped and bounded, whatever the file contains.

mod excerpt;
mod suggest;

use std::{fmt, ops::Range, sync::Arc};

use miette::{Diagnostic, LabeledSpan, SourceCode};

use self::excerpt::{Excerpt, boundary, line_start};
pub use self::suggest::{nearest, suggestion};
use crate::escape::{escape, shorten};

/// The greatest length of a message, a help or a label, in characters.
const LONGEST: usize = 600;
/// The greatest length of the name of a file, and of a line of a help of several lines.
const LONGEST_LINE: usize = 200;

/// A reason why a scenario cannot be used.
#[derive(Clone, Debug)]
pub struct Problem {
    message: String,
    help: Option<String>,
    shown: Option<Box<Snippet>>,
}

/// Positions in a file, as they are shown.
#[derive(Clone, Debug)]
struct Snippet {
    text: Text,
    /// The spans of the positions. The problem is at the first one.
    spans: Vec<Range<usize>>,
    excerpt: Excerpt,
    labels: Vec<LabeledSpan>,
}

impl Problem {
    /// A problem with a file or a folder as a whole.
    pub fn new(message: impl AsRef<str>) -> Self {
        Self { message: bounded(message.as_ref(), LONGEST), help: None, shown: None }
    }

    /// Adds help: the advice how to go on.
    #[must_use]
    pub fn with_help(mut self, help: impl AsRef<str>) -> Self {
        self.help = Some(bounded(help.as_ref(), LONGEST));
        self
    }

    #[must_use]
    pub fn with_help_lines(mut self, lines: &[String]) -> Self {
        let lines: Vec<String> = lines.iter().map(|line| bounded(line, LONGEST_LINE)).collect();
        self.help = Some(lines.join("\n"));
        self
    }

    /// Adds another position in the same file.
    #[must_use]
    pub fn with_label(mut self, span: Range<usize>, label: &str) -> Self {
        if let Some(shown) = &mut self.shown {
            shown.add(span, label);
        }
        self
    }

    /// The offset of its first byte, if it is in a file.
    pub(crate) fn offset(&self) -> Option<usize> {
        Some(self.shown.as_ref()?.spans.first()?.start)
    }

    /// Line and column in the file, both from 1, if it is in a file.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let shown = self.shown.as_ref()?;
        Some(line_column(&shown.text.source, shown.spans.first()?.start))
    }

    /// File, line and column, as in "scenarios/a.toml:3:7", if it is in a file.
    pub fn position(&self) -> Option<String> {
        let name = escape(&self.shown.as_ref()?.text.name);
        let (line, column) = self.line_column()?;
        Some(format!("{name}:{line}:{column}"))
    }
}

impl Snippet {
    fn add(&mut self, span: Range<usize>, label: &str) {
        let mut labels: Vec<Option<String>> =
            self.labels.iter().map(|it| it.label().map(str::to_owned)).collect();
        labels.push(Some(bounded(label, LONGEST)));
        self.spans.push(span);
        let name = bounded(&self.text.name, LONGEST_LINE);
        let (excerpt, found) = Excerpt::of(&name, &self.text.source, &self.spans);
        let labels = labels.into_iter().zip(found).enumerate();
        let labels = labels.map(|(index, (label, span))| match index {
            0 => LabeledSpan::new_primary_with_span(label, span),
            _ => LabeledSpan::new_with_span(label, span),
        });
        (self.labels, self.excerpt) = (labels.collect(), excerpt);
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.shown.as_ref().map(|shown| &shown.excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let shown = self.shown.as_ref()?;
        Some(Box::new(shown.labels.iter().cloned()))
    }
}

/// A text that may quote input, escaped, and no longer than `most` characters.
fn bounded(text: &str, most: usize) -> String {
    let text = shorten(text, most);
    shorten(&escape(&text), most).into_owned()
}

/// Line and column, both from 1, of byte `offset`; columns count characters, as an editor does.
pub fn line_column(source: &str, offset: usize) -> (usize, usize) {
    let end = boundary(source, offset);
    let start = line_start(source, end);
    (source[..end].matches('\n').count() + 1, source[start..end].chars().count() + 1)
}

/// The offsets of the lines of a text, for looking up many positions.
pub struct LineOffsets(Vec<usize>);

impl LineOffsets {
    /// The lines of `source`.
    pub fn of(source: &str) -> Self {
        Self(source.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line of the byte at `offset`, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|newline| *newline < offset) + 1
    }
}

/// A file that problems point into.
#[derive(Clone, Debug)]
pub struct Text {
    name: String,
    pub source: Arc<str>,
    /// The part of it that is read with the rest, if one is.
    pub part: Option<AlsoPart>,
    /// The offsets of mistakes that are known: the keys, items and lines that they are in are not
    /// read.
    pub(crate) left_out: Vec<usize>,
    /// The variants that a command sets, whatever the file says of them.
    pub(crate) set: Vec<(String, String)>,
}

/// The part of a file that describes one more scenario.
#[derive(Clone, Debug)]
pub struct AlsoPart {
    pub name: Arc<str>,
    /// The bytes of its name.
    pub named: Range<usize>,
    pub end: usize,
}

impl Text {
    /// The text of the file called `name`.
    pub fn new(name: impl Into<String>, source: Arc<str>) -> Self {
        Self { name: name.into(), source, part: None, left_out: Vec::new(), set: Vec::new() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// A problem at `span`, where `label` has the expectation. Outside of the part that is read
    /// with the rest of the file it names that part.
    pub fn problem(&self, span: &Range<usize>, message: impl AsRef<str>, label: &str) -> Problem {
        let (text, excerpt) = (self.clone(), Excerpt::default());
        let mut shown = Snippet { text, spans: Vec::new(), excerpt, labels: Vec::new() };
        shown.add(span.clone(), label);
        if let Some(part) = &self.part
            && !(part.named.start..part.end).contains(&span.start)
        {
            shown.add(part.named.clone(), "read for this scenario");
        }
        Problem { shown: Some(Box::new(shown)), ..Problem::new(message) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_by_letters() {
        assert_eq!(line_column("", 0), (1, 1));
        assert_eq!(line_column("aé\nb", 3), (1, 3));
        assert_eq!(line_column("aé\nb", 4), (2, 1));
        assert_eq!(line_column("a", 7), (1, 2), "an offset beyond the end is the end");
        let text = "\n\nab\nc\n";
        let lines = LineOffsets::of(text);
        for offset in 0..=text.len() {
            assert_eq!(lines.line(offset), line_column(text, offset).0, "{offset}");
        }
    }
}
