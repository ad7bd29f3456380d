//! Open choices: the reasons why one is not decided, and searches that may end at a limit.

use deathwatch_claims::check::{CheckQuestion, SearchSettings, Stop, Survey, Surveyed, TooLarge};

/// The reason why a choice is not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndecidedReason {
    /// The scenario cannot be so: its steps are not possible, or it is none.
    Impossible,
    /// Its search was not made, or not to its end.
    Limit(SearchLimit),
}

/// The reason why a search has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// The world is too large to be explored exhaustively.
    TooLarge(TooLarge),
    /// The search ended early, by a limit or an interruption.
    Stopped(Stop),
}

impl From<SearchLimit> for UndecidedReason {
    fn from(limit: SearchLimit) -> Self {
        Self::Limit(limit)
    }
}

/// The whole survey of the world of `question`.
pub(super) fn whole<'q>(
    question: &'q CheckQuestion<'q>,
    settings: &SearchSettings<'_>,
) -> Result<Box<Survey<'q>>, SearchLimit> {
    match Survey::of(question, settings).map_err(SearchLimit::TooLarge)? {
        Surveyed::Whole(survey) => Ok(survey),
        Surveyed::Stopped(stop) => Err(SearchLimit::Stopped(stop)),
    }
}
