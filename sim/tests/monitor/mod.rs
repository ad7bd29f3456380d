//! The monitor, which judges only touched rows, compared after every step of random walks with a
//! check of everything. Some claims are also monitored alone, to find one that does not declare all
//! that it reads.
//!
//! The walks go through the worlds of all shipped scenarios, in which most claims hold, and through
//! the same worlds with every command and fault allowed and random clauses switched off, in which
//! they do not. Only there a monitor that judges too little is found.

mod judges;

use std::collections::BTreeMap;

use deathwatch_claims::{Claim, Monitor};
use deathwatch_model::{
    action::{Act, Action, TxnAct},
    actor::Client,
    clause::Clause,
    ids::UserId,
    operation::Operation,
    protocol::{self, Effects},
    rows::{Row, RowKind, Touched},
    state::State,
    world::{Allowed, Faults, Scope, World},
};
use deathwatch_scenario::{Scenario, replay};
use deathwatch_simulator::dice::Dice;
use judges::{Alone, FullJudge, ViolatedClaims};

use crate::common::{
    MIXED, cases, dice, good,
    worlds::{every_command, small_worlds},
};

/// The number of claims in a walk that are monitored alone.
const ALONE: usize = 4;

/// Walks at most `length` random steps and compares the monitor with the full judge after each.
/// Returns the violated claims.
fn walk(
    world: &World,
    start: &State,
    clients: &[Operation],
    dice: &mut Dice,
    length: usize,
) -> ViolatedClaims {
    let (mut state, mut effects) = (start.clone(), Effects::default());
    let (mut reported, mut enabled) = (ViolatedClaims::new(), Vec::new());
    let mut oracle = FullJudge::new(world);
    let claims = deathwatch_claims::all_in(world);
    let mut monitor = Monitor::new(world, &state, claims, &mut |claim, it| {
        note(&mut reported, claim, it);
    });
    oracle.check_state(world, &state);
    assert_eq!(reported, oracle.violated);
    let mut alone: Vec<Alone> = (0..ALONE).map(|_| Alone::drawn(world, &state, dice)).collect();
    let mut script = Vec::new();
    for _ in 0..length {
        enabled.clear();
        protocol::enabled(world, &state, &mut enabled);
        let Some(action) = choose(&state, &enabled, clients, dice) else { break };
        script.push(action);
        let before = state.clone();
        protocol::step(world, &mut state, action, &mut effects);
        assert_eq!(*monitor.mirror(), before);
        monitor.check_step(world, &state, &effects.touched, &mut |claim, it| {
            note(&mut reported, claim, it);
        });
        oracle.check_step(world, &before, &state, &effects.touched);
        oracle.check_state(world, &state);
        assert_eq!(reported, oracle.violated, "{}", show(world, &script));
        assert!(monitor.is_true_to(world, &state), "{}", show(world, &script));
        let owed = monitor.owed(world).into_iter().map(|(claim, it)| (claim.name, it));
        assert!(owed.eq(oracle.owed()), "{}", show(world, &script));
        for alone in &mut alone {
            alone.check_step(world, &state, &effects.touched);
            assert!(alone.agrees(world, &oracle), "{alone:?}\n{}", show(world, &script));
        }
    }
    let now = monitor.check_all(world, &state).into_iter().map(|(claim, _)| claim.name);
    assert!(now.clone().all(|name| reported.contains_key(name)), "{}", show(world, &script));
    reported
}

/// Chooses an enabled action in one step of three, and otherwise an act of a script's client: it
/// begins any of the operations, or commits the pending one. Without operations there is no client.
fn choose(
    state: &State,
    enabled: &[Action],
    clients: &[Operation],
    dice: &mut Dice,
) -> Option<Action> {
    if clients.is_empty() || dice.index(3) == 0 {
        return (!enabled.is_empty()).then(|| enabled[dice.index(enabled.len())]);
    }
    let client = Client::Script(u8::try_from(dice.index(5)).expect("small"));
    let act = match protocol::pending(state, client) {
        Some(_) => TxnAct::Commit,
        None => TxnAct::Begin(clients[dice.index(clients.len())]),
    };
    Some(Action { act: Act::Txn(client, act), duty: None })
}

fn note(reported: &mut ViolatedClaims, claim: &'static Claim, subject: Row) {
    assert_eq!(reported.insert(claim.name, subject), None, "reported twice: {}", claim.name);
}

fn show(world: &World, script: &[Action]) -> String {
    let lines: Vec<String> = script.iter().map(|action| world.show(action)).collect();
    lines.join("\n")
}

