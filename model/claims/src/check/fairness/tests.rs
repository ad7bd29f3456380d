//! The numbering of fairness classes, compared with every act that can be written in small worlds:
//! two classes have two numbers, and acts share a number if and only if they belong to one class.

use std::{collections::BTreeMap, sync::Arc};

use deathwatch_model::{
    action::Fault,
    ids::{ApplicationId, RelationId},
    operation::Operation,
    runtime::{UnitWork, UserState},
    store::Touched,
    txn::Txn,
    world::{
        ApplicationDef, Assumptions, CharmDef, MachineDef, RelationDef, Scope, UnitDef,
        WorldBuilder, every, every_of,
    },
};

use super::*;

/// A world with two users, and with these numbers of machines, of units of each of two
/// applications, and of relations.
fn world(machines: usize, units: usize, relations: usize, per: Per) -> World {
    let machine = |index: usize| MachineDef {
        name: index.to_string(),
        parent: None,
        manages_model: index == 0,
        hosts_units: true,
        never_starts: false,
    };
    let application = |index: usize| ApplicationDef {
        name: format!("application-{index}"),
        subordinate: false,
        charm: CharmDef::default(),
        relations: (0..relations).map(RelationId::new).collect(),
        units: index * units..(index + 1) * units,
    };
    let unit = |index: usize| UnitDef {
        name: format!("application-{}/{}", index / units, index % units),
        application: ApplicationId::new(index / units),
    };
    let relation = |index: usize| RelationDef {
        name: format!("relation-{index}"),
        ends: [ApplicationId::new(0), ApplicationId::new(1)],
        scope: Scope::Global,
    };
    WorldBuilder {
        machines: (0..machines).map(machine).collect(),
        applications: (0..2).map(application).collect(),
        units: (0..2 * units).map(unit).collect(),
        relations: (0..relations).map(relation).collect(),
        assumptions: Assumptions { per, ..Assumptions::default() },
        more_users: 1,
        ..WorldBuilder::default()
    }
    .build()
}

type MoversByNumber = BTreeMap<usize, FairnessClass>;

/// Records the class of `act` in `state`, which must be the only class with its number.
fn note(classes: &FairnessClasses<'_>, state: &State, act: Act, seen: &mut MoversByNumber) {
    let FairnessMover::Class(class) = classes.mover(state, act) else { return };
    let number = classes.number(class);
    assert!(number < classes.fairness().len(), "{act:?} has no number");
    let known = *seen.entry(number).or_insert(class);
    assert_eq!(known, class, "{act:?} shares a number with another class");
}

/// Records every act that there is, with any transaction pending that it may finish.
fn all(classes: &FairnessClasses<'_>, world: &World) -> MoversByNumber {
    let mut seen = MoversByNumber::new();
    let mut state = State::empty(world);
    for act in every(world) {
        match act {
            Act::Txn(_, TxnAct::Commit | TxnAct::Abort)
            | Act::Hook(_, HookAct::Exit | HookAct::End) => {}
            act => note(classes, &state, act, &mut seen),
        }
    }
    for hook in every_of::<Hook>(world) {
        let me = UnitId::new(0);
        state.runtime.unit_mut(me, &mut Touched::new()).pending = Some(UnitWork::Hook(hook));
        let class = |act| classes.mover(&state, Act::Hook(me, act));
        let begun = class(HookAct::Begin(hook));
        for act in [HookAct::Decide(hook), HookAct::Run(hook)] {
            assert_eq!(class(act), begun, "{hook:?} is one duty from begin to end");
        }
        for act in [HookAct::Exit, HookAct::End] {
            assert_eq!(class(act), begun, "{hook:?} is one duty from begin to end");
        }
    }
    for operation in every_of::<Operation>(world) {
        for client in [Client::Unit(UnitId::new(0)), Client::Machine(MachineId::new(1))]
            .into_iter()
            .chain([Client::Provisioner, Client::Cleaner])
        {
            let txn = Arc::new(Txn { operation, ops: Vec::new() });
            state.runtime.set_pending(client, txn, &mut Touched::new());
            let class = |act| classes.mover(&state, Act::Txn(client, act));
            let begun = class(TxnAct::Begin(operation));
            for end in [TxnAct::Commit, TxnAct::Abort, TxnAct::Run(operation)] {
                assert_eq!(class(end), begun, "{operation:?} is one duty from plan to end");
                note(classes, &state, Act::Txn(client, end), &mut seen);
            }
        }
    }
    seen
}

/// Checks that each number has a mover among all acts, except where none can move now.
fn check(world: &World) {
    let classes = FairnessClasses::new(world).expect("the world is small");
    let seen = all(&classes, world);
    // A user owes only to finish a command, and none is in progress.
    let of_users: Vec<usize> =
        world.user_ids().map(|id| classes.number(FairnessClass::User(id))).collect();
    assert_eq!(of_users.len(), 2);
    // A former provisioner owes nothing, so the numbers of its duties have no mover.
    let late = every_of::<ProvisionerAct>(world).into_iter().filter(|act| act.is_late());
    let late = late.filter_map(|act| classes.own(act));
    let late: Vec<usize> =
        late.map(|duty| classes.number(FairnessClass::Provisioner(Some(duty)))).collect();
    let owes_nothing = |it: &usize| of_users.contains(it) || late.contains(it);
    let numbers = (0..classes.fairness().len()).filter(|it| !owes_nothing(it));
    let missing: Vec<usize> = numbers.filter(|it| !seen.contains_key(it)).collect();
    assert!(missing.is_empty(), "nobody moves under the numbers {missing:?}");
}

