//! Wake-ups: who has to look again because something was touched.
//!
//! Watchers in the sense of the documents: an agent sleeps until a document it watches, or its own
//! host, changes. Rousing somebody in vain costs a look; not rousing somebody who could move would
//! end a run too early, so a test looks for an actor that sleeps and could move. What many units
//! watch (the life of an application or a relation) rouses them only if it changed.

use deathwatch_model::{
    action::Agent,
    claims::Subject,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    state::State,
    store::{Host, Slot},
    world::World,
};

use super::party::{Party, Task};

/// Who is roused.
#[derive(Clone, Copy, Debug)]
pub(super) enum Call {
    /// A party.
    Party(Party),
    /// A task, about one document.
    Task(Task, Subject),
    /// Everybody: the agents have been upgraded.
    Everybody,
}

/// What is roused by what `slot` was before and is now.
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
    /// Rouses those who watch `slot`.
    pub(super) fn look_at(&mut self, slot: Slot) {
        match slot {
            Slot::Machine(id) => self.machine(id),
            Slot::Application(id) => self.application(id),
            Slot::Unit(id) => self.unit(id),
            Slot::Relation(id) => self.relation(id),
            Slot::Scope(_, unit) => self.scope(unit),
            Slot::MachineHost(id) => self.machine_host(id),
            Slot::UnitHost(id) => self.unit_host(id),
            Slot::Recollection(_, unit) => self.agent(Agent::Unit(unit)),
            // It goes with its relation, which rouses all who are concerned.
            Slot::Memory(_) => {}
            Slot::Others => self.others(),
        }
    }

    fn agent(&mut self, agent: Agent) {
        (self.call)(Call::Party(Party::Agent(agent)));
    }

    fn task(&mut self, task: Task, subject: Subject) {
        (self.call)(Call::Task(task, subject));
    }

    fn machine(&mut self, id: MachineId) {
        self.agent(Agent::Machine(id));
        self.task(Task::Provisioner, Subject::Machine(id));
        self.force_machine(id);
        if let Some(host) = self.world.machine(id).host {
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
        for task in Task::ALL {
            (self.call)(Call::Party(Party::Task(task)));
        }
        for manager in self.world.managers() {
            self.agent(Agent::Machine(manager));
            self.force_machine(manager);
        }
    }

    fn application(&mut self, id: ApplicationId) {
        let cleanup = |state: &State| state.store.application_docs(id).units_cleanup;
        if cleanup(self.after) {
            self.task(Task::Cleaner, Subject::Application(id));
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
            self.task(Task::Cleaner, Subject::Application(application));
        }
    }

    /// Whoever deploys the unit, or did.
    fn deployer(&mut self, id: UnitId) {
        for host in self.hosts(id) {
            match host {
                Host::Nowhere => {}
                Host::Machine(machine) => self.agent(Agent::Machine(machine)),
                Host::Principal(principal) => self.agent(Agent::Unit(principal)),
            }
        }
    }

    /// The cleaner, if the unit, its principal or its machine is being forced.
    fn force(&mut self, id: UnitId) {
        if self.after.store.unit_docs(id).force {
            self.task(Task::Cleaner, Subject::Unit(id));
        }
        for host in self.hosts(id) {
            match host {
                Host::Nowhere => {}
                Host::Machine(machine) => self.force_machine(machine),
                Host::Principal(principal) => self.force(principal),
            }
        }
    }

    /// Where the unit belonged before, and where it belongs now.
    fn hosts(&self, id: UnitId) -> [Host; 2] {
        [self.before, self.after]
            .map(|state| state.store.unit(id).map_or(Host::Nowhere, |unit| unit.host))
    }

    fn force_machine(&mut self, id: MachineId) {
        if self.after.store.machine_docs(id).force {
            self.task(Task::Cleaner, Subject::Machine(id));
        }
    }

    fn relation(&mut self, id: RelationId) {
        if self.after.store.relation_docs(id).cleanup {
            self.task(Task::Cleaner, Subject::Relation(id));
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
        if !self.after.hosts.is_deployed(unit) {
            self.deployer(unit);
        }
        self.force(unit);
    }

    /// Most often a transaction in flight comes or goes, which is nobody else's concern.
    fn machine_host(&mut self, id: MachineId) {
        self.agent(Agent::Machine(id));
        let (before, after) = (self.before.hosts.machine(id), self.after.hosts.machine(id));
        let is_new = before.hardware != after.hardware;
        if is_new {
            self.task(Task::Provisioner, Subject::Machine(id));
            for container in self.world.containers_of(id) {
                self.task(Task::Provisioner, Subject::Machine(container));
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
        let (before, after) = (self.before.hosts.unit(id), self.after.hosts.unit(id));
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
        if self.before.hosts.others().upgraded != self.after.hosts.others().upgraded {
            (self.call)(Call::Everybody);
        }
    }
}
