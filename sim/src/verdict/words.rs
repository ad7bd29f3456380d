//! Answers in words.

use deathwatch_model::check::{Answer, Stop, TooLarge};

/// An answer in a word.
pub fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Vacuous => "vacuous",
        Answer::Violated => "violated",
        Answer::Inconclusive => "inconclusive",
    }
}

/// Why a search gave up, as the end of "undecided: …".
pub fn stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "the greatest number of states was reached",
        Stop::Memory => "the greatest amount of memory was reached",
        Stop::Time => "the time was over",
        Stop::Interrupted => "it was interrupted",
        Stop::Transactions => "there were too many different transactions pending",
    }
}

/// Why a world cannot be searched, as a sentence.
pub fn too_large(why: &TooLarge) -> &'static str {
    match why {
        TooLarge::Entities => "it has more than 64 units, machines, relations or applications",
        TooLarge::Documents => "the documents of one entity do not fit in two words",
        TooLarge::Duties => "it has more duties than fairness per duty can tell apart",
    }
}
