//! Packed states: every field of a state in as few bits as its world needs.
//!
//! The packed form is the state, whole: two states are the same if and only if their words are.
//! Each row has fixed bits of its own, so that a step packs only what it touched, and going from
//! one state to the next unpacks only what differs.

use deathwatch_checker::explore::{NewStates, Refused};

use crate::{
    check::TooLarge,
    ids::{ClientId, Id, RelationId, UnitId},
    interner::{Interner, Local, Overflow},
    rows::{
        AtStart, Bounds, ManagerTask, Reader, Row, RowVisitor, Slot, Stored, TXN_BITS, Touched,
        Writer, read_bits, txn_interner, write_bits,
    },
    state::State,
    txn::Txn,
    world::World,
};

/// A packed state has at most this many bits, which are 128 KiB.
const MOST_BITS: u64 = 1 << 20;

/// How the states of one world are packed.
pub(super) struct Codec {
    rows: Vec<Place>,
    /// The slots of all rows, one row after the other.
    slots: Vec<Slot>,
    first: Firsts,
    /// For each relation the units of its ends: the first one, and how many there are.
    members: Vec<[(usize, usize); 2]>,
    /// For each bit of a packed state the index of the row that it belongs to.
    row_at: Vec<u32>,
    /// Where the numbers of transactions begin, in ascending order.
    numbers: Vec<u32>,
    /// How many bits the documents take, which come first.
    documents: u32,
    words: usize,
    txns: Interner<Txn>,
}

/// Where a row sits.
struct Place {
    row: Row,
    /// The first of its bits, and the one behind the last.
    bits: (u32, u32),
    /// The first of its slots. Those of the next row begin where they end.
    slots: usize,
}

/// The index of the first row of each type; of pairs, for each relation.
#[derive(Default)]
struct Firsts {
    machines: usize,
    applications: usize,
    units: usize,
    relations: usize,
    scopes: Vec<usize>,
    machine_runtimes: usize,
    unit_runtimes: usize,
    memberships: Vec<usize>,
    users: usize,
    tasks: usize,
    clients: usize,
    upgrade: usize,
}

impl Codec {
    /// The codec for a world. `start` tells which scripted clients there are, and what the world
    /// does not tell of bounds.
    ///
    /// # Errors
    /// If a state is too large.
    pub(super) fn new(world: &World, start: &State) -> Result<Self, TooLarge> {
        let members = world.relation_ids().map(|id| {
            let mut ends = world.relation(id).applications().map(|end| {
                let units = &world.application(end).units;
                (units.start, units.len())
            });
            [ends.next().unwrap_or_default(), ends.next().unwrap_or_default()]
        });
        let mut codec = Self {
            rows: Vec::new(),
            slots: Vec::new(),
            first: Firsts::default(),
            members: members.collect(),
            row_at: Vec::new(),
            numbers: Vec::new(),
            documents: 0,
            words: 0,
            txns: txn_interner(),
        };
        let bounds = Bounds::of(world, at_start(world, start));
        codec.lay_out(world, start.runtime.clients().len(), &bounds)?;
        codec.words = codec.row_at.len().div_ceil(64).max(1);
        codec.number_what_is_pending(start);
        Ok(codec)
    }

    /// Numbers the transactions that are pending from the start before threads come by.
    fn number_what_is_pending(&self, start: &State) {
        let words = self.pack(start, &mut Local::default());
        let walk = |renumber: &mut dyn FnMut(u32) -> u32| {
            for &offset in &self.numbers {
                renumber(number_at(&words, offset));
            }
        };
        self.txns.commit(walk).expect("there are fewer actors than numbers");
    }

