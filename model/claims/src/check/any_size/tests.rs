//! Side conditions that no world of the tests violates, each violated by hand.

use std::sync::Arc;

use deathwatch_checker::views::{
    Amounts, Closure, LocalId, MOST_COUNTS, MoverKind, SharedId, Template as _, Whose, closure,
};
use deathwatch_model::{
    actor::{Actor, Client},
    agents,
    clause::Clauses,
    free_ids::Scan,
    ids::{ApplicationId, Id as _, IdSet, MachineId, Placement, UnitId, UserId},
    life::Life,
    operation::Operation,
    ops::Plan,
    protocol,
    rows::{
        Application, Count, Hardware, Machine, ManagerTask, Read, Row, Stage as StartStage,
        Touched, Unit,
    },
    state::State,
    txn::Txn,
    world::{
        Allowed, ApplicationDef, CharmDef, Command, CommandKind, CommandParameter, Transactions,
        UnitDef, World, WorldBuilder,
    },
};

use super::{
    NoTemplate,
    family::Family,
    kinds::Kinds,
    places::EntityGroup,
    pointer::Pointer,
    protocol::{Broadcast, Protocol},
    stage::{MadeMove, Reached, Stage},
};
use crate::check::tests::machine;

const NONE: Amounts = [0; MOST_COUNTS];

/// Two units of an application, each on a machine of its own, beside the manager; any unit may be
/// destroyed.
fn pair(transactions: Transactions) -> (World, State) {
    let application = ApplicationId::new(0);
    let unit = |number: usize| UnitDef { name: format!("application/{number}"), application };
    let destroy =
        |number| Allowed { command: Command::DestroyUnit(UnitId::new(number)), most: None };
    let world = WorldBuilder {
        machines: (0..3).map(machine).collect(),
        applications: vec![ApplicationDef {
            name: "application".to_owned(),
            subordinate: false,
            charm: CharmDef::default(),
            relations: Vec::new(),
            units: 0..2,
        }],
        units: (0..2).map(unit).collect(),
        transactions,
        commands: (0..2).map(destroy).collect(),
        tries: 3,
        ..WorldBuilder::default()
    }
    .build();
    let (mut start, touched) = (State::empty(&world), &mut Touched::new());
    let documents = start.store.application_docs_mut(application, touched);
    documents.application = Some(Application { units: Count::of(2), ..Application::created() });
    for machine in world.machine_ids() {
        let number = machine.index();
        let principals: IdSet<UnitId> =
            number.checked_sub(1).map(UnitId::new).into_iter().collect();
        start.store.machine_docs_mut(machine, touched).machine =
            Some(Machine { instance: true, principals: principals.clone(), ..Machine::created() });
        start.runtime.machine_mut(machine, touched).hardware = Hardware::Running;
        for unit in principals.iter() {
            start.store.unit_docs_mut(unit, touched).unit =
                Some(Unit::created(Placement::Machine(machine)));
        }
    }
    (world, start)
}

/// The template of that world, with its views.
fn template(transactions: Transactions) -> (Protocol, Closure) {
    let (world, start) = pair(transactions);
    let family = Family::of(&world, &start).expect("units are alike");
    let mut protocol = Protocol::new(&family, 1, &[]).expect("it is a template");
    let first = protocol.first(None).expect("it is a template");
    let Ok(closure) = closure(&mut protocol, first, u64::MAX, &|| None) else {
        panic!("it is a template")
    };
    protocol.demand_any_ghost(&closure).expect("it is a template");
    (protocol, closure)
}

/// The unit and the machine of the process at this place.
fn process(protocol: &Protocol, slot: usize) -> (UnitId, MachineId) {
    let process = &protocol.stage.instance.places.processes[0][slot];
    (process.units[0], process.machines[0])
}

fn pending(operation: Operation) -> Arc<Txn> {
    Arc::new(Txn { operation, ops: Vec::new() })
}

