//! Progress of long searches, shown on a terminal only, in one line that fits.

use std::{
    io::IsTerminal as _,
    sync::{LazyLock, Mutex, PoisonError},
    time::{Duration, Instant},
};

use deathwatch_claims::check::{Phase, SearchProgress, all_busy};
use deathwatch_documents::{PhaseTime, SearchPhase};
use deathwatch_scenario::escape::escape;
use deathwatch_show::text::{show_size, width};
use deathwatch_study::sweep;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
    appearance::{PROGRESS, fit, has_colours},
    diagnostics::is_set,
};

/// The time after which a search gets a line.
const PATIENCE: Duration = Duration::from_millis(300);
/// The columns that the name of a scenario gets at least.
const LEAST_NAME: usize = 12;

/// A line on stderr with the progress of a search. It is removed when the search is over.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    scenario: String,
    /// The number of the scenario and of all of them, if there are several.
    place: Option<(usize, usize)>,
    /// The number of states that the scenario says there are.
    states: Option<u64>,
    begun: Duration,
    /// The beginning of each phase of the search.
    phases: Mutex<Vec<(Phase, Reading)>>,
}

/// The time since it was asked for first.
pub(crate) fn clock() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// A moment, and for how long all threads were at work before it.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Duration,
    all_busy: Duration,
}

impl Reading {
    fn now() -> Self {
        Self { at: clock(), all_busy: all_busy() }
    }

    /// The time from here to `end`, with this number of threads.
    fn until(self, end: Self, phase: SearchPhase, threads: usize) -> PhaseTime {
        let all_busy = end.all_busy.saturating_sub(self.all_busy).as_secs_f64();
        PhaseTime {
            phase,
            seconds: end.at.saturating_sub(self.at).as_secs_f64(),
            all_busy: (threads > 1).then_some(all_busy),
        }
    }
}

impl ProgressLine {
    /// A line that is shown only on a terminal.
    pub(crate) fn new(scenario: &str) -> Self {
        let (bar, scenario) = (bar(), escape(scenario).into_owned());
        let phases = Mutex::new(vec![(Phase::Exploring, Reading::now())]);
        Self { bar, scenario, place: None, states: None, begun: clock(), phases }
    }

    /// The line of the scenario `number` of `all`.
    pub(crate) fn numbered(mut self, number: usize, all: usize) -> Self {
        self.place = (all > 1).then_some((number, all));
        self
    }

    /// The line of a scenario that says how many states there are.
    pub(crate) fn expecting(mut self, states: Option<u64>) -> Self {
        self.states = states;
        self
    }

    /// Shows the progress that `text` gives for the name of the scenario.
    pub(crate) fn set_text(&self, text: impl FnOnce(&str) -> String) {
        if self.is_due() {
            self.bar.set_message(text(&self.scenario));
        }
    }

    pub(crate) fn show(&self, progress: SearchProgress) {
        let mut phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        if phases.last().is_some_and(|(phase, _)| *phase != progress.phase) {
            phases.push((progress.phase, Reading::now()));
        }
        drop(phases);
        if self.is_due() {
            let (verb, parts) = searching(progress, self.states, self.elapsed());
            self.say(verb, &parts);
        }
    }

    /// The phases of the search, which has ended, with their times on this number of threads.
    pub(crate) fn phases(&self, threads: usize) -> Vec<PhaseTime> {
        let end = Reading::now();
        let phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = phases.iter().skip(1).map(|(_, next)| *next).chain([end]);
        let each = phases.iter().zip(ends);
        each.map(|((phase, begun), end)| begun.until(end, phase_of(*phase), threads)).collect()
    }

    fn elapsed(&self) -> Duration {
        clock().saturating_sub(self.begun)
    }

    /// Whether the command has taken long enough for a line of progress.
    fn is_due(&self) -> bool {
        !self.bar.is_hidden() && self.elapsed() >= PATIENCE
    }

    /// Shows the work in progress: a verb, the scenario as far as there is room for it, and the
    /// figures.
    fn say(&self, verb: &str, parts: &str) {
        let place = self.place.map(|(number, all)| format!("{number}/{all} ")).unwrap_or_default();
        let taken = width(verb) + 1 + width(&place) + 2 + width(parts);
        let room = terminal_width().saturating_sub(taken).max(LEAST_NAME);
        let name = fit(&self.scenario, room);
        let verb = if has_colours(&std::io::stderr()) {
            format!("{PROGRESS}{verb}{PROGRESS:#}")
        } else {
            verb.to_owned()
        };
        self.bar.set_message(format!("{verb} {place}{name}: {parts}"));
    }
}

