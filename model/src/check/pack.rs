//! Packed states: every field of a state in as few bits as its world needs.
//!
//! The packed form is the state, whole: two states are the same if and only if their words are.
//! Each entry of the state has fixed bits of its own, so that a step packs only what it touched.

use std::{collections::HashMap, sync::Arc, sync::RwLock};

use crate::{
    check::TooLarge,
    hosts::{Flight, Hardware, Session},
    ids::{ApplicationId, Id, IdSet, MachineId, RelationId, UnitId},
    life::Life,
    state::State,
    store::{Application, Host, Machine, Relation, Slot, Touched, Unit},
    txn::Txn,
    variants::{RelationTracking, UnitsOfDyingApplication},
    world::{Command, Transactions, World},
};

/// Numbers of transactions in flight have this many bits.
const FLIGHT_BITS: u32 = 14;

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

/// How many bits the fields of a world need; none where a field cannot change.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each field is there or not on its own")]
struct Bits {
    machine_or_unit: u32,
    relation: u32,
    down: u32,
    flight: u32,
    directories: bool,
    unwritten: bool,
    departed: bool,
    session: bool,
    session_units: u32,
    aborts: u32,
    upgraded: u32,
    force: u32,
    units_cleanup: u32,
}

/// The transactions that have been in flight, by number.
#[derive(Clone, Default)]
struct Known {
    numbers: HashMap<Txn, u32>,
    txns: Vec<Txn>,
}

/// What one thread knows of the transactions in flight. Its copies are its own, so that threads
/// do not fight over reference counts.
#[derive(Default)]
pub(super) struct Flights {
    numbers: HashMap<Arc<Txn>, u32>,
    txns: Vec<Arc<Txn>>,
    overflow: bool,
}

impl Flights {
    /// Whether there were too many transactions to number, so that packed states are wrong.
    pub(super) fn have_overflowed(&self) -> bool {
        self.overflow
    }
}

/// Writes fields one after the other.
#[derive(Default)]
struct Writer {
    value: u128,
    width: u32,
}

impl Writer {
    fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width == 64 || value >> width == 0, "{value} does not fit in {width} bits");
        if self.width < 128 {
            self.value |= u128::from(value) << self.width;
        }
        self.width += width;
    }

    fn flag(&mut self, value: bool) {
        self.put(u64::from(value), 1);
    }
}

/// Reads them back.
struct Reader(u128);

impl Reader {
    fn take(&mut self, width: u32) -> u64 {
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        #[expect(clippy::cast_possible_truncation, reason = "the low word is what is wanted")]
        let value = self.0 as u64 & mask;
        self.0 >>= width;
        value
    }

    fn index(&mut self, width: u32) -> usize {
        usize::try_from(self.take(width)).expect("indices are small")
    }

    fn count(&mut self, width: u32) -> u32 {
        u32::try_from(self.take(width)).expect("counts are small")
    }

    fn flag(&mut self) -> bool {
        self.take(1) == 1
    }
}

