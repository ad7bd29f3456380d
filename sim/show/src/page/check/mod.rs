//! The page of `check`: the answers of one scenario with its whole runs, or of many with a row
//! each, and folded the runs that violate claims.
//!
//! The page is a function of the scenarios' documents, so it is the same bytes on every machine.

mod brief;
mod clauses;
mod scenario;

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, PreEscaped, html};

pub(super) use self::{
    brief::{sketch, world_at_the_end},
    scenario::open_view,
};
use super::{frame, graph, notes::mark, run};
use crate::{
    status,
    text::{commands, show_seconds},
};
use deathwatch_documents::{Answer, ClaimAnswer, Outcome, Status, answer::ClaimCounts};
use deathwatch_study::graph::GraphData;

/// The place of a scenario on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioPlacement {
    /// The scenario is alone, and shown whole.
    Alone,
    /// The scenario stands among others, and is folded.
    AmongOthers,
}

/// The addresses at which the pages of reports show scenarios, by the names of the scenarios.
pub type InReports = BTreeMap<String, String>;

/// The page of these scenarios. That of the only one may have the `graph` of its world.
pub fn of_answers(
    answers: &[&Answer],
    among: ScenarioPlacement,
    graph: Option<&GraphData>,
    in_reports: &InReports,
) -> String {
    let title = match answers {
        [answer] => answer.scenario.clone(),
        answers => format!("{} scenarios", answers.len()),
    };
    let body = match (answers, among) {
        ([answer], ScenarioPlacement::Alone) => {
            let (told, clauses) = (alone(answer, in_reports), clauses::all());
            let taken = told.0.len() + clauses.0.len();
            let body = html! {
                main { (told) @if let Some(data) = graph { (graph::graph(data, taken, &answer.file)) } }
                (clauses)
                (run::keys())
            };
            return if graph.is_some() {
                frame::with_graph(&title, &body)
            } else {
                frame::frame(&title, &body)
            };
        }
        (answers, _) => html! {
            main { (summary(answers)) (scenarios(answers, in_reports)) }
            (clauses::all())
        },
    };
    frame::frame(&title, &body)
}

/// The only scenario.
fn alone(answer: &Answer, in_reports: &InReports) -> Markup {
    html! {
        div.head {
            div {
                p.verdict { (status(answer)) }
                h1 { (answer.scenario) }
                p { (gist(answer)) }
            }
            div {
                (command(answer))
                @if let Some(address) = in_reports.get(&answer.scenario) {
                    p { a href=(address) { "this scenario in the reports" } }
                }
            }
        }
        (scenario::scenario(answer))
    }
}

