//! Wake-ups: which processes a step notifies.
//!
//! The notifier plays the watchers of the documents: an agent is parked until a document that it
//! watches, or its own runtime, changes. A process that is notified in vain checks and parks again.
//! A process that could move and is not notified is a lost wake-up, which would end a run too
//! early (`lost_wakeup.rs` looks for them). What many units watch, the life of an application or
//! of a relation, notifies them only if it has changed.

use deathwatch_model::{
    action::Agent,
    claims::EntityId,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    state::State,
    store::{Placement, Row},
    world::World,
};

use super::process::{ManagerTask, Process};

/// What is to be woken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Notification {
    /// One process.
    Process(Process),
    /// A manager task, about one document.
    Task(ManagerTask, EntityId),
    /// Every process: the agents have been upgraded.
    All,
}

/// Finds what the rows that a step touched notify.
pub(super) struct Notifier<'a, F> {
    /// The constants.
    pub(super) world: &'a World,
    /// Before the step.
    pub(super) before: &'a State,
    /// After it.
    pub(super) after: &'a State,
    /// Gets the notifications.
    pub(super) notify: F,
}

impl<F: FnMut(Notification)> Notifier<'_, F> {
    /// Notifies the processes that watch `row`.
    pub(super) fn row_touched(&mut self, row: Row) {
        match row {
            Row::Machine(id) => self.machine(id),
            Row::Application(id) => self.application(id),
            Row::Unit(id) => self.unit(id),
            Row::Relation(id) => self.relation(id),
            Row::Scope(_, unit) => self.scope(unit),
            Row::MachineRuntime(id) => self.machine_runtime(id),
            Row::UnitRuntime(id) => self.unit_runtime(id),
            Row::Membership(_, unit) => self.agent(Agent::Unit(unit)),
            Row::Upgrade => self.upgrade(),
            // No process watches the memory of others.
            Row::User(_) | Row::Task(_) | Row::Client(_) => {}
        }
    }

    fn agent(&mut self, agent: Agent) {
        (self.notify)(Notification::Process(Process::Agent(agent)));
    }

    fn task(&mut self, task: ManagerTask, subject: EntityId) {
        (self.notify)(Notification::Task(task, subject));
    }

    fn machine(&mut self, id: MachineId) {
        self.agent(Agent::Machine(id));
        self.task(ManagerTask::Provisioner, EntityId::Machine(id));
        self.force_machine(id);
        if let Some(parent) = self.world.machine(id).parent {
            self.agent(Agent::Machine(parent));
            self.force_machine(parent);
        }
        if self.world.machine(id).manages_model {
            self.managers();
        }
    }

    /// Provisioner and cleaner run in a manager's agent, and may be back. Whether a manager may go
    /// depends on whether there are others, and on whether they run.
    fn managers(&mut self) {
        for task in ManagerTask::ALL {
            (self.notify)(Notification::Process(Process::ManagerTask(task)));
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

    /// The agent that deploys the unit, and the one that did.
    fn deployer(&mut self, id: UnitId) {
        for placement in self.placements(id) {
            match placement {
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
        for placement in self.placements(id) {
            match placement {
                Placement::Nowhere => {}
                Placement::Machine(machine) => self.force_machine(machine),
                Placement::Principal(principal) => self.force(principal),
            }
        }
    }

    /// The placements of the unit, before and after.
    fn placements(&self, id: UnitId) -> [Placement; 2] {
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

    /// A unit that is deployed leaves its scopes itself; else its deployer does that for it.
    fn scope(&mut self, unit: UnitId) {
        self.agent(Agent::Unit(unit));
        if !self.after.runtime.is_deployed(unit) {
            self.deployer(unit);
        }
        self.force(unit);
    }

    /// Mostly a pending transaction begins or ends, which only the machine's own agent watches.
    fn machine_runtime(&mut self, id: MachineId) {
        self.agent(Agent::Machine(id));
        let (before, after) = (self.before.runtime.machine(id), self.after.runtime.machine(id));
        let is_new = before.hardware != after.hardware;
        if is_new {
            self.task(ManagerTask::Provisioner, EntityId::Machine(id));
            for container in self.world.containers_of(id) {
                self.task(ManagerTask::Provisioner, EntityId::Machine(container));
            }
            (self.notify)(Notification::Process(Process::Terminate(id)));
        }
        if before.down != after.down {
            (self.notify)(Notification::Process(Process::Restart(Agent::Machine(id))));
        }
        if self.world.machine(id).manages_model && (is_new || before.down != after.down) {
            self.managers();
        }
    }

    fn unit_runtime(&mut self, id: UnitId) {
        self.agent(Agent::Unit(id));
        let (before, after) = (self.before.runtime.unit(id), self.after.runtime.unit(id));
        if before.deployed_by != after.deployed_by {
            self.deployer(id);
        }
        if before.down != after.down {
            (self.notify)(Notification::Process(Process::Restart(Agent::Unit(id))));
        }
        if before.hook_error != after.hook_error {
            (self.notify)(Notification::Process(Process::Resolve(id)));
        }
    }

    fn upgrade(&mut self) {
        if self.before.runtime.upgrade() != self.after.runtime.upgrade() {
            (self.notify)(Notification::All);
        }
    }
}
