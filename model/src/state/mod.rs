//! The state: the store and the runtime, and the functions that concern both.

mod events;
mod set;
mod stored;

use crate::{
    clause::{Clause, Rule},
    history::{Event, History},
    ids::{
        ApplicationId, EntityId, MachineId, Placement, RelationId, Rename as _, Renaming, UnitId,
    },
    life::Life::{self, Alive, Dead},
    prefetch::prefetch,
    rows::{FieldSet, RowTable as _, See, ShownValue},
    runtime::{Hardware, MachineRuntime, Runtime},
    store::{Row, Store, Touched},
    world::World,
};

pub(crate) use stored::{RowVisitor, Stored};

/// Whether the agent of an entity with this life still runs: the clause `terminates` ends it once
/// the entity is Dead (D1:71, D1:100).
fn runs_on(world: &World, life: Option<Life>, terminates: Clause) -> bool {
    life.is_some_and(|life| life != Dead || world.is_off(terminates))
}

/// Everything that changes while the protocol runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub store: Store,
    /// The hardware, the agents and their disks, and the clients.
    pub runtime: Runtime,
    /// The past, as far as asked claims need it. Only they read it: no agent, user or operator.
    pub history: History,
}

impl State {
    /// A state without documents, hardware and agents.
    pub fn empty(world: &World) -> Self {
        Self {
            store: Store::empty(world),
            runtime: Runtime::empty(world),
            history: History::empty(world),
        }
    }

    /// Asks the processor for a row that will be read soon, without waiting. It has no other
    /// effect.
    #[inline]
    pub fn prefetch(&self, row: Row) {
        struct Prefetch<'a>(&'a State);

        impl RowVisitor for Prefetch<'_> {
            type Out = ();