/// How many bits tell `values` values apart.
fn bits_for(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
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
            Slot::Relation(id) => self.first.relations + id.index(),
            Slot::MachineHost(id) => self.first.machine_hosts + id.index(),
            Slot::UnitHost(id) => self.first.unit_hosts + id.index(),
            Slot::Memory(id) => self.first.memories + id.index(),
            Slot::Others => self.first.others,
        };
        self.pack_place(state, self.slots[index], flights, words);
    }

    fn pack_place(&self, state: &State, place: Place, flights: &mut Flights, words: &mut [u64]) {
        let value = self.encode(state, place.slot, flights).value;
        let (mut word, mut shift) = ((place.offset / 64) as usize, place.offset % 64);
        let (mut value, mut width) = (value, place.width);
        while width > 0 {
            let here = width.min(64 - shift);
            let mask = if here == 64 { u64::MAX } else { ((1 << here) - 1) << shift };
            #[expect(clippy::cast_possible_truncation, reason = "the low word is what is wanted")]
            let low = value as u64;
            words[word] = words[word] & !mask | low << shift & mask;
            value >>= here;
            (word, shift, width) = (word + 1, 0, width - here);
        }
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

    fn encode(&self, state: &State, slot: Slot, flights: &mut Flights) -> Writer {
        let mut w = Writer::default();
        let (store, hosts, bits) = (&state.store, &state.hosts, &self.bits);
        match slot {
            Slot::Machine(id) => {
                let docs = store.machine_docs(id);
                w.put(life_code(docs.machine.as_ref().map(|machine| machine.life)), 2);
                let machine = docs.machine.as_ref();
                w.flag(machine.is_some_and(|machine| machine.instance));
                self.put_units(
                    &mut w,
                    machine.map_or(0, |m| m.principals.low_word()),
                    self.principals(id),
                );
                let containers = machine.map_or(0, |m| m.containers.low_word());
                for container in self.world.containers_of(id) {
                    w.put(containers >> container.index() & 1, 1);
                }
                w.put(docs.force.into(), bits.force);
            }
            Slot::Application(id) => {
                let docs = store.application_docs(id);
                let (units, relations) = self.application_bits(id);
                let application = docs.application;
                w.put(life_code(application.map(|a| a.life)), 2);
                w.put(application.map_or(0, |a| a.units.into()), units);
                w.put(application.map_or(0, |a| a.relations.into()), relations);
                w.flag(docs.settings);
                w.put(docs.units_cleanup.into(), bits.units_cleanup);
            }
            Slot::Unit(id) => {
                let docs = store.unit_docs(id);
                let unit = docs.unit.as_ref();
                w.put(life_code(unit.map(|unit| unit.life)), 2);
                let host = unit.map_or(Host::Nowhere, |unit| unit.host);
                w.put(self.host_code(host), bits.machine_or_unit);
                let subordinates = unit.map_or(0, |unit| unit.subordinates.low_word());
                self.put_units(&mut w, subordinates, self.subordinates(id));
                w.put(docs.force.into(), bits.force);
            }
            Slot::Relation(id) => {
                let docs = store.relation_docs(id);
                w.put(life_code(docs.relation.map(|relation| relation.life)), 2);
                w.put(docs.relation.map_or(0, |r| r.in_scope.into()), self.in_scope_bits(id));
                self.put_units(&mut w, docs.scope.low_word(), self.members(id));
                w.flag(docs.settings);
                w.flag(docs.leftovers);
                w.flag(docs.cleanup);
            }
            Slot::MachineHost(id) => {
                let host = hosts.machine(id);
                w.put(host.hardware as u64, 2);
                w.put(host.down.into(), bits.down);
                self.put_flight(&mut w, &host.flight, flights);
            }
            Slot::UnitHost(id) => {
                let host = hosts.unit(id);
                w.put(self.host_code(host.deployed_by), bits.machine_or_unit);
                w.put(host.down.into(), bits.down);
                w.put(host.hook_error.map_or(0, |r| r.index() as u64 + 1), bits.relation);
                self.put_flight(&mut w, &host.flight, flights);
            }
            Slot::Memory(id) => {
                let memory = hosts.memory(id);
                for (kept, set) in self.memory_sets(memory) {
                    if kept {
                        self.put_units(&mut w, set.low_word(), self.members(id));
                    }
                }
            }
            Slot::Others => self.encode_others(&mut w, state, flights),
        }
        w
    }

    fn memory_sets<'m>(&self, memory: &'m crate::hosts::Memory) -> [(bool, &'m IdSet<UnitId>); 3] {
        [
            (self.bits.directories, &memory.directories),
            (self.bits.unwritten, &memory.unwritten),
            (self.bits.departed, &memory.departed),
        ]
    }

    fn encode_others(&self, w: &mut Writer, state: &State, flights: &mut Flights) {
        let (others, bits) = (state.hosts.others(), &self.bits);
        if bits.session {
            w.flag(others.session.is_some());
            let session = others.session;
            w.put(
                session.map_or(0, |s| s.application.index() as u64),
                bits_for(self.world.applications.len()),
            );
            w.flag(session.is_some_and(|s| s.peers));
            w.put(session.map_or(0, |s| s.units.into()), bits.session_units);
            let unassigned = session.and_then(|s| s.unassigned);
            w.put(
                unassigned.map_or(0, |u| u.index() as u64 + 1),
                bits_for(self.world.units.len() + 1),
            );
        }
        w.put(others.aborts.into(), bits.aborts);
        w.put(others.again.into(), bits.aborts.min(1));
        for (given, allowed) in others.given.iter().zip(&self.world.commands) {
            if let Some(most) = allowed.most {
                w.put(u64::from(*given), bits_for(usize::from(most) + 1));
            }
        }
        for flight in [&others.user, &others.provisioner, &others.cleaner] {
            self.put_flight(w, flight, flights);
        }
        for client in 0..self.clients {
            let flight = others.clients.get(client).cloned().flatten();
            w.put(self.number(&flight, flights), FLIGHT_BITS);
        }
        w.put(others.upgraded.into(), bits.upgraded);
    }

    fn decode(
        &self,
        mut r: Reader,
        slot: Slot,
        flights: &mut Flights,
        state: &mut State,
        unrecorded: &mut Touched,
    ) {
        let bits = &self.bits;
        match slot {
            Slot::Machine(id) => {
                let (life, instance) = (life_of(r.take(2)), r.flag());
                let principals = self.take_units(&mut r, self.principals(id));
                let mut containers = 0;
                for container in self.world.containers_of(id) {
                    containers |= r.take(1) << container.index();
                }
                let docs = state.store.machine_docs_mut(id, unrecorded);
                let containers = IdSet::from_low_word(containers);
                docs.machine = life.map(|life| Machine { life, instance, principals, containers });
                docs.force = r.take(bits.force) == 1;
            }
            Slot::Application(id) => {
                let life = life_of(r.take(2));
                let (units, relations) = self.application_bits(id);
                let (units, relations) = (r.count(units), r.count(relations));
                let docs = state.store.application_docs_mut(id, unrecorded);
                docs.application = life.map(|life| Application { life, units, relations });
                docs.settings = r.flag();
                docs.units_cleanup = r.take(bits.units_cleanup) == 1;
            }
            Slot::Unit(id) => {
                let life = life_of(r.take(2));
                let host = self.host_of(r.index(bits.machine_or_unit));
                let subordinates = self.take_units(&mut r, self.subordinates(id));
                let docs = state.store.unit_docs_mut(id, unrecorded);
                docs.unit = life.map(|life| Unit { life, host, subordinates });
                docs.force = r.take(bits.force) == 1;
            }
            Slot::Relation(id) => {
                let life = life_of(r.take(2));
                let in_scope = r.count(self.in_scope_bits(id));
                let scope = self.take_units(&mut r, self.members(id));
                let docs = state.store.relation_docs_mut(id, unrecorded);
                docs.relation = life.map(|life| Relation { life, in_scope });
                docs.scope = scope;
                (docs.settings, docs.leftovers, docs.cleanup) = (r.flag(), r.flag(), r.flag());
            }
            Slot::MachineHost(id) => {
                let host = state.hosts.machine_mut(id, unrecorded);
                host.hardware = match r.take(2) {
                    0 => Hardware::Absent,
                    1 => Hardware::Running,
                    _ => Hardware::Silent,
                };
                host.down = r.take(bits.down) == 1;
                host.flight = self.take_flight(&mut r, flights);
            }
            Slot::UnitHost(id) => {
                let by = self.host_of(r.index(bits.machine_or_unit));
                if state.hosts.unit(id).deployed_by != by {
                    state.hosts.redeploy(id, by, unrecorded);
                }
                let host = state.hosts.unit_mut(id, unrecorded);
                host.down = r.take(bits.down) == 1;
                host.hook_error = r.index(bits.relation).checked_sub(1).map(RelationId::new);
                host.flight = self.take_flight(&mut r, flights);
            }
            Slot::Memory(id) => {
                let mut take = |kept: bool| {
                    if kept { self.take_units(&mut r, self.members(id)) } else { IdSet::default() }
                };
                let memory = state.hosts.memory_mut(id, unrecorded);
                memory.directories = take(bits.directories);
                memory.unwritten = take(bits.unwritten);
                memory.departed = take(bits.departed);
            }
            Slot::Others => self.decode_others(r, flights, state, unrecorded),
        }
    }

    fn decode_others(
        &self,
        mut r: Reader,
        flights: &mut Flights,
        state: &mut State,
        unrecorded: &mut Touched,
    ) {
        let bits = &self.bits;
        let others = state.hosts.others_mut(unrecorded);
        if bits.session {
            let present = r.flag();
            let application = ApplicationId::new(r.index(bits_for(self.world.applications.len())));
            let peers = r.flag();
            let units = u8::try_from(r.take(bits.session_units)).expect("as it was put");
            let unassigned = r.index(bits_for(self.world.units.len() + 1));
            let unassigned = unassigned.checked_sub(1).map(UnitId::new);
            others.session = present.then_some(Session { application, peers, units, unassigned });
        }
        others.aborts = u8::try_from(r.take(bits.aborts)).expect("as it was put");
        others.again = r.take(bits.aborts.min(1)) == 1;
        for (given, allowed) in others.given.iter_mut().zip(&self.world.commands) {
            if let Some(most) = allowed.most {
                *given =
                    u8::try_from(r.take(bits_for(usize::from(most) + 1))).expect("as it was put");
            }
        }
        others.user = self.take_flight(&mut r, flights);
        others.provisioner = self.take_flight(&mut r, flights);
        others.cleaner = self.take_flight(&mut r, flights);
        others.clients.clear();
        for _ in 0..self.clients {
            others.clients.push(self.flight_of(r.count(FLIGHT_BITS), flights));
        }
        others.upgraded = r.take(bits.upgraded) == 1;
    }

    /// The units that may be principals on a machine: those of principal applications.
    fn principals(&self, id: MachineId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let hosts_units = self.world.machine(id).hosts_units;
        let applications = self.world.applications.iter();
        applications
            .filter(move |application| hosts_units && !application.subordinate)
            .map(|application| range(&application.units))
    }

    /// The units that may be subordinate to a unit.
    fn subordinates(&self, id: UnitId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let principal = !self.world.is_subordinate(id);
        let applications = self.world.applications.iter();
        applications
            .filter(move |application| principal && application.subordinate)
            .map(|application| range(&application.units))
    }

    /// The units that may be in a relation.
    fn members(&self, id: RelationId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let ends = self.world.relation(id).applications();
        ends.map(|end| range(&self.world.application(end).units))
    }

    #[expect(clippy::unused_self, reason = "reads as the other fields do")]
    fn put_units(&self, w: &mut Writer, units: u64, ranges: impl Iterator<Item = (u32, u32)>) {
        for (first, count) in ranges {
            w.put(units >> first & low_bits(count), count);
        }
    }

    #[expect(clippy::unused_self, reason = "reads as the other fields do")]
    fn take_units(
        &self,
        r: &mut Reader,
        ranges: impl Iterator<Item = (u32, u32)>,
    ) -> IdSet<UnitId> {
        let mut units = 0;
        for (first, count) in ranges {
            units |= r.take(count) << first;
        }
        IdSet::from_low_word(units)
    }

    fn host_code(&self, host: Host) -> u64 {
        match host {
            Host::Nowhere => 0,
            Host::Machine(id) => 1 + id.index() as u64,
            Host::Principal(id) => 1 + (self.world.machines.len() + id.index()) as u64,
        }
    }

    fn host_of(&self, code: usize) -> Host {
        let machines = self.world.machines.len();
        match code {
            0 => Host::Nowhere,
            code if code <= machines => Host::Machine(MachineId::new(code - 1)),
            code => Host::Principal(UnitId::new(code - 1 - machines)),
        }
    }

    fn application_bits(&self, id: ApplicationId) -> (u32, u32) {
        let application = self.world.application(id);
        // A count may go one above what can be right.
        (bits_for(application.units.len() + 2), bits_for(application.relations.len() + 2))
    }

    fn in_scope_bits(&self, id: RelationId) -> u32 {
        let members: u32 = self.members(id).map(|(_, count)| count).sum();
        bits_for(members as usize + 2)
    }

    fn put_flight(&self, w: &mut Writer, flight: &Flight, flights: &mut Flights) {
        if self.bits.flight > 0 {
            w.put(self.number(flight, flights), FLIGHT_BITS);
        }
    }

    fn take_flight(&self, r: &mut Reader, flights: &mut Flights) -> Flight {
        if self.bits.flight == 0 {
            return None;
        }
        self.flight_of(r.count(FLIGHT_BITS), flights)
    }

    /// The number of a transaction in flight; 0 if there is none.
    fn number(&self, flight: &Flight, flights: &mut Flights) -> u64 {
        let Some(txn) = flight else { return 0 };
        if let Some(number) = flights.numbers.get(txn) {
            return u64::from(*number);
        }
        let mut known = self.flights.write().expect("nobody panics while holding it");
        let next = u32::try_from(known.txns.len() + 1).expect("they are few");
        let number = *known.numbers.entry(Txn::clone(txn)).or_insert(next);
        if number == next {
            known.txns.push(Txn::clone(txn));
        }
        if number >> FLIGHT_BITS != 0 {
            flights.overflow = true;
            return 0;
        }
        let copy = Arc::new(Txn::clone(txn));
        flights.numbers.insert(copy, number);
        u64::from(number)
    }

    fn flight_of(&self, number: u32, flights: &mut Flights) -> Flight {
        let index = (number as usize).checked_sub(1)?;
        if index >= flights.txns.len() {
            let known = self.flights.read().expect("nobody panics while holding it");
            let news = known.txns[flights.txns.len()..].iter().cloned().map(Arc::new);
            flights.txns.extend(news);
        }
        Some(flights.txns[index].clone())
    }
}

