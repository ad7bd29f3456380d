//! The runtime: hardware, and agents with their disks and memory.

mod disks;
mod pending;
mod sightings;
mod stored;

use std::{collections::BTreeMap, sync::Arc};

pub use crate::rows::{
    Charm, Client, ConfigRead, Directory, Former, Hardware, MachineRuntime, ManagerTask,
    Membership, Memberships, Owed, PendingTxn, Phase, PortAsked, Session, Sighting, Stage, Startup,
    Strays, TaskRuntime, UnitCharm, UnitHooks, UnitRuntime, UnitWork, UnitWorkflow, Upgrade,
    UpgradeDue, User, UserState, Workflow,
};
use crate::{
    ids::{ClientId, Id, MachineId, Placement, RelationId, UnitId, UserId},
    rows::{Read, RowKind, ShownValue, note, table},
    store::{Row, Touched},
    txn::Txn,
    world::World,
};
pub use pending::ClientWork;

/// Everything outside the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Runtime {
    machines: Vec<MachineRuntime>,
    units: Vec<UnitRuntime>,
    /// A row for each unit, where the world has the detail.
    hooks: Vec<UnitHooks>,
    /// A row for each unit, where the world has the detail.
    charms: Vec<UnitCharm>,
    /// A row for each unit, where the world has the detail.
    workflows: Vec<UnitWorkflow>,
    memberships: Vec<Memberships>,
    /// The rows that differ from an empty one, where the world has the detail.
    sightings: BTreeMap<(RelationId, UnitId), Sighting>,
    users: Vec<User>,
    tasks: [TaskRuntime; ManagerTask::ALL.len()],
    /// The clients up to the last one that has planned a transaction.
    clients: Vec<Client>,
    upgrade: Upgrade,
}

impl Runtime {
    /// Runtime without hardware and without agents.
    pub fn empty(world: &World) -> Self {
        Self {
            machines: vec![MachineRuntime::default(); world.machines.len()],
            units: vec![UnitRuntime::default(); world.units.len()],
            hooks: vec![UnitHooks::default(); RowKind::UnitHooks.count(world)],
            charms: vec![UnitCharm::default(); RowKind::UnitCharm.count(world)],
            workflows: vec![UnitWorkflow::default(); RowKind::UnitWorkflow.count(world)],
            memberships: vec![Memberships::default(); world.relations.len()],
            sightings: BTreeMap::new(),
            users: world.user_ids().map(|id| User::new(world, id)).collect(),
            tasks: Default::default(),
            clients: Vec::new(),
            upgrade: Upgrade::default(),
        }
    }

    pub fn machine(&self, id: MachineId) -> &MachineRuntime {
        note(Read::Row(Row::MachineRuntime(id)));
        &self.machines[id.index()]
    }

    pub fn unit(&self, id: UnitId) -> &UnitRuntime {
        note(Read::Row(Row::UnitRuntime(id)));
        &self.units[id.index()]
    }

    pub fn has_hooks(&self) -> bool {
        !self.hooks.is_empty()
    }

    /// The progress of the unit's hooks.
    ///
    /// # Panics
    /// If the world has not the detail `hooks`.
    pub fn hooks(&self, id: UnitId) -> &UnitHooks {
        note(Read::Row(Row::UnitHooks(id)));
        &self.hooks[id.index()]
    }

    /// Whether units have charm directories and ports.
    pub fn has_charms(&self) -> bool {
        !self.charms.is_empty()
    }

    /// The unit's charm.
    ///
    /// # Panics
    /// If the world has not the detail `charm`.
    pub fn charm(&self, id: UnitId) -> &UnitCharm {
        note(Read::Row(Row::UnitCharm(id)));
        &self.charms[id.index()]
    }

    pub fn has_workflows(&self) -> bool {
        !self.workflows.is_empty()
    }

