//! Diagnoses as text: the roots first, then who waits for whom.
//!
//! Entities of which the same is to be said share a sentence, so none is said twice.

use deathwatch_claims::diagnosis::{Role, RootKind};

use super::{Because, NamedRoot, WaitFor, Waiting};

/// The number of entities of a root that a sentence names.
const FIRST: usize = 3;

impl WaitFor {
    /// The sentences, without full stops: one for each root, then the chain from the subject on.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences: Vec<String> = self.roots.iter().map(root).collect();
        let mut alike: Vec<(String, Vec<&str>)> = Vec::new();
        for node in &self.nodes {
            let (kind, _) = parts(&node.entity);
            let says = self.says(node);
            match alike.iter_mut().find(|(it, of)| *it == says && parts(of[0]).0 == kind) {
                Some((_, of)) => of.push(&node.entity),
                None => alike.push((says, vec![&node.entity])),
            }
        }
        sentences.extend(alike.into_iter().map(|(says, of)| {
            let is = if of.len() == 1 { "is" } else { "are" };
            format!("{} {is} {says}", names(&of, 0))
        }));
        sentences
    }

    pub fn paragraph(&self) -> String {
        self.sentences().join("; ")
    }

    /// The words for a node, after "is".
    fn says(&self, node: &Waiting) -> String {
        let edges: Vec<&Because> = self.edges.iter().filter(|it| it.from == node.entity).collect();
        let mut parts = vec![node.condition.clone()];
        let mut waits = Vec::new();
        for edges in edges.chunk_by(|one, other| one.reason == other.reason) {
            let to: Vec<&str> = edges.iter().filter_map(|edge| edge.to.as_deref()).collect();
            let more = node.left_out.get(edges[0].reason.row().id).copied().unwrap_or_default();
            let row = edges[0].reason.row();
            // The roots have said the causes.
            let Some(said) = row.named.map(|it| it.replace("{}", &names(&to, more))) else {
                continue;
            };
            if row.role == Role::Waits { waits.push(said) } else { parts.push(said) }
        }
        if !waits.is_empty() {
            parts.push(format!("and waits for {}", waits.join(" and for ")));
        }
        parts.join(", ")
    }
}

fn root(root: &NamedRoot) -> String {
    let first: Vec<&str> = root.entities.iter().take(FIRST).map(String::as_str).collect();
    let names = names(&first, root.count.saturating_sub(first.len() as u64));
    let is_one = root.count == 1 || matches!(root.kind, RootKind::Cycle(_));
    let each = if is_one { "" } else { ", each" };
    let since = root.since.filter(|since| *since > 0);
    let since = since.map(|since| format!(" since step {since}")).unwrap_or_default();
    format!("held by {names}{since}{each}: {} ({})", root.text, root.passage)
}

/// Names in a row, as in "units wordpress/0, wordpress/1 and 7 more".
fn names(of: &[&str], more: u64) -> String {
    let mut texts: Vec<String> = Vec::new();
    for of_kind in of.chunk_by(|one, other| parts(one).0 == parts(other).0) {
        let (kind, first) = parts(of_kind[0]);
        let is_last = texts.len() + of_kind.len() == of.len();
        let plural = if of_kind.len() == 1 && !(is_last && more > 0) { "" } else { "s" };
        texts.push(format!("{kind}{plural} {first}"));
        texts.extend(of_kind[1..].iter().map(|it| parts(it).1.to_owned()));
    }
    if more > 0 {
        texts.push(format!("{more} more"));
    }
    match texts.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The kind of an entity and its own name.
fn parts(entity: &str) -> (&str, &str) {
    entity.split_once(' ').unwrap_or(("", entity))
}