fn is_refused<T>(result: Result<T, NoTemplate>, reason: &str) {
    match result {
        Ok(_) => panic!("not refused: {reason}"),
        Err(why) => assert!(why.to_string().contains(reason), "{why}, not {reason}"),
    }
}

/// A move is refused if it changes more than the shared part, its mover, and counts.
#[test]
fn a_move_changes_its_mover_alone() {
    for transactions in [Transactions::Atomic, Transactions::Split] {
        let (protocol, _) = template(transactions);
        let before = protocol.state_with(0, &[(0, 0, 0)], NONE, 0);
        let (mine, machine) = process(&protocol, 0);
        let (other, others) = process(&protocol, 1);
        let mut actions = Vec::new();
        protocol::enabled(protocol.world(), &before, &mut actions);
        let made = |holder: Option<Row>, change: &dyn Fn(&mut State, &mut Touched)| {
            let mut after = before.clone();
            change(&mut after, &mut Touched::new());
            let (mover, action) = (MoverKind::Owed, actions[0]);
            let (reached, clauses) = (Reached { all: false, holder }, Clauses::default());
            let done = MadeMove { mover, action, after, reached, clauses };
            protocol.outcome(&protocol.stage, Some(0), NONE, &before, done).map(drop)
        };
        let pending = |operation: Operation| {
            move |state: &mut State, touched: &mut Touched| {
                state.runtime.set_pending(Client::Cleaner, pending(operation), touched);
            }
        };
        assert_eq!(made(None, &|_, _| ()), Ok(()));
        is_refused(
            made(None, &|state, touched| {
                let placed = Placement::Machine(others);
                state.store.unit_docs_mut(other, touched).unit = Some(Unit::created(placed));
            }),
            "a move changes more than its mover",
        );
        is_refused(
            made(None, &|state, touched| {
                let id = ApplicationId::new(0);
                let document = &mut state.store.application_docs_mut(id, touched).application;
                document.as_mut().expect("it exists").units = Count::of(2);
            }),
            "`application` of application does not count what there is",
        );
        is_refused(
            made(Some(Row::Unit(other)), &|_, _| ()),
            "one reads a row of another: `unit` of application/1",
        );
        if transactions == Transactions::Split {
            assert_eq!(made(None, &pending(Operation::RemoveUnit(mine))), Ok(()));
            is_refused(
                made(None, &pending(Operation::RemoveUnit(other))),
                "a move is about another process",
            );
            is_refused(
                made(None, &pending(Operation::AssignUnit(other, machine))),
                "a transaction is about two processes",
            );
        }
    }
}

/// Reads of other processes are refused, and so are counts that more processes may change.
#[test]
fn what_is_asked_is_the_same_with_more_others() {
    let (mut protocol, _) = template(Transactions::Atomic);
    let (others, application) = ([1; MOST_COUNTS], ApplicationId::new(0));
    let judged = |protocol: &Protocol, read: Read| {
        protocol.judge(&protocol.stage, Whose::Shared, others, &[], &[read], true).map(drop)
    };
    assert_eq!(judged(&protocol, Read::Count(true)), Ok(()));
    is_refused(
        judged(&protocol, Read::Count(false)),
        "whether more than 1 other units are counted",
    );
    let alive = |is_so| Read::AnyAlive(application, is_so);
    is_refused(judged(&protocol, alive(true)), "whether some unit of application is Alive");
    let (world, start) = pair(Transactions::Atomic);
    let family = Family::of(&world, &start).expect("units are alike");
    protocol = Protocol::new(&family, 1, &[application]).expect("it is a template");
    assert_eq!(judged(&protocol, alive(true)), Ok(()));
    is_refused(judged(&protocol, alive(false)), "whether more than 1 other units are counted");
}

