//! The runs of counterexamples as data, beside the answers of `check`.

use deathwatch_model::check::Answer;
use deathwatch_sim::{
    recording::{Keep, Recording, record},
    verdict::{Judged, Verdict},
};

use crate::{load::Ready, replay::counterexample};

/// For each answer the run that violates what is asked, with its first state; none if there is none, or
/// if it is too long.
pub(crate) fn all(ready: &Ready, verdict: &Verdict) -> Vec<Option<Recording>> {
    let run = |judged: &Judged| {
        let is_violated = judged.finding.answer == Answer::Violated && !judged.is_wanted();
        let played = counterexample(ready, judged, verdict).filter(|_| is_violated)?;
        record(played, Keep::First).ok()
    };
    verdict.judged.iter().map(run).collect()
}
