//! The roots of a diagnosis: causes, cycles, and entities that wait for nothing.
//!
//! A cause leads to nothing else. Entities that wait for each other, and for no entity outside, are
//! a cycle: a strongly connected component without outgoing edges. An entity that waits for nothing
//! and has no cause is a root, too: the actor that has to act next can. So every diagnosis of an
//! entity has a root. The kind of a root names no entity, so failures of many runs can be grouped
//! by it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use deathwatch_model::{clause::Clause, ids::EntityId, life::Life, variants::VariantInfo};
use petgraph::{
    algo::tarjan_scc,
    graph::{DiGraph, NodeIndex},
};

use super::{Diagnosis, EntityCondition, EntityNode, Reason, Reasons, Role};

/// A root: a kind, and its entities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    pub kind: RootKind,
    /// The entities, in their order.
    pub entities: Vec<EntityId>,
    /// The number of steps of the run after which it was there, if the run is known.
    pub since: Option<usize>,
}

/// The kind of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    Cause(Reason),
    /// Each waits for another one of them, for these reasons.
    Cycle(Reasons),
    /// Nothing is in the way: the actor that has to act next can.
    CanAct,
    /// The actor that has to act next could, and is kept busy by the steps of a loop.
    KeptBusy,
    /// The actor that has to act next neglects this duty.
    Neglected(Clause),
    /// This clause would be next, and is switched off.
    SwitchedOff(Clause),
    /// An actor could act, if this rule of the scenario's own allowed it.
    NotAllowed(Clause),
    /// An actor could act, but is not assumed to.
    NotAssumed,
    /// With the value that this variant has, no actor has a duty towards it.
    Variant(&'static str),
    /// No actor has a duty towards it.
    NoDuty,
    /// The machine, application or relation is Alive, and nobody has destroyed it.
    StillAlive,
    /// The entity does not exist any more.
    Gone,
}

impl fmt::Display for RootKind {
    /// Its name in documents, such as "no-machine" and "cycle(assigned+deployer)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cause(reason) => f.write_str(reason.row().id),
            Self::Cycle(reasons) => {
                let reasons: Vec<&str> = reasons.iter().map(|reason| reason.row().id).collect();
                write!(f, "cycle({})", reasons.join("+"))
            }
            Self::CanAct => f.write_str("can-act"),
            Self::KeptBusy => f.write_str("kept-busy"),
            Self::Neglected(clause) => write!(f, "neglected({clause})"),
            Self::SwitchedOff(clause) => write!(f, "switched-off({clause})"),
            Self::NotAllowed(rule) => write!(f, "not-allowed({rule})"),
            Self::NotAssumed => f.write_str("not-assumed"),
            Self::Variant(name) => write!(f, "no-duty({name})"),
            Self::NoDuty => f.write_str("no-duty"),
            Self::StillAlive => f.write_str("still-alive"),
            Self::Gone => f.write_str("gone"),
        }
    }
}

impl RootKind {
    /// The kind called `name`.
    pub fn named(name: &str) -> Option<Self> {
        let within = |kind: &str| {
            let rest = name.strip_prefix(kind)?;
            rest.strip_prefix('(')?.strip_suffix(')')
        };
        if let Some(clause) = within("neglected") {
            return Clause::named(clause).map(Self::Neglected);
        }
        if let Some(clause) = within("switched-off") {
            return Clause::named(clause).map(Self::SwitchedOff);
        }
        if let Some(rule) = within("not-allowed") {
            return Clause::named(rule).map(Self::NotAllowed);
        }
        if let Some(variant) = within("no-duty") {
            return VariantInfo::named(variant).map(|known| Self::Variant(known.name));
        }
        match (within("cycle"), name) {
            (Some(reasons), _) => {
                let reasons: Option<Vec<Reason>> = reasons.split('+').map(Reason::named).collect();
                let reasons = reasons.filter(|it| it.is_sorted_by(|one, next| one < next))?;
                let is_of_waits = reasons.iter().all(|reason| reason.role() == Role::Waits);
                is_of_waits.then(|| Self::Cycle(reasons.into_iter().collect()))
            }
            (None, "can-act") => Some(Self::CanAct),
            (None, "kept-busy") => Some(Self::KeptBusy),
            (None, "not-assumed") => Some(Self::NotAssumed),
            (None, "no-duty") => Some(Self::NoDuty),
            (None, "still-alive") => Some(Self::StillAlive),
            (None, "gone") => Some(Self::Gone),
            (None, name) => {
                let reason = Reason::named(name).filter(|it| it.role() == Role::Cause);
                reason.map(Self::Cause)
            }
        }
    }

