//! The runtime: hardware, agents, what they have on disk and what they hold in memory.

mod membership;

use std::sync::Arc;

use crate::{
    ids::{ApplicationId, Id, IdSet, MachineId, RelationId, UnitId},
    rows::put,
    store::{Placement, Row, Touched},
    txn::Txn,
    world::World,
};
pub use membership::{Membership, Memberships};

/// A transaction that was planned and is not committed yet.
pub type PendingTxn = Option<Arc<Txn>>;

/// Everything outside the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Runtime {
    machines: Vec<MachineRuntime>,
    units: Vec<UnitRuntime>,
    memberships: Vec<Memberships>,
    others: Others,
}

/// A machine's hardware and its agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MachineRuntime {
    /// Its instance. The machine's document knows an instance id unless this is `Absent`.
    pub hardware: Hardware,
    /// The agent's process has crashed and has not restarted.
    pub down: bool,
    /// On the agent's disk: the units it has deployed.
    pub deployed: IdSet<UnitId>,
    /// In the agent's memory: the transaction it is about to commit.
    pub pending: PendingTxn,
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
pub struct UnitRuntime {
    /// Who deployed it; `Nowhere` while it is not deployed.
    pub deployed_by: Placement,
    /// Its process has crashed and has not restarted.
    pub down: bool,
    /// On its disk: the units it has deployed as their principal.
    pub deployed: IdSet<UnitId>,
    /// On its disk: the relation whose hook failed and waits for the operator.
    pub hook_error: Option<RelationId>,
    /// In its memory: the transaction it is about to commit.
    pub pending: PendingTxn,
}

/// Those of whom there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Others {
    /// The user's command in progress.
    pub session: Option<Session>,
    /// The user's transaction pending.
    pub user: PendingTxn,
    /// How often the user's transaction has aborted.
    pub aborts: u8,
    /// The user's transaction has aborted and is to be planned again.
    pub again: bool,
    /// How often each command of the world has been given, where that is limited.
    pub given: Vec<u8>,
    /// The provisioner's transaction pending.
    pub provisioner: PendingTxn,
    /// The cleaner's transaction pending.
    pub cleaner: PendingTxn,
    /// The transactions pending of scripted clients.
    pub clients: Vec<PendingTxn>,
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

impl Runtime {
    /// Runtime without hardware and without agents.
    pub fn empty(world: &World) -> Self {
        Self {
            machines: vec![MachineRuntime::default(); world.machines.len()],
            units: vec![UnitRuntime::default(); world.units.len()],
            memberships: vec![Memberships::default(); world.relations.len()],
            others: Others { given: vec![0; world.commands.len()], ..Others::default() },
        }
    }

    /// The machine's hardware and agent.
    pub fn machine(&self, id: MachineId) -> &MachineRuntime {
        &self.machines[id.index()]
    }

    /// The unit's agent.
    pub fn unit(&self, id: UnitId) -> &UnitRuntime {
        &self.units[id.index()]
    }

    /// What agents remember of the relation.
    pub fn memberships(&self, id: RelationId) -> &Memberships {
        &self.memberships[id.index()]
    }

    /// Those of whom there is one.
    pub fn others(&self) -> &Others {
        &self.others
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

    /// What the unit's agent remembers of the relation.
    pub fn membership(&self, relation: RelationId, unit: UnitId) -> Membership {
        self.memberships(relation).of(unit)
    }

    /// The unit's agent remembers this of the relation from now on.
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

    /// All agents forget the relation.
    pub(crate) fn forget(&mut self, relation: RelationId, touched: &mut Touched) {
        *self.memberships_mut(relation, touched) = Memberships::default();
    }

    /// What all agents remember of the relation, to be changed.
    pub(crate) fn memberships_mut(
        &mut self,
        id: RelationId,
        touched: &mut Touched,
    ) -> &mut Memberships {
        touched.push(Row::Memberships(id));
        &mut self.memberships[id.index()]
    }

    /// Those of whom there is one, to be changed.
    pub fn others_mut(&mut self, touched: &mut Touched) -> &mut Others {
        touched.push(Row::Others);
        &mut self.others
    }

    /// Whether the unit's agent has been deployed.
    pub fn is_deployed(&self, id: UnitId) -> bool {
        self.unit(id).deployed_by != Placement::Nowhere
    }

    /// Whether the machine's agent runs, provided that its machine is not Dead.
    pub fn runs(&self, id: MachineId) -> bool {
        let host = self.machine(id);
        host.hardware == Hardware::Running && !host.down
    }

    /// Installs the unit's agent, with an empty disk, on behalf of `by`.
    pub fn deploy(&mut self, id: UnitId, by: Placement, touched: &mut Touched) {
        if by != Placement::Nowhere {
            self.redeploy(id, by, touched);
        }
    }

    /// Says who deployed the unit's agent, here and on its deployer's disk.
    pub(crate) fn redeploy(&mut self, id: UnitId, by: Placement, touched: &mut Touched) {
        match self.unit(id).deployed_by {
            Placement::Nowhere => {}
            Placement::Machine(machine) => self.machine_mut(machine, touched).deployed.remove(id),
            Placement::Principal(unit) => self.unit_mut(unit, touched).deployed.remove(id),
        }
        match by {
            Placement::Nowhere => {}
            Placement::Machine(machine) => self.machine_mut(machine, touched).deployed.insert(id),
            Placement::Principal(unit) => self.unit_mut(unit, touched).deployed.insert(id),
        }
        self.unit_mut(id, touched).deployed_by = by;
    }

    /// Takes the unit's agent away, with its disk and with what it deployed.
    pub fn recall(&mut self, world: &World, id: UnitId, touched: &mut Touched) {
        if !self.is_deployed(id) {
            return;
        }
        self.redeploy(id, Placement::Nowhere, touched);
        for subordinate in self.unit(id).deployed.clone().iter() {
            self.recall(world, subordinate, touched);
        }
        *self.unit_mut(id, touched) = UnitRuntime::default();
        for &relation in world.relations_of(id) {
            if self.membership(relation, id) != Membership::default() {
                self.set_membership(relation, id, Membership::default(), touched);
            }
        }
    }

    /// Takes a machine's hardware away, with all that is on it.
    pub fn wipe(&mut self, world: &World, id: MachineId, left: Hardware, touched: &mut Touched) {
        for unit in self.machine(id).deployed.clone().iter() {
            self.recall(world, unit, touched);
        }
        *self.machine_mut(id, touched) =
            MachineRuntime { hardware: left, ..MachineRuntime::default() };
    }

    /// Makes one entry what it is in `other`.
    pub(crate) fn restore(&mut self, row: Row, other: &Self) {
        match row {
            Row::MachineRuntime(id) => put(&mut self.machines, &other.machines, id),
            Row::UnitRuntime(id) => put(&mut self.units, &other.units, id),
            Row::Memberships(id) => put(&mut self.memberships, &other.memberships, id),
            Row::Membership(id, unit) => {
                self.memberships[id.index()].put(unit, other.membership(id, unit));
            }
            Row::Others => self.others.copy(&other.others),
            Row::Machine(_)
            | Row::Application(_)
            | Row::Unit(_)
            | Row::Relation(_)
            | Row::Scope(..) => {}
        }
    }

    /// All transactions pending.
    pub fn pending_txns(&self) -> impl Iterator<Item = &Arc<Txn>> {
        let others = &self.others;
        let machines = self.machines.iter().map(|machine| &machine.pending);
        machines
            .chain(self.units.iter().map(|unit| &unit.pending))
            .chain([&others.user, &others.provisioner, &others.cleaner])
            .chain(&others.clients)
            .flatten()
    }
}
