//! The edges of one entity: the reasons why it stays, found in the documents and the runtime.

use deathwatch_model::{
    action::Hook,
    agents,
    ids::{ApplicationId, EntityId, MachineId, Placement, RelationId, UnitId},
    life::Life::{self, Alive, Dead, Dying},
    runtime::{Charm, Hardware},
    state::State,
    store::Unit,
    variants::{SettingsCleanup, UndeployedUnitNotAlive},
    world::World,
};

use super::{Edge, EntityCondition, Reason};

/// The condition of `entity` by its documents, and its edges.
pub(super) fn of(world: &World, state: &State, entity: EntityId) -> (EntityCondition, Vec<Edge>) {
    let mut edges = EdgeFinder { world, state, found: Vec::new() };
    let condition = match entity {
        EntityId::Machine(id) => edges.machine(id),
        EntityId::Application(id) => edges.application(id),
        EntityId::Unit(id) => edges.unit(id),
        EntityId::Relation(id) => edges.relation(id),
    };
    (condition, edges.found)
}

/// A search for the edges of one entity.
pub(super) struct EdgeFinder<'a> {
    pub(super) world: &'a World,
    pub(super) state: &'a State,
    found: Vec<Edge>,
}

impl<'a> EdgeFinder<'a> {
    /// Adds an edge for a reason without another entity.
    pub(super) fn because(&mut self, reason: Reason) {
        self.found.push(Edge { reason, to: None, hook: None });
    }

    /// Adds an edge for this reason to each of these other entities.
    fn about(&mut self, reason: Reason, to: impl Iterator<Item = EntityId>) {
        self.found.extend(to.map(|to| Edge { reason, to: Some(to), hook: None }));
    }

    pub(super) fn about_one(&mut self, reason: Reason, to: EntityId) {
        self.about(reason, std::iter::once(to));
    }

    /// The condition of a machine. If it is Alive, it waits for nothing that is on it.
    fn machine(&mut self, id: MachineId) -> EntityCondition {
        let Some(machine) = self.state.store.machine(id) else { return EntityCondition::Gone };
        let hardware = self.state.runtime.machine(id).hardware;
        if machine.life != Alive {
            self.about(Reason::Assigned, machine.principals.iter().map(EntityId::Unit));
            self.about(Reason::Container, machine.containers.iter().map(EntityId::Machine));
        }
        let is_in_use = !self.found.is_empty();
        self.machine_agent(id, machine.life);
        if !is_in_use && machine.life != Alive && hardware == Hardware::Absent {
            self.because(Reason::NoOwnAgent);
        }
        if machine.life == Dying && !agents::sets_dead(id, self.world) {
            self.because(Reason::NotItsDuty);
        }
        if machine.life != Alive || hardware == Hardware::Absent {
            self.manager();
        }
        EntityCondition::Life(machine.life)
    }

    fn manager(&mut self) {
        if self.state.active_manager(self.world).is_none() {
            self.because(Reason::NoManager);
        }
    }

    /// Adds the reasons why the agent of the machine does not act.
    fn machine_agent(&mut self, id: MachineId, life: Life) {
        let runtime = self.state.runtime.machine(id);
        match runtime.hardware {
            Hardware::Silent => self.because(Reason::HardwareUnnoticed),
            Hardware::Absent if agents::is_in_error(id, self.state) => {
                self.because(Reason::StartFailed);
            }
            Hardware::Absent => {
                self.because(Reason::NoInstance);
                if let Some(host) = self.world.machine(id).parent
                    && self.state.runtime.machine(host).hardware != Hardware::Running
                    && life == Alive
                {
                    self.about_one(Reason::Host, EntityId::Machine(host));
                }
            }
            Hardware::Running if runtime.down => self.because(Reason::AgentCrashed),
            Hardware::Running => {}
        }
    }

