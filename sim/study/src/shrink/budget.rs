//! The budget of a reduction, and how much of it is spent.

/// The bounds of a reduction, and its observer.
pub struct Budget<'a> {
    /// The number of candidates that may be tried.
    pub tries: u64,
    /// Called before each try; true ends the reduction with the best candidate so far.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called after each try.
    pub progress: &'a dyn Fn(ShrinkProgress),
}

/// The progress of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShrinkProgress {
    /// The number of candidates that were tried.
    pub tries: u64,
    /// The number of steps of the best run so far.
    pub steps: usize,
}

pub(super) struct Attempts<'a> {
    budget: Budget<'a>,
    pub(super) made: u64,
    /// Whether one attempt more was asked for than the budget allows.
    pub(super) are_over: bool,
}

impl<'a> Attempts<'a> {
    /// The attempts of a budget, all of them left.
    pub(super) fn of(budget: Budget<'a>) -> Self {
        Self { budget, made: 0, are_over: false }
    }

    /// Whether the budget allows one more; `steps` is the length of the best run so far.
    pub(super) fn another(&mut self, steps: usize) -> bool {
        self.are_over |= self.made >= self.budget.tries || (self.budget.stop)();
        if !self.are_over {
            self.made += 1;
            (self.budget.progress)(ShrinkProgress { tries: self.made, steps });
        }
        !self.are_over
    }
}
