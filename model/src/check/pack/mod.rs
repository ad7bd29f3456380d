//! Packed states: every field of a state in as few bits as its world needs.
//!
//! The packed form is the state, whole: two states are the same if and only if their words are.
//! Each entry of the state has fixed bits of its own, so that a step packs only what it touched,
//! and going from one state to the next unpacks only what differs.

mod bits;
mod fields;
mod flights;
mod layout;

use std::sync::RwLock;

pub(super) use flights::Flights;

use crate::{
    check::TooLarge,
    ids::Id,
    state::State,
    store::{Slot, Touched},
    world::World,
};
use bits::{Reader, read_bits, write_bits};
use flights::Known;
use layout::Bits;

/// How the states of one world are packed.
pub(super) struct Codec<'a> {
    world: &'a World,
    slots: Vec<Place>,
    first: Firsts,
    words: usize,
    clients: usize,
    bits: Bits,
    flights: RwLock<Known>,
}

/// Where an entry sits.
#[derive(Clone, Copy)]
struct Place {
    slot: Slot,
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
    memories: usize,
    others: usize,
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
        let clients = start.hosts.others().clients.len();
        let mut codec = Self {
            world,
            slots: Vec::new(),
            first: Firsts::default(),
            words: 0,
            clients,
            bits: Bits::of(world, start),
            flights: RwLock::default(),
        };
        codec.lay_out()?;
        Ok(codec)
    }

    /// Gives each entry its bits; none straddles more words than it must.
    fn lay_out(&mut self) -> Result<(), TooLarge> {
        let world = self.world;
        let mut slots: Vec<Slot> = world.machine_ids().map(Slot::Machine).collect();
        self.first.applications = slots.len();
        slots.extend(world.application_ids().map(Slot::Application));
        self.first.units = slots.len();
        slots.extend(world.unit_ids().map(Slot::Unit));
        self.first.relations = slots.len();
        slots.extend(world.relation_ids().map(Slot::Relation));
        self.first.machine_hosts = slots.len();
        slots.extend(world.machine_ids().map(Slot::MachineHost));
        self.first.unit_hosts = slots.len();
        slots.extend(world.unit_ids().map(Slot::UnitHost));
        self.first.memories = slots.len();
        slots.extend(world.relation_ids().map(Slot::Memory));
        self.first.others = slots.len();
        slots.push(Slot::Others);
        let (mut empty, mut flights) = (State::empty(world), Flights::default());
        empty.hosts.others_mut(&mut Touched::new()).clients = vec![None; self.clients];
        let mut offset = 0;
        for slot in slots {
            let width = self.encode(&empty, slot, &mut flights).width;
            if width > 128 {
                return Err(TooLarge::Documents);
            }
            self.slots.push(Place { slot, offset, width });
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
    pub(super) fn pack(&self, state: &State, flights: &mut Flights) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for place in &self.slots {
            self.pack_place(state, *place, flights, &mut words);
        }
        words
    }

    /// Packs one entry of `state` into `words`.
    pub(super) fn pack_slot(
        &self,
        state: &State,
        slot: Slot,
        flights: &mut Flights,
        words: &mut [u64],
    ) {
        let index = match slot {
            Slot::Machine(id) => id.index(),
            Slot::Application(id) => self.first.applications + id.index(),
            Slot::Unit(id) => self.first.units + id.index(),
            // A scope document has its bit among those of its relation.
            Slot::Relation(id) | Slot::Scope(id, _) => self.first.relations + id.index(),
            Slot::MachineHost(id) => self.first.machine_hosts + id.index(),
            Slot::UnitHost(id) => self.first.unit_hosts + id.index(),
            Slot::Memory(id) | Slot::Recollection(id, _) => self.first.memories + id.index(),
            Slot::Others => self.first.others,
        };
        self.pack_place(state, self.slots[index], flights, words);
    }

    fn pack_place(&self, state: &State, place: Place, flights: &mut Flights, words: &mut [u64]) {
        let value = self.encode(state, place.slot, flights).value;
        write_bits(words, place.offset, place.width, value);
    }

    /// Makes `state`, which is what `here` says, what `words` say, and `here` with it. Only the
    /// entries that differ are unpacked, and recorded as touched.
    pub(super) fn unpack(
        &self,
        here: &mut [u64],
        words: &[u64],
        flights: &mut Flights,
        state: &mut State,
        touched: &mut Touched,
    ) {
        self.unpack_places(&self.slots, here, words, flights, state, touched);
        here.copy_from_slice(words);
    }

    /// As `unpack`, for the documents only, which is all that claims about lives look at. What is
    /// said of the hosts is then wrong, and only good to unpack more documents.
    pub(super) fn unpack_documents(
        &self,
        here: &mut [u64],
        words: &[u64],
        flights: &mut Flights,
        state: &mut State,
        touched: &mut Touched,
    ) {
        let documents = &self.slots[..self.first.machine_hosts];
        self.unpack_places(documents, here, words, flights, state, touched);
        here.copy_from_slice(words);
    }

    fn unpack_places(
        &self,
        places: &[Place],
        here: &[u64],
        words: &[u64],
        flights: &mut Flights,
        state: &mut State,
        touched: &mut Touched,
    ) {
        for place in places {
            let bits = read_bits(words, place.offset, place.width);
            if bits != read_bits(here, place.offset, place.width) {
                self.decode(Reader(bits), place.slot, flights, state, touched);
            }
        }
    }
}