#[test]
fn no_two_classes_share_a_number() {
    for per in [Per::Agent, Per::Duty] {
        for (machines, units, relations) in [(2, 1, 0), (2, 1, 1), (3, 2, 2), (2, 3, 5)] {
            check(&world(machines, units, relations, per));
        }
    }
}

#[test]
fn what_is_owed_is_what_is_assumed() {
    let world = world(2, 1, 1, Per::Agent).changed(|world| {
        world.assumptions.strong = true;
        world.assumptions.crashed_agents_restart = false;
        world.assumptions.failed_hardware_is_terminated = false;
        world.assumptions.agents_are_redeployed = false;
    });
    let classes = FairnessClasses::new(&world).expect("the world is small");
    let owes = |class| classes.fairness()[classes.number(class)];
    let (unit, machine) = (UnitId::new(1), MachineId::new(1));
    assert_eq!(owes(FairnessClass::UnitAgent(unit, None)), Fairness::Strong);
    assert_eq!(owes(FairnessClass::Cleaner(None)), Fairness::Strong);
    assert_eq!(owes(FairnessClass::User(UserId::FIRST)), Fairness::Weak);
    assert_eq!(owes(FairnessClass::Upgrade), Fairness::Weak);
    assert_eq!(owes(FairnessClass::Resolve(unit)), Fairness::Weak);
    assert_eq!(owes(FairnessClass::Terminate(machine)), Fairness::None);
    assert_eq!(owes(FairnessClass::Replace(machine)), Fairness::None);
    assert_eq!(owes(FairnessClass::Restart(Agent::Unit(unit))), Fairness::None);
    assert_eq!(owes(FairnessClass::Restart(Agent::Machine(machine))), Fairness::None);
}

/// Asserts that acts with any arguments are numbered one after the other, as if they were duties.
fn are_numbered_densely<A: RowEnum + Copy>(world: &World) {
    let duties = DutyNumbers::new(world, &[], A::ROWS);
    let acts = every_of::<A>(world).into_iter();
    let mut numbers: Vec<usize> = acts.map(|act| duties.number(Duty::Own(act))).collect();
    numbers.sort_unstable();
    let operations = every_of::<Operation>(world).len();
    assert!(numbers.into_iter().eq(operations..duties.count()));
}

#[test]
fn arguments_of_every_kind_are_numbered_densely() {
    for (machines, units, relations) in [(2, 1, 0), (3, 2, 2), (1, 3, 5)] {
        let world = world(machines, units, relations, Per::Duty);
        let world = world.changed(|world| world.more_users = 2);
        // The acts of faults are about agents, users and clients, too.
        are_numbered_densely::<Fault>(&world);
        are_numbered_densely::<SupervisorAct>(&world);
        are_numbered_densely::<OperatorAct>(&world);
        are_numbered_densely::<Hook>(&world);
    }
}

/// The label of a user's act, and the label of continuing a command.
fn labels(world: &World, state: &State, act: TxnAct) -> (Label, Label) {
    let classes = FairnessClasses::new(world).expect("the world is small");
    let act = Act::Txn(Client::User(UserId::FIRST), act);
    let number = classes.number(FairnessClass::User(UserId::FIRST));
    let going_on = Label::class(u16::try_from(number).expect("they are few"));
    (classes.label(state, &Action { act, duty: None }), going_on)
}

#[test]
fn a_user_owes_what_was_begun_and_no_command() {
    let (world, mut touched) = (world(2, 1, 1, Per::Agent), Touched::new());
    let operation = Operation::DestroyUnit(UnitId::new(0));
    let mut state = State::empty(&world);
    for act in [TxnAct::Begin(operation), TxnAct::Run(operation)] {
        let (label, _) = labels(&world, &state, act);
        assert_eq!(label, Label::FREE);
    }
    let txn = Arc::new(Txn { operation, ops: Vec::new() });
    state.runtime.set_pending(Client::User(UserId::FIRST), Arc::clone(&txn), &mut touched);
    for act in [TxnAct::Commit, TxnAct::Abort] {
        let (label, going_on) = labels(&world, &state, act);
        assert_eq!(label, going_on);
    }
    let planned_again = UserState::Again { txn, aborts: 1 };
    state.runtime.user_mut(UserId::FIRST, &mut touched).state = planned_again;
    let (label, going_on) = labels(&world, &state, TxnAct::Begin(operation));
    assert_eq!(label, going_on);
}

#[test]
fn there_are_as_many_classes_as_labels_for_them_and_no_more() {
    let count = |world: &World| FairnessClasses::new(world).map(|it| it.fairness().len());
    let with_units = |units| world(3, units, 0, Per::Agent);
    // As many units as there are classes for; users, with a class each, fill the rest.
    let [one, two] = [1, 2].map(|units| count(&with_units(units)).expect("the world is small"));
    let (left, each) = (usize::from(Label::MOST_CLASSES) - one, two - one);
    let users = u8::try_from(left % each).expect("a unit has a few classes");
    let most = with_units(1 + left / each).changed(|world| world.more_users += users);
    assert_eq!(count(&most), Ok(usize::from(Label::MOST_CLASSES)));
    let more = most.changed(|world| world.more_users += 1);
    assert_eq!(count(&more), Err(TooLarge::Duties));
}

#[test]
fn a_world_with_too_many_duties_is_refused() {
    assert_eq!(FairnessClasses::new(&world(60, 30, 60, Per::Duty)).err(), Some(TooLarge::Duties));
    assert!(FairnessClasses::new(&world(60, 30, 60, Per::Agent)).is_ok());
}
