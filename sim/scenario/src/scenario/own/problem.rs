//! Problems of expressions.

use std::ops::Range;

use deathwatch_language::Error;

use crate::{
    problem::{Problem, Text},
    scenario::names::with_suggestion,
};

/// The problem of an expression, which is at `span`.
pub(in crate::scenario) fn problem(text: &Text, span: &Range<usize>, error: &Error) -> Problem {
    let problem = text.problem(span, &error.message, &error.expected);
    match &error.names {
        Some((name, known)) => with_suggestion(problem, name, known.iter().map(String::as_str)),
        None => problem,
    }
}
