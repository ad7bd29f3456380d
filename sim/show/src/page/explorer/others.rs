//! Entities that have no card, as most of a large world: counted by life, and listed on demand, a
//! part at a time. Each has a link that unfolds it.

use deathwatch_documents::run::Tier;
use deathwatch_model::life::Life;
use maud::{Markup, html};

use super::{Links, links::room};
use crate::page::world::{Others, mark};

/// A list with no more entries than this is shown without being asked for.
const SHORT: usize = 24;
/// The greatest number of entries of a list that are shown at once.
const PART: usize = 100;

/// The entities without a card, and the links that fold cards.
pub(super) struct Folded<'a> {
    pub(super) links: &'a dyn Links,
}

impl Others for Folded<'_> {
    fn more(&self, tier: Tier, others: &[(&str, &str)]) -> Markup {
        let listed = self.links.listed().filter(|(list, _)| *list == tier.word());
        let from = match listed {
            None if others.len() > SHORT => return self.counted(tier, others),
            None => 0,
            Some((_, from)) => from.min(others.len().saturating_sub(1)),
        };
        let part = room(self.links, others.len().min(PART));
        let to = (from + part).min(others.len());
        html! {
            details.others open id=(format!("list-{}", tier.word())) {
                summary.quiet { (counted_by_life(tier, others)) }
                ul.chips aria-label=(format!("{}s without a card", tier.word())) {
                    @for (name, life) in &others[from..to] {
                        li {
                            a.chip href=(self.links.open(&named(tier, name))) {
                                (mark(life)) " " (name) " " span.quiet { (life) }
                            }
                        }
                    }
                }
                @if listed.is_some() { (around(self.links, tier.word(), from..to, others.len())) }
            }
        }
    }

    fn card(&self, tier: Tier, name: &str) -> Markup {
        let entity = named(tier, name);
        html! {
            @if self.links.opened().contains(&entity) {
                " " a.fold href=(self.links.close(&entity)) aria-label=(format!("fold {entity}")) {
                    "fold"
                }
            }
        }
    }
}

impl Folded<'_> {
    fn counted(&self, tier: Tier, others: &[(&str, &str)]) -> Markup {
        html! {
            p.others.quiet {
                (counted_by_life(tier, others)) ": "
                a href=(self.links.list(Some(tier.word()), 0)) { "list these " (tier.word()) "s" }
            }
        }
    }
}

/// The way to the parts of a list before and after `shown`, and back to no list.
pub(super) fn around(
    links: &dyn Links,
    list: &str,
    shown: std::ops::Range<usize>,
    all: usize,
) -> Markup {
    let part = shown.len().max(1);
    html! {
        p.quiet {
            (shown.start + 1) " to " (shown.end) " of " (all) ": "
            @if shown.start > 0 {
                a href=(links.list(Some(list), shown.start.saturating_sub(part))) { "before" } " "
            }
            @if shown.end < all {
                a href=(links.list(Some(list), shown.end)) { "more" } " "
            }
            a href=(links.list(None, 0)) { "fold the list" }
        }
    }
}

fn counted_by_life(tier: Tier, others: &[(&str, &str)]) -> String {
    let lives = Life::WORDS.map(|life| {
        let count = others.iter().filter(|(_, is)| *is == life).count();
        (count > 0).then(|| format!("{count} {life}"))
    });
    let lives: Vec<String> = lives.into_iter().flatten().collect();
    let (count, what) = (others.len(), tier.word());
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} more {what}{plural}, {}", lives.join(", "))
}

/// An entity as an address names it.
pub(super) fn named(tier: Tier, name: &str) -> String {
    format!("{} {name}", tier.word())
}
