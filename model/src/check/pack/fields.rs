//! The fields of each entry: what is written is read back in the same order.

use super::{
    Codec,
    bits::{Reader, Writer, bits_for},
    pending_txns::{PENDING_BITS, PendingTxns},
};
use crate::{
    ids::{ApplicationId, Id, IdSet, RelationId, UnitId},
    life::Life,
    runtime::{Hardware, Memberships, Session, User, UserState},
    state::State,
    store::{Application, Machine, Placement, Relation, Row, Touched, Unit},
};

impl Codec<'_> {
    pub(super) fn encode(&self, state: &State, row: Row, pending_txns: &mut PendingTxns) -> Writer {
        let mut w = Writer::default();
        let (store, runtime, bits) = (&state.store, &state.runtime, &self.bits);
        match row {
            Row::Machine(id) => {
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
            Row::Application(id) => {
                let docs = store.application_docs(id);
                let (units, relations) = self.application_bits(id);
                let application = docs.application;
                w.put(life_code(application.map(|a| a.life)), 2);
                w.put(application.map_or(0, |a| a.units.into()), units);
                w.put(application.map_or(0, |a| a.relations.into()), relations);
                w.flag(docs.settings);
                w.put(docs.units_cleanup.into(), bits.units_cleanup);
            }
            Row::Unit(id) => {
                let docs = store.unit_docs(id);
                let unit = docs.unit.as_ref();
                w.put(life_code(unit.map(|unit| unit.life)), 2);
                let host = unit.map_or(Placement::Nowhere, |unit| unit.placement);
                w.put(self.host_code(host), bits.machine_or_unit);
                let subordinates = unit.map_or(0, |unit| unit.subordinates.low_word());
                self.put_units(&mut w, subordinates, self.subordinates(id));
                w.put(docs.force.into(), bits.force);
            }
            Row::Relation(id) | Row::Scope(id, _) => {
                let docs = store.relation_docs(id);
                w.put(life_code(docs.relation.map(|relation| relation.life)), 2);
                w.put(docs.relation.map_or(0, |r| r.in_scope.into()), self.in_scope_bits(id));
                self.put_units(&mut w, store.scope(id).low_word(), self.members(id));
                w.flag(docs.settings);
                w.flag(docs.leftovers);
                w.flag(docs.cleanup);
            }
            Row::MachineRuntime(id) => {
                let host = runtime.machine(id);
                w.put(host.hardware as u64, 2);
                w.put(host.down.into(), bits.down);
                self.put_pending(&mut w, &host.pending, pending_txns);
            }
            Row::UnitRuntime(id) => {
                let host = runtime.unit(id);
                w.put(self.host_code(host.deployed_by), bits.machine_or_unit);
                w.put(host.down.into(), bits.down);
                w.put(host.hook_error.map_or(0, |r| r.index() as u64 + 1), bits.relation);
                self.put_pending(&mut w, &host.pending, pending_txns);
            }
            Row::Memberships(id) | Row::Membership(id, _) => {
                let memberships = runtime.memberships(id);
                for (kept, set) in self.memory_sets(memberships) {
                    if kept {
                        self.put_units(&mut w, set.low_word(), self.members(id));
                    }
                }
            }
            Row::User(id) => self.encode_user(&mut w, runtime.user(id), pending_txns),
            Row::Task(task) => self.put_pending(&mut w, &runtime.task(task).pending, pending_txns),
            Row::Client(id) => {
                let pending = runtime.client(id).and_then(|client| client.pending.clone());
                self.put_number(&mut w, &pending, pending_txns);
            }
            Row::Upgrade => w.put(runtime.upgrade().done.into(), bits.upgraded),
        }
        w
    }

    fn memory_sets<'m>(&self, memberships: &'m Memberships) -> [(bool, &'m IdSet<UnitId>); 3] {
        [
            (self.bits.directories, &memberships.directories),
            (self.bits.unwritten, &memberships.unwritten),
            (self.bits.departed, &memberships.departed),
        ]
    }

    fn encode_user(&self, w: &mut Writer, user: &User, pending_txns: &mut PendingTxns) {
        let bits = &self.bits;
        if bits.session {
            w.flag(user.session.is_some());
            let session = user.session;
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
        w.put(user.state.aborts().into(), bits.aborts);
        w.put(user.state.again().is_some().into(), bits.aborts.min(1));
        for (given, allowed) in user.given.iter().zip(&self.world.commands) {
            if let Some(most) = allowed.most {
                w.put(u64::from(*given), bits_for(usize::from(most) + 1));
            }
        }
        self.put_pending(w, &user.state.txn().cloned(), pending_txns);
    }

    pub(super) fn decode(
        &self,
        mut r: Reader,
        row: Row,
        pending_txns: &mut PendingTxns,
        state: &mut State,
        unrecorded: &mut Touched,
    ) {
        let bits = &self.bits;
        match row {
            Row::Machine(id) => {
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
            Row::Application(id) => {
                let life = life_of(r.take(2));
                let (units, relations) = self.application_bits(id);
                let (units, relations) = (r.count(units), r.count(relations));
                let docs = state.store.application_docs_mut(id, unrecorded);
                docs.application = life.map(|life| Application { life, units, relations });
                docs.settings = r.flag();
                docs.units_cleanup = r.take(bits.units_cleanup) == 1;
            }
            Row::Unit(id) => {
                let life = life_of(r.take(2));
                let host = self.host_of(r.index(bits.machine_or_unit));
                let subordinates = self.take_units(&mut r, self.subordinates(id));
                let docs = state.store.unit_docs_mut(id, unrecorded);
                docs.unit = life.map(|life| Unit { life, placement: host, subordinates });
                docs.force = r.take(bits.force) == 1;
            }
            Row::Relation(id) | Row::Scope(id, _) => {
                let life = life_of(r.take(2));
                let in_scope = r.count(self.in_scope_bits(id));
                let scope = self.take_units(&mut r, self.members(id));
                let docs = state.store.relation_docs_mut(id, unrecorded);
                docs.relation = life.map(|life| Relation { life, in_scope });
                (docs.settings, docs.leftovers, docs.cleanup) = (r.flag(), r.flag(), r.flag());
                let scope_before = state.store.scope(id).low_word();
                for unit in IdSet::from_low_word(scope.low_word() ^ scope_before).iter() {
                    if scope.contains(unit) {
                        state.store.enter_scope(id, unit, unrecorded);
                    } else {
                        state.store.leave_scope(id, unit, unrecorded);
                    }
                }
            }
            Row::MachineRuntime(id) => {
                let host = state.runtime.machine_mut(id, unrecorded);
                host.hardware = match r.take(2) {
                    0 => Hardware::Absent,
                    1 => Hardware::Running,
                    _ => Hardware::Silent,
                };
                host.down = r.take(bits.down) == 1;
                host.pending = self.take_pending(&mut r, pending_txns);
            }
            Row::UnitRuntime(id) => {
                let by = self.host_of(r.index(bits.machine_or_unit));
                if state.runtime.unit(id).deployed_by != by {
                    state.runtime.redeploy(id, by, unrecorded);
                }
                let host = state.runtime.unit_mut(id, unrecorded);
                host.down = r.take(bits.down) == 1;
                host.hook_error = r.index(bits.relation).checked_sub(1).map(RelationId::new);
                host.pending = self.take_pending(&mut r, pending_txns);
            }
            Row::Memberships(id) | Row::Membership(id, _) => {
                let mut take = |kept: bool| {
                    if kept { self.take_units(&mut r, self.members(id)) } else { IdSet::default() }
                };
                let memberships = state.runtime.memberships_mut(id, unrecorded);
                memberships.directories = take(bits.directories);
                memberships.unwritten = take(bits.unwritten);
                memberships.departed = take(bits.departed);
            }
            Row::User(id) => {
                let user = state.runtime.user_mut(id, unrecorded);
                self.decode_user(r, pending_txns, user);
            }
            Row::Task(task) => {
                let pending = self.take_pending(&mut r, pending_txns);
                state.runtime.task_mut(task, unrecorded).pending = pending;
            }
            Row::Client(id) => {
                let pending = self.pending_of(r.count(PENDING_BITS), pending_txns);
                state.runtime.client_mut(id, unrecorded).pending = pending;
            }
            Row::Upgrade => {
                state.runtime.upgrade_mut(unrecorded).done = r.take(bits.upgraded) == 1;
            }
        }
    }

    fn decode_user(&self, mut r: Reader, pending_txns: &mut PendingTxns, user: &mut User) {
        let bits = &self.bits;
        if bits.session {
            let present = r.flag();
            let application = ApplicationId::new(r.index(bits_for(self.world.applications.len())));
            let peers = r.flag();
            let units = r.count(bits.session_units);
            let unassigned = r.index(bits_for(self.world.units.len() + 1));
            let unassigned = unassigned.checked_sub(1).map(UnitId::new);
            user.session = present.then_some(Session { application, peers, units, unassigned });
        }
        let aborts = u8::try_from(r.take(bits.aborts)).expect("as it was put");
        let again = r.take(bits.aborts.min(1)) == 1;
        for (given, allowed) in user.given.iter_mut().zip(&self.world.commands) {
            if let Some(most) = allowed.most {
                *given =
                    u8::try_from(r.take(bits_for(usize::from(most) + 1))).expect("as it was put");
            }
        }
        user.state = match self.take_pending(&mut r, pending_txns) {
            None => UserState::Idle,
            Some(txn) if again => UserState::Again { txn, aborts },
            Some(txn) => UserState::Planned { txn, aborts },
        };
    }
}

fn life_code(life: Option<Life>) -> u64 {
    life.map_or(0, |life| life as u64 + 1)
}

fn life_of(code: u64) -> Option<Life> {
    [None, Some(Life::Alive), Some(Life::Dying), Some(Life::Dead)]
        [usize::try_from(code).expect("two bits")]
}
