//! The runs of counterexamples as data, beside the answers of `check`.

use deathwatch_model::check::Answer;
use deathwatch_sim::{
    recording::{Keep, Played, record},
    verdict::{Judged, Verdict},
};
use serde_json::Value;

use crate::{load::Ready, replay::made_by, shell::quoted};

/// For each answer the run that violates what is asked, with its first state; null if there is none, or
/// if it is too long.
pub(crate) fn all(ready: &Ready, verdict: &Verdict) -> Vec<Value> {
    let (scenario, replay) = (&ready.scenario, &ready.replay);
    let run = |judged: &Judged| {
        let is_violated = judged.finding.answer == Answer::Violated && !judged.is_wanted();
        let played = Played::found(scenario, replay, judged, verdict.report.as_ref());
        let flags = match judged.claim() {
            Some(claim) => vec!["--counterexample".to_owned(), quoted(claim.name)],
            None => vec!["--counterexample".to_owned()],
        };
        let played = played.filter(|_| is_violated)?.made_by(made_by(scenario, &flags));
        serde_json::to_value(record(played, Keep::First).ok()?).ok()
    };
    verdict.judged.iter().map(|judged| run(judged).unwrap_or_default()).collect()
}
