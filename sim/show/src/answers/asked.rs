//! The answer to a question that was asked on the spot, as text.
//!
//! Nobody has written down an expectation, so the answer stands first, and in words of its own.

use deathwatch_documents::{Answer, ClaimAnswer, Outcome, QuestionKind};

use super::text::{lines_of_trace, size};
use crate::text::add_line;

/// The answer of a search, and the run that shows it.
pub fn searched(answer: &Answer) -> String {
    let mut text = String::new();
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    for failure in &answer.failures {
        say(0, &format!("script: {failure}"));
    }
    for claim in &answer.claims {
        say(0, &format!("{}: {}", outcome_text(claim), claim.name));
        if let Some(why) = claim.reason.as_ref().or(answer.reason.as_ref()) {
            say(2, why);
        }
        if let Some(trace) = &claim.trace {
            lines_of_trace(trace, answer, &mut |_, line| say(2, line));
        }
    }
    let counts = size(answer);
    say(0, &format!("{} ({})", answer.scenario, counts.as_deref().unwrap_or("not searched")));
    text
}

/// The answer to a question, in a few words.
fn outcome_text(claim: &ClaimAnswer) -> &'static str {
    match (claim.answer, claim.kind) {
        (Outcome::Inconclusive, _) => "undecided",
        (Outcome::Vacuous, _) => "vacuous, as nothing is ever owed",
        (Outcome::Holds, QuestionKind::Always) => "holds in every state",
        (Outcome::Holds, QuestionKind::Step) => "holds of every transition",
        (Outcome::Holds, QuestionKind::Leads) => "holds on every fair run",
        _ => claim.word(),
    }
}
