//! The runs of counterexamples as data, for the document of a scenario.

use deathwatch_claims::check::CheckAnswer;
use deathwatch_documents::Run;
use deathwatch_show::page::check::Among;
use deathwatch_study::{
    recording::{Keep, Played, record},
    verdict::{Judged, Verdict},
};

use crate::{load::Ready, replay::counterexample};

/// The number of runs that the page of a single scenario shows whole.
const MOST_WHOLE: usize = 6;

/// The run that violates each answer; `None` if there is none, or if it is too long. A scenario
/// that is alone has a few whole runs; of others the first state is kept. `made_by` is the command
/// that shows a run again, unless that is the usual one.
pub(crate) fn all(
    ready: &Ready,
    verdict: &Verdict,
    among: Among,
    made_by: Option<&str>,
) -> Vec<Option<Run>> {
    let mut whole = match among {
        Among::Alone => MOST_WHOLE,
        Among::Others => 0,
    };
    let run = |judged: &Judged| {
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
    verdict.judged.iter().map(run).collect()
}

/// The run that violates the question, if one does.
fn violating<'a>(ready: &'a Ready, judged: &'a Judged, verdict: &'a Verdict) -> Option<Played<'a>> {
    let is_violated = judged.finding.answer == CheckAnswer::Violated && !judged.is_wanted();
    counterexample(ready, judged, verdict).filter(|_| is_violated)
}
