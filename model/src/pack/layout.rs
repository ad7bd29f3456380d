//! The layout of packed states: where each row sits, and the slots of its fields.

use crate::{
    ids::{ClientId, Id, RelationId, UnitId},
    rows::{ManagerTask, Row, RowKind, RowVisitor, Slot, Stored, WorldBounds},
    world::World,
};

/// A packed state has at most this many bits, which are 128 KiB.
const MOST_BITS: u64 = 1 << 20;

/// A packed state takes more than 128 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateTooLarge;

/// The layout of the packed states of one world.
#[derive(Default)]
pub(super) struct Layout {
    /// The rows, in the order of their bits.
    pub(super) rows: Vec<RowPlace>,
    /// The slots of all rows, one row after the other.
    slots: Vec<Slot>,
    first: Firsts,
    /// For each relation the units of its ends: the first one, and their number.
    members: Vec<[(usize, usize); 2]>,
    /// For each bit of a packed state the index of the row that it belongs to.
    pub(super) row_at: Vec<u32>,
    /// The first bits of the numbers of transactions, in ascending order.
    pub(super) numbers: Vec<u32>,
    /// The number of bits of the documents, which come first.
    pub(super) documents: u32,
}

/// The place of a row.
pub(super) struct RowPlace {
    pub(super) row: Row,
    /// The first of its bits, and the one behind the last.
    pub(super) bits: (u32, u32),
    /// The first of its slots, and the one behind the last.
    slots: (u32, u32),
}

/// The index of the first row of each type; of pairs, for each relation.
#[derive(Default)]
struct Firsts {
    machines: usize,
    applications: usize,
    units: usize,
    relations: usize,
    scopes: Vec<usize>,
    settings: Vec<usize>,
    model: usize,
    machine_runtimes: usize,
    unit_runtimes: usize,
    unit_hooks: usize,
    unit_charms: usize,
    unit_workflows: usize,
    memberships: Vec<usize>,
    sightings: Vec<usize>,
    users: usize,
    tasks: usize,
    clients: usize,
    upgrade: usize,
    unit_histories: usize,
    relation_histories: Vec<usize>,
    machine_histories: usize,
}

impl Layout {
    /// The layout of a world with these bounds, and with this number of scripted clients.
    ///
    /// # Errors
    /// If a state is too large.
    pub(super) fn new(
        world: &World,
        clients: usize,
        bounds: &WorldBounds<'_>,
    ) -> Result<Self, StateTooLarge> {
        let members = world.relation_ids().map(|id| {
            let mut ends = world.relation(id).applications().map(|end| {
                let units = &world.application(end).units;
                (units.start, units.len())
            });
            [ends.next().unwrap_or_default(), ends.next().unwrap_or_default()]
        });
        let mut layout = Self { members: members.collect(), ..Self::default() };
        layout.add_documents(world, bounds)?;
        layout.documents = u32::try_from(layout.row_at.len()).expect("it is below the limit");
        layout.add_runtime(world, clients, bounds)?;
        Ok(layout)
    }

    fn add_documents(
        &mut self,
        world: &World,
        bounds: &WorldBounds<'_>,
    ) -> Result<(), StateTooLarge> {
        self.first.machines = self.add_all(bounds, world.machine_ids().map(Row::Machine))?;
        self.first.applications =
            self.add_all(bounds, world.application_ids().map(Row::Application))?;
        self.first.units = self.add_all(bounds, world.unit_ids().map(Row::Unit))?;
        self.first.relations = self.add_all(bounds, world.relation_ids().map(Row::Relation))?;
        self.first.scopes = self.add_pairs(bounds, world, Row::Scope)?;
        if world.has_sightings() {
            self.first.settings = self.add_pairs(bounds, world, Row::Settings)?;
        }
        self.first.model = self.add_all(bounds, RowKind::Model.rows(world))?;
        Ok(())
    }

    fn add_runtime(
        &mut self,
        world: &World,
        clients: usize,
        bounds: &WorldBounds<'_>,
    ) -> Result<(), StateTooLarge> {
        self.first.machine_runtimes =
            self.add_all(bounds, world.machine_ids().map(Row::MachineRuntime))?;
        self.first.unit_runtimes = self.add_all(bounds, world.unit_ids().map(Row::UnitRuntime))?;
        self.first.unit_hooks = self.add_all(bounds, RowKind::UnitHooks.rows(world))?;
        self.first.unit_charms = self.add_all(bounds, RowKind::UnitCharm.rows(world))?;
        self.first.unit_workflows = self.add_all(bounds, RowKind::UnitWorkflow.rows(world))?;
        self.first.memberships = self.add_pairs(bounds, world, Row::Membership)?;
        if world.has_sightings() {
            self.first.sightings = self.add_pairs(bounds, world, Row::Sighting)?;
        }
        self.first.users = self.add_all(bounds, world.user_ids().map(Row::User))?;
        self.first.tasks = self.add_all(bounds, ManagerTask::ALL.into_iter().map(Row::Task))?;
        let clients = (0..clients).map(|index| Row::Client(ClientId::new(index)));
        self.first.clients = self.add_all(bounds, clients)?;
        self.first.upgrade = self.add_all(bounds, [Row::Upgrade].into_iter())?;
        self.first.unit_histories = self.add_all(bounds, RowKind::UnitHistory.rows(world))?;
        if RowKind::RelationHistory.count(world) > 0 {
            self.first.relation_histories = self.add_pairs(bounds, world, Row::RelationHistory)?;
        }
        self.first.machine_histories = self.add_all(bounds, RowKind::MachineHistory.rows(world))?;
        Ok(())
    }

