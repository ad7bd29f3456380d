//! The head of a run: what it shows, of which world, and how to make it again.

use deathwatch_documents::{Run, run::Origin};
use maud::{Markup, html};

use super::values;

/// Where a run is.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// On a page of its own.
    Alone,
    /// On a page with others, which has a title of its own.
    Among,
}

/// The head of a run, which may be the only one of its page. A run that decides one claim has the
/// claim for its title, any other its scenario.
pub(super) fn head(run: &Run, place: Place) -> Markup {
    let header = &run.header;
    let has_one = run.answers.len() == 1;
    html! {
        div.head {
            div {
                @if !has_one { (title(place, &header.scenario)) }
                @for answer in &run.answers {
                    p.verdict {
                        strong class=(if answer.answer == "violated" { "bad" } else { "good" }) {
                            (answer.answer)
                        }
                        @if answer.answer == answer.expected { " as expected" }
                        @else { ", and expected is: " (answer.expected) }
                    }
                    @if has_one { (title(place, &answer.claim)) } @else { h2 { (answer.claim) } }
                    @if let Some(diagnosis) = &answer.diagnosis {
                        p.why { (diagnosis) }
                    }
                    @if let Some(source) = &answer.source { p.quiet { (source) } }
                }
                p.shows { (header.shows) }
                @for failure in &run.failures { p.bad { (failure) } }
            }
            div {
                pre.command { "$ " (header.made_by) }
                dl {
                    @for (term, said) in facts(run) { dt { (term) } dd { (said) } }
                }
            }
        }
    }
}

/// The title of a run. A page has one heading of the first level.
pub(super) fn title(place: Place, said: &str) -> Markup {
    match place {
        Place::Alone => html! { h1 { (said) } },
        Place::Among => html! { h2 { (said) } },
    }
}

/// What there is to know about a run, each with its term.
pub(super) fn facts(run: &Run) -> Vec<(&'static str, String)> {
    let header = &run.header;
    let mut facts = Vec::new();
    match header.origin {
        Origin::Script => facts.push(("run", "the script of the scenario".to_owned())),
        Origin::Search => facts.push(("run", format!("the shortest: {} steps", run.steps.len()))),
        Origin::Seed { seed } => facts.push(("run", format!("of seed {seed}"))),
    }
    if let Some(counts) = header.counts {
        let (states, transitions) = (counts.states, counts.transitions);
        let said = format!("{states} states, {transitions} transitions, depth {}", counts.depth);
        facts.push(("searched", said));
    }
    let faults: Vec<String> =
        header.faults.iter().filter(|(_, fault)| fault.on).map(named).collect();
    facts.push(("may go wrong", list(&faults, "nothing")));
    let mut variants = Vec::new();
    for (name, setting) in &header.variants {
        variants.push(format!("{name} = {}", setting.value));
    }
    facts.push(("variants", list(&variants, "as the documents are written")));
    facts.push(("details", list(&header.details, "none")));
    let off = &header.switched_off;
    let told = |what: &str, clauses: &[String]| {
        (!clauses.is_empty()).then(|| format!("{what}{}", clauses.join(", ")))
    };
    let off: Vec<String> = [
        told("", &off.clauses),
        told("the asserts of ", &off.asserts),
        told("neglected: ", &off.neglected),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !off.is_empty() {
        facts.push(("switched off", off.join("; ")));
    }
    let missing = header.assumptions.values().filter(|it| !it.made).map(|it| it.says.clone());
    facts.push(("not assumed", list(&missing.collect::<Vec<_>>(), "nothing")));
    facts
}

/// A fault that may happen, and where.
fn named((name, fault): (&String, &deathwatch_documents::run::Fault)) -> String {
    match &fault.machines {
        Some(machines) => format!("{name} of {}", values::names(machines)),
        None => name.clone(),
    }
}

fn list(items: &[String], none: &str) -> String {
    if items.is_empty() { none.to_owned() } else { items.join("; ") }
}
