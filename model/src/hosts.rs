//! The hosts: hardware, agents, what they have on disk and what they hold in memory.

mod memory;

use std::sync::Arc;

use crate::{
    ids::{ApplicationId, Id, IdSet, MachineId, RelationId, UnitId},
    rows::put,
    store::{Host, Slot, Touched},
    txn::Txn,
    world::World,
};
pub use memory::{Memory, Recollection};

/// A transaction that was planned and is not committed yet.
pub type Flight = Option<Arc<Txn>>;

/// Everything outside the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hosts {
    machines: Vec<MachineHost>,
    units: Vec<UnitHost>,
    memories: Vec<Memory>,
    others: Others,
}

/// A machine's hardware and its agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MachineHost {
    /// Its instance. The machine's document knows an instance id unless this is `Absent`.
    pub hardware: Hardware,
    /// The agent's process has crashed and has not restarted.
    pub down: bool,
    /// On the agent's disk: the units it has deployed.
    pub deployed: IdSet<UnitId>,
    /// In the agent's memory: the transaction it is about to commit.
    pub flight: Flight,
}

/// What a machine runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hardware {
    /// There is no instance.
    #[default]
    Absent,
    /// The instance runs.
    Running,
    /// The instance is gone with all on it, and nobody has noticed.
    Silent,
}

/// A unit's agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitHost {
    /// Who deployed it; `Nowhere` while it is not deployed.
    pub deployed_by: Host,
    /// Its process has crashed and has not restarted.
    pub down: bool,
    /// On its disk: the units it has deployed as their principal.
    pub deployed: IdSet<UnitId>,
    /// On its disk: the relation whose hook failed and waits for the operator.
    pub hook_error: Option<RelationId>,
    /// In its memory: the transaction it is about to commit.
    pub flight: Flight,
}

/// Those of whom there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Others {
    /// The user's command in progress.
    pub session: Option<Session>,
    /// The user's transaction in flight.
    pub user: Flight,
    /// How often the user's transaction has aborted.
    pub aborts: u8,
    /// The user's transaction has aborted and is to be planned again.
    pub again: bool,
    /// How often each command of the world has been given, where that is limited.
    pub given: Vec<u8>,
    /// The provisioner's transaction in flight.
    pub provisioner: Flight,
    /// The cleaner's transaction in flight.
    pub cleaner: Flight,
    /// The transactions in flight of scripted clients.
    pub clients: Vec<Flight>,
    /// The agents that neglected their duties have been upgraded.
    pub upgraded: bool,
}

impl Others {
    /// Becomes what `other` is, in the memory that it has.
    fn copy(&mut self, other: &Self) {
        let Self { session, user, aborts, again, given, provisioner, cleaner, clients, upgraded } =
            other;
        (self.session, self.aborts) = (*session, *aborts);
        (self.again, self.upgraded) = (*again, *upgraded);
        self.user.clone_from(user);
        self.given.clone_from(given);
        self.provisioner.clone_from(provisioner);
        self.cleaner.clone_from(cleaner);
        self.clients.clone_from(clients);
    }
}

/// The rest of a command that takes several transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Session {
    /// The application that is deployed or gets units.
    pub application: ApplicationId,
    /// Its peer relations are still to be looked after.
    pub peers: bool,
    /// How many units are still to be added.
    pub units: u32,
    /// The unit that is to be assigned to a machine.
    pub unassigned: Option<UnitId>,
}

impl Hosts {
    /// Hosts without hardware and without agents.
    pub fn empty(world: &World) -> Self {
        Self {
            machines: vec![MachineHost::default(); world.machines.len()],
            units: vec![UnitHost::default(); world.units.len()],
            memories: vec![Memory::default(); world.relations.len()],
            others: Others { given: vec![0; world.commands.len()], ..Others::default() },
        }
    }

    /// The machine's hardware and agent.
    pub fn machine(&self, id: MachineId) -> &MachineHost {
        &self.machines[id.index()]
    }

    /// The unit's agent.
    pub fn unit(&self, id: UnitId) -> &UnitHost {
        &self.units[id.index()]
    }

    /// What agents remember of the relation.
    pub fn memory(&self, id: RelationId) -> &Memory {
        &self.memories[id.index()]
    }

    /// Those of whom there is one.
    pub fn others(&self) -> &Others {
        &self.others
    }

    /// The machine's hardware and agent, to be changed.
    pub fn machine_mut(&mut self, id: MachineId, touched: &mut Touched) -> &mut MachineHost {
        touched.push(Slot::MachineHost(id));
        &mut self.machines[id.index()]
    }

    /// The unit's agent, to be changed.
    pub fn unit_mut(&mut self, id: UnitId, touched: &mut Touched) -> &mut UnitHost {
        touched.push(Slot::UnitHost(id));
        &mut self.units[id.index()]
    }

