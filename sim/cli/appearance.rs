//! The look of results: their colours, their width, and how much of them there is.
//!
//! Text that goes to no terminal is the same bytes on every machine: 80 columns, no colours, no
//! times.

use std::io::{self, IsTerminal as _};

use anstream::{AutoStream, ColorChoice, stream::RawStream};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use deathwatch_show::text::{COLUMNS, TextDetail, width};

/// The least width for which lines are made: in a narrower terminal they wrap.
const LEAST_COLUMNS: usize = 60;

/// The style of good results.
pub(crate) const SUCCESS: Style = AnsiColor::Green.on_default().bold();
/// The style of open results.
pub(crate) const UNDECIDED: Style = AnsiColor::Yellow.on_default().bold();
/// The style of bad results.
pub(crate) const FAILURE: Style = AnsiColor::Red.on_default().bold();
pub(crate) const PROGRESS: Style = AnsiColor::Cyan.on_default().bold();

/// The flag that says where colours are used.
#[derive(clap::Args)]
pub(crate) struct Colours {
    /// Use colours: auto (on a terminal, unless `NO_COLOR` is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    color: When,
}

/// The times at which colours are used.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl Colours {
    /// Sets the colours of the whole process.
    pub(crate) fn obey(&self) {
        match self.color {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Whether output to `stream` has colours. No environment variable colours output that goes to no
/// terminal.
pub(crate) fn has_colours(stream: &impl RawStream) -> bool {
    match ColorChoice::global() {
        ColorChoice::Auto => {
            stream.is_terminal() && AutoStream::choice(stream) != ColorChoice::Never
        }
        asked => asked != ColorChoice::Never,
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Appearance {
    pub(crate) detail: TextDetail,
    pub(crate) columns: usize,
    /// Whether standard output is a terminal.
    pub(crate) is_terminal: bool,
    has_colours: bool,
}

impl Appearance {
    /// The appearance of output on stdout.
    pub(crate) fn of_stdout(detail: TextDetail) -> Self {
        let (stdout, is_terminal) = (io::stdout(), io::stdout().is_terminal());
        let columns = terminal_size::terminal_size_of(&stdout).filter(|_| is_terminal);
        let columns = columns.map_or(COLUMNS, |(width, _)| usize::from(width.0));
        let has_colours = has_colours(&stdout);
        Self { detail, columns: columns.max(LEAST_COLUMNS), is_terminal, has_colours }
    }

    /// The appearance of output in a file.
    pub(crate) fn of_file(detail: TextDetail) -> Self {
        let has_colours = ColorChoice::global() == ColorChoice::Always;
        Self { detail, columns: COLUMNS, is_terminal: false, has_colours }
    }

    /// `text` in this style, if there are colours.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.has_colours { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}
/// The name of a scenario in at most `columns`: whole, or its last folders and its file, or the end
/// of its file.
pub(crate) fn fit(name: &str, columns: usize) -> String {
    if width(name) <= columns {
        return name.to_owned();
    }
    let folders = name.match_indices('/').map(|(at, _)| &name[at..]);
    let ends = folders.chain(name.char_indices().map(|(at, _)| &name[at..]));
    let mut fitting = ends.filter(|end| width(end) < columns);
    format!("…{}", fitting.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_does_not_fit_loses_its_first_folders() {
        let name = "scenarios/races/a-unit-leaves";
        assert_eq!(fit(name, 29), name);
        assert_eq!(fit(name, 28), "…/races/a-unit-leaves");
        assert_eq!(fit(name, 20), "…/a-unit-leaves");
        assert_eq!(fit(name, 10), "…it-leaves");
        assert_eq!(fit("scenarios/日本語日本語", 7), "…日本語");
        assert_eq!(fit(name, 1), "…");
    }
}
