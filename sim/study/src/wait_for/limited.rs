//! The part of a diagnosis that is shown: a large one has the same bounds as a small one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use deathwatch_claims::{
    Diagnosis,
    diagnosis::{Edge, EntityNode, Reason, Role, Root},
};
use deathwatch_model::{ids::EntityId, life::Life};

/// The number of edges that are listed first for one reason, and then of those that lead to other
/// shapes.
const FIRST: usize = 3;
/// The number of edges among which those that lead to something unlike the first are looked for.
const EXAMINED: usize = 100;

/// The listed nodes, from the subject on, each with its listed edges and the number of the others
/// for each reason.
pub(super) struct Limited {
    pub(super) nodes: Vec<(EntityId, Vec<Edge>, BTreeMap<Reason, u64>)>,
}

/// The shape of a node: its condition without names and numbers.
type NodeShape = (Option<Life>, Vec<Reason>);

impl Limited {
    /// The part of `diagnosis` around `subject`, with a way to each of `roots`.
    pub(super) fn of(diagnosis: &Diagnosis, subject: EntityId, roots: &[Root]) -> Self {
        let ways = ways(diagnosis, subject, roots);
        let mut nodes = Vec::new();
        let mut waiting = VecDeque::from([subject]);
        let mut met = BTreeSet::from([subject]);
        while let Some(entity) = waiting.pop_front() {
            let (edges, left_out) = selected_edges(diagnosis, entity, &ways);
            for to in edges.iter().filter(|edge| edge.reason.role() == Role::Waits) {
                waiting.extend(to.to.filter(|to| met.insert(*to)));
            }
            nodes.push((entity, edges, left_out));
        }
        Self { nodes }
    }
}

/// The edges of `entity` that are shown, and the number of the others.
fn selected_edges(
    diagnosis: &Diagnosis,
    entity: EntityId,
    ways: &BTreeSet<(EntityId, EntityId)>,
) -> (Vec<Edge>, BTreeMap<Reason, u64>) {
    let (mut told, mut left_out) = (Vec::new(), BTreeMap::new());
    let node = diagnosis.node(entity);
    for edges in node.edges.chunk_by(|one, other| one.reason == other.reason) {
        let (mut known, mut unlike) = (BTreeSet::new(), 0);
        for (index, edge) in edges.iter().enumerate() {
            let is_waiting = edge.reason.role() == Role::Waits;
            let is_on_way = edge.to.is_some_and(|to| ways.contains(&(entity, to)));
            let target = edge.to.filter(|_| is_waiting && index < EXAMINED);
            let is_news = target.is_some_and(|to| known.insert(shape(diagnosis.node(to))));
            let is_unlike = index >= FIRST && is_news && unlike < FIRST;
            unlike += usize::from(is_unlike);
            if index < FIRST || is_unlike || is_waiting && is_on_way {
                told.push(*edge);
            } else {
                *left_out.entry(edge.reason).or_default() += 1;
            }
        }
    }
    (told, left_out)
}

fn shape(node: &EntityNode) -> NodeShape {
    let mut reasons: Vec<Reason> = node.edges.iter().map(|edge| edge.reason).collect();
    reasons.dedup();
    (node.condition.life(), reasons)
}

/// The edges on a shortest way from `subject` to the first entity of each root.
fn ways(
    diagnosis: &Diagnosis,
    subject: EntityId,
    roots: &[Root],
) -> BTreeSet<(EntityId, EntityId)> {
    let mut before = BTreeMap::from([(subject, subject)]);
    let mut waiting = VecDeque::from([subject]);
    while let Some(entity) = waiting.pop_front() {
        for to in diagnosis.node(entity).waits_for() {
            before.entry(to).or_insert_with(|| {
                waiting.push_back(to);
                entity
            });
        }
    }
    let mut ways = BTreeSet::new();
    for root in roots {
        let Some(mut at) = root.entities.first().copied() else { continue };
        while at != subject {
            let from = before[&at];
            ways.insert((from, at));
            at = from;
        }
    }
    ways
}