    /// What the unit's agent remembers of the relation.
    pub fn recollection(&self, relation: RelationId, unit: UnitId) -> Recollection {
        self.memory(relation).of(unit)
    }

    /// The unit's agent remembers this of the relation from now on.
    pub fn remember(
        &mut self,
        relation: RelationId,
        unit: UnitId,
        recollection: Recollection,
        touched: &mut Touched,
    ) {
        touched.push(Slot::Recollection(relation, unit));
        self.memories[relation.index()].put(unit, recollection);
    }

    /// All agents forget the relation.
    pub(crate) fn forget(&mut self, relation: RelationId, touched: &mut Touched) {
        *self.memory_mut(relation, touched) = Memory::default();
    }

    /// What all agents remember of the relation, to be changed.
    pub(crate) fn memory_mut(&mut self, id: RelationId, touched: &mut Touched) -> &mut Memory {
        touched.push(Slot::Memory(id));
        &mut self.memories[id.index()]
    }

    /// Those of whom there is one, to be changed.
    pub fn others_mut(&mut self, touched: &mut Touched) -> &mut Others {
        touched.push(Slot::Others);
        &mut self.others
    }

    /// Whether the unit's agent has been deployed.
    pub fn is_deployed(&self, id: UnitId) -> bool {
        self.unit(id).deployed_by != Host::Nowhere
    }

    /// Whether the machine's agent runs, provided that its machine is not Dead.
    pub fn runs(&self, id: MachineId) -> bool {
        let host = self.machine(id);
        host.hardware == Hardware::Running && !host.down
    }

    /// Installs the unit's agent, with an empty disk, on behalf of `by`.
    pub fn deploy(&mut self, id: UnitId, by: Host, touched: &mut Touched) {
        if by != Host::Nowhere {
            self.redeploy(id, by, touched);
        }
    }

    /// Says who deployed the unit's agent, here and on its deployer's disk.
    pub(crate) fn redeploy(&mut self, id: UnitId, by: Host, touched: &mut Touched) {
        match self.unit(id).deployed_by {
            Host::Nowhere => {}
            Host::Machine(machine) => self.machine_mut(machine, touched).deployed.remove(id),
            Host::Principal(unit) => self.unit_mut(unit, touched).deployed.remove(id),
        }
        match by {
            Host::Nowhere => {}
            Host::Machine(machine) => self.machine_mut(machine, touched).deployed.insert(id),
            Host::Principal(unit) => self.unit_mut(unit, touched).deployed.insert(id),
        }
        self.unit_mut(id, touched).deployed_by = by;
    }

    /// Takes the unit's agent away, with its disk and with what it deployed.
    pub fn recall(&mut self, world: &World, id: UnitId, touched: &mut Touched) {
        if !self.is_deployed(id) {
            return;
        }
        self.redeploy(id, Host::Nowhere, touched);
        for subordinate in self.unit(id).deployed.clone().iter() {
            self.recall(world, subordinate, touched);
        }
        *self.unit_mut(id, touched) = UnitHost::default();
        for &relation in world.relations_of(id) {
            if self.recollection(relation, id) != Recollection::default() {
                self.remember(relation, id, Recollection::default(), touched);
            }
        }
    }

    /// Takes a machine's hardware away, with all that is on it.
    pub fn wipe(&mut self, world: &World, id: MachineId, left: Hardware, touched: &mut Touched) {
        for unit in self.machine(id).deployed.clone().iter() {
            self.recall(world, unit, touched);
        }
        *self.machine_mut(id, touched) = MachineHost { hardware: left, ..MachineHost::default() };
    }

    /// Makes one entry what it is in `other`.
    pub(crate) fn restore(&mut self, slot: Slot, other: &Self) {
        match slot {
            Slot::MachineHost(id) => put(&mut self.machines, &other.machines, id),
            Slot::UnitHost(id) => put(&mut self.units, &other.units, id),
            Slot::Memory(id) => put(&mut self.memories, &other.memories, id),
            Slot::Recollection(id, unit) => {
                self.memories[id.index()].put(unit, other.recollection(id, unit));
            }
            Slot::Others => self.others.copy(&other.others),
            Slot::Machine(_)
            | Slot::Application(_)
            | Slot::Unit(_)
            | Slot::Relation(_)
            | Slot::Scope(..) => {}
        }
    }

    /// All transactions in flight.
    pub fn flights(&self) -> impl Iterator<Item = &Arc<Txn>> {
        let others = &self.others;
        let machines = self.machines.iter().map(|machine| &machine.flight);
        machines
            .chain(self.units.iter().map(|unit| &unit.flight))
            .chain([&others.user, &others.provisioner, &others.cleaner])
            .chain(&others.clients)
            .flatten()
    }
}
