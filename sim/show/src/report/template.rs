//! Templates: the prose of the pages is Markdown in files, with placeholders for the findings.
//!
//! A placeholder that is not there is an error, so no page has a gap where a figure should be. What
//! is filled in is text: a bar would end a cell of a table, so it is escaped, except where a
//! template says `safe`, as in blocks of code.

use std::fmt::Write as _;

use deathwatch_documents::{NOTED, READ_OFF_NOTES};
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior, Value, syntax::SyntaxConfig};
use serde::de::DeserializeOwned;

use super::markdown::{MADE_BY, anchor};
use crate::text::thousands;

/// A page: the text of a template, filled with `data`.
///
/// # Panics
/// If the template is none, or has a placeholder that is not in `data`.
pub(super) fn render(template: &str, data: Value) -> String {
    let page = fill(template, data);
    let page = page.unwrap_or_else(|error| panic!("a template of ours can be filled: {error:#}"));
    let mut text = String::new();
    let is_blank = |line: Option<&&str>| line.is_none_or(|line| line.is_empty());
    let mut lines = page.trim_end().lines().map(str::trim_end).peekable();
    while let Some(line) = lines.next() {
        // What a template leaves out may leave two blank lines.
        if !(line.is_empty() && is_blank(lines.peek())) {
            text.push_str(line);
            text.push('\n');
        }
    }
    if text.contains(&format!(" {NOTED}")) {
        let _ =
            writeln!(text, "\n{NOTED}: {READ_OFF_NOTES}; where one forgets, so does the claim.");
    }
    text
}

fn fill(template: &str, data: Value) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()
            .expect("the delimiters are the usual ones"),
    );
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("Markdown".into()));
    environment.set_formatter(|output, _, value| {
        let text = value.to_string();
        let text = if value.is_safe() { text } else { text.replace('|', "\\|").replace('\n', " ") };
        output.write_str(&text).map_err(Error::from)
    });
    environment.add_filter("number", |value: u64| thousands(value));
    environment.add_filter("anchor", |value: String| anchor(&value));
    // The text of a cell of a table, which is empty if there is none.
    environment.add_filter("cell", |value: String| match value.as_str() {
        "" => value,
        _ => format!(" {value}"),
    });
    environment.add_global("made_by", Value::from_safe_string(MADE_BY.to_owned()));
    environment.render_str(template, data)
}

/// Markdown, which is filled in as it is.
pub(super) fn safe(markdown: impl Into<String>) -> Value {
    Value::from_safe_string(markdown.into())
}

/// The data of a file of ours, such as the explanations that no run can give.
///
/// # Panics
/// If it is none of this type.
pub(super) fn data<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).unwrap_or_else(|error| panic!("a file of ours can be read: {error}"))
}

#[cfg(test)]
mod tests {
    use minijinja::{ErrorKind, context};

    use super::*;

    #[test]
    fn what_is_filled_in_ends_no_cell() {
        let page =
            render("| {{ it }} | {{ it|safe }} | {{ 1234|number }} |\n", context! { it => "a|b" });
        assert_eq!(page, "| a\\|b | a|b | 1,234 |\n");
    }

    #[test]
    fn a_placeholder_that_is_not_there_is_an_error() {
        let error = fill("{{ nothing }}", context! {}).expect_err("there is no such thing");
        assert_eq!(error.kind(), ErrorKind::UndefinedError);
    }
}
