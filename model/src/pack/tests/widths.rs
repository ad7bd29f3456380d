//! The bits of each row: as many as its fields need in a world, and no more.

use super::*;
use crate::{
    action::Hook,
    actor::Client,
    clause::{Clause, Clauses},
    ids::Placement,
    runtime::{Hardware, Membership, UnitWork},
    store::{Relation, Unit},
    variants::{RelationTracking, UnitsOfDyingApplication},
    world::Faults,
};

const MACHINES: usize = 4;
/// The units of the principal application, and of all.
const UNITS: (usize, usize) = (3, 5);
const RELATIONS: usize = 2;

/// A world in which transactions are atomic, nothing fails, and the user can do nothing. Machine 2
/// is in machine 1, and units are on all but machine 0, which manages the model.
fn plain() -> World {
    let machine = |index: usize| MachineDef {
        name: index.to_string(),
        parent: (index == 2).then(|| MachineId::new(1)),
        manages_model: index == 0,
        hosts_units: index > 0,
        never_starts: false,
    };
    let application = |name: &str, units, subordinate| ApplicationDef {
        name: name.into(),
        subordinate,
        charm: CharmDef::default(),
        relations: (0..RELATIONS).map(RelationId::new).collect(),
        units,
    };
    let unit = |index: usize| UnitDef {
        name: index.to_string(),
        application: ApplicationId::new(usize::from(index >= UNITS.0)),
    };
    let relation = |index: usize| RelationDef {
        name: format!("a:{index} b:{index}"),
        ends: [ApplicationId::new(0), ApplicationId::new(1)],
        scope: Scope::Container,
    };
    WorldBuilder {
        machines: (0..MACHINES).map(machine).collect(),
        applications: vec![
            application("a", 0..UNITS.0, false),
            application("b", UNITS.0..UNITS.1, true),
        ],
        units: (0..UNITS.1).map(unit).collect(),
        relations: (0..RELATIONS).map(relation).collect(),
        tries: 3,
        ..WorldBuilder::default()
    }
    .build()
}

fn width(world: &World, start: &State, row: Row) -> u32 {
    let layout = Codec::new(world, start).expect("it is not too large").layout;
    let (first, end) = layout.rows[layout.index(row)].bits;
    end - first
}

/// The rows whose bits are compared, one of each kind, and more where entities differ.
fn rows() -> [Row; 14] {
    let (relation, unit) = (RelationId::new(1), UnitId::new);
    [
        Row::Machine(MachineId::new(0)),
        Row::Machine(MachineId::new(1)),
        Row::Machine(MachineId::new(2)),
        Row::Application(ApplicationId::new(0)),
        Row::Unit(unit(0)),
        Row::Unit(unit(UNITS.0)),
        Row::Relation(relation),
        Row::Scope(relation, unit(0)),
        Row::MachineRuntime(MachineId::new(3)),
        Row::UnitRuntime(unit(4)),
        Row::Membership(relation, unit(4)),
        Row::User(UserId::FIRST),
        Row::Task(crate::rows::ManagerTask::Cleaner),
        Row::Upgrade,
    ]
}

/// The bits of those rows in a world, from a start.
fn widths_from(world: &World, start: impl FnOnce(&mut State, &mut Touched)) -> [u32; 14] {
    let mut state = State::empty(world);
    start(&mut state, &mut Touched::new());
    rows().map(|row| width(world, &state, row))
}

/// The bits of those rows once the plain world is changed.
fn widths(change: impl FnOnce(&mut WorldBuilder)) -> [u32; 14] {
    widths_from(&plain().changed(change), |_, _| ())
}

/// The bits of those rows in the plain world: of machines 0, 1 and 2; of application a; of units of
/// both; of a relation, its scope, a machine's and a unit's agent, a membership; and of the others.
const PLAIN: [u32; 14] = [
    2 + 1,
    2 + 1 + 3 + 1,
    2 + 1 + 3,
    2 + 3 + 2 + 1,
    2 + 4 + 2,
    2 + 4,
    2 + 3 + 1 + 1 + 1,
    1,
    2,
    4,
    1,
    0,
    0,
    0,
];

/// The same with this number of bits more in the row at each index.
fn plain_and<const N: usize>(more: [(usize, u32); N]) -> [u32; 14] {
    let mut widths = PLAIN;
    for (row, bits) in more {
        widths[row] += bits;
    }
    widths
}

const TXN: u32 = TXN_BITS;

