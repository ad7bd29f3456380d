//! The result of a scenario, in half a line of text.

use deathwatch_model::check::{Answer, Asked};
use deathwatch_sim::scenario::Expected;
use deathwatch_sim::verdict::{self, Judged, Status, Verdict};

use super::{Detail, text::plural};

/// The number of claims that are named in one line, unless all are asked for.
const MOST_NAMED: usize = 4;

/// The result of a scenario, in half a line.
pub(super) fn of(verdict: &Verdict, detail: Detail) -> String {
    if let Some(why) = &verdict.too_large {
        return format!("could not be searched: {}", verdict::too_large(why));
    }
    match verdict.status {
        Status::AsExpected => answers(verdict, detail),
        Status::Undecided => match verdict.stopped() {
            Some(stop) => format!("undecided: {}", verdict::stopped(stop)),
            None if verdict.left_out.is_empty() => "undecided".to_owned(),
            None => {
                let claims = plural(verdict.left_out.len(), "claim");
                format!("undecided: {claims} left out, which this engine cannot decide")
            }
        },
        Status::Unexpected => {
            let wrong = verdict.judged.iter().filter(|it| it.status() == Status::Unexpected);
            let all = wrong.count() + verdict.failures.len() + verdict.miscounts.len();
            format!("{} not as expected", plural(all, "answer"))
        }
    }
}

/// The answers, all of them as expected, the most detail first.
fn answers(verdict: &Verdict, detail: Detail) -> String {
    let mut parts = Vec::new();
    let claims = || verdict.judged.iter().filter(|judged| judged.claim().is_some());
    let answered = |answer, is_wanted| {
        let is_so = move |it: &&Judged| it.finding.answer == answer && it.is_wanted() == is_wanted;
        claims().filter(is_so)
    };
    for (answer, is_wanted, word) in [
        (Answer::Violated, false, "violated"),
        (Answer::Violated, true, "never reached"),
        (Answer::Vacuous, false, "vacuous"),
    ] {
        let names = names(answered(answer, is_wanted), claims().count(), detail);
        parts.extend(names.map(|names| format!("{word} as expected: {names}")));
    }
    for (is_wanted, one, several) in [(false, "holds", "hold"), (true, "reached", "are reached")] {
        match answered(Answer::Holds, is_wanted).collect::<Vec<_>>().as_slice() {
            [] => {}
            [only] => parts.push(format!("{one}: \"{}\"", only.name())),
            all => parts.push(format!("{} claims {several}", all.len())),
        }
    }
    match verdict.judged.iter().filter(|judged| judged.is_witness()).count() {
        0 => {}
        witnesses => parts.push(plural(witnesses, "witness")),
    }
    let refined = verdict.judged.iter().find(|it| matches!(it.finding.asked, Asked::Refinement));
    parts.extend(refined.map(|judged| match judged.expected {
        Expected::Violated => "departs from its outline as expected".to_owned(),
        Expected::Holds | Expected::Vacuous => "keeps to its outline".to_owned(),
    }));
    if parts.is_empty() {
        parts.push(script(verdict));
    }
    parts.join("; ")
}

/// The result of a scenario without a search.
fn script(verdict: &Verdict) -> String {
    match verdict.steps {
        0 => "nothing is claimed of it, and it has no steps".to_owned(),
        steps => format!("the script does what it expects ({})", plural(steps, "step")),
    }
}

/// The names of claims: a few of all, unless all are asked for.
pub(super) fn names<'a>(
    some: impl Iterator<Item = &'a Judged>,
    all: usize,
    detail: Detail,
) -> Option<String> {
    let names: Vec<String> = some.map(|judged| format!("\"{}\"", judged.name())).collect();
    match names.len() {
        some if some == all && some > MOST_NAMED && detail != Detail::Violations => {
            Some(format!("all {all} claims"))
        }
        _ => few(&names, detail),
    }
}

/// A list of names: a few, unless all are asked for.
pub(super) fn few(names: &[String], detail: Detail) -> Option<String> {
    let more = names.len().saturating_sub(MOST_NAMED);
    match names.len() {
        0 => None,
        _ if detail == Detail::Violations || more == 0 => Some(names.join(", ")),
        _ => Some(format!("{} and {more} more", names[..MOST_NAMED].join(", "))),
    }
}
