//! Problems of the TOML reader, in the words of scenario files.

use std::ops::Range;

use super::names::with_suggestion;
use crate::problem::{Problem, Text, line_column};

/// The beginning of the problem that a table lacks a key.
pub(super) const MISSING_KEY: &str = "missing key";

/// The problem that the TOML reader found, in the words of scenario files.
pub(super) fn not_understood(text: &Text, error: &toml::de::Error) -> Problem {
    let said = error.message().replace("unknown field", "unknown key");
    let said =
        said.replace("missing field", MISSING_KEY).replace("unknown variant", "unknown value");
    let (message, expected) = said.split_once(", expected ").unwrap_or((&said, ""));
    let span = error.span().unwrap_or(0..0);
    if let Some(problem) = unclosed(text, message, expected, span.start) {
        return problem;
    }
    if let Some(problem) = below_a_table(text, &span) {
        return problem;
    }
    if message.starts_with(MISSING_KEY) {
        let begin = span.start..span.start;
        return text.problem(&begin, message, "expected in the table that begins here");
    }
    if message.starts_with("unknown") {
        let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        let name = message.split('`').nth(1).unwrap_or_default();
        let problem = text.problem(&span, message, "not expected here");
        return with_suggestion(problem, name, known.into_iter());
    }
    text.problem(&span, message, &in_plain_words(expected))
}

/// The keys of a scenario that are no tables, and that no table has.
const ABOVE_TABLES: [&str; 5] = ["shows", "steps", "loop", "rules", "witnesses"];

/// The problem that a key which belongs to no table stands below the head of one, for whose own it
/// is taken.
fn below_a_table(text: &Text, at: &Range<usize>) -> Option<Problem> {
    let (line, column) = line_column(&text.source, at.start);
    let begins = text.source.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let words = text.source[begins..].trim_start();
    let key = ABOVE_TABLES.into_iter().find(|key| {
        words.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    })?;
    let mut lines = text.source[..begins].lines();
    let head = lines.rfind(|it| it.trim_start().starts_with('['))?.trim();
    let is_of_also = head.starts_with("[also.") && head.matches('.').count() == 1;
    if column == 0 || is_of_also {
        return None;
    }
    let message = format!("`{key}` is no key of the table {head}");
    let problem = text.problem(&(begins..begins + key.len()), message, "it stands below that");
    Some(problem.with_help("it belongs above the first [table] of the scenario"))
}

/// The problem that a string is not closed. It points to the end of the line for a string of one
/// line, and to the beginning for a string of several lines, which takes the rest of the file for
/// its own.
fn unclosed(text: &Text, message: &str, expected: &str, at: usize) -> Option<Problem> {
    let quotes = match message {
        "invalid multi-line basic string" => "\"\"\"",
        "invalid multi-line literal string" => "'''",
        "invalid basic string" | "invalid literal string" if expected.starts_with('`') => {
            return Some(text.problem(
                &(at..at),
                "a string is not closed",
                "expected its end here",
            ));
        }
        _ => return None,
    };
    let begins = text.source.rfind(quotes).filter(|_| at >= text.source.trim_end().len())?;
    let label = format!("it begins here, and no {quotes} ends it");
    Some(text.problem(&(begins..begins + quotes.len()), "a string is not closed", &label))
}

/// The text of an expectation, without names that only the source code has.
fn in_plain_words(expected: &str) -> String {
    match expected {
        "" => "here".to_owned(),
        "u32" | "u64" => "expected a whole number that is not negative".to_owned(),
        "i64" => "expected a whole number".to_owned(),
        other if other.starts_with("struct ") => "expected a table".to_owned(),
        other => format!("expected {other}"),
    }
}