#[test]
fn what_cannot_happen_takes_no_bits() {
    assert_eq!(widths(|_| ()), PLAIN);
    let forced = plain_and([(0, 1), (1, 1), (2, 1), (4, 1), (5, 1)]);
    let with_command = |command| {
        move |world: &mut WorldBuilder| world.commands = vec![Allowed { command, most: None }]
    };
    let unit = UnitId::new(1);
    assert_eq!(widths(with_command(Command::DestroyUnit(unit))), PLAIN);
    assert_eq!(widths(with_command(Command::ForceDestroyUnit(unit))), forced);
    let clauses = || Clause::all().take(1).collect::<Clauses>();
    assert_eq!(widths(|world| world.neglected = clauses()), plain_and([(13, 1)]));
    let cleanup = UnitsOfDyingApplication::AgentsAndCleanup;
    let cleaned = widths(|world| world.variants.units_of_dying_application = cleanup);
    assert_eq!(cleaned, plain_and([(3, 1)]));
    let scopes = RelationTracking::RemoteScope;
    let mut without_directories = PLAIN;
    without_directories[10] = 0;
    assert_eq!(widths(|world| world.variants.relation_tracking = scopes), without_directories);
}

#[test]
fn faults_and_hooks_take_bits_where_they_happen() {
    assert_eq!(widths(|world| world.faults.downtime = true), plain_and([(8, 1), (9, 1)]));
    assert_eq!(widths(|world| world.faults.crash = true), plain_and([(10, 1)]));
    // The relation of a hook that failed, and how far the unit's own hooks have come.
    assert_eq!(widths(|world| world.hooks = true), plain_and([(9, 2 + 2), (10, 1)]));
    assert_eq!(widths(|world| world.faults.hook_failure = true), plain_and([(9, 2), (10, 1)]));
    assert_eq!(widths(|world| world.faults.unit_hook_failure = true), plain_and([(9, 2)]));
    let split = |change: fn(&mut WorldBuilder)| {
        widths(|world| {
            world.transactions = Transactions::Split;
            change(world);
        })
    };
    // The aborts of a user's transaction, in one of two states, are fewer than six.
    let txns = |hooks| plain_and([(8, TXN), (9, TXN + hooks), (11, 3 + TXN), (12, TXN)]);
    assert_eq!(split(|_| ()), txns(0));
    // A hook that is running is one of a relation, and with stop hooks one more.
    let mut hooks = txns(2 + 2 + 2);
    hooks[10] += 1;
    assert_eq!(split(|world| world.hooks = true), hooks);
    let mut hooks = txns(2 + 2);
    hooks[10] += 1;
    assert_eq!(split(|world| world.faults.hook_failure = true), hooks);
}

#[test]
fn instances_apart_from_machines_take_bits_where_they_are() {
    let with =
        |faults: Faults| widths(|world| (world.detail.provisioning, world.faults) = (true, faults));
    // The status of each machine's last start, and the presence of strays. If another provisioner
    // can take over, also the stage of each machine's former one, and of the present one.
    assert_eq!(with(Faults::default()), plain_and([(0, 2), (1, 2), (2, 2), (8, 1)]));
    let faults = Faults { fail_over: vec![MachineId::new(1)], ..Faults::default() };
    assert_eq!(with(faults.clone()), plain_and([(0, 2), (1, 2), (2, 2), (8, 1 + 3)]));
    assert_eq!(widths(|world| world.faults = faults), PLAIN);
}

#[test]
fn without_a_clause_a_unit_may_be_anywhere() {
    let clauses = || Clause::all().take(1).collect::<Clauses>();
    let anywhere = plain_and([(0, 5), (1, 2), (2, 2), (4, 3), (5, 5)]);
    assert_eq!(widths(|world| world.without = clauses()), anywhere);
    assert_eq!(widths(|world| world.unasserted = clauses()), anywhere);
}

#[test]
fn what_is_there_at_the_start_has_bits() {
    let world = plain();
    let forced = plain_and([(0, 1), (1, 1), (2, 1), (4, 1), (5, 1)]);
    let unit = UnitId::new(1);
    let widths = |start: &dyn Fn(&mut State, &mut Touched)| widths_from(&world, start);
    let force_unit = |state: &mut State, touched: &mut Touched| {
        state.store.unit_docs_mut(unit, touched).force = true;
    };
    assert_eq!(widths(&force_unit), forced);
    let force_machine = |state: &mut State, touched: &mut Touched| {
        state.store.machine_docs_mut(MachineId::new(3), touched).force = true;
    };
    assert_eq!(widths(&force_machine), forced);
    let plan = |state: &mut State, touched: &mut Touched| {
        let txn = Txn { operation: Operation::DestroyUnit(unit), ops: Vec::new() };
        state.runtime.set_pending(Client::Script(0), Arc::new(txn), touched);
    };
    assert_eq!(widths(&plan), forced);
    let clean = |state: &mut State, touched: &mut Touched| {
        state.store.application_docs_mut(ApplicationId::new(1), touched).units_cleanup = true;
    };
    assert_eq!(widths(&clean), plain_and([(3, 1)]));
}