#[test]
fn rows_name_nobody_else() {
    let (mut protocol, _) = template(Transactions::Split);
    let ((mine, machine), (other, others)) = (process(&protocol, 0), process(&protocol, 1));
    let touched = &mut Touched::new();
    let mut shared = protocol.shared[0].clone();
    shared.runtime.set_pending(Client::Cleaner, pending(Operation::RemoveUnit(mine)), touched);
    is_refused(protocol.shared_id(shared), "what is shared names a unit or a machine");
    let mut local = protocol.locals[0][0].clone();
    local.store.unit_docs_mut(mine, touched).unit = Some(Unit::created(Placement::Machine(others)));
    is_refused(protocol.local_id(0, local), "a unit's rows name another unit or machine");
    let (world, mut local) = (protocol.world().clone(), protocol.locals[0][0].clone());
    let both = protocol.state_with(0, &[(0, 0, 0), (0, 0, 1)], NONE, 0);
    let client = Client::Machine(machine);
    for (operation, reason) in [
        (Operation::DestroyUnit(other), "a unit's or machine's agent is about another one"),
        (Operation::AssignUnit(mine, others), "a unit's rows name another unit or machine"),
    ] {
        let txn = match agents::plan_for(&world, &both, client, operation, &Scan) {
            Plan::Submit(txn) => Arc::new(txn),
            _ => pending(operation),
        };
        local.runtime.set_pending(client, txn, touched);
        is_refused(protocol.local_id(0, local.clone()), reason);
    }
}

/// Ghosts of each operation and stage make no difference to the moves of others.
#[test]
fn what_is_pending_about_another_is_told_by_its_kind() {
    let (mut protocol, closure) = template(Transactions::Split);
    let pointer = Pointer::Task(ManagerTask::Provisioner);
    let mut state = protocol.stage.empty.clone();
    let operation = Operation::RecordInstance(process(&protocol, 0).1);
    let kinds = [StartStage::Asked, StartStage::Read].map(|stage| {
        let task = state.runtime.task_mut(ManagerTask::Provisioner, &mut Touched::new());
        (task.pending, task.stage) = (Some(pending(operation)), stage);
        pointer.kind(&state).expect("something is pending")
    });
    assert_ne!(kinds[0], kinds[1]);
    // A ghost without a transaction leaves its shared actor free to act.
    let idle = protocol.stage.empty.clone();
    let ghosts = protocol.ghosts.iter_mut().find(|it| !it.is_empty()).expect("users are at work");
    ghosts.push((kinds[0], idle));
    is_refused(
        protocol.demand_any_ghost(&closure),
        "it matters what is pending about another unit",
    );
}

/// A broadcast has the same effect on all processes, and changes no count.
#[test]
fn what_is_told_is_the_same_for_all() {
    let (mut protocol, _) = template(Transactions::Split);
    let whose = Whose::Process(0, 0);
    let before = protocol.state_with(0, &[(0, 0, 0)], NONE, 0);
    let mut actions = Vec::new();
    protocol::enabled(protocol.world(), &before, &mut actions);
    let others = protocol.adds(0, 0);
    let done: Vec<_> = actions
        .iter()
        .filter_map(|action| Some((*action, protocol.stage.again(Some(0), &before, *action)?)))
        .collect();
    let (action, after) = done.first().expect("its agents do something").clone();
    let local = protocol.stage.local_of(&after, 0, 0).expect("it is a template");
    let local = protocol.local_id(0, local).expect("it is a template");
    let tell = |protocol: &mut Protocol, whose, action, after, others| {
        let clears = NONE;
        protocol.broadcasts.push(Broadcast { whose, shared: 0, others, action, clears, after });
        u32::try_from(protocol.broadcasts.len() - 1).expect("they are few")
    };
    let right = tell(&mut protocol, whose, action, (0, local), others);
    assert_eq!(protocol.told(right, 0, 0), Ok(0));
    let wrong = tell(&mut protocol, whose, action, (0, 0), others);
    is_refused(protocol.told(wrong, 0, 0), "what all are told depends on who is told");
    // The holder has a transaction of the user: a commit of that is no broadcast to it.
    let holder = (0..protocol.locals[0].len())
        .find(|id| protocol.locals[0][*id].runtime.user(UserId::FIRST).state.txn().is_some())
        .map(|id| LocalId::try_from(id).expect("they are few"))
        .expect("users destroy units");
    let before = protocol.state_with(0, &[(0, holder, 0)], NONE, 0);
    protocol::enabled(protocol.world(), &before, &mut actions);
    let commits = actions.iter().copied().filter(|it| it.act.actor() == Actor::User(UserId::FIRST));
    let mut done = commits.filter_map(|it| Some((it, protocol.stage.again(None, &before, it)?)));
    let (action, after) = done.next_back().expect("it is committed");
    let shared = protocol.stage.shared_of(&after, &protocol.counted).expect("it is a template");
    let shared: SharedId = protocol.shared_id(shared).expect("it is a template");
    let adds = protocol.adds(0, holder);
    let counted = tell(&mut protocol, Whose::Shared, action, (shared, 0), adds);
    is_refused(protocol.told(counted, 0, holder), "what all are told changes what they count for");
}

