//! The runs of counterexamples as data, beside the answers of `check`.

use deathwatch_model::check::Answer;
use deathwatch_sim::{
    recording::{Keep, record},
    verdict::{Judged, Verdict},
};
use serde_json::Value;

use crate::{load::Ready, replay::counterexample};

/// For each answer the run that violates what is asked, with its first state; null if there is none, or
/// if it is too long.
pub(crate) fn all(ready: &Ready, verdict: &Verdict) -> Vec<Value> {
    let run = |judged: &Judged| {
        let is_violated = judged.finding.answer == Answer::Violated && !judged.is_wanted();
        let played = counterexample(ready, judged, verdict).filter(|_| is_violated)?;
        serde_json::to_value(record(played, Keep::First).ok()?).ok()
    };
    verdict.judged.iter().map(|judged| run(judged).unwrap_or_default()).collect()
}
