//! Wake-ups: who has to look again because something was touched.
//!
//! Watchers in the sense of the documents: an agent sleeps until a document it tasks, or its own
//! host, changes. Rousing somebody in vain costs a look; not rousing somebody who could move would
//! end a run too early, so a test looks for an actor that sleeps and could move. What many units
//! watch (the life of an application or a relation) rouses them only if it changed.

use deathwatch_model::{
    action::Agent,
    claims::EntityId,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    state::State,
    store::{Placement, Row},
    world::World,
};

use super::party::{ManagerTask, Party};

/// Who is roused.
#[derive(Clone, Copy, Debug)]
pub(super) enum Call {
    /// A party.
    Party(Party),
    /// A task, about one document.
    ManagerTask(ManagerTask, EntityId),
    /// Everybody: the agents have been upgraded.
    Everybody,
}

/// What is roused by what `row` was before and is now.
pub(super) struct Caller<'a, F> {
    /// The constants.
    pub(super) world: &'a World,
    /// Before the step.
    pub(super) before: &'a State,
    /// After it.
    pub(super) after: &'a State,
    /// Who hears of it.
    pub(super) call: F,
}

impl<F: FnMut(Call)> Caller<'_, F> {
    /// Rouses those who watch `row`.
    pub(super) fn look_at(&mut self, row: Row) {
        match row {
            Row::Machine(id) => self.machine(id),
            Row::Application(id) => self.application(id),
            Row::Unit(id) => self.unit(id),
            Row::Relation(id) => self.relation(id),
            Row::Scope(_, unit) => self.scope(unit),
            Row::MachineRuntime(id) => self.machine_host(id),
            Row::UnitRuntime(id) => self.unit_host(id),
            Row::Membership(_, unit) => self.agent(Agent::Unit(unit)),
            // It goes with its relation, which rouses all who are concerned.
            Row::Memberships(_) => {}
            Row::Others => self.others(),
        }
    }

    fn agent(&mut self, agent: Agent) {
        (self.call)(Call::Party(Party::Agent(agent)));
    }

    fn task(&mut self, task: ManagerTask, subject: EntityId) {
        (self.call)(Call::ManagerTask(task, subject));
    }

    fn machine(&mut self, id: MachineId) {
        self.agent(Agent::Machine(id));
        self.task(ManagerTask::Provisioner, EntityId::Machine(id));
        self.force_machine(id);
        if let Some(host) = self.world.machine(id).parent {
            self.agent(Agent::Machine(host));
            self.force_machine(host);
        }
        if self.world.machine(id).manages_model {
            self.managers();
        }
    }

    /// Provisioner and cleaner run in a manager's agent, and may be back. Whether the last manager
    /// may go depends on the others, and on whether they run.
    fn managers(&mut self) {
        for task in ManagerTask::ALL {
            (self.call)(Call::Party(Party::ManagerTask(task)));
        }
        for manager in self.world.managers() {
            self.agent(Agent::Machine(manager));
            self.force_machine(manager);
        }
    }

    fn application(&mut self, id: ApplicationId) {
        let cleanup = |state: &State| state.store.application_docs(id).units_cleanup;
        if cleanup(self.after) {
            self.task(ManagerTask::Cleaner, EntityId::Application(id));
        }
        let life = |state: &State| state.store.application_life(id);
        if life(self.before) != life(self.after) {
            self.units_of(id);
        }
    }

    fn units_of(&mut self, id: ApplicationId) {
        for unit in self.world.application(id).units() {
            if self.after.store.unit(unit).is_some() {
                self.agent(Agent::Unit(unit));
            }
        }
    }

    fn unit(&mut self, id: UnitId) {
        self.agent(Agent::Unit(id));
        self.deployer(id);
        self.force(id);
        let application = self.world.unit(id).application;
        if self.after.store.application_docs(application).units_cleanup {
            self.task(ManagerTask::Cleaner, EntityId::Application(application));
        }
    }

    /// Whoever deploys the unit, or did.
    fn deployer(&mut self, id: UnitId) {
        for host in self.hosts(id) {
            match host {
                Placement::Nowhere => {}
                Placement::Machine(machine) => self.agent(Agent::Machine(machine)),
                Placement::Principal(principal) => self.agent(Agent::Unit(principal)),
            }
        }
    }

    /// The cleaner, if the unit, its principal or its machine is being forced.
    fn force(&mut self, id: UnitId) {
        if self.after.store.unit_docs(id).force {
            self.task(ManagerTask::Cleaner, EntityId::Unit(id));
        }
        for host in self.hosts(id) {
            match host {
                Placement::Nowhere => {}
                Placement::Machine(machine) => self.force_machine(machine),
                Placement::Principal(principal) => self.force(principal),
            }
        }
    }

    /// Where the unit belonged before, and where it belongs now.
    fn hosts(&self, id: UnitId) -> [Placement; 2] {
        [self.before, self.after]
            .map(|state| state.store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement))
    }

    fn force_machine(&mut self, id: MachineId) {
        if self.after.store.machine_docs(id).force {
            self.task(ManagerTask::Cleaner, EntityId::Machine(id));
        }
    }

    fn relation(&mut self, id: RelationId) {
        if self.after.store.relation_docs(id).cleanup {
            self.task(ManagerTask::Cleaner, EntityId::Relation(id));
        }
        let life = |state: &State| state.store.relation_life(id);
        if life(self.before) != life(self.after) {
            for application in self.world.relation(id).applications() {
                self.units_of(application);
            }
        }
    }

    /// A unit that is deployed looks after its scopes itself.
    fn scope(&mut self, unit: UnitId) {
        self.agent(Agent::Unit(unit));
        if !self.after.runtime.is_deployed(unit) {
            self.deployer(unit);
        }
        self.force(unit);
    }

    /// Most often a transaction pending comes or goes, which is nobody else's concern.
    fn machine_host(&mut self, id: MachineId) {
        self.agent(Agent::Machine(id));
        let (before, after) = (self.before.runtime.machine(id), self.after.runtime.machine(id));
        let is_new = before.hardware != after.hardware;
        if is_new {
            self.task(ManagerTask::Provisioner, EntityId::Machine(id));
            for container in self.world.containers_of(id) {
                self.task(ManagerTask::Provisioner, EntityId::Machine(container));
            }
            (self.call)(Call::Party(Party::Terminate(id)));
        }
        if before.down != after.down {
            (self.call)(Call::Party(Party::Restart(Agent::Machine(id))));
        }
        if self.world.machine(id).manages_model && (is_new || before.down != after.down) {
            self.managers();
        }
    }

    fn unit_host(&mut self, id: UnitId) {
        self.agent(Agent::Unit(id));
        let (before, after) = (self.before.runtime.unit(id), self.after.runtime.unit(id));
        if before.deployed_by != after.deployed_by {
            self.deployer(id);
        }
        if before.down != after.down {
            (self.call)(Call::Party(Party::Restart(Agent::Unit(id))));
        }
        if before.hook_error != after.hook_error {
            (self.call)(Call::Party(Party::Resolve(id)));
        }
    }

    fn others(&mut self) {
        if self.before.runtime.others().upgraded != self.after.runtime.others().upgraded {
            (self.call)(Call::Everybody);
        }
    }
}
