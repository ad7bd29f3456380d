//! Diagnostics: what goes wrong, told on stderr.

use std::io::{IsTerminal as _, Write as _};

use miette::{GraphicalReportHandler, GraphicalTheme};

/// Makes miette look the same everywhere: as wide as our files, with colours only on a terminal
/// and unless `NO_COLOR` is set.
pub(crate) fn install() {
    let theme =
        if has_colours() { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    let hook = miette::set_hook(Box::new(move |_| Box::new(handler.clone())));
    hook.expect("nobody else sets it");
}

fn has_colours() -> bool {
    std::io::stderr().is_terminal() && !is_set("NO_COLOR")
}

/// Whether an environment variable is set to something.
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Reports a problem.
pub(crate) fn report(problem: &miette::Report) {
    say(format_args!("{problem:?}"));
}

/// Says something on stderr; that nobody may be listening there is no reason to fail.
pub(crate) fn say(what: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{what}");
}
