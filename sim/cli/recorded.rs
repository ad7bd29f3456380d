//! The runs of counterexamples as data, beside the answers of `check`, and on its page.

use deathwatch_documents::Run;
use deathwatch_model::check::Answer;
use deathwatch_show::page::{self, check::Among};
use deathwatch_study::{
    recording::{Keep, Played, record},
    verdict::{Judged, Verdict},
};

use crate::{load::Ready, replay::counterexample};

/// The number of runs that the page of a single scenario shows whole.
const MOST_WHOLE: usize = 6;

/// What a page says of a scenario: if it is the only one, with whole runs. `made_by` is the command that
/// shows a run again, unless that is the usual one.
pub(crate) fn page(
    ready: &Ready,
    verdict: &Verdict,
    among: Among,
    made_by: Option<&str>,
) -> String {
    let mut whole = match among {
        Among::Alone => MOST_WHOLE,
        Among::Others => 0,
    };
    let mut run = |judged: &Judged| {
        let played = || {
            let played = violating(ready, judged, verdict)?;
            Some(match made_by {
                Some(command) => played.made_by(command.to_owned()),
                None => played,
            })
        };
        if whole > 0
            && let Ok(run) = record(played()?, Keep::All)
        {
            whole -= 1;
            return Some(run);
        }
        record(played()?, Keep::First).ok()
    };
    let runs: Vec<Option<Run>> = verdict.judged.iter().map(&mut run).collect();
    page::check::scenario(&ready.scenario, verdict, &runs)
}

/// For each answer the run that violates what is asked, with its first state; none if there is none, or
/// if it is too long.
pub(crate) fn all(ready: &Ready, verdict: &Verdict) -> Vec<Option<Run>> {
    let run = |judged| record(violating(ready, judged, verdict)?, Keep::First).ok();
    verdict.judged.iter().map(run).collect()
}

/// The run that violates what is asked, if one does.
fn violating<'a>(ready: &'a Ready, judged: &'a Judged, verdict: &'a Verdict) -> Option<Played<'a>> {
    let is_violated = judged.finding.answer == Answer::Violated && !judged.is_wanted();
    counterexample(ready, judged, verdict).filter(|_| is_violated)
}
