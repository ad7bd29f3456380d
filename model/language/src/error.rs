//! Errors: the reason why an expression cannot be used, the place in it, and possible corrections.

use std::ops::Range;

/// A reason why an expression cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The wrong part, as byte offsets in the expression.
    pub span: Range<usize>,
    pub message: String,
    pub expected: String,
    /// An unknown name, and the names that could stand there.
    pub names: Option<(String, Vec<String>)>,
}

impl Error {
    /// An error about a part of an expression, with the expected text.
    pub fn new(
        span: &Range<usize>,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        let (message, expected) = (message.into(), expected.into());
        Self { span: span.clone(), message, expected, names: None }
    }

    /// The error with the names that could replace `name`.
    pub(crate) fn with_names(
        mut self,
        name: &str,
        known: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.names = Some((name.to_owned(), known.into_iter().map(Into::into).collect()));
        self
    }

    /// Line and column in the expression, both from 1; columns count characters.
    pub fn line_column(&self, source: &str) -> (usize, usize) {
        let before = &source[..self.span.start.min(source.len())];
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}