impl Bits {
    fn of(world: &World, start: &State) -> Self {
        let split = world.transactions == Transactions::Split;
        let on_disk = world.variants.relation_tracking != RelationTracking::RemoteScope;
        let units = world.commands.iter().filter_map(|allowed| match allowed.command {
            Command::Deploy(_, units) => Some(units),
            Command::AddUnit(_) => Some(0),
            _ => None,
        });
        let most_units = units.max();
        Self {
            machine_or_unit: bits_for(1 + world.machines.len() + world.units.len()),
            relation: if world.has_hooks() { bits_for(1 + world.relations.len()) } else { 0 },
            down: u32::from(world.faults.downtime),
            flight: if split { FLIGHT_BITS } else { 0 },
            directories: on_disk,
            unwritten: on_disk && world.faults.crash,
            departed: world.has_hooks(),
            session: most_units.is_some(),
            session_units: most_units.map_or(0, |most| bits_for(usize::from(most) + 1)),
            aborts: if split { bits_for(usize::from(world.tries) + 1) } else { 0 },
            upgraded: u32::from(!world.neglected.is_empty()),
            force: u32::from(can_force(world, start)),
            units_cleanup: u32::from(can_clean_units(world, start)),
        }
    }
}

/// Whether anything is forced, or can be.
fn can_force(world: &World, start: &State) -> bool {
    let commands = world.commands.iter();
    let mut asked = commands.map(|allowed| allowed.command);
    asked.any(|c| matches!(c, Command::ForceDestroyUnit(_) | Command::ForceDestroyMachine(_)))
        || world.unit_ids().any(|id| start.store.unit_docs(id).force)
        || world.machine_ids().any(|id| start.store.machine_docs(id).force)
        || start.hosts.flights().next().is_some()
}

