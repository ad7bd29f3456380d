//! The page of `check`: the answers of one scenario with its whole runs, or of many with a line
//! each, which unfolds to the runs that violate claims.
//!
//! The page is a function of the scenarios' documents, so it is the same bytes on every machine.

mod brief;
mod clauses;
mod scenario;

use maud::{Markup, html};

pub(super) use self::brief::sketch;
use super::{frame, run};
use crate::text::show_seconds;
use deathwatch_documents::{Answer, Status, answer::Counts};

/// Whether a page has more than one scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// It is the only one, and shown whole.
    Alone,
    /// There are others, and it is folded.
    Others,
}

/// The page of these scenarios.
pub fn of_answers(answers: &[&Answer], among: Among) -> String {
    let title = match answers {
        [answer] => answer.scenario.clone(),
        answers => format!("{} scenarios", answers.len()),
    };
    let body = match (answers, among) {
        ([answer], Among::Alone) => html! {
            main { (alone(answer)) }
            (clauses::all())
            (run::keys())
        },
        (answers, _) => html! {
            main { (summary(answers)) (folders(answers)) }
            (clauses::all())
        },
    };
    frame::frame(&title, &body)
}

/// The only scenario.
fn alone(answer: &Answer) -> Markup {
    html! {
        div.head {
            div {
                p.verdict { (status(answer)) }
                h1 { (answer.scenario) }
                p { (gist(answer)) }
            }
            div { (command(answer)) }
        }
        (scenario::scenario(answer))
    }
}

/// How many scenarios are answered in which way, and how many claims.
fn summary(answers: &[&Answer]) -> Markup {
    let with = |status| answers.iter().filter(|answer| answer.status == status).count();
    let mut counts = Counts::default();
    for answer in answers {
        counts.add(answer.counts());
    }
    let states: u64 = answers.iter().filter_map(|answer| answer.states).sum();
    let (unexpected, undecided) = (with(Status::Unexpected), with(Status::Undecided));
    let none = |count: usize| if count == 0 { "quiet" } else { "bad" };
    html! {
        h1 {
            @if unexpected + undecided == 0 { (answers.len()) " scenarios as expected" }
            @else { (unexpected + undecided) " of " (answers.len()) " scenarios are not as expected" }
        }
        dl.tiles {
            div { dt { "as expected" } dd.good { (with(Status::AsExpected)) } }
            div { dt { "unexpected" } dd class=(none(unexpected)) { (unexpected) } }
            div { dt { "inconclusive" } dd class=(none(undecided)) { (undecided) } }
            div { dt { "states" } dd { (number(states)) } }
            div { dt { "claims violated" } dd { (counts.violated) } }
            div { dt { "never reached" } dd { (counts.never_reached) } }
            div { dt { "hold" } dd { (number(counts.hold as u64)) } }
            div { dt { "reached" } dd { (counts.reached) } }
            div { dt { "vacuous" } dd { (number(counts.vacuous as u64)) } }
        }
        fieldset.filter {
            legend { "Show" }
            @for (id, says) in FILTERS {
                label {
                    input id=(id) type="radio" name="show" checked[id == FILTERS[0].0];
                    " " (says)
                }
            }
        }
    }
}

/// The filters, which the style sheet has, too.
const FILTERS: [(&str, &str); 3] = [
    ("show-all", "all scenarios"),
    ("show-violated", "those with a violated claim"),
    ("show-unexpected", "those that are not as expected"),
];

/// The scenarios: those that are not as expected, then all others by folder.
fn folders(answers: &[&Answer]) -> Markup {
    let (fine, wrong): (Vec<&Answer>, Vec<&Answer>) =
        answers.iter().partition(|answer| answer.status == Status::AsExpected);
    let mut folders: Vec<(&str, Vec<&Answer>)> = Vec::new();
    for answer in fine {
        let folder = answer.scenario.rsplit_once('/').map_or("", |(folder, _)| folder);
        match folders.last_mut().filter(|(last, _)| *last == folder) {
            Some((_, answers)) => answers.push(answer),
            None => folders.push((folder, vec![answer])),
        }
    }
    html! {
        @if !wrong.is_empty() {
            section.panel {
                h2 { "Not as expected" small { (wrong.len()) } }
                @for answer in wrong { (folded(answer, "")) }
            }
        }
        @for (folder, answers) in &folders {
            section.panel {
                h2 { @if folder.is_empty() { "Scenarios" } @else { (folder) } small { (answers.len()) } }
                @for answer in answers { (folded(answer, folder)) }
            }
        }
    }
}

/// A scenario in a line, which unfolds.
fn folded(answer: &Answer, folder: &str) -> Markup {
    let is_wrong = answer.status != Status::AsExpected;
    let counts = answer.counts();
    let is_violated = counts.violated + counts.never_reached > 0;
    let name = answer.scenario.strip_prefix(folder).unwrap_or(&answer.scenario);
    html! {
        details.scenario.wrong[is_wrong].violated[is_violated] open[is_wrong] {
            summary {
                span.status { (status(answer)) } " "
                strong { (name.trim_start_matches('/')) } " "
                span.gist { (gist(answer)) }
            }
            (command(answer))
            (scenario::scenario(answer))
        }
    }
}

/// Whether a scenario is as expected.
fn status(answer: &Answer) -> Markup {
    match answer.status {
        _ if answer.too_large.is_some() => html! { strong.bad { "could not be asked" } },
        Status::AsExpected => html! { strong.good { "✓ as expected" } },
        Status::Undecided => html! { strong.bad { "? inconclusive" } },
        Status::Unexpected => html! { strong.bad { "✗ unexpected" } },
    }
}

fn gist(answer: &Answer) -> Markup {
    html! {
        (crate::answers::gist(answer))
        @if let Some(took) = answer.seconds { ", " (show_seconds(took)) }
    }
}

/// The command that answers a scenario again.
fn command(answer: &Answer) -> Markup {
    html! { pre.command { "$ " (answer.command) } }
}

/// A number with a comma between thousands.
fn number(number: u64) -> String {
    crate::text::thousands(number)
}