            #[inline]
            fn visit<R: Stored>(self, key: R::Key) {
                R::look(self.0, key, prefetch);
            }
        }

        row.visit(Prefetch(self));
    }

    /// Whether the agent of `id` runs: its instance is there, its process is up, and it has not
    /// terminated itself because its machine is Dead.
    pub fn machine_agent_runs(&self, world: &World, id: MachineId) -> bool {
        let terminates = Clause { rule: Rule::MachineAgent, number: 6 };
        self.runtime.runs(id) && runs_on(world, self.store.machine_life(id), terminates)
    }

    /// Whether the agent of `id` is deployed and up, and has not terminated itself because its
    /// unit is Dead or gone, which it learns only with a connection.
    pub fn unit_agent_runs(&self, world: &World, id: UnitId) -> bool {
        let terminates = Clause { rule: Rule::UnitAgent, number: 16 };
        let agent = self.runtime.unit(id);
        agent.deployed_by != Placement::Nowhere
            && !agent.down
            && (runs_on(world, self.store.unit_life(id), terminates) || self.runtime.is_cut_off(id))
    }

    /// Whether the agent of `id` runs, and does not wait for the operator.
    pub fn unit_agent_acts(&self, world: &World, id: UnitId) -> bool {
        let waits = || !world.is_off(Clause { rule: Rule::UnitAgent, number: 22 });
        self.unit_agent_runs(world, id) && !(self.runtime.unit(id).is_suspended() && waits())
    }

    /// The manager machine whose agent runs the provisioner and the cleaner: the first that runs.
    pub fn active_manager(&self, world: &World) -> Option<MachineId> {
        world.managers().find(|id| self.machine_agent_runs(world, *id))
    }

    /// The identifier for a new unit: the first one that has left no trace.
    ///
    /// In the protocol unit names are never used again. In a finite world an identifier is, once no
    /// document, disk or pending transaction distinguishes the new unit from the old one.
    pub fn free_unit(&self, world: &World, application: ApplicationId) -> Option<UnitId> {
        world.application(application).units().find(|id| self.is_unused(world, *id))
    }

    fn is_unused(&self, world: &World, id: UnitId) -> bool {
        self.has_left_nothing(world, id)
            && !self.is_remembered(world, id)
            && !self.runtime.pending_txns().any(|txn| txn.units().any(|unit| unit == id))
    }

    /// Whether no document, no disk, no open port and no user's command in progress mentions the
    /// unit.
    pub(crate) fn has_left_nothing(&self, world: &World, id: UnitId) -> bool {
        self.store.unit(id).is_none()
            && !self.runtime.is_deployed(id)
            && !self.runtime.is_port_open(id)
            && !self.runtime.users().iter().any(|user| user.unassigned() == Some(id))
            && world.relations_of(id).iter().all(|relation| !self.store.in_scope(*relation, id))
    }

    /// Whether some agent has seen the unit, or has marked or decided on a hook about it. Very many
    /// agents may have, so an index counts them.
    pub(crate) fn is_remembered(&self, world: &World, id: UnitId) -> bool {
        let is_seen = |relation: &RelationId| {
            let mut agents = self.runtime.sighting_agents(*relation);
            agents.any(|agent| self.runtime.sighting(*relation, agent).named().contains(id))
        };
        let is_marked = |it| self.runtime.hooks(it).named().contains(&Some(id));
        world.has_sightings() && world.relation_ids().any(|relation| is_seen(&relation))
            || world.detail.relations && world.unit_ids().any(is_marked)
    }

    /// Whether the identifier of a machine has left no trace, so that a new one can take it.
    pub fn is_machine_unused(&self, id: MachineId) -> bool {
        self.has_machine_left_nothing(id)
            && !self.runtime.pending_txns().any(|txn| txn.machines().any(|machine| machine == id))
    }

    /// Whether no document and no runtime row mentions the machine.
    pub(crate) fn has_machine_left_nothing(&self, id: MachineId) -> bool {
        self.store.machine(id).is_none() && *self.runtime.machine(id) == MachineRuntime::default()
    }

    /// Whether a new unit can be assigned to the machine: it is Alive and has none.
    pub(crate) fn is_machine_free(&self, id: MachineId) -> bool {
        let machine = self.store.machine(id);
        machine.is_some_and(|machine| machine.life == Alive && machine.principals.is_empty())
    }

    /// Starts an instance for a machine, and records its id in the machine's document.
    pub fn start_instance(&mut self, id: MachineId, touched: &mut Touched) {
        self.runtime.machine_mut(id, touched).hardware = Hardware::Running;
        self.know_instance(id, true, touched);
    }

    /// Takes a machine's instance away with all that is on it, its containers included. The
    /// document keeps the instance id unless the failure is noticed.
    pub fn lose_instance(
        &mut self,
        world: &World,
        id: MachineId,
        left: Hardware,
        touched: &mut Touched,
    ) {
        self.runtime.wipe(world, id, left, touched);
        if left == Hardware::Absent {
            let (of_all, of_dead) =
                (world.tells_who_lost_instances(), world.remembers_lost_instances());
            self.know_instance(id, false, touched);
            if let Some(machine) = &mut self.store.machine_docs_mut(id, touched).machine {
                machine.lost = of_all || of_dead && machine.life == Dead;
            }
        }
        for container in world.containers_of(id) {
            if world.detail.provisioning {
                self.runtime.lose_strays(container, touched);
                self.happens(world, Event::InstancesEnd(container), touched);
            }
            if self.runtime.machine(container).hardware != Hardware::Absent {
                self.lose_instance(world, container, left, touched);
            }
        }
    }

    fn know_instance(&mut self, id: MachineId, known: bool, touched: &mut Touched) {
        if let Some(machine) = &mut self.store.machine_docs_mut(id, touched).machine {
            machine.instance = known;
        }
    }

    /// Makes one row equal to that of `other`.
    #[inline]
    pub fn restore(&mut self, row: Row, other: &Self) {
        struct Restore<'a>(&'a mut State, &'a State);

        impl RowVisitor for Restore<'_> {
            type Out = ();

            #[inline]
            fn visit<R: Stored>(self, key: R::Key) {
                R::table_mut(self.0).restore(key, R::table(self.1));
            }
        }

        row.visit(Restore(self, other));
    }

    /// Replaces the image of a row by the row of `other`, renamed; `by` is a renaming into this
    /// world. Values derived from other rows stay.
    pub fn take_renamed(&mut self, other: &Self, row: Row, by: &Renaming) {
        struct Take<'a>(&'a mut State, &'a State, &'a Renaming);

        impl RowVisitor for Take<'_> {
            type Out = ();

            fn visit<R: Stored>(self, key: R::Key) {
                let Self(state, other, by) = self;
                R::look(other, key, |row| {
                    let take = |renamed: &mut R| renamed.take_renamed(row, by);
                    R::change(state, key.renamed(by), &mut Touched::new(), take);
                });
            }
        }

        row.visit(Take(self, other, by));
    }

    /// Whether one row equals that of `other`.
    pub fn is_same(&self, row: Row, other: &Self) -> bool {
        struct Same<'a>(&'a State, &'a State);

        impl RowVisitor for Same<'_> {
            type Out = bool;

            fn visit<R: Stored>(self, key: R::Key) -> bool {
                R::look(self.0, key, |row| R::look(self.1, key, |other| row == other))
            }
        }

        row.visit(Same(self, other))
    }

    /// The fields in `among` that differ from those of `other`.
    pub fn differing(&self, row: Row, other: &Self, among: FieldSet) -> FieldSet {
        struct Differing<'a>(&'a State, &'a State, FieldSet);

        impl RowVisitor for Differing<'_> {
            type Out = FieldSet;

            fn visit<R: Stored>(self, key: R::Key) -> FieldSet {
                R::look(self.0, key, |row| {
                    R::look(self.1, key, |other| row.differing(other, self.2))
                })
            }
        }

        row.visit(Differing(self, other, among))
    }

    /// Describes each field of a row.
    pub fn fields(&self, row: Row, see: &mut See<'_>) {
        struct Visit<'a, 'b>(&'a State, &'a mut See<'b>);

        impl RowVisitor for Visit<'_, '_> {
            type Out = ();

            fn visit<R: Stored>(self, key: R::Key) {
                R::look(self.0, key, |row| row.visit(self.1));
            }
        }

        row.visit(Visit(self, see));
    }

    /// Reads the field of a row with this number among the parts of all its fields
    /// (`Field::parts`); `None` if its document is missing.
    ///
    /// # Panics
    /// If there is no field of this number.
    #[inline]
    pub fn field<T>(
        &self,
        row: Row,
        number: usize,
        see: impl FnOnce(Option<ShownValue<'_>>) -> T,
    ) -> T {
        struct Look<'a, F>(&'a State, usize, F);

        impl<T, F: FnOnce(Option<ShownValue<'_>>) -> T> RowVisitor for Look<'_, F> {
            type Out = T;

            #[inline]
            fn visit<R: Stored>(self, key: R::Key) -> T {
                R::look(self.0, key, |row| (self.2)(row.look_at(self.1)))
            }
        }

        row.visit(Look(self, number, see))
    }

    /// The rows that belong to an entity, except those of single units.
    pub(crate) fn rows_of(&self, entity: EntityId) -> impl Iterator<Item = Row> + use<> {
        let (document, agent, details) = match entity {
            EntityId::Machine(id) => (Row::Machine(id), Some(Row::MachineRuntime(id)), [None; 3]),
            EntityId::Unit(id) => {
                let hooks = self.runtime.has_hooks().then_some(Row::UnitHooks(id));
                let charm = self.runtime.has_charms().then_some(Row::UnitCharm(id));
                let workflow = self.runtime.has_workflows().then_some(Row::UnitWorkflow(id));
                (Row::Unit(id), Some(Row::UnitRuntime(id)), [hooks, charm, workflow])
            }
            EntityId::Application(id) => (Row::Application(id), None, [None; 3]),
            EntityId::Relation(id) => (Row::Relation(id), None, [None; 3]),
        };
        std::iter::once(document).chain(agent).chain(details.into_iter().flatten())
    }

    /// Describes each field of the rows that belong to an entity. A relation's rows for single
    /// units are described as sets of units.
    pub fn entity_fields(&self, entity: EntityId, see: &mut See<'_>) {
        for row in self.rows_of(entity) {
            self.fields(row, see);
        }
        if let EntityId::Relation(id) = entity {
            self.store.scope_docs(id).visit(see);
            self.runtime.memberships(id).visit(see);
            if let Some(settings) = self.store.settings_docs(id) {
                settings.visit(see);
            }
        }
    }

    /// Whether the rows that belong to an entity equal those of `other`.
    pub fn is_entity_same(&self, entity: EntityId, other: &Self) -> bool {
        let is_same_per_unit = match entity {
            EntityId::Machine(_) | EntityId::Application(_) | EntityId::Unit(_) => true,
            EntityId::Relation(id) => {
                self.store.scope_docs(id) == other.store.scope_docs(id)
                    && self.runtime.memberships(id) == other.runtime.memberships(id)
                    && self.store.settings_docs(id) == other.store.settings_docs(id)
            }
        };
        is_same_per_unit && self.rows_of(entity).all(|row| self.is_same(row, other))
    }
}

impl EntityId {
    /// Its life, if it exists.
    #[inline]
    pub fn life(self, state: &State) -> Option<Life> {
        match self {
            Self::Machine(id) => state.store.machine_life(id),
            Self::Application(id) => state.store.application_life(id),
            Self::Unit(id) => state.store.unit_life(id),
            Self::Relation(id) => state.store.relation_life(id),
        }
    }

    /// Whether an entity of its kind can have this life: applications and relations are removed as
    /// they would become Dead (D2:13-19).
    pub fn can_be(self, life: Life) -> bool {
        match self {
            Self::Machine(_) | Self::Unit(_) => true,
            Self::Application(_) | Self::Relation(_) => life != Life::Dead,
        }
    }
}

impl Row {
    /// The life of the entity whose own document is in the row, if that exists.
    #[inline]
    pub fn life(self, state: &State) -> Option<Life> {
        self.own_entity()?.life(state)
    }
}
