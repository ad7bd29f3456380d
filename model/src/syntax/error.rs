//! Errors of the parser of lines.

/// The reason why a line is not an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The wrong part of the line, as byte offsets.
    pub span: std::ops::Range<usize>,
    pub message: String,
    pub expected: ExpectedText,
}

/// The kind of text that was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedText {
    Words(&'static str),
    /// A number from 0 to this.
    NumberUpTo(u8),
    /// The name of an entity of this kind, with all such names.
    OneOf(&'static str, Vec<String>),
    /// An act of the actor, with all its verbs.
    Verb(Vec<&'static str>),
}

impl SyntaxError {
    pub(super) fn new(at: usize, part: &str, message: &str, expected: ExpectedText) -> Self {
        Self { span: at..at + part.len(), message: message.into(), expected }
    }
}