/// The numbers of scenarios and claims by their answers.
fn summary(answers: &[&Answer]) -> Markup {
    let with = |status| answers.iter().filter(|answer| answer.status == status).count();
    let mut counts = ClaimCounts::default();
    for answer in answers {
        counts.add(answer.counts());
    }
    let states: u64 = answers.iter().filter_map(|answer| answer.states).sum();
    let (unexpected, undecided) = (with(Status::Unexpected), with(Status::Undecided));
    let known = with(Status::Known);
    let none = |count: usize| if count == 0 { "quiet" } else { "bad" };
    html! {
        h1 {
            @if unexpected + undecided + known == 0 { (answers.len()) " scenarios as expected" }
            @else if unexpected + undecided == 0 {
                (known) " of " (answers.len()) " scenarios fail as the baseline does"
            }
            @else { (unexpected + undecided) " of " (answers.len()) " scenarios are not as expected" }
        }
        dl.tiles {
            div { dt { "as expected" } dd.good { (with(Status::AsExpected)) } }
            div { dt { "unexpected" } dd class=(none(unexpected)) { (unexpected) } }
            @if known > 0 { div { dt { "known by the baseline" } dd { (known) } } }
            div { dt { "undecided" } dd class=(none(undecided)) { (undecided) } }
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

/// The greatest size in bytes of the parts that a page of several scenarios shows whole.
const MOST_BYTES: usize = 200_000;

/// The greatest number of scenarios with which a page begins with the violations instead of a
/// table.
const FEW: usize = 8;

/// The scenarios: those that are not as expected, then a row for each, and the others that violate
/// claims, which of few scenarios come first. Where there is no room for all that, rows have the
/// shortest runs as text.
fn scenarios(answers: &[&Answer], in_reports: &InReports) -> Markup {
    let numbered = || answers.iter().copied().enumerate();
    let mut room = MOST_BYTES;
    let mut fits = |size: usize| {
        let fits = size <= room;
        room -= if fits { size } else { 0 };
        fits
    };
    let told = |(at, answer)| (at, answer, scenario::scenario(answer).into_string());
    let wrong = numbered().filter(|(_, it)| is_wrong(it)).map(told);
    let wrong: Vec<_> = wrong.filter(|(_, _, text)| fits(text.len())).collect();
    let violated = numbered().filter(|(_, it)| !is_wrong(it) && is_violated(it)).map(told);
    let violated: Option<Vec<_>> = violated.map(|it| fits(it.2.len()).then_some(it)).collect();
    let violated = violated.unwrap_or_default();
    let whole: BTreeSet<usize> = wrong.iter().chain(&violated).map(|(at, ..)| *at).collect();
    let violated_panel = html! {
        @if !violated.is_empty() {
            section.panel {
                h2 { "Violated as expected" small { (violated.len()) } }
                @for (number, it) in violated.iter().enumerate() {
                    (folded(it, number == 0 && wrong.is_empty() && answers.len() <= FEW))
                }
            }
        }
    };
    let is_timed = answers.iter().any(|answer| answer.seconds.is_some());
    html! {
        @if !wrong.is_empty() {
            section.panel {
                h2 { "Not as expected" small { (numbered().filter(|(_, it)| is_wrong(it)).count()) } }
                @for it in &wrong { (folded(it, true)) }
            }
        }
        @if answers.len() <= FEW { (violated_panel) }
        section.panel {
            h2 { "Scenarios" small { (answers.len()) } }
            p.narrow hidden { input type="search" placeholder="find in scenarios" aria-label="Find in scenarios"; }
            @if !answers.iter().all(|it| in_reports.contains_key(&it.scenario)) {
                p { "The scenario of a file is shown by" }
                pre.command { (commands("FILE").map(|it| format!("$ {it}")).join("\n")) }
            }
            div.scroll {
                table.answered.stacked {
                    thead { tr {
                        th { "scenario" } th { "what it shows" } th { "answers" } th.number { "states" }
                        @if is_timed { th.number { "time" } }
                    } }
                    tbody { @for (at, answer) in numbered() { (row(at, answer, is_timed, in_reports.get(&answer.scenario), whole.contains(&at))) } }
                }
            }
        }
        @if answers.len() > FEW { (violated_panel) }
    }
}

fn is_wrong(answer: &Answer) -> bool {
    answer.status != Status::AsExpected
}

fn is_violated(answer: &Answer) -> bool {
    let counts = answer.counts();
    counts.violated + counts.never_reached > 0
}

fn id(at: usize) -> String {
    format!("scenario-{at}")
}

/// A scenario as a row, which leads to its place in the reports, or names its file. What the page
/// does not show `whole` is in the row.
fn row(
    at: usize,
    answer: &Answer,
    is_timed: bool,
    in_reports: Option<&String>,
    is_whole: bool,
) -> Markup {
    html! {
        tr.wrong[is_wrong(answer)].violated[is_violated(answer)] {
            th scope="row" {
                @let name = if in_reports.is_some() { &answer.scenario } else { &answer.file };
                @if is_whole { a href=(format!("#{}", id(at))) { (name) } } @else { (name) }
                @if let Some(address) = in_reports { " " a href=(address) { "report" } }
            }
            td { (answer.shows) }
            td {
                @if is_wrong(answer) { (status(answer)) " " }
                @for claim in answer.claims.iter().filter(|it| is_bad(it)) {
                    span.bad { (claim.word()) ": " (claim.name) } (mark(claim.notes)) br;
                }
                span.quiet { (held(answer)) }
                @if !is_whole { (brief::shortest(answer)) }
            }
            td.number { @if let Some(states) = answer.states { (number(states)) } }
            @if is_timed {
                td.number { @if let Some(took) = answer.seconds { (show_seconds(took)) } }
            }
        }
    }
}

/// Whether a claim is violated, or never reached.
fn is_bad(claim: &ClaimAnswer) -> bool {
    claim.is_claim() && claim.answer == Outcome::Violated
}

/// The claims that hold, in numbers; for a script, its steps.
fn held(answer: &Answer) -> String {
    let counts = ClaimCounts { violated: 0, never_reached: 0, ..answer.counts() };
    let words = crate::answers::words(counts);
    if words.is_empty() && !is_violated(answer) && !is_wrong(answer) {
        crate::answers::gist(answer)
    } else {
        words.join(", ")
    }
}

/// The details of a scenario, which may be unfolded.
fn folded((at, answer, told): &(usize, &Answer, String), is_open: bool) -> Markup {
    html! {
        details.scenario.wrong[is_wrong(answer)].violated[is_violated(answer)] #(id(*at)) open[is_open] {
            summary {
                span.status { (status(answer)) } " " strong { (answer.scenario) } " "
                span.gist { (gist(answer)) }
            }
            (command(answer))
            (PreEscaped(told))
        }
    }
}

/// Whether a scenario is as expected.
fn status(answer: &Answer) -> Markup {
    let (class, words) = match answer.too_large {
        Some(_) => (Some("bad"), "could not be asked"),
        None => status::row(answer.status).on_page,
    };
    html! { strong class=[class] { (words) } }
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
