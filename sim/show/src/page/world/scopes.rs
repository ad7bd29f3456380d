//! Scopes: the units in the scope of a relation, and their agents' knowledge of that.

use deathwatch_documents::run::{Tier, Value};
use deathwatch_model::agents::KNOWN_BY;
use maud::{Markup, html};

use super::ShownState;
use crate::page::values;

/// The kind of rows of a scope's members.
const SCOPE: &str = "scope";

/// The greatest number of units that are listed one by one.
const TOLD: usize = 12;

/// A unit in a relation, and the facts about the two.
pub(super) struct UnitInRelation<'a> {
    pub(super) unit: &'a str,
    pub(super) is_in: bool,
    /// Whether the last step let the unit enter or leave the scope.
    pub(super) is_changed: bool,
    /// Whether its agent knows that it is in the relation, on its disk or still in memory.
    is_known: bool,
    /// The facts of its agent's disk and memory about it, and whether each has just changed.
    facts: Vec<(bool, String)>,
}

impl UnitInRelation<'_> {
    /// Whether the unit is in scope and its agent does not know it.
    pub(super) fn is_unknown(&self, view: &ShownState<'_>) -> bool {
        self.is_in && !self.is_known && view.run.header.directories
    }
}

/// The scope of a relation; nothing for others.
pub(super) fn scopes(view: &ShownState<'_>, of: Tier, name: &str) -> Markup {
    if of != Tier::Relation {
        return html! {};
    }
    let mut pairs = pairs(view, name);
    let all = pairs.len();
    // What has just changed comes first, then what holds somebody.
    pairs.sort_by_key(|pair| {
        let is_changed = pair.is_changed || pair.facts.iter().any(|(changed, _)| *changed);
        (!is_changed, !pair.is_unknown(view))
    });
    let others = pairs.split_off(pairs.len().min(TOLD));
    let more_in_scope = others.iter().filter(|pair| pair.is_in).count();
    html! {
        @for pair in &pairs { (line(view, pair)) }
        @if !others.is_empty() {
            p.scope.quiet {
                (others.len()) " more of " (all) " units, " (more_in_scope) " of these in scope"
            }
        }
    }
}

fn line(view: &ShownState<'_>, pair: &UnitInRelation<'_>) -> Markup {
    html! {
        p.scope {
            strong { (pair.unit) } " "
            @let said = if pair.is_in { "in scope" } else { "not in scope" };
            @if pair.is_changed { mark { (said) } } @else { (said) }
            @if pair.is_unknown(view) {
                ", and its agent has nothing about it on its disk"
            }
            @for (is_changed, fact) in &pair.facts {
                ", " @if *is_changed { mark { (fact) } } @else { (fact) }
            }
        }
    }
}

/// The units of which there is anything to say.
pub(super) fn pairs<'a>(view: &ShownState<'a>, relation: &str) -> Vec<UnitInRelation<'a>> {
    let scopes = view.run.moment(view.state).and_then(|moment| moment.rows.get(SCOPE));
    let pairs = scopes.into_iter().flatten().filter_map(|(name, row)| {
        let mut entities = view.run.kinds[SCOPE].entities(name);
        let (_, unit) = entities.next()?;
        entities.find(|it| *it == (Tier::Relation, relation))?;
        let is_in = row.get("in-scope") == Some(&Some(Value::Flag(true)));
        let is_changed = view.is_changed(SCOPE, name, "in-scope");
        let (is_known, facts) = (is_known(view, name), about_pair(view, name));
        let is_told = is_in || is_changed || !facts.is_empty();
        is_told.then_some(UnitInRelation { unit, is_in, is_changed, is_known, facts })
    });
    pairs.collect()
}

/// Whether the agent knows of a pair, by the fields that the protocol asks.
fn is_known(view: &ShownState<'_>, pair_name: &str) -> bool {
    let is_true = Some(Some(Value::Flag(true)));
    let mut rows = view.rows().values().filter_map(|rows| rows.get(pair_name));
    rows.any(|row| KNOWN_BY.iter().any(|field| row.get(*field) == is_true.as_ref()))
}

/// The facts of agents' disks and memories about a unit in a relation.
fn about_pair(view: &ShownState<'_>, pair_name: &str) -> Vec<(bool, String)> {
    let mut facts = Vec::new();
    for (kind, rows) in view.rows() {
        let Some(row) = rows.get(pair_name).filter(|_| kind != SCOPE) else { continue };
        for (field, value) in row.iter().filter(|(field, _)| view.others.tells(field)) {
            let is_changed = view.is_changed(kind, pair_name, field);
            if is_changed || !values::is_plain(value.as_ref()) {
                facts.push((is_changed, values::fact(field, value.as_ref())));
            }
        }
    }
    facts
}
