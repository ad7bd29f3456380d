//! The page of `assume`: the needs of each claim, as a lattice of assumptions and variants; the
//! repairs of all claims; and the waits for cures.

mod cells;
mod repaired;

use deathwatch_documents::{
    Assumed,
    assumed::{Choice, Needs, Premise, Repaired, StuckRun},
};
use maud::{Markup, html};

use self::cells::{LatticeCell, NeedsLattice};
use super::{frame, why};
use crate::{
    assumed::{chosen, is_alike, is_wanted},
    text::{number, plural},
};

/// The greatest number of columns of a lattice.
const MOST_COLUMNS: usize = 24;

/// The page of the needs of claims.
pub fn of_assumed(all: &[Assumed]) -> String {
    let title = match all {
        [only] => only.scenario.as_str(),
        _ => "what claims need",
    };
    let section = |one: &Assumed| {
        html! {
            @if all.len() > 1 { h2 { (one.scenario) } }
            (assumed(one))
        }
    };
    page(title, &html! { @for one in all { (section(one)) } })
}

/// The page of the repairs of scenarios.
pub fn of_repaired(it: &Repaired) -> String {
    let title = match &it.scenarios[..] {
        [only] => only.as_str(),
        _ => "repairs",
    };
    page(title, &repaired::repaired(it))
}

/// The page of the waits for cures.
pub fn of_stuck(all: &[StuckRun]) -> String {
    page("what waits for cures", &html! { @for one in all { (stuck(one)) } })
}

fn page(title: &str, sections: &Markup) -> String {
    frame::assumed(title, &html! { main { h1 { (title) } (sections) } })
}

/// The claims of a scenario, those that need the same together.
fn assumed(it: &Assumed) -> Markup {
    let questions = &it.questions;
    let is_first =
        |index: &usize| !questions[..*index].iter().any(|q| is_alike(q, &questions[*index]));
    let firsts: Vec<&Needs> =
        (0..questions.len()).filter(is_first).map(|it| &questions[it]).collect();
    html! {
        section aria-label=(it.scenario) {
            p.quiet {
                @if let Some(states) = it.states { (number(states, "state")) ", " }
                (plural(it.choices, "choice")) " of variants. Assumptions grow downwards: what holds in a row "
                "holds where more is assumed, unless that is weak fairness to each duty. A second "
                "variant may break what the first one mended."
            }
            (legend())
            @for needs in firsts { (question(it, needs)) }
            @if !it.open.is_empty() {
                section.panel {
                    h3 { "Undecided" }
                    ul.changes { @for open in &it.open { li { (chosen(&open.variants)) ": " (open.reason) } } }
                }
            }
            @if let Some(why) = &it.others { p { "Undecided with other variants: " (why) } }
            @if !it.indifferent.is_empty() {
                details {
                    summary { (plural(it.indifferent.len(), "value")) " without effect here" }
                    p.quiet { @for one in &it.indifferent { (chosen(one)) "; " } }
                }
            }
        }
    }
}

/// The questions with these needs, and the needs.
fn question(it: &Assumed, needs: &Needs) -> Markup {
    let alike: Vec<&Needs> = it.questions.iter().filter(|one| is_alike(one, needs)).collect();
    let lattice = NeedsLattice::of(needs, &tried(it), MOST_COLUMNS);
    let wanted = is_wanted(needs);
    html! {
        section.panel aria-label=(needs.name) {
            @for one in &alike { h3.needs { (one.name) } }
            @if needs.holds.is_empty() && needs.vacuous.is_empty() {
                p.cause {
                    @if !needs.open.is_empty() { "Undecided." }
                    @else if wanted { span.bad { "Never reached" } ", whatever is assumed." }
                    @else { span.bad { "Never holds" } ", whatever is assumed." }
                }
            } @else {
                div.scroll tabindex="0" role="region" aria-label=(format!("What {} needs", needs.name)) {
                    table.lattice {
                        thead {
                            tr {
                                th { "assumed" }
                                @for choice in &lattice.columns { th scope="col" { (chosen(choice)) } }
                            }
                        }
                        tbody {
                            @for row in &lattice.rows {
                                tr {
                                    th scope="row" { (premises(row)) }
                                    @for choice in &lattice.columns {
                                        @let cell = lattice.cell(row, choice);
                                        td class=(cell.class()) { (cell.text(wanted)) }
                                    }
                                }
                            }
                        }
                    }
                }
                (sentences(needs))
            }
        }
    }
}

/// The choices of one value each that were decided.
fn tried(it: &Assumed) -> Vec<Choice> {
    let one = |(name, value): (&String, &String)| Choice::from([(name.clone(), value.clone())]);
    let values = it.tried.iter().flat_map(|(name, values)| values.iter().map(move |it| (name, it)));
    let is_decided = |choice: &Choice| it.open.iter().all(|open| open.variants != *choice);
    let all = values.map(one).filter(is_decided).collect();
    if it.others.is_none() { all } else { Vec::new() }
}

/// Sentences about changes that are lost again, and sets that may not be minimal.
fn sentences(needs: &Needs) -> Markup {
    let lost = |set: &&Premise| !set.lost_with.is_empty();
    html! {
        @for set in needs.holds.iter().filter(lost) {
            @for more in &set.lost_with {
                p.quiet { "Enough with " (chosen(&set.variants)) ", but no more with " (chosen(more)) "." }
            }
        }
        @if needs.holds.iter().chain(&needs.vacuous).any(|set| !set.minimal) {
            p.quiet { "A smaller set may do: one is undecided." }
        }
    }
}

fn premises(premise: &Premise) -> String {
    match &premise.says[..] {
        [] => "nothing".to_owned(),
        says => says.join("; "),
    }
}

fn legend() -> Markup {
    html! {
        ul.legend.lattice-legend aria-label="Colours" {
            @for cell in LatticeCell::ALL { li { span class=(format!("sample {}", cell.class())) {} (cell.text(false)) } }
        }
    }
}

/// The waits of a scenario for each cure.
fn stuck(run: &StuckRun) -> Markup {
    html! {
        section aria-label=(run.scenario) {
            h2 { (run.scenario) }
            @if run.stuck.is_empty() { p { "Nothing here can need a cure." } }
            @for cure in &run.stuck {
                section.panel {
                    h3 { "Unless " (cure.says) }
                    @if cure.waits.is_empty() { p.good { "Nothing waits for ever." } }
                    @for wait in &cure.waits {
                        p.cause { span.bad { "violated: " } (wait.claim) }
                        @for line in &wait.chain { p { (line) "." } }
                        @if wait.chain.is_empty() { p { (wait.subject) } }
                        @if let Some(graph) = wait.wait_for.as_ref().filter(|it| it.nodes.len() > 1) {
                            (why::before_roots(graph))
                        }
                    }
                }
            }
        }
    }
}
