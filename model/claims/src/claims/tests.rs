//! The monitor, which judges only the subjects that a step concerns, compared after every step of
//! random walks with a check of everything: for all claims together, and for each alone, so that a
//! claim that does not name all rows that it reads is found.
//!
//! Random clauses are switched off, since a monitor that judges too little is found only where
//! claims fail.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_model::{
    action::{Act, Action, TxnAct},
    actor::Client,
    clause::Clause,
    ids::{ApplicationId, Id, MachineId, RelationId},
    life::Life::{self, Dying},
    operation::Operation,
    protocol::{self, Effects},
    runtime::Hardware,
    store::{Machine, Touched},
    world::{
        Allowed, ApplicationDef, CharmDef, Command, Faults, MachineDef, RelationDef, Scope,
        Transactions, UnitDef, WorldBuilder, every_of,
    },
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

fn machine(index: usize) -> MachineDef {
    MachineDef {
        name: index.to_string(),
        parent: (index == 3).then(|| MachineId::new(0)),
        manages_model: index < 2,
        hosts_units: true,
        never_starts: index == 2,
    }
}

/// A world with one of each kind of entity, with applications deployed and all faults allowed.
pub(crate) fn world(details: &[&str]) -> World {
    let application = |subordinate, relations: &[usize], units| ApplicationDef {
        name: format!("application-{units:?}"),
        subordinate,
        charm: CharmDef::default(),
        relations: relations.iter().map(|relation| RelationId::new(*relation)).collect(),
        units,
    };
    let unit = |index: usize| UnitDef {
        name: index.to_string(),
        application: ApplicationId::new([0, 0, 0, 1, 1, 2][index]),
    };
    let relation = |[one, other]: [usize; 2], scope| RelationDef {
        name: format!("{one}-{other}"),
        ends: [one, other].map(ApplicationId::new),
        scope,
    };
    let mut world = WorldBuilder {
        machines: (0..4).map(machine).collect(),
        applications: vec![
            application(false, &[0, 1, 2], 0..3),
            application(true, &[0], 3..5),
            application(false, &[2], 5..6),
        ],
        units: (0..6).map(unit).collect(),
        relations: vec![
            relation([0, 1], Scope::Container),
            relation([0, 0], Scope::Peer),
            relation([0, 2], Scope::Global),
        ],
        commands: [0, 2]
            .map(|it| Allowed { command: Command::Deploy(ApplicationId::new(it), 1), most: None })
            .into(),
        faults: Faults { crash: true, downtime: true, hook_failure: true, ..Faults::default() },
        tries: 3,
        ..WorldBuilder::default()
    };
    for detail in details {
        assert!(world.detail.set(detail, true), "{detail} is a detail");
    }
    world.build()
}

/// The state in which only the first of `machines` machines exist.
pub(crate) fn start(world: &World, machines: usize) -> State {
    let (mut state, mut touched) = (State::empty(world), Touched::new());
    for id in world.machine_ids().take(machines) {
        state.store.machine_docs_mut(id, &mut touched).machine =
            Some(Machine { instance: true, ..Machine::created() });
        state.runtime.machine_mut(id, &mut touched).hardware = Hardware::Running;
    }
    state
}

/// The findings that monitors ought to have, by judging everything. Claims are known by their
/// numbers.
#[derive(Default)]
struct Oracle {
    violated: BTreeMap<usize, Row>,
    owed: BTreeSet<(usize, Row)>,
}

impl Oracle {
    /// Judges a step that touched these rows; at the beginning, one that touched none.
    fn check(&mut self, world: &World, [before, after]: [&State; 2], touched: &[Row]) {
        for (number, claim) in Claim::without_history().enumerate() {
            let by_step = || claim.at_fault(world, before, after, touched);
            if let Some(subject) = claim.first(world, after).or_else(by_step) {
                self.violated.entry(number).or_insert(subject);
            }
            let Some(obligation) = claim.obligation() else { continue };
            for subject in obligation.kind().rows(world) {
                let [from, to] = obligation.from_to(world, after, subject);
                if to {
                    self.owed.remove(&(number, subject));
                } else if from {
                    self.owed.insert((number, subject));
                }
            }
        }
    }
}

/// A monitor of the claims with these numbers, and its reports.
struct Monitored {
    numbers: std::ops::Range<usize>,
    monitor: Monitor,
    violated: BTreeMap<&'static str, Row>,
}

impl Monitored {
    fn begin(world: &World, state: &State, numbers: std::ops::Range<usize>) -> Self {
        let mut violated = BTreeMap::new();
        let claims = Claim::without_history().skip(numbers.start).take(numbers.len());
        let monitor = Monitor::new(world, state, claims, &mut |claim, subject| {
            assert_eq!(violated.insert(claim.name, subject), None, "{} twice", claim.name);
        });
        Self { numbers, monitor, violated }
    }

    fn check_step(&mut self, world: &World, state: &State, touched: &[Row]) {
        let mut reported = Vec::new();
        self.monitor.check_step(world, state, touched, &mut |claim, subject| {
            reported.push(Claim::without_history().position(|it| it.name == claim.name));
            let again = self.violated.insert(claim.name, subject);
            assert_eq!(again, None, "{} twice", claim.name);
        });
        assert!(reported.is_sorted(), "they are reported in the order of the claims");
    }

