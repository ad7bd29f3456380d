//! Bounds of a search from a page, and the flags that raise them.

use std::{fmt, sync::Arc, thread};

use deathwatch_claims::check::{SearchSettings, Stop};
use deathwatch_documents::Limit;
use deathwatch_scenario::problem::Problem;

/// A clock: it begins a search, and the function that it returns tells whether the time is over.
pub type Clock = Arc<dyn Fn() -> Box<dyn Fn() -> Option<Stop> + Sync> + Send + Sync>;

/// The bounds of a page, and of searches from it.
pub struct Bounds {
    /// The greatest number of states of a search.
    pub states: u64,
    /// The greatest amount of memory of a search, in bytes.
    pub bytes: u64,
    /// The greatest number of steps that a world that is left alone takes at once.
    pub steps: usize,
    /// The clock of each search, and of each other part of making a page: to take its run again,
    /// and to write it down as data.
    pub clock: Clock,
}

impl Bounds {
    /// The greatest number of states by default.
    pub const STATES: u64 = 5_000_000;
    /// The greatest amount of memory by default: 1 GiB.
    pub const BYTES: u64 = 1 << 30;
    /// The greatest number of steps by default.
    pub const STEPS: usize = 400;
    /// The longest time in seconds of a search, or of another part of making a page, by default.
    pub const SECONDS: u64 = 20;

    /// The default bounds.
    pub fn usual(clock: Clock) -> Self {
        Self { states: Self::STATES, bytes: Self::BYTES, steps: Self::STEPS, clock }
    }

    /// The settings of a search of at most `states` states, which `stop` can end.
    pub(super) fn settings<'s>(
        &self,
        states: u64,
        stop: &'s (dyn Fn() -> Option<Stop> + Sync),
    ) -> SearchSettings<'s> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let max_states = Some(states.min(self.states));
        let max_bytes = Some(self.bytes);
        SearchSettings { max_states, max_bytes, stop, ..SearchSettings::without_limits(threads) }
    }
}

impl Clone for Bounds {
    fn clone(&self) -> Self {
        Self { clock: Arc::clone(&self.clock), ..*self }
    }
}

impl fmt::Debug for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Bounds");
        f.field("states", &self.states).field("bytes", &self.bytes).field("steps", &self.steps);
        f.finish_non_exhaustive()
    }
}

/// The time of a part of making a page.
pub(super) struct Patience(Box<dyn Fn() -> Option<Stop> + Sync>);

impl Patience {
    pub(super) fn begin(bounds: &Bounds) -> Self {
        Self((bounds.clock)())
    }

    /// The reason to stop, if the time is over.
    pub(super) fn is_over(&self) -> Option<Stop> {
        (self.0)()
    }

    /// Checks that it is not over.
    pub(super) fn go_on(&self) -> Result<(), Problem> {
        self.is_over().map_or(Ok(()), |_| Err(out_of_time()))
    }
}

/// The problem that a page was given up, as it took too long.
pub(super) fn out_of_time() -> Problem {
    Problem::new("this page was given up: the time was over before its run was done again and told")
        .with_help("`explore --time` raises that; a shorter run, or a smaller world, takes less")
}

/// The advice that raises the bound of this stop; `None` if nothing raises it.
pub(super) fn raised_by(stop: Stop) -> Option<String> {
    match Limit::from(stop) {
        Limit::Interrupted => Some("a later search took its place".to_owned()),
        limit => limit.flag().map(|flag| format!("`explore {flag}` raises that")),
    }
}