    fn application(&mut self, id: ApplicationId) -> EntityCondition {
        let store = &self.state.store;
        let Some(application) = store.application(id) else { return EntityCondition::Gone };
        let constants = self.world.application(id);
        let units = constants.units().filter(|unit| store.unit(*unit).is_some());
        self.about(Reason::UnitOf, units.map(EntityId::Unit));
        if self.found.is_empty() && application.units.is_at_least(1) {
            self.because(Reason::NoSuchUnits);
        }
        let others = self.found.len();
        let relations = constants.relations.iter().copied();
        let relations = relations.filter(|relation| store.relation(*relation).is_some());
        self.about(Reason::RelationOf, relations.map(EntityId::Relation));
        if self.found.len() == others && application.relations > 0 {
            self.because(Reason::NoSuchRelations);
        }
        if !application.units.is_at_least(1) && application.relations == 0 {
            self.because(Reason::Unreferenced);
        }
        EntityCondition::Counts(application.life, application.units.number(), application.relations)
    }

    /// Adds the reason why the settings of a former relation stay.
    fn cleaner(&mut self) {
        match self.world.variants.settings_cleanup {
            SettingsCleanup::NoCleaner | SettingsCleanup::LastLeaver => {
                self.because(Reason::NoCleaner);
            }
            SettingsCleanup::Cleaner => self.manager(),
        }
    }

    /// The condition of a relation. If it is Alive, it waits for no unit, even if settings of a
    /// removed one are left.
    fn relation(&mut self, id: RelationId) -> EntityCondition {
        let docs = self.state.store.relation_docs(id);
        let Some(relation) = docs.relation else {
            if !docs.leftovers {
                return EntityCondition::Gone;
            }
            self.cleaner();
            return EntityCondition::LeftSettings;
        };
        if relation.life == Alive {
            if docs.leftovers {
                self.cleaner();
            }
            return EntityCondition::Scopes(relation.life, relation.in_scope.number());
        }
        let scope = self.state.store.scope(id);
        self.about(Reason::InScope, scope.iter().map(EntityId::Unit));
        match (scope.is_empty(), relation.in_scope.number()) {
            (false, _) => {}
            (true, 0) => self.because(Reason::NobodyInScope),
            (true, _) => self.because(Reason::NoSuchScopes),
        }
        EntityCondition::Scopes(relation.life, relation.in_scope.number())
    }

    /// The condition of a unit. If it is Alive, it waits for nothing but its agent.
    fn unit(&mut self, id: UnitId) -> EntityCondition {
        let Some(unit) = self.state.store.unit(id) else { return EntityCondition::Gone };
        let is_deployed = self.state.runtime.is_deployed(id);
        if unit.life != Alive {
            self.about(Reason::HasScope, self.scopes(id).map(EntityId::Relation));
            self.about(Reason::Subordinate, unit.subordinates.iter().map(EntityId::Unit));
        }
        let is_held = !self.found.is_empty();
        match unit.life {
            Alive | Dying if is_deployed => self.unit_agent(id, unit.life),
            // Its own agent has nothing to do any more: its deployer removes it.
            Dead if is_deployed => self.deployer(unit),
            Alive | Dying | Dead => self.not_deployed(unit, is_held),
        }
        EntityCondition::Life(unit.life)
    }

