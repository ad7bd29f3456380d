//! What-if: the settings of the world that differ from the file, and those that could. A fix is one
//! link, and all else is a form.

use deathwatch_scenario::scenario::toggles::{Toggle, ToggleKind, parts};
use maud::{Markup, html};

use super::ExplorerPage;

pub(super) fn what_if(explored: &ExplorerPage<'_>) -> Markup {
    let links = explored.links;
    let set = links.set();
    let has_effect = |it: &(&Toggle, &'static str)| {
        explored.board.as_ref().is_some_and(|board| board.has(&it.0.name, it.1))
    };
    let (first, others): (Vec<_>, Vec<_>) = fixes(&explored.toggles).partition(has_effect);
    html! {
        section #what-if.panel aria-label="What if" {
            h2 { "What if" small { "the same run in another world, and its verdict" } }
            @if !set.is_empty() {
                p.chips {
                    "set: "
                    @for setting in set {
                        @let (name, value) = parts(setting);
                        strong { (name) " = " (value) } " "
                        a.chip href=(links.what_if(&without(set, setting))) { "as in the file" } " "
                    }
                }
            }
            @if let Some((line, why)) = &explored.parting {
                p #parts.bad role="status" {
                    "At step " (explored.run.steps.len() + 1) " the run parts from the one before: "
                    strong { (line) } " is not possible: " (why)
                }
            }
            @if let Some(verdict) = &explored.verdict { p #verdict role="status" { strong { (verdict) } } }
            @if !first.is_empty() { p { "fixes: " @for it in &first { (fix(explored, it)) } } }
            @if !others.is_empty() {
                details {
                    summary {
                        @match explored.board {
                            Some(_) => { (others.len()) " fixes of which the board has no column" },
                            None => { (others.len()) " fixes; the board of verdicts says which make a difference" },
                        }
                    }
                    p { @for it in &others { (fix(explored, it)) } }
                }
            }
            details {
                summary { "all variants, faults, assumptions and details" }
                form action="/what-if" method="get" aria-label="Settings of the world" {
                    @for (key, value) in links.fields() { input type="hidden" name=(key) value=(value); }
                    @if let Some(claim) = explored.claim { input type="hidden" name="claim" value=(claim); }
                    @for kind in ToggleKind::ALL {
                        @let of_kind = explored.toggles.iter().filter(|it| it.kind == kind);
                        @if of_kind.clone().next().is_some() {
                            h3 { (title(kind)) }
                            div.toggles { @for toggle in of_kind { (select(toggle, set)) } }
                        }
                    }
                    button type="submit" { "do the run again" }
                }
            }
        }
    }
}

fn fix(explored: &ExplorerPage<'_>, (toggle, fix): &(&Toggle, &'static str)) -> Markup {
    let links = explored.links;
    html! {
        a.chip href=(links.what_if(&with(links.set(), &toggle.name, fix))) title=(meaning(toggle, fix)) {
            (toggle.name) " = " (fix)
        } " "
    }
}

/// The fixes that are not made.
fn fixes(toggles: &[Toggle]) -> impl Iterator<Item = (&Toggle, &'static str)> {
    toggles.iter().flat_map(|toggle| {
        let fixes = toggle.fixes.iter().copied();
        fixes.filter(|fix| *fix != toggle.value).map(move |fix| (toggle, fix))
    })
}

fn meaning(toggle: &Toggle, value: &str) -> &'static str {
    let found = toggle.values.iter().find(|(known, _)| *known == value);
    found.map_or(toggle.about, |(_, means)| if means.is_empty() { toggle.about } else { means })
}

pub(super) fn with(set: &[String], name: &str, value: &str) -> Vec<String> {
    let others = set.iter().filter(|setting| parts(setting).0 != name);
    others.cloned().chain([format!("{name}:{value}")]).collect()
}

/// The settings without one.
fn without(set: &[String], setting: &str) -> Vec<String> {
    set.iter().filter(|it| *it != setting).cloned().collect()
}

fn title(kind: ToggleKind) -> &'static str {
    match kind {
        ToggleKind::Variant => "Variants",
        ToggleKind::Fault => "Faults",
        ToggleKind::Assumption => "Assumptions",
        ToggleKind::Detail => "Details",
        ToggleKind::Rule => "Rules of its own",
    }
}

/// The values of a toggle. The value that it has says nothing, unless it was set.
fn select(toggle: &Toggle, set: &[String]) -> Markup {
    let is_set = set.iter().any(|setting| parts(setting).0 == toggle.name);
    html! {
        label title=(toggle.about) {
            span { (toggle.name) }
            select name="with" {
                @for (value, means) in &toggle.values {
                    @let is_here = *value == toggle.value;
                    @let said = format!("{}:{value}", toggle.name);
                    option value=(if is_here && !is_set { "" } else { said.as_str() })
                        selected[is_here] title=[(!means.is_empty()).then_some(means)] { (value) }
                }
            }
        }
    }
}