/// The world with every command and some faults allowed, and some clauses switched off.
fn weakened(world: &World, dice: &mut Dice) -> World {
    let mut now_and_then = || dice.index(4) == 0;
    let mut faults = Faults {
        crash: now_and_then(),
        downtime: now_and_then(),
        abort: now_and_then(),
        lost_connection: now_and_then(),
        hook_failure: now_and_then(),
        unit_hook_failure: now_and_then(),
        ..world.faults.clone()
    };
    if now_and_then() {
        faults.hardware_failure = world.machine_ids().collect();
    }
    if now_and_then() {
        faults.undetected_hardware_failure = world.machine_ids().collect();
    }
    let clauses: Vec<Clause> = Clause::all().collect();
    world.changed(|world| {
        let all = every_command(world).into_iter();
        world.commands = all.map(|command| Allowed { command, most: None }).collect();
        world.faults = faults;
        for _ in 0..dice.index(4) {
            world.without.insert(clauses[dice.index(clauses.len())]);
        }
        if dice.index(2) == 0 {
            world.unasserted = clauses.iter().copied().collect();
        }
    })
}

/// Every operation on the entities that it applies to.
fn every_operation(world: &World) -> Vec<Operation> {
    let mut all = Vec::new();
    for id in world.machine_ids() {
        all.extend([
            Operation::AddMachine(id),
            Operation::DestroyMachine(id),
            Operation::SetMachineDead(id),
            Operation::RemoveMachine(id),
        ]);
    }
    for id in world.application_ids() {
        all.extend([Operation::Deploy(id), Operation::DestroyApplication(id)]);
    }
    for id in world.unit_ids() {
        all.extend([
            Operation::DestroyUnit(id),
            Operation::SetUnitDead(id),
            Operation::RemoveUnit(id),
        ]);
        if !world.is_subordinate(id) {
            all.push(Operation::AddUnit(id));
            all.extend(world.machine_ids().map(|machine| Operation::AssignUnit(id, machine)));
        }
        for &relation in world.relations_of(id) {
            all.extend([Operation::EnterScope(id, relation), Operation::LeaveScope(id, relation)]);
        }
    }
    for id in world.relation_ids() {
        all.push(match world.relation(id).scope {
            Scope::Peer => Operation::AddPeer(id),
            Scope::Global | Scope::Container => Operation::Integrate(id),
        });
        all.push(Operation::DestroyRelation(id));
    }
    all
}

#[test]
fn rows_of_each_kind_are_numbered_in_order() {
    for scenario in small_worlds() {
        let mut last = None;
        for kind in RowKind::ALL {
            for (index, row) in kind.rows(&scenario.world).enumerate() {
                assert_eq!((row.kind(), row.index(&scenario.world)), (kind, Some(index)));
                assert!(last < Some(row), "{row:?} comes after {last:?}");
                last = Some(row);
            }
        }
    }
}

#[test]
fn the_monitor_agrees_with_a_full_check() {
    for (seed, scenario) in (0..).zip(small_worlds()) {
        let mut dice = dice(seed);
        let scenario = keeping_all(&scenario);
        walk(&scenario.world, &scenario.start, &[], &mut dice, 60);
        let after_script = replay(&scenario).expect("every step is enabled").state;
        walk(&scenario.world, &after_script, &[], &mut dice, 60);
    }
}

/// The scenario in a world that keeps all of history.
fn keeping_all(scenario: &Scenario) -> Scenario {
    let claims = deathwatch_claims::all_with(scenario.world.detail);
    scenario.clone().keeping(claims)
}

/// Walks through a weakened world, and counts the violated claims.
fn walk_weakened(
    scenario: &Scenario,
    without: Option<Clause>,
    dice: &mut Dice,
    violated: &mut BTreeMap<&str, usize>,
) {
    let scenario = keeping_all(scenario);
    let mut world = weakened(&scenario.world, dice);
    if let Some(clause) = without {
        world = world.changed(|world| world.without.insert(clause));
    }
    let mut start = scenario.start.clone();
    start.runtime.user_mut(UserId::FIRST, &mut Touched::new()).given =
        vec![0; world.commands.len()];
    let mut clients = every_operation(&world);
    let few = 2 + dice.index(18);
    clients.retain(|_| dice.index(20) < few);
    for name in walk(&world, &start, &clients, dice, 100).into_keys() {
        *violated.entry(name).or_default() += 1;
    }
}

#[test]
fn the_monitor_agrees_with_a_full_check_where_claims_fail() {
    let mut violated = BTreeMap::new();
    for (seed, scenario) in (1000..).zip(small_worlds()) {
        let mut dice = dice(seed);
        for _ in 0..cases(1, 3) {
            walk_weakened(&scenario, None, &mut dice, &mut violated);
        }
    }
    // Every entity starts Alive, and only units and machines are set dead.
    assert!(violated.len() >= 18, "the walks violate too few different claims: {violated:?}");
}

#[test]
fn the_monitor_agrees_with_a_full_check_whatever_clause_is_off() {
    let mixed = good(&format!("shows = \"It has one of each.\"\n[world]\n{MIXED}"));
    let mut violated = BTreeMap::new();
    for (seed, clause) in (2000..).zip(Clause::all()) {
        let mut dice = dice(seed);
        for _ in 0..cases(2, 5) {
            walk_weakened(&mixed, Some(clause), &mut dice, &mut violated);
        }
    }
    assert!(violated.len() >= 18, "the walks violate too few different claims: {violated:?}");
}