/// A larger world in which the process at the last place can do more.
#[test]
fn moves_are_the_same_in_a_larger_world() {
    let (mut protocol, _) = template(Transactions::Atomic);
    let moves = |protocol: &mut Protocol| protocol.moves(Whose::Process(0, 0), 0, NONE);
    assert!(moves(&mut protocol).is_ok_and(|it| !it.is_empty()));
    let (world, start) = pair(Transactions::Atomic);
    let failing = [1, 2].map(MachineId::new).to_vec();
    let other = world.changed(|world| world.faults.hardware_failure = failing);
    let family = Family::of(&other, &start).expect("units are alike");
    let instance = family.instance(&[4]).expect("it is a template");
    protocol.larger = Stage::new(instance, 3).expect("it is a template");
    is_refused(moves(&mut protocol), "what a unit can do depends on how many there are");
}

/// Units that are declared alike and are not.
#[test]
fn a_family_is_of_units_that_are_alike() {
    let demanded = |change: &dyn Fn(&mut WorldBuilder), begin: &dyn Fn(&mut State)| {
        let (world, mut start) = pair(Transactions::Split);
        begin(&mut start);
        let process = |number: usize| EntityGroup {
            units: vec![UnitId::new(number)],
            machines: vec![MachineId::new(number + 1)],
        };
        let types = vec![(ApplicationId::new(0), vec![process(0), process(1)])];
        let kinds = Kinds { types, fixed: Vec::new(), free: EntityGroup::default() };
        Family::with(world.changed(|world| change(world)), start, kinds).demand_alike()
    };
    let machine = MachineId::new(2);
    assert_eq!(demanded(&|_| (), &|_| ()), Ok(()));
    is_refused(
        demanded(&|world| world.machines[2].never_starts = true, &|_| ()),
        "machine 2 is unlike others",
    );
    is_refused(
        demanded(&|world| world.faults.hardware_failure.push(machine), &|_| ()),
        "are allowed for some machines only",
    );
    is_refused(
        demanded(&|world| world.commands[1].most = Some(1), &|_| ()),
        "a command is allowed for some units or machines only",
    );
    is_refused(
        demanded(&|_| (), &|start| {
            let docs = start.store.machine_docs_mut(machine, &mut Touched::new());
            docs.machine.as_mut().expect("it exists").life = Life::Dying;
        }),
        "units begin in different states",
    );
    is_refused(
        demanded(&|_| (), &|start| {
            let txn = pending(Operation::DestroyApplication(ApplicationId::new(0)));
            start.runtime.set_pending(Client::Cleaner, txn, &mut Touched::new());
        }),
        "a transaction is pending at the start",
    );
}

/// So the owner of a command, and of the act that gives it, is never in doubt.
#[test]
fn no_command_is_about_two_units_or_machines() {
    for kind in CommandKind::ALL {
        let takes = kind.row().takes.iter();
        let is_entity = |it: &&CommandParameter| {
            matches!(it, CommandParameter::Unit | CommandParameter::Machine)
        };
        assert!(takes.filter(is_entity).count() <= 1, "{kind:?}");
    }
}