    /// Text for the entities; "it" stands for one of them.
    pub fn says(self) -> String {
        match self {
            Self::Cause(reason) => reason.row().says.to_owned(),
            Self::Cycle(reasons) => {
                let reasons: Vec<&str> = reasons.iter().map(|reason| reason.row().says).collect();
                format!("each waits for the other, as {}", reasons.join(", and "))
            }
            Self::CanAct => "nothing is in the way, and whoever has to act next can".to_owned(),
            Self::KeptBusy => {
                "whoever has to act next could, and is kept busy for ever by the steps of the loop"
                    .to_owned()
            }
            Self::Neglected(clause) => {
                format!("whoever has to act next neglects {clause}: {}", text(clause))
            }
            Self::SwitchedOff(clause) => {
                format!("{clause} would be next, and is switched off: {}", text(clause))
            }
            Self::NotAllowed(_) => "a rule of the scenario's own does not allow it".to_owned(),
            Self::NotAssumed => "somebody could act, and nobody is assumed to".to_owned(),
            Self::Variant(name) => {
                format!("nobody has anything to do about it with this value of {name}")
            }
            Self::NoDuty => "nobody has anything to do about it".to_owned(),
            Self::StillAlive => "it is Alive, and nobody has destroyed it".to_owned(),
            Self::Gone => "it is gone".to_owned(),
        }
    }

    /// The passages that the kind rests on.
    pub fn source(self) -> String {
        match self {
            Self::Cause(reason) => reason.row().source.to_owned(),
            Self::Cycle(reasons) => {
                let mut sources: Vec<&str> = Vec::new();
                for source in reasons.iter().flat_map(|reason| reason.row().source.split("; ")) {
                    if !sources.contains(&source) {
                        sources.push(source);
                    }
                }
                sources.join("; ")
            }
            Self::CanAct | Self::KeptBusy | Self::NotAssumed => "D1:31-37; D2:75".to_owned(),
            Self::Neglected(clause) | Self::SwitchedOff(clause) | Self::NotAllowed(clause) => {
                clause.info().map_or("D1:31-37", |info| info.source).to_owned()
            }
            Self::Variant(_) | Self::NoDuty => "D2:349-389".to_owned(),
            Self::StillAlive => "D1:11-12; D2:65".to_owned(),
            Self::Gone => "D1:13-14; D2:67".to_owned(),
        }
    }
}

/// The text of a clause, as the end of a sentence.
fn text(clause: Clause) -> &'static str {
    clause.info().map_or("", |info| info.says.trim_end_matches('.'))
}

/// The roots of `diagnosis`, one of each kind.
pub(super) fn of(diagnosis: &Diagnosis) -> Vec<Root> {
    let mut found: BTreeMap<RootKind, Vec<EntityId>> = BTreeMap::new();
    for (entity, node) in diagnosis.nodes() {
        for reason in node.causes() {
            let entities = found.entry(RootKind::Cause(reason)).or_default();
            // A unit may not know several of its scopes; that is one cause.
            if entities.last() != Some(&entity) {
                entities.push(entity);
            }
        }
    }
    for component in components(diagnosis) {
        if let Some(kind) = ends_with(diagnosis, &component) {
            found.entry(kind).or_default().extend(component);
        }
    }
    let roots = found.into_iter().map(|(kind, mut entities)| {
        entities.sort_unstable();
        Root { kind, entities, since: diagnosis.since.get(&kind).copied() }
    });
    roots.collect()
}