    /// Makes the numbers final that were given to transactions since the last time, in the order in
    /// which the new states have them.
    ///
    /// # Errors
    /// If there were too few numbers.
    pub(super) fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        let walk = |renumber: &mut dyn FnMut(u32) -> u32| {
            new.for_each(|state| {
                for &offset in &self.numbers {
                    let number = number_at(state, offset);
                    write_bits(state, offset, TXN_BITS, renumber(number).into());
                }
            });
        };
        self.txns.commit(walk).map_err(|Overflow| Refused)
    }

    /// Gives each row its bits: documents first.
    fn lay_out(
        &mut self,
        world: &World,
        clients: usize,
        bounds: &Bounds<'_>,
    ) -> Result<(), TooLarge> {
        self.first.machines = self.add_all(bounds, world.machine_ids().map(Row::Machine))?;
        self.first.applications =
            self.add_all(bounds, world.application_ids().map(Row::Application))?;
        self.first.units = self.add_all(bounds, world.unit_ids().map(Row::Unit))?;
        self.first.relations = self.add_all(bounds, world.relation_ids().map(Row::Relation))?;
        self.first.scopes = self.add_pairs(bounds, world, Row::Scope)?;
        self.documents = u32::try_from(self.row_at.len()).expect("it is not as wide as that");
        self.first.machine_runtimes =
            self.add_all(bounds, world.machine_ids().map(Row::MachineRuntime))?;
        self.first.unit_runtimes = self.add_all(bounds, world.unit_ids().map(Row::UnitRuntime))?;
        self.first.memberships = self.add_pairs(bounds, world, Row::Membership)?;
        self.first.users = self.add_all(bounds, world.user_ids().map(Row::User))?;
        self.first.tasks = self.add_all(bounds, ManagerTask::ALL.into_iter().map(Row::Task))?;
        let clients = (0..clients).map(|index| Row::Client(ClientId::new(index)));
        self.first.clients = self.add_all(bounds, clients)?;
        self.first.upgrade = self.add_all(bounds, [Row::Upgrade].into_iter())?;
        Ok(())
    }

    /// Adds rows of one type, and says where they begin.
    fn add_all(
        &mut self,
        bounds: &Bounds<'_>,
        rows: impl Iterator<Item = Row>,
    ) -> Result<usize, TooLarge> {
        let first = self.rows.len();
        for row in rows {
            self.add(bounds, row)?;
        }
        Ok(first)
    }

    /// Adds a row for each relation and unit of its ends, and says where those of each relation
    /// begin.
    fn add_pairs(
        &mut self,
        bounds: &Bounds<'_>,
        world: &World,
        row: fn(RelationId, UnitId) -> Row,
    ) -> Result<Vec<usize>, TooLarge> {
        let mut firsts = Vec::new();
        for relation in world.relation_ids() {
            let units = self.members[relation.index()].map(|(first, count)| first..first + count);
            let rows = units.into_iter().flatten().map(|unit| row(relation, UnitId::new(unit)));
            firsts.push(self.add_all(bounds, rows)?);
        }
        Ok(firsts)
    }

    fn add(&mut self, bounds: &Bounds<'_>, row: Row) -> Result<(), TooLarge> {
        struct LayOut<'a>(&'a Bounds<'a>, &'a mut Vec<Slot>);

        impl RowVisitor for LayOut<'_> {
            type Out = u64;

            fn visit<R: Stored>(self, key: R::Key) -> u64 {
                R::lay_out(self.0, key, self.1)
            }
        }

        let (slots, begin) = (self.slots.len(), self.row_at.len() as u64);
        let end = begin + row.visit(LayOut(bounds, &mut self.slots));
        if end > MOST_BITS {
            return Err(TooLarge::State);
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
        self.rows.push(Place { row, bits: (narrow(begin), narrow(end)), slots });
        Ok(())
    }

    /// The number of words of a packed state.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Packs all of `state`.
    pub(super) fn pack(&self, state: &State, txns: &mut Local<Txn>) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for index in 0..self.rows.len() {
            self.pack_place(state, index, txns, &mut words);
        }
        words
    }

    /// Packs one row of `state` into `words`.
    pub(super) fn pack_row(
        &self,
        state: &State,
        row: Row,
        txns: &mut Local<Txn>,
        words: &mut [u64],
    ) {
        self.pack_place(state, self.index(row), txns, words);
    }

    fn index(&self, row: Row) -> usize {
        let first = &self.first;
        match row {
            Row::Machine(id) => first.machines + id.index(),
            Row::Application(id) => first.applications + id.index(),
            Row::Unit(id) => first.units + id.index(),
            Row::Relation(id) => first.relations + id.index(),
            Row::Scope(id, unit) => first.scopes[id.index()] + self.member(id, unit),
            Row::MachineRuntime(id) => first.machine_runtimes + id.index(),
            Row::UnitRuntime(id) => first.unit_runtimes + id.index(),
            Row::Membership(id, unit) => first.memberships[id.index()] + self.member(id, unit),
            Row::User(id) => first.users + id.index(),
            Row::Task(task) => first.tasks + task.index(),
            Row::Client(id) => first.clients + id.index(),
            Row::Upgrade => first.upgrade,
        }
    }

    /// The number of a unit among those of a relation's ends.
    fn member(&self, relation: RelationId, unit: UnitId) -> usize {
        let [(first, count), (second, others)] = self.members[relation.index()];
        let (at, behind) = (unit.index().wrapping_sub(first), unit.index().wrapping_sub(second));
        assert!(at < count || behind < others, "a relation does not concern this unit");
        if at < count { at } else { count + behind }
    }

    fn slots(&self, index: usize) -> &[Slot] {
        let end = self.rows.get(index + 1).map_or(self.slots.len(), |next| next.slots);
        &self.slots[self.rows[index].slots..end]
    }

    fn pack_place(&self, state: &State, index: usize, txns: &mut Local<Txn>, words: &mut [u64]) {
        struct Pack<'a>(&'a State, Writer<'a>);

        impl RowVisitor for Pack<'_> {
            type Out = ();

            #[inline]
            fn visit<R: Stored>(self, key: R::Key) {
                let Self(state, mut writer) = self;
                R::look(state, key, |row| row.put(&mut writer));
                writer.finish();
            }
        }

        let place = &self.rows[index];
        let writer = Writer::new(words, place.bits.0, self.slots(index), (&self.txns, txns));
        place.row.visit(Pack(state, writer));
    }

    /// Makes `state`, which is what `here` says, what `words` say, and `here` with it. Only the
    /// rows that differ are unpacked, and recorded as touched.
    pub(super) fn unpack(
        &self,
        here: &mut [u64],
        words: &[u64],
        txns: &mut Local<Txn>,
        state: &mut State,
        touched: &mut Touched,
    ) {
        self.unpack_before(u32::MAX, here, words, txns, state, touched);
        here.copy_from_slice(words);
    }

    /// As `unpack`, for the documents only, which is all that claims about lives look at. What is
    /// said of the runtime is then wrong, and only good to unpack more documents.
    pub(super) fn unpack_documents(
        &self,
        here: &mut [u64],
        words: &[u64],
        txns: &mut Local<Txn>,
        state: &mut State,
        touched: &mut Touched,
    ) {
        self.unpack_before(self.documents, here, words, txns, state, touched);
        here.copy_from_slice(words);
    }

    /// Unpacks the rows that differ in a bit before this one.
    fn unpack_before(
        &self,
        limit: u32,
        here: &[u64],
        words: &[u64],
        txns: &mut Local<Txn>,
        state: &mut State,
        touched: &mut Touched,
    ) {
        let mut done = 0;
        for (start, (before, after)) in (0..).step_by(64).zip(here.iter().zip(words)) {
            let mut different = before ^ after;
            while different != 0 {
                let bit = start + different.trailing_zeros();
                if bit >= limit {
                    return;
                }
                if bit >= done {
                    let index = self.row_at[bit as usize] as usize;
                    self.unpack_place(words, index, txns, state, touched);
                    done = self.rows[index].bits.1;
                }
                different &= u64::MAX.checked_shl(done - start).unwrap_or(0);
            }
        }
    }

    fn unpack_place(
        &self,
        words: &[u64],
        index: usize,
        txns: &mut Local<Txn>,
        state: &mut State,
        touched: &mut Touched,
    ) {
        struct Unpack<'a>(&'a mut State, &'a mut Touched, Reader<'a>);

        impl RowVisitor for Unpack<'_> {
            type Out = ();

            #[inline]
            fn visit<R: Stored>(self, key: R::Key) {
                let Self(state, touched, mut reader) = self;
                R::change(state, key, touched, |row| row.take(&mut reader));
            }
        }

        let place = &self.rows[index];
        let reader = Reader::new(words, place.bits.0, self.slots(index), (&self.txns, txns));
        place.row.visit(Unpack(state, touched, reader));
    }
}

/// The number of a transaction that is packed at `offset`.
fn number_at(words: &[u64], offset: u32) -> u32 {
    u32::try_from(read_bits(words, offset, TXN_BITS)).expect("a number is short")
}

/// What there is at the start that bounds depend on.
fn at_start(world: &World, start: &State) -> AtStart {
    let store = &start.store;
    let is_forced = world.unit_ids().any(|id| store.unit_docs(id).force)
        || world.machine_ids().any(|id| store.machine_docs(id).force);
    AtStart {
        forced: is_forced || start.runtime.pending_txns().next().is_some(),
        units_cleanup: world.application_ids().any(|id| store.application_docs(id).units_cleanup),
    }
}
