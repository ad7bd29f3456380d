//! Packed states: every field of a state in as few bits as its world needs.
//!
//! The packed form is the state, whole: two states are the same if and only if their words are.
//! Each entry of the state has fixed bits of its own, so that a step packs only what it touched,
//! and going from one state to the next unpacks only what differs.

mod bits;
mod fields;
mod layout;
mod pending_txns;

use std::sync::RwLock;

pub(super) use pending_txns::PendingTxns;

use crate::{
    check::TooLarge,
    ids::{ClientId, Id},
    runtime::ManagerTask,
    state::State,
    store::{Row, Touched},
    world::World,
};
use bits::{Reader, Writer, read_bits, write_bits};
use layout::Bits;
use pending_txns::Known;

/// How the states of one world are packed.
pub(super) struct Codec<'a> {
    world: &'a World,
    rows: Vec<Place>,
    first: Firsts,
    words: usize,
    clients: usize,
    bits: Bits,
    /// Where the numbers of transactions pending sit, in order.
    numbers: Vec<u32>,
    pending_txns: RwLock<Known>,
}

/// Where an entry sits.
#[derive(Clone, Copy)]
struct Place {
    row: Row,
    offset: u32,
    width: u32,
}

/// The index of the first place of each kind of entry.
#[derive(Clone, Copy, Default)]
struct Firsts {
    applications: usize,
    units: usize,
    relations: usize,
    machine_hosts: usize,
    unit_hosts: usize,
    memberships: usize,
    users: usize,
    tasks: usize,
    clients: usize,
    upgrade: usize,
}

impl<'a> Codec<'a> {
    /// The codec for a world. `start` tells how many scripted clients there are.
    ///
    /// # Errors
    /// If the world is too large.
    pub(super) fn new(world: &'a World, start: &State) -> Result<Self, TooLarge> {
        let counts = [
            world.machines.len(),
            world.applications.len(),
            world.units.len(),
            world.relations.len(),
        ];
        if counts.iter().any(|count| *count > 64) {
            return Err(TooLarge::Entities);
        }
        let clients = start.runtime.clients().len();
        let mut codec = Self {
            world,
            rows: Vec::new(),
            first: Firsts::default(),
            words: 0,
            clients,
            bits: Bits::of(world, start),
            numbers: Vec::new(),
            pending_txns: RwLock::default(),
        };
        codec.lay_out()?;
        // What is pending from the start is numbered before threads come by.
        codec.pack(start, &mut PendingTxns::default());
        codec.pending_txns.write().expect("nobody else knows it yet").commit_all();
        Ok(codec)
    }

    /// Gives each entry its bits; none straddles more words than it must.
    fn lay_out(&mut self) -> Result<(), TooLarge> {
        let world = self.world;
        let mut rows: Vec<Row> = world.machine_ids().map(Row::Machine).collect();
        self.first.applications = rows.len();
        rows.extend(world.application_ids().map(Row::Application));
        self.first.units = rows.len();
        rows.extend(world.unit_ids().map(Row::Unit));
        self.first.relations = rows.len();
        rows.extend(world.relation_ids().map(Row::Relation));
        self.first.machine_hosts = rows.len();
        rows.extend(world.machine_ids().map(Row::MachineRuntime));
        self.first.unit_hosts = rows.len();
        rows.extend(world.unit_ids().map(Row::UnitRuntime));
        self.first.memberships = rows.len();
        rows.extend(world.relation_ids().map(Row::Memberships));
        self.first.users = rows.len();
        rows.extend(world.user_ids().map(Row::User));
        self.first.tasks = rows.len();
        rows.extend(ManagerTask::ALL.map(Row::Task));
        self.first.clients = rows.len();
        rows.extend((0..self.clients).map(|index| Row::Client(ClientId::new(index))));
        self.first.upgrade = rows.len();
        rows.push(Row::Upgrade);
        let (empty, mut pending_txns) = (State::empty(world), PendingTxns::default());
        let mut offset = 0;
        for row in rows {
            let Writer { width, numbers, .. } = self.encode(&empty, row, &mut pending_txns);
            if width > 128 {
                return Err(TooLarge::Documents);
            }
            let is_number = |bit: &u32| numbers >> bit & 1 == 1;
            self.numbers.extend((0..width).filter(is_number).map(|bit| offset + bit));
            self.rows.push(Place { row, offset, width });
            offset += width;
        }
        self.words = (offset as usize).div_ceil(64).max(1);
        Ok(())
    }

    /// The number of words of a packed state.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Packs all of `state`.
    pub(super) fn pack(&self, state: &State, pending_txns: &mut PendingTxns) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for place in &self.rows {
            self.pack_place(state, *place, pending_txns, &mut words);
        }
        words
    }

    /// Packs one entry of `state` into `words`.
    pub(super) fn pack_row(
        &self,
        state: &State,
        row: Row,
        pending_txns: &mut PendingTxns,
        words: &mut [u64],
    ) {
        let index = match row {
            Row::Machine(id) => id.index(),
            Row::Application(id) => self.first.applications + id.index(),
            Row::Unit(id) => self.first.units + id.index(),
            // A scope document has its bit among those of its relation.
            Row::Relation(id) | Row::Scope(id, _) => self.first.relations + id.index(),
            Row::MachineRuntime(id) => self.first.machine_hosts + id.index(),
            Row::UnitRuntime(id) => self.first.unit_hosts + id.index(),
            Row::Memberships(id) | Row::Membership(id, _) => self.first.memberships + id.index(),
            Row::User(id) => self.first.users + id.index(),
            Row::Task(task) => self.first.tasks + task.index(),
            Row::Client(id) => self.first.clients + id.index(),
            Row::Upgrade => self.first.upgrade,
        };
        self.pack_place(state, self.rows[index], pending_txns, words);
    }

    fn pack_place(
        &self,
        state: &State,
        place: Place,
        pending_txns: &mut PendingTxns,
        words: &mut [u64],
    ) {
        let written = self.encode(state, place.row, pending_txns);
        assert_eq!(written.width, place.width, "every state gives a row the same bits");
        write_bits(words, place.offset, place.width, written.value);
    }

    /// Makes `state`, which is what `here` says, what `words` say, and `here` with it. Only the
    /// entries that differ are unpacked, and recorded as touched.
    pub(super) fn unpack(
        &self,
        here: &mut [u64],
        words: &[u64],
        pending_txns: &mut PendingTxns,
        state: &mut State,
        touched: &mut Touched,
    ) {
        self.unpack_places(&self.rows, here, words, pending_txns, state, touched);
        here.copy_from_slice(words);
    }

    /// As `unpack`, for the documents only, which is all that claims about lives look at. What is
    /// said of the runtime is then wrong, and only good to unpack more documents.
    pub(super) fn unpack_documents(
        &self,
        here: &mut [u64],
        words: &[u64],
        pending_txns: &mut PendingTxns,
        state: &mut State,
        touched: &mut Touched,
    ) {
        let documents = &self.rows[..self.first.machine_hosts];
        self.unpack_places(documents, here, words, pending_txns, state, touched);
        here.copy_from_slice(words);
    }

    fn unpack_places(
        &self,
        places: &[Place],
        here: &[u64],
        words: &[u64],
        pending_txns: &mut PendingTxns,
        state: &mut State,
        touched: &mut Touched,
    ) {
        for place in places {
            let bits = read_bits(words, place.offset, place.width);
            if bits != read_bits(here, place.offset, place.width) {
                self.decode(Reader(bits), place.row, pending_txns, state, touched);
            }
        }
    }
}