/// The strongly connected components of the graph of waiting.
fn components(diagnosis: &Diagnosis) -> Vec<Vec<EntityId>> {
    let mut graph: DiGraph<EntityId, ()> = DiGraph::new();
    let nodes: BTreeMap<EntityId, NodeIndex> =
        diagnosis.nodes().map(|(entity, _)| (entity, graph.add_node(entity))).collect();
    for (entity, node) in diagnosis.nodes() {
        for to in node.waits_for() {
            graph.add_edge(nodes[&entity], nodes[&to], ());
        }
    }
    let components = tarjan_scc(&graph);
    components.into_iter().map(|it| it.into_iter().map(|index| graph[index]).collect()).collect()
}

/// The kind of root that a component is; `None` if an edge leaves it, or a cause is in it.
fn ends_with(diagnosis: &Diagnosis, component: &[EntityId]) -> Option<RootKind> {
    let members: BTreeSet<EntityId> = component.iter().copied().collect();
    let nodes = || component.iter().map(|entity| diagnosis.node(*entity));
    let leads_on = |node: &EntityNode| node.waits_for().any(|to| !members.contains(&to));
    if nodes().any(|node| leads_on(node) || node.causes().next().is_some()) {
        return None;
    }
    let reasons = nodes().flat_map(|node| &node.edges).map(|edge| edge.reason);
    let waits: Vec<Reason> = reasons.filter(|it| it.role() == Role::Waits).collect();
    if !waits.is_empty() {
        return Some(RootKind::Cycle(waits.into_iter().collect()));
    }
    let [entity] = component else { return None };
    let condition = diagnosis.node(*entity).condition;
    Some(match (entity, condition.life()) {
        (_, None) if condition == EntityCondition::Gone => RootKind::Gone,
        (EntityId::Unit(_), _) | (_, None | Some(Life::Dying | Life::Dead)) => {
            diagnosis.idle.get(entity).copied().unwrap_or(RootKind::CanAct)
        }
        (_, Some(Life::Alive)) => RootKind::StillAlive,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::{Citation, citations};

    #[test]
    fn a_kind_is_found_by_its_name() {
        let clause = Clause::all().next().expect("there are some");
        let kinds = [
            RootKind::CanAct,
            RootKind::KeptBusy,
            RootKind::Neglected(clause),
            RootKind::SwitchedOff(clause),
            RootKind::NotAssumed,
            RootKind::Variant("relation-tracking"),
            RootKind::NoDuty,
            RootKind::StillAlive,
            RootKind::Gone,
        ];
        let cycle = [Reason::Deployer, Reason::Assigned].into_iter().collect();
        let mut kinds = Vec::from(kinds.map(Some));
        kinds.push(Some(RootKind::Cycle(cycle)));
        for reason in Reason::ALL.iter().copied() {
            let is_cause = reason.role() == Role::Cause;
            let kind = is_cause.then_some(RootKind::Cause(reason));
            assert_eq!(RootKind::named(reason.row().id), kind, "only a cause is a root");
            assert_eq!(reason.row().named.is_none(), is_cause, "{}", reason.row().id);
            kinds.push(kind);
        }
        for kind in kinds.into_iter().flatten() {
            assert_eq!(RootKind::named(&kind.to_string()), Some(kind));
            let source = kind.source();
            assert!(
                citations(&source).next().is_some() && citations(&source).all(Citation::is_sound)
            );
        }
        assert_eq!(RootKind::Cycle(cycle).to_string(), "cycle(assigned+deployer)");
        for none in ["", "cycle()", "cycle(deployer+assigned)", "cycle(no-machine)", "assigned"] {
            assert_eq!(RootKind::named(none), None, "{none}");
        }
    }
}
