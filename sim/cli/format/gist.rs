//! The result of a scenario in half a line: numbers, no names.

use deathwatch_model::check::Asked;
use deathwatch_scenario::scenario::Expected;
use deathwatch_study::verdict::{Judged, Status, Verdict};

use super::{
    text::{number, plural},
    told::{counts, words},
};

/// The result of a scenario, in half a line.
pub(super) fn of(verdict: &Verdict) -> String {
    let states = verdict.report.as_ref().map(|report| number(report.states, "state"));
    let mut parts = match verdict.status {
        _ if verdict.too_large.is_some() => vec!["not searched".to_owned()],
        Status::AsExpected => answers(verdict),
        Status::Undecided => vec!["undecided".to_owned()],
        Status::Unexpected => {
            let wrong = verdict.judged.iter().filter(|it| it.status() == Status::Unexpected);
            let all = wrong.count() + verdict.failures.len() + verdict.miscounts.len();
            vec![format!("{} not as expected", plural(all, "answer"))]
        }
    };
    parts.extend(states);
    parts.join(", ")
}

/// The answers, all of them as expected.
fn answers(verdict: &Verdict) -> Vec<String> {
    let mut parts = words(counts(verdict));
    if parts.is_empty() {
        match verdict.judged.iter().filter(|judged| judged.is_witness()).count() {
            0 => {}
            witnesses => parts.push(plural(witnesses, "witness")),
        }
    }
    parts.extend(refined(verdict).map(|judged| match judged.expected {
        Expected::Violated => "departs from its outline".to_owned(),
        Expected::Holds | Expected::Vacuous | Expected::NotViolated => {
            "keeps to its outline".to_owned()
        }
    }));
    if parts.is_empty() {
        parts.push(match verdict.steps {
            0 => "nothing is claimed".to_owned(),
            steps => format!("script of {}", plural(steps, "step")),
        });
    }
    parts
}

/// The answer to whether the world keeps to its outline, if that was asked.
fn refined(verdict: &Verdict) -> Option<&Judged> {
    verdict.judged.iter().find(|it| matches!(it.finding.asked, Asked::Refinement))
}
