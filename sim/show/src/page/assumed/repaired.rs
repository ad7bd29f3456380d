//! Repairs of scenarios: each one, its costs elsewhere, and the changes that were tried.

use deathwatch_documents::assumed::{Amendment, ClaimOf, Elsewhere, Repair, Repaired};
use maud::{Markup, html};

use crate::text::plural;

/// The repairs.
pub(super) fn repaired(it: &Repaired) -> Markup {
    let tried = &it.tried;
    html! {
        @if it.scenarios.len() > 1 {
            details { summary { (it.scenarios.len()) " scenarios" } ul.changes { @for name in &it.scenarios { li { (name) } } } }
        }
        p.cause { (plural(it.claims, "claim")) ", " span class=[(!it.violated.is_empty()).then_some("bad")] { (it.violated.len()) " violated as it is" } }
        (claims("violated", &it.violated))
        @if !it.except.is_empty() { p.quiet { "Not asked: " (it.except.join("; ")) } }
        h2 { (heading(it)) }
        @for repair in it.repairs.iter().filter(|it| !it.changes.is_empty()) { (one(it, repair)) }
        @if !it.vacuous.is_empty() {
            h2 { "No claim is violated, and more are vacuous, with" }
            @for set in &it.vacuous {
                section.panel { h3 { (changes(&set.changes)) } (claims("makes vacuous", &set.claims)) }
            }
        }
        @if !it.open.is_empty() {
            h2 { "Undecided" }
            ul.changes { @for set in &it.open { li { (changes(&set.changes)) ": " (set.reason) } } }
        }
        p {
            (plural(tried.sets, "set")) " of up to " (plural(tried.most, "change")) ": "
            (tried.filtered) " refuted by a run that was found before, " (tried.impossible)
            " not possible, " (tried.searched) " searched."
            @if let Some(why) = &tried.others { " Larger sets were not tried: " (why) "." }
        }
        details {
            summary { "what was tried" }
            ul.changes {
                @for (name, values) in &it.variants { li { (name) " = " (values.join(", ")) } }
                @for switch in &it.switched_on { li { (switch) } }
            }
        }
    }
}

fn heading(it: &Repaired) -> &'static str {
    match &it.repairs[..] {
        [] if it.decided => "With no set of these changes every claim holds",
        [] => "With no set that was decided every claim holds",
        [only] if only.changes.is_empty() => "Every claim holds as it is",
        _ => "Every claim holds with",
    }
}

fn one(it: &Repaired, repair: &Repair) -> Markup {
    html! {
        section.panel {
            h3.good { (changes(&repair.changes)) }
            @if !repair.minimal { p.quiet { "A smaller set may do: one is undecided." } }
            @if let (Some(cost), Some(others)) = (&repair.elsewhere, &it.elsewhere) {
                p.quiet { "Changes " (cost.changed) " of the other " (others.scenarios) " scenarios in " (others.folder) "." }
                (costs(cost))
            }
        }
    }
}

fn costs(cost: &Elsewhere) -> Markup {
    let is_free = cost.breaks.is_empty() && cost.vacuous.is_empty() && cost.impossible.is_empty();
    html! {
        @if is_free && cost.changed > 0 { p.good { "It breaks no claim there." } }
        (claims("breaks", &cost.breaks))
        (claims("makes vacuous", &cost.vacuous))
        @for (what, names) in [("not possible with it", &cost.impossible), ("undecided", &cost.open)] {
            @if !names.is_empty() {
                details { summary { (names.len()) " " (what) } ul.changes { @for name in names { li { (name) } } } }
            }
        }
        @if !cost.mends.is_empty() {
            details { summary { "mends " (plural(cost.mends.len(), "violated claim")) } (claims("mends", &cost.mends)) }
        }
    }
}

fn claims(verb: &str, all: &[ClaimOf]) -> Markup {
    html! {
        @if !all.is_empty() {
            ul.changes {
                @for it in all { li { span.quiet { (verb) ": " } (it.claim) " " span.quiet { "of " (it.scenario) } } }
            }
        }
    }
}

fn changes(set: &[Amendment]) -> String {
    set.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