    /// Asserts that its findings are those of the oracle, `after` these steps.
    fn assert_agrees(&self, world: &World, oracle: &Oracle, after: &dyn Fn() -> String) {
        let names: Vec<&str> = Claim::without_history().map(|claim| claim.name).collect();
        let violated = oracle.violated.range(self.numbers.clone());
        let violated: BTreeMap<&str, Row> = violated.map(|(it, row)| (names[*it], *row)).collect();
        assert_eq!(self.violated, violated, "{:?}{}", self.numbers, after());
        let owed = oracle.owed.iter().filter(|(number, _)| self.numbers.contains(number));
        let owed: Vec<(&str, Row)> = owed.map(|(it, row)| (names[*it], *row)).collect();
        let said = self.monitor.owed(world).into_iter().map(|(claim, row)| (claim.name, row));
        assert_eq!(said.collect::<Vec<_>>(), owed, "{:?}{}", self.numbers, after());
    }
}

/// Walks through `world`, and compares after each step. Notes the violated and the owed claims.
fn walk(world: &World, chance: &mut ChaCha8Rng, seen: &mut [BTreeSet<usize>; 2]) {
    let mut state = start(world, 1);
    let all = Claim::without_history().count();
    let numbers = (0..all).map(|number| number..number + 1).chain(std::iter::once(0..all));
    let mut monitors: Vec<Monitored> =
        numbers.map(|numbers| Monitored::begin(world, &state, numbers)).collect();
    let mut oracle = Oracle::default();
    oracle.check(world, [&state; 2], &[]);
    let operations: Vec<Operation> = every_of(world);
    let (mut effects, mut script) = (Effects::default(), Vec::new());
    for _ in 0..400 {
        let mut enabled = Vec::new();
        protocol::enabled(world, &state, &mut enabled);
        if enabled.is_empty() || chance.random_ratio(3, 4) {
            let client = Client::Script(0);
            let operation = operations[chance.random_range(0..operations.len())];
            let act = match (world.transactions, protocol::pending(&state, client)) {
                (Transactions::Atomic, _) => TxnAct::Run(operation),
                (Transactions::Split, None) => TxnAct::Begin(operation),
                (Transactions::Split, Some(_)) => TxnAct::Commit,
            };
            enabled = vec![Action { act: Act::Txn(client, act), duty: None }];
        }
        let action = enabled[chance.random_range(0..enabled.len())];
        let before = state.clone();
        protocol::step(world, &mut state, action, &mut effects);
        if effects.touched.is_empty() {
            continue;
        }
        script.push(action);
        oracle.check(world, [&before, &state], &effects.touched);
        let shown = || {
            let lines: Vec<String> = script.iter().map(|step| world.show(step)).collect();
            format!("\n{}", lines.join("\n"))
        };
        for monitored in &mut monitors {
            monitored.check_step(world, &state, &effects.touched);
            monitored.assert_agrees(world, &oracle, &shown);
        }
        seen[1].extend(oracle.owed.iter().map(|(number, _)| *number));
    }
    let all = &monitors.last().expect("it was chained").monitor;
    assert!(all.is_true_to(world, &state) && !all.is_true_to(world, &start(world, 2)));
    // A monitor that begins here finds what is violated here, and what is owed from here on.
    let mut now = Oracle::default();
    now.check(world, [&state; 2], &[]);
    let begun = Monitored::begin(world, &state, 0..Claim::without_history().count());
    begun.assert_agrees(world, &now, &String::new);
    let wrong = all.check_all(world, &state).into_iter().map(|(claim, row)| (claim.name, row));
    assert_eq!(begun.violated, wrong.collect());
    seen[0].extend(oracle.violated.keys());
}

#[test]
fn monitors_say_what_a_check_of_everything_says() {
    let clauses: Vec<Clause> = Clause::all().collect();
    let mut seen = [BTreeSet::new(), BTreeSet::new()];
    let details: [&[&str]; 3] =
        [&[], &["hooks", "charm", "relations", "settings"], &["workflow", "provisioning"]];
    for seed in 0..90 {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let world = world(details[usize::try_from(seed).unwrap() % 3]).changed(|world| {
            for _ in 0..chance.random_range(0..20) {
                world.without.insert(clauses[chance.random_range(0..clauses.len())]);
            }
            if chance.random() {
                world.transactions = Transactions::Split;
            }
            if chance.random() {
                world.unasserted = clauses.iter().copied().collect();
            }
        });
        walk(&world, &mut chance, &mut seen);
    }
    let [violated, owed] = seen.map(|claims| claims.len());
    assert!(violated >= 28 && owed >= 30, "{violated} claims violated, {owed} owed");
}

#[test]
fn more_subjects_than_a_word_has_bits_may_be_owed_something() {
    let machines = (0..130).map(machine).collect();
    let world = WorldBuilder { machines, ..WorldBuilder::default() }.build();
    let mut state = start(&world, 130);
    let claim = Claim::without_history()
        .find(|claim| claim.name == "a Dying machine is removed")
        .expect("there is such a claim");
    let mut monitor = Monitor::new(&world, &state, [claim].into_iter(), &mut |_, _| ());
    let mut owed = Vec::new();
    let mut turn = |index: usize, life: Option<Life>| {
        let (id, mut touched) = (MachineId::new(index), Touched::new());
        let machine = &mut state.store.machine_docs_mut(id, &mut touched).machine;
        *machine = life.map(|life| Machine { life, ..Machine::created() });
        monitor.check_step(&world, &state, &touched, &mut |_, _| ());
        match life {
            Some(_) => owed.push(Row::Machine(id)),
            None => owed.retain(|row| *row != Row::Machine(id)),
        }
        owed.sort();
        let said: Vec<Row> = monitor.owed(&world).into_iter().map(|(_, row)| row).collect();
        assert_eq!(said, owed);
    };
    for index in [129, 0, 64, 63, 1, 65, 127, 128] {
        turn(index, Some(Dying));
    }
    for index in [64, 0, 127, 129] {
        turn(index, None);
    }
}
