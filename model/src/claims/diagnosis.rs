//! Why something does not follow: what an entity waits for, as a graph.
//!
//! A node is an entity, and a blocker leads from it to what it waits for. The blockers follow the
//! references of the documents ("Entity lifecycle", "References"): an application waits for its
//! units and relations, a relation for the units in its scope, a unit for its scopes, its
//! subordinates and the agent that ought to act, a machine for its units and containers.

use std::collections::BTreeMap;

use super::{EntityId, blockers};
use crate::{
    action::Hook,
    ids::{MachineId, RelationId, UnitId},
    life::Life,
    rows::Row,
    state::State,
    world::World,
};

/// Why one subject of a claim stays as it is: the graph of all that its entity waits for, directly
/// and indirectly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The subject.
    pub subject: Row,
    nodes: BTreeMap<EntityId, Node>,
}

/// An entity in a diagnosis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What its documents say of it.
    pub condition: Condition,
    /// What it waits for. Blockers of one kind stand together, in the order of their ids.
    pub blockers: Vec<Blocker>,
}

/// What the documents say of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Its own document does not exist.
    Gone,
    /// The relation does not exist, but the settings of its units do.
    LeftSettings,
    /// The life of a machine, unit or relation.
    Life(Life),
    /// The life of an application, and the units and relations that it counts.
    Counts(Life, u32, u32),
}

/// A reason why an entity stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocker {
    /// A unit is assigned to the machine.
    Principal(UnitId),
    /// The machine has a container.
    Container(MachineId),
    /// The application has a unit.
    Unit(UnitId),
    /// The application has a relation.
    Relation(RelationId),
    /// A unit is in scope of the relation.
    InScope {
        /// The unit.
        unit: UnitId,
        /// Whether the unit has an agent that does not know it.
        is_unknown: bool,
    },
    /// The unit, which is not Alive, is in scope of a relation.
    Scope {
        /// The relation.
        relation: RelationId,
        /// Whether the unit has an agent that does not know it.
        is_unknown: bool,
    },
    /// The unit has a subordinate.
    Subordinate(UnitId),
    /// The application counts units, but has none.
    NoSuchUnits,
    /// The relation counts this number of units in scope, but there is none.
    NoSuchScopes(u32),
    /// Nothing refers to the application, so nobody will ever remove it.
    Unreferenced,
    /// The agent that ought to act does not.
    Agent(AgentBlocker),
    /// The machine is not Alive, is not in use, and has no agent of its own.
    NoOwnAgent,
    /// The machine is Dying, and to set it Dead is no duty of its agent.
    NoDutyOfItsAgent,
    /// No manager machine's agent runs.
    NoManager,
    /// There is no cleaner in this variant.
    NoCleaner,
}

/// A reason why the agent of a unit or a machine does not act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentBlocker {
    /// The unit's hook for leaving this relation has failed.
    HookFailed(RelationId),
    /// The unit's stop hook has failed.
    StopHookFailed,
    /// Another hook of the unit itself has failed.
    UnitHookFailed,
    /// The unit has not run this hook, one of its first or one that its charm or configuration wants.
    HookDue(Hook),
    /// The unit's charm directory is not written, or is that of an old charm.
    CharmDue,
    /// The unit's agent has crashed.
    Crashed,
    /// The unit is not deployed. What keeps its deployer from it follows.
    NotDeployed,
    /// The unit has no machine.
    Unassigned,
    /// The unit's deployer is the agent of this unit.
    Principal(UnitId),
    /// The hardware of this machine has failed, and nobody has noticed.
    HardwareFailed(MachineId),
    /// This machine has no instance.
    NoInstance(MachineId),
    /// This machine has no instance, as its start has failed and nobody has resolved that.
    StartFailed(MachineId),
    /// The agent of this machine has crashed.
    MachineCrashed(MachineId),
}

impl Diagnosis {
    /// Follows the blockers from the entity that acts for `subject` on.
    pub fn of(world: &World, state: &State, subject: Row) -> Self {
        let mut nodes = BTreeMap::new();
        let mut waiting: Vec<EntityId> = subject.actor().into_iter().collect();
        while let Some(entity) = waiting.pop() {
            if nodes.contains_key(&entity) {
                continue;
            }
            let node = Node::of(world, state, entity);
            waiting.extend(node.blockers.iter().filter_map(Blocker::entity));
            nodes.insert(entity, node);
        }
        Self { subject, nodes }
    }

    /// The node of `entity`, which is the subject's or one that a blocker leads to.
    ///
    /// # Panics
    /// If it is neither.
    pub fn node(&self, entity: EntityId) -> &Node {
        self.nodes.get(&entity).expect("blockers lead to nodes of the graph")
    }
}

impl Blocker {
    /// The entity that it leads to.
    pub fn entity(&self) -> Option<EntityId> {
        match *self {
            Self::Principal(id)
            | Self::Unit(id)
            | Self::Subordinate(id)
            | Self::InScope { unit: id, .. }
            | Self::Agent(AgentBlocker::Principal(id)) => Some(EntityId::Unit(id)),
            Self::Container(id)
            | Self::Agent(
                AgentBlocker::HardwareFailed(id)
                | AgentBlocker::NoInstance(id)
                | AgentBlocker::StartFailed(id)
                | AgentBlocker::MachineCrashed(id),
            ) => Some(EntityId::Machine(id)),
            Self::Relation(id)
            | Self::Scope { relation: id, .. }
            | Self::Agent(AgentBlocker::HookFailed(id)) => Some(EntityId::Relation(id)),
            Self::Agent(
                AgentBlocker::StopHookFailed
                | AgentBlocker::UnitHookFailed
                | AgentBlocker::HookDue(_)
                | AgentBlocker::CharmDue
                | AgentBlocker::Crashed
                | AgentBlocker::NotDeployed
                | AgentBlocker::Unassigned,
            )
            | Self::NoSuchUnits
            | Self::NoSuchScopes(_)
            | Self::Unreferenced
            | Self::NoOwnAgent
            | Self::NoDutyOfItsAgent
            | Self::NoManager
            | Self::NoCleaner => None,
        }
    }
}

impl Node {
    fn of(world: &World, state: &State, entity: EntityId) -> Self {
        let (condition, blockers) = blockers::of(world, state, entity);
        Self { condition, blockers }
    }

    /// The reasons why the agent of this unit or machine does not act.
    pub fn agent(&self) -> impl Iterator<Item = AgentBlocker> {
        self.blockers.iter().filter_map(|blocker| match blocker {
            Blocker::Agent(blocker) => Some(*blocker),
            _ => None,
        })
    }
}