    /// The unit's workflow.
    ///
    /// # Panics
    /// If the world has not the detail `workflow`.
    pub fn workflow(&self, id: UnitId) -> &UnitWorkflow {
        note(Read::Row(Row::UnitWorkflow(id)));
        &self.workflows[id.index()]
    }

    /// Whether the agent of `id` has lost its connection to the store, so that it learns nothing
    /// from it: not even that its unit is Dead.
    pub fn is_cut_off(&self, id: UnitId) -> bool {
        note(Read::Row(Row::UnitWorkflow(id)));
        self.workflows.get(id.index()).is_some_and(|workflow| workflow.cut_off)
    }

    /// Whether the unit's port is open, or was never closed on a unit that is gone.
    pub fn is_port_open(&self, id: UnitId) -> bool {
        note(Read::Row(Row::UnitCharm(id)));
        self.charms.get(id.index()).is_some_and(|charm| charm.port_open)
    }

    /// The agents' knowledge of the relation.
    pub fn memberships(&self, id: RelationId) -> &Memberships {
        note(Read::Relation(RowKind::Membership, id));
        &self.memberships[id.index()]
    }

    pub fn user(&self, id: UserId) -> &User {
        note(Read::Row(Row::User(id)));
        &self.users[id.index()]
    }

    /// The number of times that all users together have given each command of the world, if that is
    /// limited.
    pub fn given(&self) -> &[u8] {
        &self.user(UserId::FIRST).given
    }

    pub fn users(&self) -> &[User] {
        note(Read::All(RowKind::User));
        &self.users
    }

    /// The memory of the task.
    pub fn task(&self, task: ManagerTask) -> &TaskRuntime {
        note(Read::Row(Row::Task(task)));
        &self.tasks[task.index()]
    }