fn phase_of(phase: Phase) -> SearchPhase {
    match phase {
        Phase::Exploring => SearchPhase::Exploring,
        Phase::Deciding => SearchPhase::Deciding,
        Phase::Generalizing => SearchPhase::Generalizing,
    }
}

/// The verb of a search's phase, and its figures.
fn searching(
    progress: SearchProgress,
    expected: Option<u64>,
    elapsed: Duration,
) -> (&'static str, String) {
    let SearchProgress { phase, states, depth, frontier, bytes, .. } = progress;
    let (all, bytes) = (count(states), show_size(bytes));
    match phase {
        Phase::Deciding => ("Deciding", format!("{all} states, {bytes}")),
        Phase::Generalizing => ("Asking", "for every number of units".to_owned()),
        Phase::Exploring => {
            let milliseconds = elapsed.as_millis().max(1);
            let rate = u128::from(states) * 1000 / milliseconds;
            let rate = count(u64::try_from(rate).unwrap_or(u64::MAX));
            let (of, left) = match expected.filter(|expected| *expected >= states && states > 0) {
                Some(expected) => {
                    let left = rest(expected - states, states, milliseconds);
                    (format!(" of {}", count(expected)), format!("{left} left"))
                }
                None => (String::new(), format!("depth {depth}, {} waiting", count(frontier))),
            };
            ("Exploring", format!("{all}{of} states, {rate}/s, {bytes}, {left}"))
        }
    }
}

/// The time that `left` things take if `done` took `milliseconds`.
fn rest(left: u64, done: u64, milliseconds: u128) -> String {
    let rest = (u128::from(left) * milliseconds).checked_div(u128::from(done)).unwrap_or_default();
    let rest = Duration::from_millis(u64::try_from(rest).unwrap_or(u64::MAX));
    format!("{:#}", HumanDuration(rest))
}

/// A number in a few letters, rounded down: "9999", "12.3k", "4.5M".
fn count(number: u64) -> String {
    let units = [("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000)];
    match units.into_iter().find(|(_, unit)| number >= 10_000 && number >= *unit) {
        Some((name, unit)) => format!("{}.{}{name}", number / unit, number % unit * 10 / unit),
        None => number.to_string(),
    }
}

/// The width of the terminal on which progress is shown.
fn terminal_width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(80, |(width, _)| usize::from(width.0))
}

/// A line on stderr with the number of seeds that are done. It is removed when all are.
pub(crate) struct SeedLine(ProgressLine);

impl SeedLine {
    /// A line that is shown only on a terminal.
    pub(crate) fn new(scenario: &str) -> Self {
        Self(ProgressLine::new(scenario))
    }

    pub(crate) fn show(&self, progress: sweep::Progress) {
        if !self.0.is_due() {
            return;
        }
        let sweep::Progress { seeds, earlier, planned, steps, surprises } = progress;
        let milliseconds = self.0.elapsed().as_millis().max(1);
        let rate = u64::try_from(u128::from(steps) * 1000 / milliseconds).unwrap_or(u64::MAX);
        let left = rest(planned.saturating_sub(seeds), seeds - earlier, milliseconds);
        let (done, all, rate) = (count(seeds), count(planned), count(rate));
        let parts = format!(
            "{done} of {all} seeds, {rate} steps/s, {surprises} not as expected, {left} left"
        );
        self.0.say("Running", &parts);
    }
}

/// A line of text that is drawn only on a terminal.
pub(crate) fn bar() -> ProgressBar {
    let is_terminal = std::io::stderr().is_terminal() && !is_set("CI");
    let target =
        if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    // What does not fit is cut off, as a line that wraps could not be removed.
    let style = ProgressStyle::with_template("{wide_msg}").expect("the template is well formed");
    ProgressBar::with_draw_target(None, target).with_style(style)
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0, 9_999, 10_000, 999_999, 1_000_000, 13_049_999, u64::MAX].map(count);
        let last = "18446744073.7G";
        assert_eq!(shown, ["0", "9999", "10.0k", "999.9k", "1.0M", "13.0M", last]);
    }

    #[test]
    fn what_is_pinned_says_how_long_it_takes() {
        let progress = SearchProgress {
            phase: Phase::Exploring,
            states: 1_000_000,
            transitions: 0,
            depth: 7,
            frontier: 500,
            bytes: 3 << 30,
        };
        let told = |expected| searching(progress, expected, Duration::from_secs(10)).1;
        assert_eq!(told(Some(13_000_000)), "1.0M of 13.0M states, 100.0k/s, 3.0 GiB, 2m left");
        assert_eq!(told(Some(999_999)), told(None), "there are more than were expected");
        assert_eq!(told(None), "1.0M states, 100.0k/s, 3.0 GiB, depth 7, 500 waiting");
    }
}