#[test]
fn a_state_has_a_most_of_bits() {
    // Machines without units take five bits each, and scripted clients the number of a transaction.
    let machine = MachineDef {
        name: String::new(),
        parent: None,
        manages_model: true,
        hosts_units: false,
        never_starts: false,
    };
    let world = WorldBuilder { machines: vec![machine; 12], tries: 3, ..WorldBuilder::default() };
    let world = world.build();
    let bounds = WorldBounds::of(&world, AtStart::default());
    let most = ((1 << 20) - 12 * 5) / TXN as usize;
    let layout = Layout::new(&world, most, &bounds).expect("it is just small enough");
    assert_eq!(layout.row_at.len(), 1 << 20);
    assert_eq!(Layout::new(&world, most + 1, &bounds).err(), Some(StateTooLarge));
}

/// Asserts that unpacking restores a packed state, whether packed at once or by rows.
fn is_kept(codec: &Codec, start: &State, change: impl FnOnce(&mut State, &mut Touched)) {
    let (mut local, mut touched) = (Local::default(), Touched::new());
    let mut state = start.clone();
    change(&mut state, &mut touched);
    let (words, mut here) = (codec.pack(&state, &mut local), codec.pack(start, &mut local));
    let mut by_rows = here.clone();
    for row in &touched {
        codec.pack_row(&state, *row, &mut local, &mut by_rows);
    }
    assert_eq!(by_rows, words);
    let mut unpacked = start.clone();
    codec.unpack(&mut here, &words, &mut local, &mut unpacked, &mut touched);
    assert_eq!(unpacked, state);
}

#[test]
fn the_last_value_of_each_field_fits() {
    let world = plain().changed(|world| {
        world.transactions = Transactions::Split;
        world.hooks = true;
        world.more_users = 1;
        world.faults.unit_hook_failure = true;
    });
    let start = State::empty(&world);
    let codec = Codec::new(&world, &start).expect("it is not too large");
    let txn = Txn { operation: Operation::DestroyUnit(UnitId::new(0)), ops: Vec::new() };
    is_kept(&codec, &start, |state, touched| {
        state.runtime.set_pending(Client::User(UserId::new(1)), Arc::new(txn), touched);
    });
    let (last_unit, relation) = (UnitId::new(UNITS.1 - 1), RelationId::new(RELATIONS - 1));
    for hook in [Hook::Stop, Hook::Departure(RelationId::new(0)), Hook::Departure(relation)] {
        is_kept(&codec, &start, |state, touched| {
            state.runtime.unit_mut(last_unit, touched).pending = Some(UnitWork::Hook(hook));
        });
    }
    let placements =
        [Placement::Machine(MachineId::new(MACHINES - 1)), Placement::Principal(last_unit)];
    for placement in placements {
        is_kept(&codec, &start, |state, touched| {
            state.runtime.redeploy(last_unit, placement, touched);
            let docs = state.store.unit_docs_mut(UnitId::new(0), touched);
            docs.unit = Some(Unit::created(placement));
        });
    }
    is_kept(&codec, &start, |state, touched| {
        let unit = state.runtime.unit_mut(last_unit, touched);
        (unit.hook_error, unit.charm) = (Some(relation), crate::runtime::Charm::Failed);
        state.runtime.machine_mut(MachineId::new(0), touched).hardware = Hardware::Silent;
        let units = u32::try_from(UNITS.1 + 1).expect("they are few");
        let docs = state.store.relation_docs_mut(relation, touched);
        docs.relation = Some(Relation { in_scope: Count::of(units), ..Relation::created() });
        let membership = Membership { directory: true, unwritten: false, departed: true };
        state.runtime.set_membership(relation, last_unit, membership, touched);
        assert_eq!(state.runtime.membership(relation, last_unit), membership);
        let none = Membership::default();
        state.runtime.set_membership(relation, UnitId::new(0), membership, touched);
        state.runtime.set_membership(relation, UnitId::new(0), none, touched);
        assert_eq!(state.runtime.membership(relation, UnitId::new(0)), none);
    });
}
