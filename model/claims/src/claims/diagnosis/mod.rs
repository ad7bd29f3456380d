//! Why something does not follow: what an entity waits for, as a graph, and the roots of that.
//!
//! A node is an entity. An edge is a reason why it stays, and leads to the entity that it waits
//! for, if it waits for one. These edges follow the references of the documents ("Entity
//! lifecycle", "References"): an application waits for its units and relations, a relation for the
//! units in its scope, a unit for its subordinates and its deployer, a machine for its units and
//! containers. Where nothing leads on is a root (`roots.rs`).

mod edges;
mod reason;
mod roots;
mod since;
mod stuck;
mod workflow;

use std::collections::BTreeMap;

use deathwatch_model::{
    action::{Action, Hook},
    agents,
    ids::EntityId,
    life::Life,
    rows::Row,
    state::State,
    world::World,
};

use self::stuck::RunEnding;
pub use self::{
    reason::{Reason, ReasonRow, Reasons, Role},
    roots::{Root, RootKind},
};

/// Why one subject of a claim stays as it is: the graph of all that its entity waits for, directly
/// and indirectly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    pub subject: Row,
    nodes: BTreeMap<EntityId, EntityNode>,
    /// Why nobody does anything about entities that nothing holds, at the end of a run.
    idle: BTreeMap<EntityId, RootKind>,
    /// The number of steps after which each root was there, of a run that is known.
    since: BTreeMap<RootKind, usize>,
}

/// An entity in a diagnosis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityNode {
    /// Its condition by its documents.
    pub condition: EntityCondition,
    /// The reasons why it stays. Edges of one reason stand together, in the order of their ids.
    pub edges: Vec<Edge>,
}

/// The condition of an entity by its documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityCondition {
    /// Its own document does not exist.
    Gone,
    /// The relation does not exist, but the settings of its units do.
    LeftSettings,
    /// The life of a machine or unit.
    Life(Life),
    /// The life of an application, and the units and relations that it counts.
    Counts(Life, u32, u32),
    /// The life of a relation, and the units in scope that it counts.
    Scopes(Life, u32),
}

/// A reason why an entity stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub reason: Reason,
    /// The entity that is waited for, or else meant: the relation of a scope or of a hook.
    pub to: Option<EntityId>,
    /// The hook that is due, if one is.
    pub hook: Option<Hook>,
}

impl Diagnosis {
    /// Follows the edges from the entity that acts for `subject` on.
    pub fn of(world: &World, state: &State, subject: Row) -> Self {
        let mut nodes = BTreeMap::new();
        let mut waiting: Vec<EntityId> = subject.actor().into_iter().collect();
        while let Some(entity) = waiting.pop() {
            if nodes.contains_key(&entity) {
                continue;
            }
            let node = EntityNode::of(world, state, entity);
            waiting.extend(node.waits_for());
            nodes.insert(entity, node);
        }
        Self { subject, nodes, idle: BTreeMap::new(), since: BTreeMap::new() }
    }

    /// As [`Self::of`], of `state` at the end of a run. If nobody moves there who is assumed to
    /// act, what nothing holds has a reason of its own.
    pub fn at_end(world: &World, state: &State, subject: Row) -> Self {
        let mut diagnosis = Self::of(world, state, subject);
        if diagnosis.can_anybody_act() && agents::is_quiescent(world, state) {
            diagnosis.ask_why(&RunEnding { world, states: std::slice::from_ref(state) });
        }
        diagnosis
    }

    /// As [`Self::at_end`], of the run that takes these steps from `start` on, and then those of
    /// `cycle` for ever. It knows since which step each root is there.
    pub fn of_run(
        world: &World,
        start: &State,
        steps: &[Action],
        cycle: &[Action],
        subject: Row,
    ) -> Self {
        let states = since::states(world, start, steps);
        let end = states.last().unwrap_or(start);
        let mut diagnosis = Self::at_end(world, end, subject);
        if diagnosis.can_anybody_act() && !cycle.is_empty() {
            diagnosis.ask_why(&RunEnding { world, states: &since::states(world, end, cycle) });
        }
        diagnosis.began_in(world, &states, &|_| true);
        diagnosis
    }

    /// Finds out since which of these states each root is there whose entities are `known`: a run
    /// comes through them, changes nothing of those entities in between, and ends in the last one.
    pub fn began_in(&mut self, world: &World, states: &[State], known: &dyn Fn(EntityId) -> bool) {
        self.since = since::of(self, world, states, known);
    }

    /// Whether some root says that the actor that has to act next can.
    fn can_anybody_act(&self) -> bool {
        self.roots().iter().any(|root| root.kind == RootKind::CanAct)
    }

    /// Finds out why nobody does, all the same.
    fn ask_why(&mut self, end: &RunEnding<'_>) {
        let roots = self.roots();
        let roots = roots.iter().filter(|root| root.kind == RootKind::CanAct);
        self.idle = roots.flat_map(|root| &root.entities).map(|it| (*it, end.why(*it))).collect();
    }

    /// The nodes, in the order of the entities.
    pub fn nodes(&self) -> impl Iterator<Item = (EntityId, &EntityNode)> {
        self.nodes.iter().map(|(entity, node)| (*entity, node))
    }

    /// The node of `entity`, which is the subject's or one that is waited for.
    ///
    /// # Panics
    /// If it is neither.
    pub fn node(&self, entity: EntityId) -> &EntityNode {
        self.nodes.get(&entity).expect("edges lead to nodes of the graph")
    }

    /// The roots: what everything else comes from. There is one of each kind, in the order of the
    /// kinds; none, if the subject is no entity's.
    pub fn roots(&self) -> Vec<Root> {
        roots::of(self)
    }
}

impl EntityNode {
    fn of(world: &World, state: &State, entity: EntityId) -> Self {
        let (condition, edges) = edges::of(world, state, entity);
        Self { condition, edges }
    }

    /// The entities that it waits for.
    pub fn waits_for(&self) -> impl Iterator<Item = EntityId> {
        let waits = self.edges.iter().filter(|edge| edge.reason.role() == Role::Waits);
        waits.filter_map(|edge| edge.to)
    }

    pub fn causes(&self) -> impl Iterator<Item = Reason> {
        let reasons = self.edges.iter().map(|edge| edge.reason);
        reasons.filter(|reason| reason.role() == Role::Cause)
    }
}

impl EntityCondition {
    /// The life of the entity, if it has one.
    pub fn life(self) -> Option<Life> {
        match self {
            Self::Gone | Self::LeftSettings => None,
            Self::Life(life) | Self::Counts(life, ..) | Self::Scopes(life, _) => Some(life),
        }
    }
}
