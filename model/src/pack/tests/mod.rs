//! Packing of random states: unpacking is its inverse, and a value that does not fit is refused.

mod chance;
mod numbers;
mod renaming;
mod widths;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use self::chance::RandomChange;
use super::*;
use crate::{
    ids::{ApplicationId, ClientId, Id, MachineId, RelationId, UnitId, UserId},
    operation::Operation,
    rows::{Count, Record},
    runtime::{Session, UnitRuntime, UserState},
    store::{Application, Machine},
    variants::{AgentUpgrade, UnprovisionedUnit, Variants},
    world::{
        Allowed, ApplicationDef, CharmDef, Command, Faults, MachineDef, RelationDef, Scope,
        Transactions, UnitDef, WorldBuilder,
    },
};

/// A world with more than 64 machines and units, in which everything can happen.
fn world() -> World {
    let machine = |index: usize| MachineDef {
        name: index.to_string(),
        parent: (index % 9 == 8).then(|| MachineId::new(index - 1)),
        manages_model: index == 0,
        hosts_units: index > 0,
        never_starts: false,
    };
    let application = |name: &str, units, subordinate| ApplicationDef {
        name: name.into(),
        subordinate,
        charm: CharmDef::default(),
        relations: vec![RelationId::new(0)],
        units,
    };
    let unit = |index: usize| UnitDef {
        name: index.to_string(),
        application: ApplicationId::new(usize::from(index >= 90)),
    };
    let ends = [ApplicationId::new(0), ApplicationId::new(1)];
    let commands = [
        Command::Deploy(ends[0], 3),
        Command::AddUnit(ends[0]),
        Command::ForceDestroyUnit(UnitId::new(0)),
    ];
    WorldBuilder {
        machines: (0..70).map(machine).collect(),
        applications: vec![application("a", 0..90, false), application("b", 90..160, true)],
        units: (0..160).map(unit).collect(),
        relations: vec![RelationDef { name: "a:x b:x".into(), ends, scope: Scope::Container }],
        transactions: Transactions::Split,
        commands: commands.map(|command| Allowed { command, most: Some(5) }).into(),
        faults: Faults {
            crash: true,
            downtime: true,
            hook_failure: true,
            unit_hook_failure: true,
            ..Faults::default()
        },
        tries: 3,
        neglected: crate::clause::Clause::all().take(1).collect(),
        variants: Variants {
            unprovisioned_unit: UnprovisionedUnit::RemovedDirectly,
            agent_upgrade: AgentUpgrade::OnFreshSystems,
            ..Variants::default()
        },
        ..WorldBuilder::default()
    }
    .build()
}

/// A state with two clients, in which something is forced, so that everything has bits.
fn start(world: &World) -> State {
    let (mut state, mut touched) = (State::empty(world), Touched::new());
    state.runtime.client_mut(ClientId::new(1), &mut touched);
    state
}

#[test]
fn a_packed_state_is_the_state() {
    let world = world();
    let start = start(&world);
    let codec = Codec::new(&world, &start).expect("it is not too large");
    let (mut local, mut other) = (Local::default(), Local::default());
    let mut chance =
        RandomChange { rng: ChaCha8Rng::seed_from_u64(1), world: &world, touched: Touched::new() };
    let mut state = start.clone();
    let mut words = codec.pack(&state, &mut local);
    let (mut unpacked, mut here) = (start.clone(), words.clone());
    for _ in 0..300 {
        chance.touched.clear();
        for _ in 0..chance.below(40) {
            chance.change(&mut state);
        }
        for row in &chance.touched {
            codec.pack_row(&state, *row, &mut local, &mut words);
        }
        assert_eq!(words, codec.pack(&state, &mut local), "row by row, or all at once");
        let mut touched = Touched::new();
        let before = unpacked.clone();
        codec.unpack(&mut here, &words, &mut other, &mut unpacked, &mut touched);
        assert_eq!(unpacked, state);
        assert_eq!(here, words);
        let mut restored = before.clone();
        for row in &touched {
            restored.restore(*row, &state);
        }
        assert_eq!(restored, state, "every row that differs is told");
        let is_different = |row: &&Row| !before.is_same(**row, &state);
        assert!(touched.is_empty() || touched.iter().any(|row| is_different(&row)));
    }
}

#[test]
fn states_that_differ_in_one_row_differ_when_packed() {
    let world = world();
    let start = start(&world);
    let codec = Codec::new(&world, &start).expect("it is not too large");
    let mut local = Local::default();
    let mut chance =
        RandomChange { rng: ChaCha8Rng::seed_from_u64(2), world: &world, touched: Touched::new() };
    let mut state = start;
    let mut words = codec.pack(&state, &mut local);
    let mut different = 0;
    for _ in 0..2_000 {
        let before = (state.clone(), words.clone());
        chance.change(&mut state);
        words = codec.pack(&state, &mut local);
        assert_eq!(before.0 == state, before.1 == words);
        different += u32::from(before.1 != words);
    }
    assert!(different > 1_500, "most changes change something");
}

/// Reads of an agent's deployed units are packed in the first slots of units' agents.
#[test]
fn units_agents_name_their_deployer_first() {
    assert_eq!(UnitRuntime::FIELDS[0].name, "deployed-by");
}

/// Whether `change` makes a state that does not fit.
fn is_refused(change: impl FnOnce(&mut State, &mut Touched)) -> bool {
    let world = world().changed(|world| {
        world.faults = Faults::default();
        world.commands.clear();
        world.transactions = Transactions::Atomic;
    });
    let mut state = State::empty(&world);
    let codec = Codec::new(&world, &state).expect("it is not too large");
    change(&mut state, &mut Touched::new());
    let pack = || codec.pack(&state, &mut Local::default());
    catch_unwind(AssertUnwindSafe(pack)).is_err()
}

#[test]
fn what_does_not_fit_its_field_is_noticed() {
    let (machine, unit) = (MachineId::new(1), UnitId::new(3));
    let txn =
        || Arc::new(Txn { operation: Operation::DestroyUnit(UnitId::new(0)), ops: Vec::new() });
    assert!(!is_refused(|_, _| ()));
    assert!(is_refused(|state, touched| state.runtime.machine_mut(machine, touched).down = true));
    assert!(is_refused(|state, touched| state.store.unit_docs_mut(unit, touched).force = true));
    assert!(is_refused(|state, touched| {
        state.runtime.machine_mut(machine, touched).pending = Some(txn());
    }));
    assert!(is_refused(|state, touched| {
        let aborts = 0;
        state.runtime.user_mut(UserId::FIRST, touched).state =
            UserState::Planned { txn: txn(), aborts };
    }));
    assert!(is_refused(|state, touched| {
        let application = Application { units: Count::of(92), ..Application::created() };
        state.store.application_docs_mut(ApplicationId::new(0), touched).application =
            Some(application);
    }));
    assert!(is_refused(|state, touched| {
        let mut machine = Machine::created();
        machine.principals.insert(UnitId::new(100));
        state.store.machine_docs_mut(MachineId::new(1), touched).machine = Some(machine);
    }));
    assert!(is_refused(|state, touched| {
        let mut machine = Machine::created();
        machine.principals.insert(UnitId::new(1));
        state.store.machine_docs_mut(MachineId::new(0), touched).machine = Some(machine);
    }));
    assert!(is_refused(|state, touched| {
        let session = Session {
            application: ApplicationId::new(0),
            peers: false,
            units: 0,
            unassigned: None,
        };
        state.runtime.user_mut(UserId::FIRST, touched).session = Some(session);
    }));
}