/// Whether the cleaner is asked to destroy an application's units, or can be.
fn can_clean_units(world: &World, start: &State) -> bool {
    world.variants.units_of_dying_application == UnitsOfDyingApplication::AgentsAndCleanup
        || world.application_ids().any(|id| start.store.application_docs(id).units_cleanup)
}

fn range(units: &std::ops::Range<usize>) -> (u32, u32) {
    let narrow = |value| u32::try_from(value).expect("there are at most 64");
    (narrow(units.start), narrow(units.len()))
}

fn low_bits(count: u32) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

fn read_bits(words: &[u64], offset: u32, width: u32) -> u128 {
    let (first, shift) = ((offset / 64) as usize, offset % 64);
    let (mut value, mut have) = (0, 0);
    for (word, skipped) in words[first.min(words.len())..].iter().zip([shift, 0, 0]) {
        if have >= width {
            break;
        }
        value |= u128::from(word >> skipped) << have;
        have += 64 - skipped;
    }
    if width == 128 { value } else { value & ((1 << width) - 1) }
}

fn life_code(life: Option<Life>) -> u64 {
    life.map_or(0, |life| life as u64 + 1)
}

fn life_of(code: u64) -> Option<Life> {
    [None, Some(Life::Alive), Some(Life::Dying), Some(Life::Dead)]
        [usize::try_from(code).expect("two bits")]
}
