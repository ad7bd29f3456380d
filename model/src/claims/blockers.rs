//! The blockers of one entity: what it waits for, found in the documents and the runtime.

use super::{
    EntityId,
    diagnosis::{AgentBlocker, Blocker, Condition},
};
use crate::{
    agents,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    life::Life::{Alive, Dead, Dying},
    runtime::{Charm, Hardware},
    state::State,
    store::{Placement, Unit},
    variants::SettingsCleanup,
    world::World,
};

/// What the documents say of `entity`, and its blockers.
pub(super) fn of(world: &World, state: &State, entity: EntityId) -> (Condition, Vec<Blocker>) {
    let mut blockers = Blockers { world, state, found: Vec::new() };
    let condition = match entity {
        EntityId::Machine(id) => blockers.machine(id),
        EntityId::Application(id) => blockers.application(id),
        EntityId::Unit(id) => blockers.unit(id),
        EntityId::Relation(id) => blockers.relation(id),
    };
    (condition, blockers.found)
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
        if machine.life == Dying && !agents::sets_dead(id, self.world) {
            self.found.push(Blocker::NoDutyOfItsAgent);
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
            Hardware::Absent if agents::is_in_error(id, self.state) => {
                AgentBlocker::StartFailed(id)
            }
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
                SettingsCleanup::NoCleaner | SettingsCleanup::LastLeaver => {
                    self.found.push(Blocker::NoCleaner);
                }
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
        match unit.life {
            Alive | Dying => self.unit_agent(id, unit),
            // Its own agent has nothing to do any more: its deployer removes it.
            Dead if self.state.runtime.is_deployed(id) => self.deployer(unit),
            Dead => self.not_deployed(unit),
        }
        Condition::Life(unit.life)
    }

    fn unit_agent(&mut self, id: UnitId, unit: &Unit) {
        let runtime = self.state.runtime.unit(id);
        let unit_hook = match runtime.charm {
            Charm::Started | Charm::Stopped => None,
            Charm::StopFailed => Some(AgentBlocker::StopHookFailed),
            Charm::Failed => Some(AgentBlocker::UnitHookFailed),
        };
        let hook = runtime.hook_error.map(AgentBlocker::HookFailed).or(unit_hook);
        let blocker = if let Some(blocker) = hook {
            blocker
        } else if runtime.down {
            AgentBlocker::Crashed
        } else if self.state.runtime.is_deployed(id) {
            let hook = agents::first_hook_due(id, self.world, self.state);
            match hook.or_else(|| agents::charm_hook_due(id, self.world, self.state)) {
                Some(hook) => AgentBlocker::HookDue(hook),
                None if agents::is_charm_due(id, self.world, self.state) => AgentBlocker::CharmDue,
                None => return,
            }
        } else {
            return self.not_deployed(unit);
        };
        self.found.push(Blocker::Agent(blocker));
    }

    fn not_deployed(&mut self, unit: &Unit) {
        self.found.push(Blocker::Agent(AgentBlocker::NotDeployed));
        self.deployer(unit);
    }

    fn deployer(&mut self, unit: &Unit) {
        match unit.placement {
            Placement::Nowhere => self.found.push(Blocker::Agent(AgentBlocker::Unassigned)),
            Placement::Machine(machine) => self.machine_agent(machine),
            Placement::Principal(principal) => {
                self.found.push(Blocker::Agent(AgentBlocker::Principal(principal)));
            }
        }
    }
}