    /// The client, if it or a later one has ever planned a transaction.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        note(Read::Row(Row::Client(id)));
        self.clients.get(id.index())
    }

    /// The clients up to the last one that has planned a transaction.
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// Whether neglectful agents have been upgraded.
    pub fn upgrade(&self) -> &Upgrade {
        note(Read::Row(Row::Upgrade));
        &self.upgrade
    }

    /// The machine's hardware and agent, to be changed.
    pub fn machine_mut(&mut self, id: MachineId, touched: &mut Touched) -> &mut MachineRuntime {
        touched.push(Row::MachineRuntime(id));
        &mut self.machines[id.index()]
    }

    /// The unit's agent, to be changed.
    pub fn unit_mut(&mut self, id: UnitId, touched: &mut Touched) -> &mut UnitRuntime {
        touched.push(Row::UnitRuntime(id));
        &mut self.units[id.index()]
    }

    /// The progress of the unit's hooks, to be changed.
    ///
    /// # Panics
    /// If the world has not the detail `hooks`.
    pub fn hooks_mut(&mut self, id: UnitId, touched: &mut Touched) -> &mut UnitHooks {
        touched.push(Row::UnitHooks(id));
        &mut self.hooks[id.index()]
    }

    /// The unit's charm, to be changed.
    ///
    /// # Panics
    /// If the world has not the detail `charm`.
    pub fn charm_mut(&mut self, id: UnitId, touched: &mut Touched) -> &mut UnitCharm {
        touched.push(Row::UnitCharm(id));
        &mut self.charms[id.index()]
    }

    /// The unit's workflow, to be changed.
    ///
    /// # Panics
    /// If the world has not the detail `workflow`.
    pub fn workflow_mut(&mut self, id: UnitId, touched: &mut Touched) -> &mut UnitWorkflow {
        touched.push(Row::UnitWorkflow(id));
        &mut self.workflows[id.index()]
    }

    /// Removes the rows that details add.
    pub(crate) fn hide_details(&mut self) {
        self.hooks.clear();
        self.charms.clear();
        self.workflows.clear();
        self.sightings.clear();
        for machine in &mut self.machines {
            (machine.strays, machine.former) = (Strays::default(), Former::default());
            machine.named_stray = false;
        }
        for task in &mut self.tasks {
            task.stage = Stage::default();
        }
    }

    /// The agent's knowledge of the relation.
    pub fn membership(&self, relation: RelationId, unit: UnitId) -> Membership {
        note(Read::Row(Row::Membership(relation, unit)));
        self.memberships[relation.index()].of(unit)
    }

    /// Replaces the agent's knowledge of the relation.
    pub fn set_membership(
        &mut self,
        relation: RelationId,
        unit: UnitId,
        membership: Membership,
        touched: &mut Touched,
    ) {
        touched.push(Row::Membership(relation, unit));
        self.memberships[relation.index()].put(unit, membership);
    }

    pub(crate) fn forget(&mut self, relation: RelationId, touched: &mut Touched) {
        note(Read::Broadcast(relation));
        let known = std::mem::take(&mut self.memberships[relation.index()]);
        known.visit(&mut |_, shown| {
            if let Some(ShownValue::Units(units)) = shown {
                touched.extend(units.iter().map(|unit| Row::Membership(relation, unit)));
            }
        });
        if self.has_workflows() {
            return; // the charm of the older agent has not been told yet
        }
        let agents: Vec<UnitId> = self.sighting_agents(relation).collect();
        for unit in agents {
            self.forget_sighting(relation, unit, touched);
        }
    }

    pub fn user_mut(&mut self, id: UserId, touched: &mut Touched) -> &mut User {
        touched.push(Row::User(id));
        &mut self.users[id.index()]
    }

    /// The number of times that each command has been given, to be changed.
    pub(crate) fn given_mut(&mut self, touched: &mut Touched) -> &mut [u8] {
        &mut self.user_mut(UserId::FIRST, touched).given
    }

    /// The memory of the task, to be changed.
    pub fn task_mut(&mut self, task: ManagerTask, touched: &mut Touched) -> &mut TaskRuntime {
        touched.push(Row::Task(task));
        &mut self.tasks[task.index()]
    }

    pub fn client_mut(&mut self, id: ClientId, touched: &mut Touched) -> &mut Client {
        touched.push(Row::Client(id));
        if self.clients.len() <= id.index() {
            self.clients.resize(id.index() + 1, Client::default());
        }
        &mut self.clients[id.index()]
    }

    /// Whether neglectful agents have been upgraded, to be changed.
    pub fn upgrade_mut(&mut self, touched: &mut Touched) -> &mut Upgrade {
        touched.push(Row::Upgrade);
        &mut self.upgrade
    }

    /// Whether the unit's agent has been deployed.
    pub fn is_deployed(&self, id: UnitId) -> bool {
        self.unit(id).deployed_by != Placement::Nowhere
    }

    /// Whether the machine's agent runs, provided that its machine is not Dead.
    pub fn runs(&self, id: MachineId) -> bool {
        let machine = self.machine(id);
        machine.hardware == Hardware::Running && !machine.down
    }

    pub fn pending_txns(&self) -> impl Iterator<Item = &Arc<Txn>> {
        note(Read::Pending);
        let machines = self.machines.iter().map(|machine| &machine.pending);
        let tasks = self.tasks.iter().map(|task| &task.pending);
        let clients = self.clients.iter().map(|client| &client.pending);
        let users = self.users.iter().filter_map(|user| user.state.txn());
        let agents = self.units.iter().filter_map(|unit| match unit.pending.as_ref()? {
            UnitWork::Txn(txn) => Some(txn),
            UnitWork::Hook(_) => None,
        });
        machines.chain(tasks).chain(clients).flatten().chain(agents).chain(users)
    }
}

table! { Runtime:
    MachineRuntime machine machine_mut machines;
    User user user_mut users;
    UnitHooks hooks hooks_mut hooks;
    UnitCharm charm charm_mut charms;
    UnitWorkflow workflow workflow_mut workflows;
    TaskRuntime task task_mut tasks;
}
