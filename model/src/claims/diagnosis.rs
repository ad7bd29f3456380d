//! Why an entity stays: what it waits for, as a graph.
//!
//! A node is an entity, and a blocker leads from it to what it waits for. The blockers follow the
//! references of the documents ("Entity lifecycle", "References"): an application waits for its
//! units and relations, a relation for the units in its scope, a unit for its scopes, its
//! subordinates and the agent that ought to act, a machine for its units and containers.

use std::collections::BTreeMap;

use super::EntityId;
use crate::{
    agents,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    life::Life::{self, Alive},
    runtime::Hardware,
    state::State,
    store::{Placement, Unit},
    variants::SettingsCleanup,
    world::World,
};

/// Why one entity stays: the graph of all that it waits for, directly and indirectly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The entity.
    pub subject: EntityId,
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
    /// The agent of this machine has crashed.
    MachineCrashed(MachineId),
}

impl Diagnosis {
    /// Follows the blockers from `subject` on.
    pub fn of(world: &World, state: &State, subject: EntityId) -> Self {
        let mut nodes = BTreeMap::new();
        let mut waiting = vec![subject];
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

    /// The node of `entity`, which is the subject or one that a blocker leads to.
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
                | AgentBlocker::MachineCrashed(id),
            ) => Some(EntityId::Machine(id)),
            Self::Relation(id)
            | Self::Scope { relation: id, .. }
            | Self::Agent(AgentBlocker::HookFailed(id)) => Some(EntityId::Relation(id)),
            Self::Agent(
                AgentBlocker::Crashed | AgentBlocker::NotDeployed | AgentBlocker::Unassigned,
            )
            | Self::NoSuchUnits
            | Self::NoSuchScopes(_)
            | Self::Unreferenced
            | Self::NoOwnAgent
            | Self::NoManager
            | Self::NoCleaner => None,
        }
    }
}

impl Node {
    fn of(world: &World, state: &State, entity: EntityId) -> Self {
        let mut blockers = Blockers { world, state, found: Vec::new() };
        let condition = match entity {
            EntityId::Machine(id) => blockers.machine(id),
            EntityId::Application(id) => blockers.application(id),
            EntityId::Unit(id) => blockers.unit(id),
            EntityId::Relation(id) => blockers.relation(id),
        };
        Self { condition, blockers: blockers.found }
    }

    /// The reasons why the agent of this unit or machine does not act.
    pub fn agent(&self) -> impl Iterator<Item = AgentBlocker> {
        self.blockers.iter().filter_map(|blocker| match blocker {
            Blocker::Agent(blocker) => Some(*blocker),
            _ => None,
        })
    }
}

/// Finds the blockers of one entity.
struct Blockers<'a> {
    world: &'a World,
    state: &'a State,
    found: Vec<Blocker>,
}

impl Blockers<'_> {
    fn machine(&mut self, id: MachineId) -> Condition {
        let Some(machine) = self.state.store.machine(id) else { return Condition::Gone };
        self.found.extend(machine.principals.iter().map(Blocker::Principal));
        self.found.extend(machine.containers.iter().map(Blocker::Container));
        let is_in_use = !self.found.is_empty();
        self.machine_agent(id);
        let hardware = self.state.runtime.machine(id).hardware;
        if !is_in_use && machine.life != Alive && hardware == Hardware::Absent {
            self.found.push(Blocker::NoOwnAgent);
        }
        self.manager();
        Condition::Life(machine.life)
    }

    fn manager(&mut self) {
        if self.state.active_manager(self.world).is_none() {
            self.found.push(Blocker::NoManager);
        }
    }

    fn machine_agent(&mut self, id: MachineId) {
        let runtime = self.state.runtime.machine(id);
        let blocker = match runtime.hardware {
            Hardware::Silent => AgentBlocker::HardwareFailed(id),
            Hardware::Absent => AgentBlocker::NoInstance(id),
            Hardware::Running if runtime.down => AgentBlocker::MachineCrashed(id),
            Hardware::Running => return,
        };
        self.found.push(Blocker::Agent(blocker));
    }

    fn application(&mut self, id: ApplicationId) -> Condition {
        let store = &self.state.store;
        let Some(application) = store.application(id) else { return Condition::Gone };
        let constants = self.world.application(id);
        let units = constants.units().filter(|unit| store.unit(*unit).is_some());
        self.found.extend(units.map(Blocker::Unit));
        if self.found.is_empty() && application.units > 0 {
            self.found.push(Blocker::NoSuchUnits);
        }
        let relations = constants.relations.iter().copied();
        let relations = relations.filter(|relation| store.relation(*relation).is_some());
        self.found.extend(relations.map(Blocker::Relation));
        if application.units == 0 && application.relations == 0 {
            self.found.push(Blocker::Unreferenced);
        }
        Condition::Counts(application.life, application.units, application.relations)
    }

    fn relation(&mut self, id: RelationId) -> Condition {
        let docs = self.state.store.relation_docs(id);
        let Some(relation) = docs.relation else {
            if !docs.leftovers {
                return Condition::Gone;
            }
            match self.world.variants.settings_cleanup {
                SettingsCleanup::NoCleaner => self.found.push(Blocker::NoCleaner),
                SettingsCleanup::Cleaner => self.manager(),
            }
            return Condition::LeftSettings;
        };
        let scope = self.state.store.scope(id);
        for unit in scope.iter() {
            let is_unknown = self.is_unknown(unit, id);
            self.found.push(Blocker::InScope { unit, is_unknown });
        }
        if scope.is_empty() && relation.in_scope > 0 {
            self.found.push(Blocker::NoSuchScopes(relation.in_scope));
        }
        Condition::Life(relation.life)
    }

    /// Whether the unit has an agent that does not know that the unit is in scope of the relation.
    fn is_unknown(&self, unit: UnitId, relation: RelationId) -> bool {
        self.state.runtime.is_deployed(unit)
            && !agents::knows(self.world, self.state, unit, relation)
    }

    fn unit(&mut self, id: UnitId) -> Condition {
        let Some(unit) = self.state.store.unit(id) else { return Condition::Gone };
        for &relation in self.world.relations_of(id) {
            if unit.life != Alive && self.state.store.in_scope(relation, id) {
                let is_unknown = self.is_unknown(id, relation);
                self.found.push(Blocker::Scope { relation, is_unknown });
            }
        }
        self.found.extend(unit.subordinates.iter().map(Blocker::Subordinate));
        self.unit_agent(id, unit);
        Condition::Life(unit.life)
    }

    fn unit_agent(&mut self, id: UnitId, unit: &Unit) {
        let runtime = self.state.runtime.unit(id);
        let blocker = if let Some(relation) = runtime.hook_error {
            AgentBlocker::HookFailed(relation)
        } else if runtime.down {
            AgentBlocker::Crashed
        } else if self.state.runtime.is_deployed(id) {
            return;
        } else {
            AgentBlocker::NotDeployed
        };
        self.found.push(Blocker::Agent(blocker));
        if blocker == AgentBlocker::NotDeployed {
            match unit.placement {
                Placement::Nowhere => self.found.push(Blocker::Agent(AgentBlocker::Unassigned)),
                Placement::Machine(machine) => self.machine_agent(machine),
                Placement::Principal(principal) => {
                    self.found.push(Blocker::Agent(AgentBlocker::Principal(principal)));
                }
            }
        }
    }
}
