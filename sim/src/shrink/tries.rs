//! How much a reduction may cost, and how far it is.

/// How much it may cost.
pub struct Effort<'a> {
    /// How many candidates may be tried.
    pub tries: u64,
    /// Asked before each; yes gives up with the best so far.
    pub stop: &'a dyn Fn() -> bool,
    /// Told after each.
    pub progress: &'a dyn Fn(Progress),
}

/// How far a reduction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many candidates were tried.
    pub tries: u64,
    /// How many steps the best run has.
    pub steps: usize,
}

/// The tries that were made.
pub(super) struct Tries<'a> {
    effort: Effort<'a>,
    /// How many.
    pub(super) made: u64,
    /// Whether one more was wanted than there may be.
    pub(super) are_over: bool,
}

impl<'a> Tries<'a> {
    /// None yet.
    pub(super) fn of(effort: Effort<'a>) -> Self {
        Self { effort, made: 0, are_over: false }
    }

    /// Whether there may be one more, of a run that has `steps` so far.
    pub(super) fn another(&mut self, steps: usize) -> bool {
        self.are_over |= self.made >= self.effort.tries || (self.effort.stop)();
        if !self.are_over {
            self.made += 1;
            (self.effort.progress)(Progress { tries: self.made, steps });
        }
        !self.are_over
    }
}
