//! Progress: how far a long search is, on a terminal only.

use std::io::IsTerminal as _;

use deathwatch_model::check::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{diagnostics::is_set, limits::show_size};

/// A line on stderr that says how far a search is.
pub(crate) struct Line(ProgressBar);

impl Line {
    /// A line that shows only where somebody can see it move.
    pub(crate) fn new() -> Self {
        let is_seen = std::io::stderr().is_terminal() && !is_set("CI");
        let target =
            if is_seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{prefix}  {human_pos} states, {per_sec}, {msg}");
        let bar = ProgressBar::with_draw_target(None, target);
        Self(bar.with_style(style.expect("the template is well formed")))
    }

    /// A search of `scenario` begins.
    pub(crate) fn begin(&self, scenario: &str) {
        self.0.reset();
        self.0.set_prefix(scenario.to_owned());
        self.0.set_message("");
    }

    /// The search is this far.
    pub(crate) fn show(&self, progress: Progress) {
        let Progress { states, depth, waiting, bytes, deciding, .. } = progress;
        let bytes = show_size(bytes);
        self.0.set_message(if deciding {
            format!("all found, {bytes}; deciding the fair runs")
        } else {
            format!("depth {depth}, {waiting} waiting, {bytes}")
        });
        self.0.set_position(states);
    }

    /// Does something with the line out of the way.
    pub(crate) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        self.0.suspend(act)
    }

    /// No more searches.
    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}
