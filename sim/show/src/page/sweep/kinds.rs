//! Kinds of failures, each with its cause and the command that shows it.

use deathwatch_documents::{
    Run, Sweep,
    sweep::{FailureGroup, ShrunkRun},
};
use deathwatch_scenario::listed::quoted;
use maud::{Markup, html};

use super::{counted, group_id, number_of, run_id};
use crate::page::{
    check::{sketch, world_at_the_end},
    lanes::Lanes,
    run::slice,
    why,
};

/// The greatest number of steps of a run that is shown.
const MOST_STEPS: usize = 200;

/// The kinds of failures, those that are not expected first.
pub(super) fn kinds(swept: &Sweep, number: usize) -> Markup {
    html! {
        section.panel aria-label="What goes wrong" {
            h2 { "What goes wrong" small { "by what it comes from: who holds everybody else up" } }
            @for (at, group) in swept.groups.iter().enumerate() {
                (kind(swept.seeds, group, (number, at)))
            }
        }
    }
}

fn kind(seeds: u64, group: &FailureGroup, (number, at): (usize, usize)) -> Markup {
    html! {
        article.kind id=(group_id(number, at)) {
            div.share {
                strong { (counted(group.seeds)) }
                " " (if group.seeds == 1 { "seed" } else { "seeds" })
                meter max=(seeds) value=(group.seeds) { (group.seeds) " of " (seeds) }
            }
            div {
                h3 { (group.text.as_ref().unwrap_or(&group.kind)) }
                p {
                    code { (group.kind) }
                    @if !group.expected { " " span.badge.bad { "not expected" } }
                    @if let Some(passage) = &group.passage { " " span.quiet { (passage) } }
                }
                p {
                    "violates "
                    @for (at, claim) in group.claims.iter().enumerate() {
                        @if at > 0 { ", " }
                        (quoted(&claim.name)) span.quiet { " (" (counted(claim.seeds)) ")" }
                    }
                }
                @if group.text.is_some() { p.quiet { (alone(group)) } }
                @if let Some(rule) = &group.rule { p.quiet { "by a step of " (rule) } }
            }
            div { (examples(group)) }
            @if let Some(run) = &group.shrunk { (shrunk(run)) }
            @if let Some(run) = &group.run { (clearest(run, group, &run_id(number, at))) }
            @if let Some(graph) = &group.clearest_wait_for {
                details.wide {
                    summary { "who waits for whom in seed " (group.clearest_seed) }
                    (why::chain(graph))
                }
            }
        }
    }
}

/// The number of seeds in which there is no other cause.
fn alone(group: &FailureGroup) -> String {
    match group.alone {
        0 => "always beside another cause".to_owned(),
        alone if alone == group.seeds => "never beside another cause".to_owned(),
        alone => format!("{} without another cause", number_of(alone, "seed")),
    }
}

/// The smallest seed and the clearest one, with the commands that show them.
fn examples(group: &FailureGroup) -> Markup {
    let is_one = group.first_seed == group.clearest_seed;
    html! {
        p {
            (if is_one { "smallest and clearest: " } else { "clearest: " })
            "seed " (group.clearest_seed) ", " (number_of(group.clearest_steps, "step"))
        }
        pre.command { "$ " (group.replay_clearest) "\n$ " (group.shrink_clearest) }
        @if !is_one {
            p { "smallest: seed " (group.first_seed) ", " (number_of(group.steps, "step")) }
            pre.command { "$ " (group.replay) "\n$ " (group.shrink) }
        }
    }
}

/// The run of the clearest seed. A link that leads to it unfolds it.
fn clearest(run: &Run, group: &FailureGroup, id: &str) -> Markup {
    html! {
        details.wide {
            summary { "the run of seed " (group.clearest_seed) " and the world at its end" }
            div id=(id) {
                @if let Some(whole) = run.whole { (slice(run, whole)) }
                @if run.steps.len() <= MOST_STEPS { (sketch(run)) (Lanes::of(run).owed()) }
                (world_at_the_end(run, "The world"))
            }
        }
    }
}

/// The shortest run, and the scenario that shows it.
fn shrunk(run: &ShrunkRun) -> Markup {
    html! {
        div.wide {
            p {
                "shortest run: " (number_of(run.steps.len() as u64, "step")) ", left of the "
                (counted(run.from_steps as u64)) " of seed " (run.seed) ", for " (run.subject)
                @if !run.minimal { " (cut short: it may not be the shortest)" }
            }
            ol { @for step in &run.steps { li { code { (step) } } } }
            details {
                summary { "as a scenario" }
                pre.command { (run.text) }
            }
        }
    }
}