    fn scopes(&self, id: UnitId) -> impl Iterator<Item = RelationId> + use<'a> {
        let (world, state) = (self.world, self.state);
        let relations = world.relations_of(id).iter().copied();
        relations.filter(move |relation| state.store.in_scope(*relation, id))
    }

    /// Adds the reasons why the agent of a deployed unit that is not Dead does not act, or not on
    /// all of its relations.
    fn unit_agent(&mut self, id: UnitId, life: Life) {
        self.idle_agent(id);
        let (world, state) = (self.world, self.state);
        let has_to_leave = |relation: &RelationId| {
            let relation = state.store.relation(*relation);
            life != Alive || relation.is_some_and(|relation| relation.life != Alive)
        };
        let unknown = self.scopes(id).filter(has_to_leave);
        let unknown = unknown.filter(|relation| !agents::knows(world, state, id, *relation));
        self.about(Reason::ScopeUnknown, unknown.map(EntityId::Relation));
        if world.detail.workflow && self.acts(EntityId::Unit(id)) {
            self.unnoticed(id, life);
        }
    }

    /// Adds the reason why the agent of a deployed unit does nothing at all, if there is one.
    fn idle_agent(&mut self, id: UnitId) {
        let is_older = self.world.detail.workflow;
        let runtime = self.state.runtime.unit(id);
        let hook = agents::first_hook_due(id, self.world, self.state);
        let hook = hook.or_else(|| agents::charm_hook_due(id, self.world, self.state));
        match (runtime.hook_error, runtime.charm) {
            (Some(relation), _) => {
                self.about_one(Reason::RelationHookFailed, EntityId::Relation(relation));
            }
            (None, Charm::StopFailed) => self.because(Reason::StopHookFailed),
            (None, Charm::Failed) if is_older && !agents::can_be_resolved(self.world) => {
                self.because(Reason::ErrorFinal);
            }
            (None, Charm::Failed) if is_older && !agents::is_seen(id, self.world, self.state) => {
                let is_deaf = self.state.runtime.is_cut_off(id);
                self.because(if is_deaf { Reason::CutOff } else { Reason::NotReplicated });
            }
            (None, Charm::Failed) => self.because(Reason::UnitHookFailed),
            (None, Charm::Started | Charm::Stopped) if runtime.down => {
                self.because(Reason::AgentCrashed);
            }
            (None, Charm::Started | Charm::Stopped) if is_older => self.older_agent(id),
            (None, Charm::Started | Charm::Stopped) => match hook {
                Some(hook) => self.hook_due(hook),
                None if agents::is_charm_due(id, self.world, self.state) => {
                    self.because(Reason::CharmDue);
                }
                None => {}
            },
        }
    }

    pub(super) fn hook_due(&mut self, hook: Hook) {
        self.found.push(Edge { reason: Reason::HookDue, to: None, hook: Some(hook) });
    }

    /// Adds the reasons of a unit that its deployer has to deploy, or to remove.
    fn not_deployed(&mut self, unit: &Unit, is_held: bool) {
        let is_redeployed = self.world.variants.undeployed_unit_not_alive
            == UndeployedUnitNotAlive::DeployedWhileHeld;
        if unit.life == Dying && is_held && !is_redeployed && unit.placement != Placement::Nowhere {
            self.because(Reason::NotRedeployed);
        } else {
            self.because(Reason::NotDeployed);
        }
        self.deployer(unit);
    }

    /// Adds the deployer of a unit, if it does not act.
    fn deployer(&mut self, unit: &Unit) {
        let deployer = match unit.placement {
            Placement::Nowhere => return self.because(Reason::NoMachine),
            Placement::Machine(machine) => EntityId::Machine(machine),
            Placement::Principal(principal) => EntityId::Unit(principal),
        };
        if !self.acts(deployer) {
            self.about_one(Reason::Deployer, deployer);
        }
    }

    /// Whether the agent of a machine or unit carries out duties for others.
    fn acts(&self, entity: EntityId) -> bool {
        let (store, runtime) = (&self.state.store, &self.state.runtime);
        let mut agent = Self { world: self.world, state: self.state, found: Vec::new() };
        match entity {
            EntityId::Machine(id) => {
                let machine = runtime.machine(id);
                machine.hardware == Hardware::Running
                    && !machine.down
                    && store.machine(id).is_some_and(|machine| machine.life != Dead)
            }
            EntityId::Unit(id) => {
                agent.idle_agent(id);
                agent.found.is_empty()
                    && runtime.is_deployed(id)
                    && store.unit(id).is_some_and(|unit| unit.life != Dead)
            }
            EntityId::Application(_) | EntityId::Relation(_) => false,
        }
    }
}
