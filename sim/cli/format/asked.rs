//! The answer to a question that was asked on the spot, as text.
//!
//! Nobody has written down an expectation, so the answer stands first, and in words of its own.

use deathwatch_documents::{Answer, ClaimAnswer, Outcome, QuestionKind};
use deathwatch_model::check;
use deathwatch_show::{
    answers::{lines_of_trace, size},
    text::Detail,
};
use deathwatch_study::sweep::Group;

use super::{Swept, add_line, sweep};

/// The answer of a search, and the run that shows it.
pub(super) fn searched(answer: &Answer) -> String {
    let mut text = String::new();
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    for failure in &answer.failures {
        say(0, &format!("script: {failure}"));
    }
    for claim in &answer.claims {
        say(0, &format!("{}: {}", told(claim), claim.name));
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
fn told(claim: &ClaimAnswer) -> &'static str {
    match (claim.answer, claim.kind) {
        (Outcome::Inconclusive, _) => "undecided",
        (Outcome::Vacuous, _) => "vacuous, as nothing is ever owed",
        (Outcome::Holds, QuestionKind::Always) => "holds in every state",
        (Outcome::Holds, QuestionKind::Step) => "holds of every transition",
        (Outcome::Holds, QuestionKind::Leads) => "holds on every fair run",
        _ => claim.word(),
    }
}

/// The answer of some seeds, and the seeds that show it.
pub(super) fn of_seeds(swept: &Swept) -> String {
    let report = &swept.report;
    let mut text = String::new();
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    for claim in &report.claims {
        let (name, kind) = (claim.claim.name, claim.claim.kind());
        let by = claim.first.map_or("no seed".to_owned(), |seed| format!("seed {seed}"));
        let answer = match claim.answer {
            check::CheckAnswer::Inconclusive => "undecided".to_owned(),
            check::CheckAnswer::Holds
            | check::CheckAnswer::Vacuous
            | check::CheckAnswer::Violated => {
                format!("{} by {by}", kind.decided())
            }
        };
        say(0, &format!("{answer}: {name}"));
    }
    let groups: Vec<(usize, &Group)> = report.groups.iter().enumerate().collect();
    sweep::kinds::lines(swept, &groups, Detail::Violations, 2, &mut say);
    sweep::text::odds(report, &mut |_, line| say(2, line));
    say(0, &format!("{} ({})", report.scenario, sweep::text::work(report)));
    text
}
