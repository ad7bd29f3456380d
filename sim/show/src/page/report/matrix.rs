//! The claims as a matrix: in how many scenarios each is violated, holds and is vacuous, by variants and
//! assumptions, and a row for each combination in which one that is violated somewhere was asked.
//!
//! What is shown is picked without a script, by the style sheet; the script narrows it by words.

use deathwatch_model::claims::Claim;
use deathwatch_scenario::scenario::Expected;
use maud::{Markup, html};

use crate::report::{self, Answered, Group, Page, anchor, groups};

/// The columns: the variants, and whether the usual is assumed. The style sheet has their names, too.
const BASES: [(&str, &str); 4] = [
    ("written", "as written"),
    ("written-but", "as written, but"),
    ("fixed", "fixed"),
    ("fixed-but", "fixed, but"),
];
/// Whether the usual is assumed.
const ASSUMED: [(&str, &str); 2] = [("usual", "the usual"), ("unusual", "others")];
/// The answers of rows, in their order. The style sheet has their names, too.
const ANSWERS: [Expected; 3] = [Expected::Violated, Expected::Holds, Expected::Vacuous];
/// The number of scenarios that a row names.
const NAMED: usize = 3;

/// The page; scenarios are links if there is a page of them.
pub(super) fn matrix(answered: &[Answered], pages: &[Page]) -> Markup {
    let links = Links { are_there: pages.iter().any(|page| page.path == report::SCENARIOS) };
    let claims: Vec<(&Claim, Vec<Group<'_>>)> = deathwatch_claims::all()
        .map(|claim| (claim, ANSWERS.map(|answer| groups(claim, answered, answer)).concat()))
        .filter(|(_, groups)| !groups.is_empty())
        .collect();
    html! {
        h1 { "Claims" }
        p {
            "In how many scenarios each claim is violated, holds, or is vacuous, under the variants of the \
             documents as written or fixed, and under the usual assumptions or others. A claim that is \
             violated somewhere leads to its rows below."
        }
        ul.legend {
            @for (answer, means) in [
                (Expected::Violated, "violated: some run breaks it"),
                (Expected::Holds, "holds on every run"),
                (Expected::Vacuous, "vacuous: nothing happens that it is about, so nothing is known of it"),
            ] { li { span class=(class(answer)) aria-hidden="true" { (mark(answer)) } " " (means) } }
        }
        div.scroll { table.matrix { (heads()) tbody { @for (claim, groups) in &claims { (line(claim, groups)) } } } }
        section.combinations {
            h2 { "Variants and assumptions" }
            (picks())
            p.narrow hidden { input type="search" placeholder="words of a row" aria-label="Narrow the rows"; }
            div.scroll {
                table {
                    thead {
                        tr {
                            @for head in ["claim", "answer", "variants", "assumptions", "may go wrong", "scenarios"] {
                                th scope="col" { (head) }
                            }
                        }
                    }
                    tbody {
                        @for (claim, groups) in claims.iter().filter(|(_, groups)| is_violated(groups)) {
                            @for (number, group) in groups.iter().enumerate() {
                                (row(claim, group, number, links))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn is_violated(groups: &[Group<'_>]) -> bool {
    groups.iter().any(|group| group.answer == Expected::Violated)
}

fn heads() -> Markup {
    html! {
        thead {
            tr {
                th rowspan="2" scope="col" { "claim" }
                @for (_, says) in BASES { th colspan="2" scope="colgroup" { (says) } }
            }
            tr { @for _ in BASES { @for (_, says) in ASSUMED { th scope="col" { (says) } } } }
        }
    }
}

/// The line of a claim.
fn line(claim: &Claim, groups: &[Group<'_>]) -> Markup {
    let count = |base: &str, assumed: &str, answer: Expected| -> usize {
        let here = groups.iter().filter(|it| it.answer == answer);
        let here = here.filter(|it| self::base(it) == base && self::assumed(it) == assumed);
        here.map(|group| group.scenarios.len()).sum()
    };
    html! {
        tr {
            th scope="row" {
                @if is_violated(groups) { a href=(format!("#{}", anchor(claim.name))) { (claim.name) } }
                @else { (claim.name) }
                " " small.quiet { (claim.source) }
            }
            @for (base, _) in BASES {
                @for (assumed, _) in ASSUMED {
                    td.number {
                        @for answer in ANSWERS {
                            @let count = count(base, assumed, answer);
                            @if count > 0 { span class=(class(answer)) { (count) " " (named(answer)) } " " }
                        }
                    }
                }
            }
        }
    }
}

/// What is to be shown, picked without a script.
fn picks() -> Markup {
    html! {
        (pick("answer", "answer", &ANSWERS.map(|answer| (answer.name(), answer.name()))))
        (pick("base", "variants", &BASES))
        (pick("assumed", "assumptions", &ASSUMED))
    }
}

fn pick(name: &str, says: &str, values: &[(&str, &str)]) -> Markup {
    html! {
        fieldset.filter {
            legend { (says) }
            label { input type="radio" name=(name) id=(format!("{name}-any")) checked; " any" }
            @for (value, says) in values {
                label { input type="radio" name=(name) id=(format!("{name}-{value}")); " " (says) }
            }
        }
    }
}

/// The shape of an answer, so that it is told not by colour alone.
fn mark(answer: Expected) -> &'static str {
    match answer {
        Expected::Violated => "✗",
        Expected::Holds | Expected::NotViolated => "✓",
        Expected::Vacuous => "○",
    }
}

/// The shape of an answer, which is read as a word.
fn named(answer: Expected) -> Markup {
    html! { span role="img" aria-label=(answer.name()) { (mark(answer)) } }
}

/// The style of an answer.
fn class(answer: Expected) -> &'static str {
    match answer {
        Expected::Violated => "bad",
        Expected::Holds | Expected::NotViolated => "good",
        Expected::Vacuous => "quiet",
    }
}

/// Whether there is a page that names of scenarios lead to.
#[derive(Clone, Copy)]
struct Links {
    are_there: bool,
}

/// A row: a claim, what is assumed, and the answer.
fn row(claim: &Claim, group: &Group<'_>, number: usize, links: Links) -> Markup {
    let answer = group.answer;
    let classes = format!("{} {} {}", answer.name(), base(group), assumed(group));
    let more = group.scenarios.len().saturating_sub(NAMED);
    html! {
        tr class=(classes) id=[(number == 0).then(|| anchor(claim.name))] {
            td { (claim.name) }
            td.answer class=(class(answer)) { (mark(answer)) " " (answer.name()) }
            td { (code(&group.variants)) }
            td { (group.assumptions) }
            td { (group.faults) }
            td {
                @for scenario in group.scenarios.iter().take(NAMED) {
                    @if links.are_there {
                        a href=(format!("{}#{}", super::name(report::SCENARIOS), scenario.name)) { (scenario.name) }
                    } @else { (scenario.name) }
                    " "
                }
                @if more > 0 { "and " (more) " more" }
            }
        }
    }
}

/// The kind of variants.
fn base(group: &Group<'_>) -> &'static str {
    match (group.variants.as_str(), group.variants.starts_with("fixed")) {
        ("as written", _) => "written",
        ("fixed", _) => "fixed",
        (_, false) => "written-but",
        (_, true) => "fixed-but",
    }
}

/// The kind of assumptions.
fn assumed(group: &Group<'_>) -> &'static str {
    if group.assumptions == report::USUAL { "usual" } else { "unusual" }
}

/// A text in which code is between backticks.
fn code(text: &str) -> Markup {
    html! {
        @for (number, part) in text.split('`').enumerate() {
            @if number % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
