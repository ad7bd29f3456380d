//! Holders: each with the entities that wait for it as a tree, and the same drawn over the present
//! world.

use deathwatch_documents::{
    diagnosis::{Case, FreeingRun, Holder, WaitsFor},
    run::Tier,
};
use maud::{Markup, html};

use crate::page::{
    shown::Shown,
    world::{self, CountedOthers, Others},
};

/// The panel of a case: the holder of everything else, and below it the entities that wait for it.
pub(super) fn panel(case: &Case, answer: &Markup) -> Markup {
    html! {
        section.panel aria-label="Who holds what" {
            h2 { "Who holds what" small { "a holder, and below it what waits for it" } }
            (tree(&case.holders))
            (answer)
        }
    }
}

fn tree(holders: &[Holder]) -> Markup {
    html! {
        ul.tree {
            @for holder in holders {
                li {
                    strong { (holder.name) } " " (holder.says)
                    @if !holder.since.is_empty() { " " span.quiet { "since " (holder.since) } }
                    @if !holder.waiting.is_empty() { (tree(&holder.waiting)) }
                }
            }
        }
    }
}

/// The panel of the present world, with arrows from each entity to the one that it waits for.
pub(super) fn world(case: &Case, run: &FreeingRun) -> Markup {
    html! {
        section.panel aria-label="Who waits for whom" {
            h2 { "Who waits for whom" small { "the model as it is; an arrow leads to what is waited for" } }
            (arrow())
            (world::world(&Shown::of(&run.run), 0, &Waits { case }))
        }
    }
}

fn arrow() -> Markup {
    html! {
        svg.defs width="0" height="0" aria-hidden="true" {
            defs {
                marker #arrow viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5"
                    orient="auto" { path d="M0 0L8 4L0 8z" {} }
            }
        }
    }
}

/// Cards for an operator, without the fields that matter to agents alone.
pub(super) struct OperatorCards;

/// The fields that matter to agents alone.
const OF_AGENTS: [&str; 5] = ["settings", "leftovers", "cleanup", "directory", "units-cleanup"];

impl Others for OperatorCards {
    fn more(&self, tier: Tier, others: &[(&str, &str)]) -> Markup {
        CountedOthers.more(tier, others)
    }

    fn card(&self, _: Tier, _: &str) -> Markup {
        html! {}
    }

    fn tells(&self, field: &str) -> bool {
        !OF_AGENTS.contains(&field)
    }
}

/// The notes on entities in the graph of waits.
struct Waits<'a> {
    case: &'a Case,
}

impl Waits<'_> {
    fn is_holder(&self, name: &str) -> bool {
        self.case.holders.iter().any(|it| it.name == name)
    }

    fn of(&self, name: &str) -> Vec<&WaitsFor> {
        self.case.waits.iter().filter(|it| it.thing == name).collect()
    }
}

impl Others for Waits<'_> {
    fn more(&self, tier: Tier, others: &[(&str, &str)]) -> Markup {
        OperatorCards.more(tier, others)
    }

    fn card(&self, tier: Tier, name: &str) -> Markup {
        OperatorCards.card(tier, name)
    }

    fn tells(&self, field: &str) -> bool {
        OperatorCards.tells(field)
    }

    fn class(&self, tier: Tier, name: &str) -> Option<&'static str> {
        self.is_holder(&diagnosis_name(tier, name)).then_some("root")
    }

    fn fact(&self, tier: Tier, name: &str) -> Markup {
        let name = diagnosis_name(tier, name);
        let why = self.case.holders.iter().find(|it| it.name == name);
        html! {
            @if let Some(holder) = why { p.fact.bad { (holder.says) } }
            @for waits in self.of(&name) { p.fact { "waits for " (waits.other) } }
        }
    }

    fn waits(&self, (tier, name): (Tier, &str), (other_tier, other): (Tier, &str)) -> bool {
        let other = diagnosis_name(other_tier, other);
        self.of(&diagnosis_name(tier, name)).iter().any(|it| it.other == other)
    }
}

/// The name of an entity, as a diagnosis has it.
fn diagnosis_name(tier: Tier, name: &str) -> String {
    format!("{} {name}", tier.word())
}
