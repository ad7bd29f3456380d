//! The syntax of expressions: that part of CEL's that conditions on rows need.
//!
//! Left out are doubles, unsigned numbers, bytes, maps, messages, indices, division, and raw or
//! triple-quoted strings. The rest has the meaning that it has in CEL, as tests check.

mod lexer;
mod parser;
mod primary;

use std::ops::Range;

pub use lexer::strings;
pub(crate) use parser::parse;

/// A part of an expression with its place in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Syntax {
    Flag(bool),
    Number(i64),
    Text(String),
    Name(String),
    List(Vec<Spanned<Syntax>>),
    Field(Box<Spanned<Syntax>>, Spanned<String>),
    Call(Call),
    Not(Box<Spanned<Syntax>>),
    Negative(Box<Spanned<Syntax>>),
    /// Terms between "&&" or "||", two at least.
    Logic(Logic, Vec<Spanned<Syntax>>),
    Binary(Binary, Box<[Spanned<Syntax>; 2]>),
    /// A condition, the value if it holds, and the value if it does not.
    If(Box<[Spanned<Syntax>; 3]>),
}

/// A call of a function, or of a macro on a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) target: Option<Box<Spanned<Syntax>>>,
    pub(crate) name: Spanned<String>,
    pub(crate) arguments: Vec<Spanned<Syntax>>,
}

/// An operator that stops at the first term that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    /// The same value.
    Same,
    Different,
    Less,
    /// A number that is not greater.
    AtMost,
    Greater,
    /// A number that is not smaller.
    AtLeast,
    In,
    Plus,
    Minus,
    Times,
}