    /// Adds rows of one type; returns the index of the first.
    fn add_all(
        &mut self,
        bounds: &WorldBounds<'_>,
        rows: impl Iterator<Item = Row>,
    ) -> Result<usize, StateTooLarge> {
        let first = self.rows.len();
        for row in rows {
            self.add(bounds, row)?;
        }
        Ok(first)
    }

    /// Adds a row for each relation and unit of its ends; returns the index of the first row of
    /// each relation.
    fn add_pairs(
        &mut self,
        bounds: &WorldBounds<'_>,
        world: &World,
        row: fn(RelationId, UnitId) -> Row,
    ) -> Result<Vec<usize>, StateTooLarge> {
        let mut firsts = Vec::new();
        for relation in world.relation_ids() {
            let units = self.members[relation.index()].map(|(first, count)| first..first + count);
            let rows = units.into_iter().flatten().map(|unit| row(relation, UnitId::new(unit)));
            firsts.push(self.add_all(bounds, rows)?);
        }
        Ok(firsts)
    }

    fn add(&mut self, bounds: &WorldBounds<'_>, row: Row) -> Result<(), StateTooLarge> {
        struct LayOut<'a>(&'a WorldBounds<'a>, &'a mut Vec<Slot>);

        impl RowVisitor for LayOut<'_> {
            type Out = u64;

            fn visit<R: Stored>(self, key: R::Key) -> u64 {
                R::lay_out(self.0, key, self.1)
            }
        }

        let (slots, begin) = (self.slots.len(), self.row_at.len() as u64);
        let end = begin + row.visit(LayOut(bounds, &mut self.slots));
        if end > MOST_BITS {
            return Err(StateTooLarge);
        }
        let narrow = |value: u64| u32::try_from(value).expect("it is below the limit");
        let mut offset = narrow(begin);
        for slot in &self.slots[slots..] {
            if slot.is_txn() {
                self.numbers.push(offset);
            }
            offset += slot.width();
        }
        assert!(u64::from(offset) == end, "the slots of a row are as wide as the row");
        let index = narrow(self.rows.len() as u64);
        self.row_at.extend((begin..end).map(|_| index));
        let slots = (narrow(slots as u64), narrow(self.slots.len() as u64));
        self.rows.push(RowPlace { row, bits: (narrow(begin), narrow(end)), slots });
        Ok(())
    }

    /// The index of a row.
    pub(super) fn index(&self, row: Row) -> usize {
        let first = &self.first;
        match row {
            Row::Machine(id) => first.machines + id.index(),
            Row::Application(id) => first.applications + id.index(),
            Row::Unit(id) => first.units + id.index(),
            Row::Relation(id) => first.relations + id.index(),
            Row::Scope(id, unit) => first.scopes[id.index()] + self.member(id, unit),
            Row::Settings(id, unit) => first.settings[id.index()] + self.member(id, unit),
            Row::MachineRuntime(id) => first.machine_runtimes + id.index(),
            Row::UnitRuntime(id) => first.unit_runtimes + id.index(),
            Row::UnitHooks(id) => first.unit_hooks + id.index(),
            Row::UnitCharm(id) => first.unit_charms + id.index(),
            Row::UnitWorkflow(id) => first.unit_workflows + id.index(),
            Row::Membership(id, unit) => first.memberships[id.index()] + self.member(id, unit),
            Row::Sighting(id, unit) => first.sightings[id.index()] + self.member(id, unit),
            Row::User(id) => first.users + id.index(),
            Row::Task(task) => first.tasks + task.index(),
            Row::Client(id) => first.clients + id.index(),
            Row::Model => first.model,
            Row::Upgrade => first.upgrade,
            Row::UnitHistory(id) => first.unit_histories + id.index(),
            Row::RelationHistory(id, unit) => {
                first.relation_histories[id.index()] + self.member(id, unit)
            }
            Row::MachineHistory(id) => first.machine_histories + id.index(),
        }
    }

    /// The number of a unit among those of a relation's ends.
    fn member(&self, relation: RelationId, unit: UnitId) -> usize {
        let [(first, count), (second, others)] = self.members[relation.index()];
        let (at, behind) = (unit.index().wrapping_sub(first), unit.index().wrapping_sub(second));
        assert!(at < count || behind < others, "a relation does not concern this unit");
        if at < count { at } else { count + behind }
    }

    /// The slots of the row at this place.
    #[inline]
    pub(super) fn slots(&self, place: &RowPlace) -> &[Slot] {
        let (first, end) = place.slots;
        &self.slots[first as usize..end as usize]
    }
}
