//! The monitor, which judges what a step touched, against a check of everything after every step.
//!
//! The walks go through the worlds of all shipped scenarios, where claims mostly hold, and through
//! the same worlds with every command and fault allowed and random clauses switched off, where
//! they do not: a monitor that looks at too little is only found out by what it does not tell.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{MIXED, good, worlds::small_worlds};
use deathwatch_model::{
    action::{Act, Action, Actor},
    claims::{Claim, EntityId, Formula, Monitor, Recount, View},
    clause::Clause,
    ids::UserId,
    operation::Operation,
    protocol::{self, Effects},
    state::State,
    store::{Row, Touched},
    world::{Allowed, Command, Scope, World},
};
use deathwatch_sim::{Scenario, replay};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Sentences of claims, each with the document that it failed for.
type Told = BTreeMap<&'static str, EntityId>;

/// What the monitor ought to say, found out by judging everything.
struct Oracle {
    violated: Told,
    owed: BTreeSet<(&'static str, EntityId)>,
}

impl Oracle {
    /// What is owed, in the order of the claims.
    fn owed(&self) -> impl Iterator<Item = (&'static str, EntityId)> + '_ {
        Claim::all().flat_map(|claim| self.owed.iter().filter(|it| it.0 == claim.name).copied())
    }

    fn look_at_state(&mut self, world: &World, state: &State) {
        let view = View { world, state, recount: &Recount::of(world, state) };
        for claim in Claim::all() {
            match claim.test {
                Formula::Always(always) => {
                    if let Some(subject) = (always.first)(&view) {
                        self.violated.entry(claim.name).or_insert(subject);
                    }
                }
                Formula::Step(_) => {}
                Formula::Leads(leads) => {
                    for subject in leads.of.subjects(world) {
                        let was_owed = self.owed.contains(&(claim.name, subject));
                        let is_owed = was_owed || (leads.from)(world, state, subject);
                        if is_owed && !(leads.to)(world, state, subject) {
                            self.owed.insert((claim.name, subject));
                        } else {
                            self.owed.remove(&(claim.name, subject));
                        }
                    }
                }
            }
        }
    }

    fn look_at_step(&mut self, world: &World, before: &State, after: &State, touched: &[Row]) {
        for claim in Claim::all() {
            if let Formula::Step(step) = claim.test {
                let mut touched = touched.iter();
                let subject = touched.find_map(|row| (step.at_fault)(world, before, after, *row));
                if let Some(subject) = subject {
                    self.violated.entry(claim.name).or_insert(subject);
                }
            }
        }
    }
}

/// Walks at most `length` random steps and compares the monitor with the oracle after each. Gives
/// what was violated.
fn walk(
    world: &World,
    start: &State,
    clients: &[Operation],
    dice: &mut ChaCha8Rng,
    length: usize,
) -> Told {
    let (mut state, mut effects) = (start.clone(), Effects::default());
    let (mut told, mut offers) = (Told::new(), Vec::new());
    let mut oracle = Oracle { violated: Told::new(), owed: BTreeSet::new() };
    let mut monitor =
        Monitor::new(world, &state, Claim::all(), &mut |claim, it| note(&mut told, claim, it));
    oracle.look_at_state(world, &state);
    assert_eq!(told, oracle.violated);
    let mut script = Vec::new();
    for _ in 0..length {
        offers.clear();
        protocol::enabled(world, &state, &mut offers);
        let Some(action) = choose(&state, &offers, clients, dice) else { break };
        script.push(action);
        let before = state.clone();
        protocol::step(world, &mut state, action, &mut effects);
        assert_eq!(*monitor.mirror(), before);
        monitor.look(world, &state, &effects.touched, &mut |claim, it| note(&mut told, claim, it));
        oracle.look_at_step(world, &before, &state, &effects.touched);
        oracle.look_at_state(world, &state);
        assert_eq!(told, oracle.violated, "{}", show(world, &script));
        assert!(monitor.is_true_to(world, &state), "{}", show(world, &script));
        let owed = monitor.owed().into_iter().map(|(claim, it)| (claim.name, it));
        assert!(owed.eq(oracle.owed()), "{}", show(world, &script));
    }
    let now = monitor.check_all(world, &state).into_iter().map(|(claim, _)| claim.name);
    assert!(now.clone().all(|name| told.contains_key(name)), "{}", show(world, &script));
    told
}

/// One of what is offered, or, where there are clients, as often what one of them does: begin any
/// operation, and commit it at any time.
fn choose(
    state: &State,
    offers: &[Action],
    clients: &[Operation],
    dice: &mut ChaCha8Rng,
) -> Option<Action> {
    if clients.is_empty() || dice.random_range(0..3) == 0 {
        return (!offers.is_empty()).then(|| offers[dice.random_range(0..offers.len())]);
    }
    let actor = Actor::Client(dice.random_range(0..5));
    let act = match protocol::pending(state, actor) {
        Some(_) => Act::Commit,
        None => Act::Begin(clients[dice.random_range(0..clients.len())]),
    };
    Some(Action { actor, act, duty: None })
}

fn note(told: &mut Told, claim: &'static Claim, subject: EntityId) {
    assert_eq!(told.insert(claim.name, subject), None, "told twice: {}", claim.name);
}

fn show(world: &World, script: &[Action]) -> String {
    let lines: Vec<String> = script.iter().map(|action| world.show(action)).collect();
    lines.join("\n")
}

/// The world with every command and some faults allowed, and some clauses done without.
fn weakened(world: &World, dice: &mut ChaCha8Rng) -> World {
    let mut world = world.clone();
    let machines: Vec<_> = world.machine_ids().collect();
    let mut now_and_then = || dice.random_range(0..4) == 0;
    let faults = &mut world.faults;
    (faults.crash, faults.downtime) = (now_and_then(), now_and_then());
    (faults.abort, faults.lost_connection) = (now_and_then(), now_and_then());
    faults.hook_failure = now_and_then();
    if now_and_then() {
        faults.hardware_failure.clone_from(&machines);
    }
    if now_and_then() {
        faults.undetected_hardware_failure = machines;
    }
    world.commands = every_command(&world);
    world.settle();
    let clauses: Vec<Clause> = Clause::all().collect();
    for _ in 0..dice.random_range(0..4) {
        world.without.insert(clauses[dice.random_range(0..clauses.len())]);
    }
    if dice.random_range(0..2) == 0 {
        world.unasserted = clauses.into_iter().collect();
    }
    world
}

/// Every operation that makes sense at all.
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

fn every_command(world: &World) -> Vec<Allowed> {
    let mut commands = Vec::new();
    for id in world.machine_ids() {
        commands.extend([
            Command::AddMachine(id),
            Command::DestroyMachine(id),
            Command::ForceDestroyMachine(id),
        ]);
    }
    for id in world.application_ids() {
        commands.extend([
            Command::Deploy(id, 1),
            Command::AddUnit(id),
            Command::DestroyApplication(id),
        ]);
    }
    for id in world.unit_ids() {
        commands.extend([Command::DestroyUnit(id), Command::ForceDestroyUnit(id)]);
    }
    for id in world.relation_ids() {
        commands.extend([Command::Integrate(id), Command::DestroyRelation(id)]);
    }
    commands.into_iter().map(|command| Allowed { command, most: None }).collect()
}

#[test]
fn the_monitor_says_what_a_check_of_everything_says() {
    for (seed, scenario) in (0..).zip(small_worlds()) {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        walk(&scenario.world, &scenario.start, &[], &mut dice, 60);
        let after_script = replay(&scenario).expect("every step is enabled").state;
        walk(&scenario.world, &after_script, &[], &mut dice, 60);
    }
}

/// Walks through a weakened world, and counts the claims that are violated.
fn walk_weakened(
    scenario: &Scenario,
    without: Option<Clause>,
    dice: &mut ChaCha8Rng,
    violated: &mut BTreeMap<&str, usize>,
) {
    let mut world = weakened(&scenario.world, dice);
    if let Some(clause) = without {
        world.without.insert(clause);
    }
    let mut start = scenario.start.clone();
    start.runtime.user_mut(UserId::FIRST, &mut Touched::new()).given =
        vec![0; world.commands.len()];
    let mut clients = every_operation(&world);
    let few = dice.random_range(2..20);
    clients.retain(|_| dice.random_range(0..20) < few);
    for name in walk(&world, &start, &clients, dice, 100).into_keys() {
        *violated.entry(name).or_default() += 1;
    }
}

#[test]
fn the_monitor_says_what_a_check_of_everything_says_where_claims_fail() {
    let mut violated = BTreeMap::new();
    for (seed, scenario) in (1000..).zip(small_worlds()) {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..8 {
            walk_weakened(&scenario, None, &mut dice, &mut violated);
        }
    }
    // Nothing starts otherwise than Alive, and nothing but units and machines is set dead.
    assert!(violated.len() >= 18, "the walks violate too few different claims: {violated:?}");
}

#[test]
fn the_monitor_says_what_a_check_of_everything_says_whatever_clause_is_off() {
    let mixed = good(&format!("shows = \"It has one of each.\"\n[world]\n{MIXED}"));
    let mut violated = BTreeMap::new();
    for (seed, clause) in (2000..).zip(Clause::all()) {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..8 {
            walk_weakened(&mixed, Some(clause), &mut dice, &mut violated);
        }
    }
    assert!(violated.len() >= 18, "the walks violate too few different claims: {violated:?}");
}
