//! Diagnostics: problems, reported on stderr.

use std::io::Write as _;

use deathwatch_scenario::{Problem, escape::escape};
use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::appearance::has_colours;

/// The greatest number of problems that are reported.
const MOST_TOLD: usize = 20;

/// Reports problems, 100 columns wide.
pub(crate) fn report(problems: &[Problem]) {
    let theme = if has_colours(&std::io::stderr()) {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    for problem in problems.iter().take(MOST_TOLD) {
        let mut text = String::new();
        handler.render_report(&mut text, problem).expect("a string takes any text");
        write(&text);
    }
    match problems.len().saturating_sub(MOST_TOLD) {
        0 => {}
        more => say(format_args!("and {more} more problems")),
    }
}

/// Whether an environment variable is set to something.
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Writes a line to stderr.
pub(crate) fn say(what: std::fmt::Arguments<'_>) {
    write(&escape(&what.to_string()));
}

/// Writes to stderr, which may fail; that is not an error.
pub(crate) fn write(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
