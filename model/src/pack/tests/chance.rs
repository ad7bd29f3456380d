//! Changes of a state at random, one row at a time.

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{
    action::Hook,
    ids::{
        ApplicationId, ClientId, Constraints, Id, MachineId, Placement, RelationId, UnitId, UserId,
    },
    life::Life,
    operation::Operation,
    rows::{Count, ManagerTask},
    runtime::{Hardware, Membership, Session, UnitWork, UserState},
    state::State,
    store::{Application, Machine, Relation, Touched, Unit},
    txn::Txn,
    world::World,
};

/// A state in which a random part can be changed.
pub(super) struct RandomChange<'a> {
    pub(super) rng: ChaCha8Rng,
    pub(super) world: &'a World,
    pub(super) touched: Touched,
}

impl RandomChange<'_> {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.rng.random_range(0..bound)
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn number(&mut self, bound: usize) -> u32 {
        u32::try_from(self.below(bound)).expect("it is small")
    }

    fn life(&mut self) -> Life {
        [Life::Alive, Life::Dying, Life::Dead][self.below(3)]
    }

    fn placement(&mut self) -> Placement {
        match self.below(3) {
            0 => Placement::Nowhere,
            1 => Placement::Machine(MachineId::new(self.below(70))),
            _ => Placement::Principal(UnitId::new(self.below(90))),
        }
    }

    fn txn(&mut self) -> Arc<Txn> {
        Arc::new(Txn {
            operation: Operation::DestroyUnit(UnitId::new(self.below(160))),
            ops: Vec::new(),
        })
    }

    pub(super) fn change(&mut self, state: &mut State) {
        match self.below(9) {
            0 => self.change_machine(state),
            1 => self.change_application(state),
            2 => self.change_unit(state),
            3 => self.change_relation(state),
            4 => self.change_machine_runtime(state),
            5 => self.change_unit_runtime(state),
            6 => self.change_pair(state),
            7 => self.change_user(state),
            _ => self.change_others(state),
        }
    }

    fn change_machine(&mut self, state: &mut State) {
        let id = MachineId::new(self.below(70));
        let (life, instance, exists) = (self.life(), self.coin(), self.coin());
        let principals = (0..self.below(5)).map(|_| UnitId::new(self.below(90)));
        let principals =
            if id.index() == 0 { [].into_iter().collect() } else { principals.collect() };
        let containers = self.world.containers_of(id).filter(|_| self.rng.random()).collect();
        let machine = Machine {
            life,
            instance,
            lost: self.rng.random(),
            principals,
            containers,
            ..Machine::created()
        };
        let docs = state.store.machine_docs_mut(id, &mut self.touched);
        (docs.machine, docs.force) = (exists.then_some(machine), self.rng.random());
    }

    fn change_application(&mut self, state: &mut State) {
        let id = ApplicationId::new(self.below(2));
        let units = self.number(self.world.application(id).units.len() + 2);
        let application = Application {
            life: self.life(),
            units: Count::of(units),
            relations: self.number(3),
            ..Application::created()
        };
        let (exists, settings) = (self.coin(), self.coin());
        let docs = state.store.application_docs_mut(id, &mut self.touched);
        (docs.application, docs.settings) = (exists.then_some(application), settings);
    }

    fn change_unit(&mut self, state: &mut State) {
        let id = UnitId::new(self.below(160));
        let (exists, force) = (self.coin(), self.coin());
        let subordinates = (0..self.below(5)).map(|_| UnitId::new(90 + self.below(70)));
        let subordinates =
            if id.index() < 90 { subordinates.collect() } else { [].into_iter().collect() };
        let unit = Unit {
            life: self.life(),
            placement: self.placement(),
            subordinates,
            constraints: Constraints::NONE,
        };
        let docs = state.store.unit_docs_mut(id, &mut self.touched);
        (docs.unit, docs.force) = (exists.then_some(unit), force);
    }

    fn change_relation(&mut self, state: &mut State) {
        let relation = Relation { life: self.life(), in_scope: Count::of(self.number(162)) };
        let exists = self.coin();
        let docs = state.store.relation_docs_mut(RelationId::new(0), &mut self.touched);
        docs.relation = exists.then_some(relation);
        for flag in [&mut docs.settings, &mut docs.leftovers, &mut docs.cleanup] {
            *flag = self.rng.random();
        }
    }

    fn change_machine_runtime(&mut self, state: &mut State) {
        let id = MachineId::new(self.below(70));
        let pending = self.coin().then(|| self.txn());
        let machine = state.runtime.machine_mut(id, &mut self.touched);
        machine.hardware =
            [Hardware::Absent, Hardware::Running, Hardware::Silent][self.rng.random_range(0..3)];
        (machine.down, machine.pending) = (self.rng.random(), pending);
        machine.new_version = self.rng.random();
    }

    fn change_unit_runtime(&mut self, state: &mut State) {
        let id = UnitId::new(self.below(160));
        let by = self.placement();
        state.runtime.redeploy(id, by, &mut self.touched);
        let pending = match self.below(3) {
            0 => None,
            1 => Some(UnitWork::Txn(self.txn())),
            _ => Some(UnitWork::Hook(Hook::Departure(RelationId::new(0)))),
        };
        let unit = state.runtime.unit_mut(id, &mut self.touched);
        (unit.down, unit.pending) = (self.rng.random(), pending);
        unit.hook_error = self.rng.random::<bool>().then(|| RelationId::new(0));
    }

    fn change_pair(&mut self, state: &mut State) {
        let (relation, unit) = (RelationId::new(0), UnitId::new(self.below(160)));
        let [directory, unwritten, departed] = [self.coin(), self.coin(), self.coin()];
        let membership = Membership { directory, unwritten, departed };
        state.runtime.set_membership(relation, unit, membership, &mut self.touched);
        if self.coin() {
            state.store.enter_scope(relation, unit, &mut self.touched);
        } else {
            state.store.leave_scope(relation, unit, &mut self.touched);
        }
    }

    fn change_user(&mut self, state: &mut State) {
        let (txn, aborts) = (self.txn(), u8::from(self.coin()));
        let session = Session {
            application: ApplicationId::new(self.below(2)),
            peers: self.coin(),
            units: self.number(4),
            unassigned: self.coin().then(|| UnitId::new(self.below(160))),
        };
        let user = state.runtime.user_mut(UserId::FIRST, &mut self.touched);
        user.state = match self.rng.random_range(0..3) {
            0 => UserState::Idle,
            1 => UserState::Planned { txn, aborts: 2 * aborts },
            _ => UserState::Again { txn, aborts: 1 + aborts },
        };
        user.session = self.rng.random::<bool>().then_some(session);
        user.given.fill_with(|| self.rng.random_range(0..6));
    }

    fn change_others(&mut self, state: &mut State) {
        let task = ManagerTask::ALL[self.below(2)];
        let pending = [self.coin().then(|| self.txn()), self.coin().then(|| self.txn())];
        let [of_task, of_client] = pending;
        state.runtime.task_mut(task, &mut self.touched).pending = of_task;
        state.runtime.client_mut(ClientId::new(1), &mut self.touched).pending = of_client;
        state.runtime.upgrade_mut(&mut self.touched).done = self.coin();
    }
}
