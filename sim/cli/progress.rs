//! Progress of long searches, shown on a terminal only.

use std::{
    io::IsTerminal as _,
    time::{Duration, Instant},
};

use deathwatch_model::check::{Phase, Progress};
use deathwatch_sim::{escape::escape, sweep};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{diagnostics::is_set, limits::show_size};

/// The time after which a search gets a line.
const PATIENCE: Duration = Duration::from_millis(300);

/// A line on stderr with the progress of a search. It is removed when the search is over.
pub(crate) struct Line {
    bar: ProgressBar,
    scenario: String,
    begun: Instant,
}

impl Line {
    /// A line that is shown only on a terminal.
    pub(crate) fn new(scenario: &str) -> Self {
        Self { bar: bar(), scenario: escape(scenario).into_owned(), begun: Instant::now() }
    }

    /// Shows the progress that `text` gives for the name of the scenario.
    pub(crate) fn set_text(&self, text: impl FnOnce(&str) -> String) {
        if !self.bar.is_hidden() && self.begun.elapsed() >= PATIENCE {
            self.bar.set_message(text(&self.scenario));
        }
    }

    /// Shows the progress of the search.
    pub(crate) fn show(&self, progress: Progress) {
        let elapsed = self.begun.elapsed();
        if self.bar.is_hidden() || elapsed < PATIENCE {
            return;
        }
        let Progress { phase, states, depth, frontier, bytes, .. } = progress;
        let (scenario, bytes) = (&self.scenario, show_size(bytes));
        let all = HumanCount(states);
        self.bar.set_message(match phase {
            Phase::Deciding => {
                format!("{scenario}: {all} states, {bytes}; deciding what must follow")
            }
            Phase::Exploring => {
                let rate = u128::from(states) * 1000 / elapsed.as_millis().max(1);
                let rate = HumanCount(u64::try_from(rate).unwrap_or(u64::MAX));
                let left = HumanCount(frontier);
                format!(
                    "{scenario}: {all} states, {rate}/s, depth {depth}, {left} waiting, {bytes}"
                )
            }
        });
    }
}

/// A line on stderr with the number of seeds that are done. It is removed when all are.
pub(crate) struct SeedLine(Line);

impl SeedLine {
    /// A line that is shown only on a terminal.
    pub(crate) fn new(scenario: &str) -> Self {
        Self(Line::new(scenario))
    }

    /// Shows the progress.
    pub(crate) fn show(&self, progress: sweep::Progress) {
        let Line { bar, scenario, begun } = &self.0;
        let elapsed = begun.elapsed();
        if bar.is_hidden() || elapsed < PATIENCE {
            return;
        }
        let sweep::Progress { seeds, earlier, planned, steps, surprises } = progress;
        let milliseconds = elapsed.as_millis().max(1);
        let rate = u64::try_from(u128::from(steps) * 1000 / milliseconds).unwrap_or(u64::MAX);
        let left = u128::from(planned.saturating_sub(seeds)) * milliseconds;
        let left = left.checked_div(u128::from(seeds - earlier)).unwrap_or_default();
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(u64::MAX));
        let (done, all, rate) = (HumanCount(seeds), HumanCount(planned), HumanCount(rate));
        let left = HumanDuration(left);
        bar.set_message(format!(
            "{scenario}: {done} of {all} seeds, {rate} steps/s, {surprises} not as expected, {left} left"
        ));
    }
}

/// A line of text that is drawn only on a terminal.
pub(crate) fn bar() -> ProgressBar {
    let is_seen = std::io::stderr().is_terminal() && !is_set("CI");
    let target = if is_seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
    ProgressBar::with_draw_target(None, target).with_style(style)
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
