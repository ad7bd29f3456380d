//! The answer to a question that was asked on the spot, as text.
//!
//! Nobody has written down an expectation, so the answer stands first, and in words of its own.

use deathwatch_model::{
    check::Answer,
    claims::{Claim, ClaimKind},
};
use deathwatch_study::{
    sweep::Group,
    verdict::{self, Judged},
};

use super::{Detail, Run, Swept, add_line, sweep, text};

/// The answer of a search, and the run that shows it.
pub(super) fn searched(run: &Run) -> String {
    let verdict = &run.verdict;
    let mut text = String::new();
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    for failure in &verdict.failures {
        say(0, &format!("script: {failure}"));
    }
    for judged in &verdict.judged {
        say(0, &format!("{}: {}", told(judged), judged.name()));
        if let Some(why) = judged.open.as_deref().or_else(|| verdict.undecided_because()) {
            say(2, why);
        }
        if let Some(rendered) = &judged.rendered {
            text::trace_lines(rendered, verdict, &mut |_, line| say(2, line));
        }
    }
    let counts = text::size(run);
    say(0, &format!("{} ({})", verdict.scenario, counts.as_deref().unwrap_or("not searched")));
    text
}

/// The answer to a question, in a few words.
fn told(judged: &Judged) -> &'static str {
    let kind = judged.claim().map_or(ClaimKind::Reachable, Claim::kind);
    match (judged.finding.answer, kind) {
        (Answer::Inconclusive, _) => "undecided",
        (Answer::Vacuous, _) => "vacuous, as nothing is ever owed",
        (Answer::Holds, ClaimKind::Always) => "holds in every state",
        (Answer::Holds, ClaimKind::Step) => "holds of every transition",
        (Answer::Holds, ClaimKind::Leads) => "holds on every fair run",
        (answer, kind) => verdict::answer_of(kind, answer),
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
            Answer::Inconclusive => "undecided".to_owned(),
            Answer::Holds | Answer::Vacuous | Answer::Violated => {
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
