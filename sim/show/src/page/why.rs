//! Graphs of waits: from the subject to the roots, a column for each distance.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::explained::explained;
use deathwatch_claims::diagnosis::Role;
use deathwatch_documents::wait_for::{Because, NamedRoot, WaitFor, Waiting};

/// The graph of the waits of an entity.
pub(super) fn why(graph: &WaitFor) -> Markup {
    html! {
        section.panel aria-label="Why" {
            h2 { "Why" small { "who waits for whom at the end, and what everything comes from" } }
            (chain(graph))
        }
    }
}

/// The graph of waits, from left to right.
pub(super) fn chain(graph: &WaitFor) -> Markup {
    html! {
        div.chain {
            (nodes(graph, false))
            div.layer { @for root in &graph.roots { (root_card(root)) } }
        }
    }
}

/// The same where the roots have been told: they are marked.
pub(super) fn before_roots(graph: &WaitFor) -> Markup {
    html! { div.chain aria-label="Who waits for whom" role="group" { (nodes(graph, true)) } }
}

fn nodes(graph: &WaitFor, are_roots_told: bool) -> Markup {
    html! {
        @for layer in layers(graph) {
            div.layer { @for node in layer { (card(graph, node, are_roots_told)) } }
        }
    }
}

/// The nodes by their distance from the subject.
fn layers(graph: &WaitFor) -> Vec<Vec<&Waiting>> {
    let mut seen = BTreeSet::from([graph.subject.as_str()]);
    let mut layers = Vec::new();
    let mut names = vec![graph.subject.as_str()];
    while !names.is_empty() {
        let node = |name: &&str| graph.nodes.iter().find(|node| node.entity == *name);
        layers.push(names.iter().filter_map(node).collect());
        let from = graph.edges.iter().filter(|edge| names.contains(&edge.from.as_str()));
        let to = from.filter_map(|edge| edge.to.as_deref());
        let is_node = |name: &&str| graph.nodes.iter().any(|node| node.entity == *name);
        names = to.filter(is_node).filter(|name| seen.insert(name)).collect();
    }
    layers
}

fn card(graph: &WaitFor, node: &Waiting, are_roots_told: bool) -> Markup {
    let is_told = |edge: &&Because| !(are_roots_told && edge.role == Role::Cause);
    let edges = graph.edges.iter().filter(|edge| edge.from == node.entity).filter(is_told);
    let is_root = graph.roots.iter().any(|root| root.entities.contains(&node.entity));
    html! {
        div.card.root[are_roots_told && is_root] {
            p.name { strong { (node.entity) } br; span.quiet { (explained(&node.condition)) } }
            @for edge in edges {
                p.fact {
                    (explained(&edge.text))
                    @if let Some(to) = &edge.to { " → " (to) }
                    " " span.quiet { (explained(&edge.passage)) }
                }
            }
            @let left_out = node.left_out.values().sum::<u64>();
            @if left_out > 0 { p.quiet { "and " (left_out) " more" } }
        }
    }
}

fn root_card(root: &NamedRoot) -> Markup {
    let others = root.count.saturating_sub(root.entities.len() as u64);
    html! {
        div.card.root {
            p { span.badge.bad { "root" } " " strong { (root.entities.join(", ")) } }
            p.bad { (explained(&root.text)) }
            @if others > 0 { p.quiet { "and of " (others) " more" } }
            p.quiet { (explained(&root.passage)) }
        }
    }
}
