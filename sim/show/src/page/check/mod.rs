//! The page of `check`: the answers of one scenario with its whole runs, or of many with a line each,
//! which unfolds to the runs that violate claims.
//!
//! What is said of a scenario is made where it is answered, and is kept in journals. So the page is
//! the same bytes, whoever answered.

mod brief;
mod clauses;
mod scenario;

use std::time::Duration;

use maud::{Markup, PreEscaped, html};

pub(super) use self::brief::sketch;
pub use self::scenario::scenario;
use super::{frame, run};
use deathwatch_study::{
    answers::{Answered, Counts},
    verdict::Status,
};

/// A scenario on a page.
pub struct Row<'a> {
    /// Its answers.
    pub answered: &'a Answered,
    /// The time that it took, if that is asked for.
    pub took: Option<Duration>,
}

/// Whether a page has more than one scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// It is the only one, and shown whole.
    Alone,
    /// There are others, and it is folded.
    Others,
}

/// The page of these scenarios.
pub fn of_answers(rows: &[Row<'_>], among: Among) -> String {
    let title = match rows {
        [row] => row.answered.scenario.clone(),
        rows => format!("{} scenarios", rows.len()),
    };
    let body = match (rows, among) {
        ([row], Among::Alone) => html! {
            main { (alone(row)) }
            (clauses::all())
            (run::keys())
        },
        (rows, _) => html! {
            main { (summary(rows)) (folders(rows)) }
            (clauses::all())
        },
    };
    frame::frame(&title, &body)
}

/// The only scenario.
fn alone(row: &Row<'_>) -> Markup {
    html! {
        div.head {
            div {
                p.verdict { (status(row.answered)) }
                h1 { (row.answered.scenario) }
                p { (gist(row)) }
            }
            div { (command(row.answered)) }
        }
        (content(row.answered))
    }
}

/// How many scenarios are answered in which way, and how many claims.
fn summary(rows: &[Row<'_>]) -> Markup {
    let with = |status| rows.iter().filter(|row| row.answered.status == status).count();
    let mut counts = Counts::default();
    for row in rows {
        counts.add(row.answered.counts);
    }
    let states: u64 = rows.iter().filter_map(|row| row.answered.states).sum();
    let (unexpected, undecided) = (with(Status::Unexpected), with(Status::Undecided));
    let none = |count: usize| if count == 0 { "quiet" } else { "bad" };
    html! {
        h1 {
            @if unexpected + undecided == 0 { (rows.len()) " scenarios as expected" }
            @else { (unexpected + undecided) " of " (rows.len()) " scenarios are not as expected" }
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
fn folders(rows: &[Row<'_>]) -> Markup {
    let (fine, wrong): (Vec<&Row<'_>>, Vec<&Row<'_>>) =
        rows.iter().partition(|row| row.answered.status == Status::AsExpected);
    let mut folders: Vec<(&str, Vec<&Row<'_>>)> = Vec::new();
    for row in fine {
        let folder = row.answered.scenario.rsplit_once('/').map_or("", |(folder, _)| folder);
        match folders.last_mut().filter(|(last, _)| *last == folder) {
            Some((_, rows)) => rows.push(row),
            None => folders.push((folder, vec![row])),
        }
    }
    html! {
        @if !wrong.is_empty() {
            section.panel {
                h2 { "Not as expected" small { (wrong.len()) } }
                @for row in wrong { (folded(row, "")) }
            }
        }
        @for (folder, rows) in &folders {
            section.panel {
                h2 { @if folder.is_empty() { "Scenarios" } @else { (folder) } small { (rows.len()) } }
                @for row in rows { (folded(row, folder)) }
            }
        }
    }
}

/// A scenario in a line, which unfolds.
fn folded(row: &Row<'_>, folder: &str) -> Markup {
    let answered = row.answered;
    let is_wrong = answered.status != Status::AsExpected;
    let is_violated = answered.counts.violated + answered.counts.never_reached > 0;
    let name = answered.scenario.strip_prefix(folder).unwrap_or(&answered.scenario);
    html! {
        details.scenario.wrong[is_wrong].violated[is_violated] open[is_wrong] {
            summary {
                span.status { (status(answered)) } " "
                strong { (name.trim_start_matches('/')) } " "
                span.gist { (gist(row)) }
            }
            (command(answered))
            (content(answered))
        }
    }
}

/// Whether a scenario is as expected.
fn status(answered: &Answered) -> Markup {
    match answered.status {
        _ if !answered.is_asked => html! { strong.bad { "could not be asked" } },
        Status::AsExpected => html! { strong.good { "✓ as expected" } },
        Status::Undecided => html! { strong.bad { "? inconclusive" } },
        Status::Unexpected => html! { strong.bad { "✗ unexpected" } },
    }
}

fn gist(row: &Row<'_>) -> Markup {
    html! {
        (row.answered.gist)
        @if let Some(took) = row.took { (format!(", {:.2} s", took.as_secs_f64())) }
    }
}

/// The command that answers a scenario again.
fn command(answered: &Answered) -> Markup {
    html! { pre.command { "$ " (answered.command) } }
}

/// What is said of a scenario.
fn content(answered: &Answered) -> Markup {
    html! {
        @if let Some(page) = &answered.page { (PreEscaped(page)) }
        @else { @for (_, line) in &answered.details { p { (line) } } }
    }
}

/// A number with a comma between thousands.
fn number(number: u64) -> String {
    crate::report::number(number)
}
