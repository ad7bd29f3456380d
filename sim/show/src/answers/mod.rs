//! Answers as text. Each form is a function of the document of a scenario.

pub(crate) mod any_size;
mod text;

use deathwatch_documents::{
    Answer, ClaimAnswer, Expected, Outcome, QuestionKind, Status, answer::ClaimCounts,
};

pub use self::text::{details, searched};
pub(crate) use self::text::{explored, headword, otherwise, text_of_claim};
use crate::text::{number, plural, thousands};

/// The result of a scenario, in half a line: numbers, no names.
pub fn gist(answer: &Answer) -> String {
    let of = |status| answer.claims.iter().filter(|it| it.status() == status).count();
    let mut parts = match answer.status {
        _ if answer.too_large.is_some() => vec!["not searched".to_owned()],
        Status::AsExpected => expected(answer),
        Status::Known => Vec::new(),
        Status::Undecided => vec!["undecided".to_owned()],
        Status::Unexpected => {
            let all = of(Status::Unexpected) + answer.failures.len() + answer.miscounts.len();
            vec![format!("{} not as expected", plural(all, "answer"))]
        }
    };
    if of(Status::Known) > 0 {
        parts.push(format!("{} known by the baseline", plural(of(Status::Known), "answer")));
    }
    parts.extend(answer.states.map(|states| number(states, "state")));
    parts.extend(answer.any_size.as_ref().map(any_size::gist));
    parts.join(", ")
}

fn expected(answer: &Answer) -> Vec<String> {
    let mut parts = words(answer.counts());
    if parts.is_empty() {
        match answer.claims.iter().filter(|it| it.is_witness()).count() {
            0 => {}
            witnesses => parts.push(plural(witnesses, "witness")),
        }
    }
    let refined = answer.claims.iter().find(|it| it.kind == QuestionKind::Refinement);
    parts.extend(refined.map(|it| match it.expected {
        Expected::Violated => "departs from its outline".to_owned(),
        Expected::Holds | Expected::Vacuous | Expected::NotViolated => {
            "keeps to its outline".to_owned()
        }
    }));
    if parts.is_empty() {
        parts.push(match answer.steps {
            0 => "nothing is claimed".to_owned(),
            steps => format!("script of {}", plural(steps, "step")),
        });
    }
    parts
}

/// The numbers that are not zero, in words.
pub fn words(counts: ClaimCounts) -> Vec<String> {
    let hold = if counts.hold == 1 { "holds" } else { "hold" };
    let all = [
        (counts.violated, "violated"),
        (counts.never_reached, "never reached"),
        (counts.hold, hold),
        (counts.reached, "reached"),
        (counts.vacuous, "vacuous"),
    ];
    let some = all.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(count, word)| format!("{} {word}", thousands(count as u64))).collect()
}

/// The claims with this answer, as expected, without a trace that shows it.
fn quiet(answer: &Answer, given: Outcome) -> impl Iterator<Item = &ClaimAnswer> {
    let fine = answer.claims.iter().filter(|it| it.status() == Status::AsExpected);
    fine.filter(move |it| it.is_claim() && it.trace.is_none() && it.answer == given)
}
