//! Diagnosis: the graph of the entities that a subject waits for, and its roots.
//!
//! A node is an entity. An edge is a reason why the entity stays, and may lead to another one that
//! it waits for. Edges follow the references of the documents ("Entity lifecycle", "References"):
//! an application waits for its units and relations, a relation for the units in its scope, a unit
//! for its subordinates and its deployer, a machine for its units and containers. Roots are the
//! ends of the graph (`roots.rs`).

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

/// The reasons why one subject of a claim stays as it is: the graph of all entities that its own
/// entity waits for, directly and indirectly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    pub subject: Row,
    nodes: BTreeMap<EntityId, EntityNode>,
    /// At the end of a run: for each entity that nothing holds, the reason why no actor moves.
    idle: BTreeMap<EntityId, RootKind>,
    /// For a known run: the number of steps after which each root was there.
    since: BTreeMap<RootKind, usize>,
}

/// An entity in a diagnosis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityNode {
    /// The condition of the entity by its documents.
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
    /// The entity that it waits for; or, if the reason is none of waiting, the relation of a scope
    /// or hook.
    pub to: Option<EntityId>,
    /// The hook that is due, if one is.
    pub hook: Option<Hook>,
}

impl Diagnosis {
    /// The diagnosis of a subject: follows the edges from the entity that acts for it.
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

    /// As [`Self::of`], for `state` at the end of a run. If no assumed actor can move there, each
    /// entity that nothing holds gets its own reason.
    pub fn at_end(world: &World, state: &State, subject: Row) -> Self {
        let mut diagnosis = Self::of(world, state, subject);
        if diagnosis.can_anybody_act() && agents::is_quiescent(world, state) {
            diagnosis.ask_why(&RunEnding { world, states: std::slice::from_ref(state) });
        }
        diagnosis
    }

    /// As [`Self::at_end`], for the run that takes `steps` from `start` and then repeats `cycle`
    /// for ever. It also finds the step since which each root is there.
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

    /// Finds, for each root whose entities are all `known`, since which of these states it is
    /// there. The run passes them, changes nothing of those entities in between, and ends in the
    /// last one.
    pub fn began_in(&mut self, world: &World, states: &[State], known: &dyn Fn(EntityId) -> bool) {
        self.since = since::of(self, world, states, known);
    }

    /// Whether the actor that has to act next can, by some root.
    fn can_anybody_act(&self) -> bool {
        self.roots().iter().any(|root| root.kind == RootKind::CanAct)
    }

    /// Finds the reasons why those actors do not act all the same.
    fn ask_why(&mut self, end: &RunEnding<'_>) {
        let roots = self.roots();
        let roots = roots.iter().filter(|root| root.kind == RootKind::CanAct);
        self.idle = roots.flat_map(|root| &root.entities).map(|it| (*it, end.why(*it))).collect();
    }

    /// The nodes, in the order of the entities.
    pub fn nodes(&self) -> impl Iterator<Item = (EntityId, &EntityNode)> {
        self.nodes.iter().map(|(entity, node)| (*entity, node))
    }

    /// The node of `entity`.
    ///
    /// # Panics
    /// If it is neither the subject's entity nor one that is waited for.
    pub fn node(&self, entity: EntityId) -> &EntityNode {
        self.nodes.get(&entity).expect("edges lead to nodes of the graph")
    }

    /// The roots, one of each kind, in the order of the kinds; none, if the subject has no entity.
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
