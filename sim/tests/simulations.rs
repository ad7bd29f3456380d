//! Simulations of every shipped scenario: they run, they can be repeated, old seeds give the same
//! runs, and they agree with the exhaustive explorer.
//!
//! These are debug builds, so after every event of every run there is a search for a lost wake-up,
//! and at every end the monitor is compared with a check of everything.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::{Path, PathBuf},
};

use deathwatch_claims::{
    Claim,
    check::{CheckAnswer, FindingSubject, SearchSettings},
};
use deathwatch_model::{
    action::{Act, Fault, MachineAct, ProvisionerAct, TxnAct},
    actor::Actor,
    clause::{Clause, Rule},
    protocol::{self, Effects},
    state::State,
    world::World,
};
use deathwatch_scenario::{
    Expected, Replay, Scenario, find, load, replay,
    scenario::{Address, parse},
};
use deathwatch_simulator::duties::DutyStage;
use deathwatch_study::{
    simulate::{Simulation, SimulationEnd},
    verdict::{self, Engine, Refines, VerdictOptions},
};
use insta::assert_snapshot;

use crate::common::{cases, worlds};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../scenarios")
}

/// Every shipped scenario, with the replay of its script.
fn shipped() -> Vec<(Scenario, Replay)> {
    let files = find(&[folder()]).expect("a folder of scenarios");
    assert!(files.len() > 200, "the scenarios were not found");
    let read = |file: Address| {
        let scenario = load(&file).expect("a scenario");
        let replay = replay(&scenario).expect("a script");
        (scenario, replay)
    };
    files.into_iter().map(read).collect()
}

/// A simulation that checks every claim, whichever its scenario asks.
fn of_everything<'a>(scenario: &'a Scenario, replay: &Replay) -> Simulation<'a> {
    let claims =
        deathwatch_claims::all_in(&scenario.world).map(|claim| (claim, Expected::Holds)).collect();
    Simulation::asking(scenario, replay, claims).expect("it can be simulated")
}

/// The scenario in which two machines list one unit, because a clause is switched off. Each
/// deployer reads only its own disk, so they take the unit from each other for ever.
const TWO_DEPLOYERS: &str = "transactions/assign-unit/a-deployer-looks-at-its-own-disk";

/// The scenario in which a broken hook runs again and again, because a clause is switched off.
const BROKEN_AGAIN: &str = "relations/broken-again";

/// The scenario in which a unit joins and departs again and again, as it does not check the members
/// of its scope.
const JOINED_AGAIN: &str = "relations/joined-for-who-has-left";

/// The scenarios in which a machine that never starts is tried for ever, unless the seed destroys
/// it.
const TRIED_FOR_EVER: [&str; 3] = [
    "provisioning/a-machine-in-error-is-left#a-machine-that-never-starts",
    "provisioning/constraints-that-nothing-satisfies",
    "provisioning/tried-again#tried-for-ever",
];

/// Whether runs of the scenario end only at the bound of their steps. One such run is as long as a
/// thousand others, and visits few states.
fn goes_on_for_ever(name: &str) -> bool {
    [TWO_DEPLOYERS, BROKEN_AGAIN, JOINED_AGAIN].iter().any(|other| name.ends_with(other))
        || TRIED_FOR_EVER.iter().any(|other| name.ends_with(other))
}

#[test]
fn every_shipped_scenario_runs_and_can_be_repeated() {
    for (scenario, replay) in shipped() {
        let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
        let seeds = if goes_on_for_ever(&scenario.name) { 1 } else { 2 };
        for seed in 0..seeds {
            let run = simulation.verify(seed, &|| false).expect("nobody stops it");
            let run = run.unwrap_or_else(|differed| {
                panic!("{} seed {seed}: {differed:?}", scenario.name);
            });
            if TRIED_FOR_EVER.iter().any(|name| scenario.name.ends_with(name)) {
                let SimulationEnd::Unsettled(moving) = run.end else { continue };
                assert!(moving.contains("start-instance 1"), "{} {moving}", scenario.name);
            } else if goes_on_for_ever(&scenario.name) {
                assert!(matches!(run.end, SimulationEnd::Unsettled(_)), "seed {seed}");
            } else {
                assert_eq!(run.end, SimulationEnd::Settled, "{} seed {seed}", scenario.name);
            }
        }
    }
}

#[test]
fn observers_do_not_change_a_run() {
    let (scenario, replay) = one("findings/the-last-manager-fails.toml#fixed");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    for seed in 0..20 {
        let run = simulation.run(seed, &|| false).expect("nobody stops it");
        let mut states = 0;
        let visited = simulation.visit(seed, &mut |_| states += 1);
        let (traced, actions) = simulation.trace(seed, None);
        assert_eq!((run.digest, &run.stats), (visited.digest, &visited.stats));
        assert_eq!((run.digest, &run.stats), (traced.digest, &traced.stats));
        assert_eq!(run.stats.steps, actions.len() as u64);
        assert_eq!(run.stats.steps + 1, states, "each step leads to a state");
    }
}

/// Crashes and aborts strike between plan and commit, as the actions of the runs alone show.
#[test]
fn faults_strike_the_duties_that_their_victims_have_planned() {
    let text = include_str!("../../scenarios/simulate/hooks/steady-churn.toml");
    let faults = ["undetected-hardware-failure", "hardware-failure"];
    let text = faults.iter().fold(text.to_owned(), |text, fault| {
        text.replace(&format!("{fault} = [\"1..=10\"]\n"), "")
    });
    let scenario = parse(Path::new("test.toml"), text).expect("a scenario");
    let replay = replay(&scenario).expect("it has no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let mut compared = 0;
    for seed in 0..4 {
        let (run, actions) = simulation.trace(seed, None);
        let (mut planned, mut struck) = (BTreeMap::new(), BTreeSet::new());
        for action in actions {
            let (actor, fault) = match action.act {
                Act::Txn(_, TxnAct::Begin(_)) => {
                    planned.insert(action.actor(), action.duty);
                    continue;
                }
                Act::Txn(..) => (action.actor(), None),
                Act::MachineAgent(_, MachineAct::Deploy(id)) => (Actor::UnitAgent(id), None),
                Act::Provisioner(ProvisionerAct::StartInstance(id)) => {
                    (Actor::MachineAgent(id), None)
                }
                Act::Faults(Fault::Crash(agent)) => (agent.client().actor(), Some("crash")),
                Act::Faults(Fault::AbortTxn(client)) => (client.actor(), Some("abort")),
                _ => continue,
            };
            let duty = planned.remove(&actor).flatten();
            struck.extend(fault.zip(duty));
        }
        let is_managers = |duty: &Clause| [Rule::Provisioner, Rule::Cleaner].contains(&duty.rule);
        for fault in ["crash", "abort"] {
            // A manager's crash strikes more than its own agent.
            let is_compared = |duty: &Clause| fault == "abort" || !is_managers(duty);
            let of = struck.iter().filter(|(name, _)| *name == fault).map(|(_, duty)| *duty);
            let noted = run.stats.struck[fault].iter().filter(|(at, _)| *at == DutyStage::Planned);
            let noted = noted.map(|(_, duty)| duty).filter(is_compared);
            let of: Vec<Clause> = of.filter(is_compared).collect();
            assert_eq!(noted.collect::<Vec<_>>(), of, "{fault}, seed {seed}");
            compared += of.len();
        }
    }
    assert!(compared > 20, "{compared}");
}

fn one(path: &str) -> (Scenario, Replay) {
    let scenario = load(Address::given(&folder().join(path))).expect("a scenario");
    let replay = replay(&scenario).expect("a script");
    (scenario, replay)
}

/// A recorded seed must give the same run. A change of these runs is mentioned in the change log,
/// as recorded seeds then show something else.
#[test]
fn old_seeds_are_what_they_were() {
    let mut seen = String::new();
    for path in [
        "relation-scope-bug/1-as-written.toml",
        "lifecycle/everything-fixed-while-a-manager-fails.toml#everything-fixed-split",
        "findings/the-last-manager-fails.toml#fixed",
        "caveats/hook-error-resolved.toml",
    ] {
        let (scenario, replay) = one(path);
        let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
        for seed in [0, 1, 17, u64::MAX >> 1] {
            let run = simulation.run(seed, &|| false).expect("nobody stops it");
            let (steps, digest) = (run.stats.steps, run.digest);
            writeln!(seen, "{path} seed {seed}: {steps} steps, {digest:016x}").expect("it fits");
        }
    }
    assert_snapshot!(seen);
}

/// The greatest number of states of a world that is compared.
const SMALL: u64 = 1_500;
/// The number of seeds of each world.
const SEEDS: u64 = 12;
/// The number of steps after which a run that goes on for ever has visited all states that it will.
const STEPS: u64 = 2_000;

/// The figures of comparing worlds with their simulations.
#[derive(Debug, Default)]
struct CoverageFigures {
    worlds: usize,
    /// The number of states of the worlds, and of those that a run visited.
    states: u64,
    visited: u64,
    /// The number of worlds of which every state was visited.
    exhausted: usize,
    /// The number of claims that the explorer finds violated, and of those that a run violates too.
    violated: usize,
    found: usize,
}

impl CoverageFigures {
    fn add(&mut self, scenario: &Scenario, replay: &Replay) {
        let (world, start) = (&scenario.world, &replay.state);
        let Some(report) =
            worlds::search(world, start, deathwatch_claims::all_in(world).collect(), SMALL)
        else {
            return;
        };
        let reachable = reachable(world, start);
        assert_eq!(report.states, reachable.len() as u64);
        let (visited, found) = simulate(scenario, replay, &reachable);
        for finding in &report.findings {
            let FindingSubject::Claim(claim) = finding.asked else { continue };
            let (is_found, name) = (found.contains(claim.name), &scenario.name);
            match finding.answer {
                CheckAnswer::Violated => {
                    self.violated += 1;
                    self.found += usize::from(is_found);
                }
                CheckAnswer::Holds | CheckAnswer::Vacuous => {
                    let agrees = !is_found || is_violated_by_script(scenario, replay, claim);
                    assert!(agrees, "{name}: the explorer says that {} holds", claim.name);
                }
                CheckAnswer::Undecided => panic!("{name}: {} is open", claim.name),
            }
        }
        self.worlds += 1;
        self.states += report.states;
        self.visited += visited;
        self.exhausted += usize::from(visited == report.states);
    }
}

/// Whether the script violates the claim. A search that begins after the script cannot see that, so
/// the explorer judges script and search together.
fn is_violated_by_script(scenario: &Scenario, replay: &Replay, claim: &'static Claim) -> bool {
    let settings = SearchSettings { max_states: Some(SMALL), ..SearchSettings::without_limits(1) };
    let options = VerdictOptions {
        engine: Engine::Own,
        only: &[claim],
        refines: Refines::default(),
        settings,
    };
    let verdict = verdict::judge(scenario, replay, &options).expect("it was searched before");
    verdict.failures.is_empty() && verdict.answer == CheckAnswer::Violated
}

/// All states reachable from `start`, by a search that is too simple to be wrong.
fn reachable(world: &World, start: &State) -> BTreeSet<State> {
    let mut found = BTreeSet::from([start.clone()]);
    let (mut left, mut enabled) = (vec![start.clone()], Vec::new());
    while let Some(state) = left.pop() {
        enabled.clear();
        protocol::enabled(world, &state, &mut enabled);
        for action in &enabled {
            let mut next = state.clone();
            protocol::step(world, &mut next, *action, &mut Effects::default());
            if found.insert(next.clone()) {
                left.push(next);
            }
        }
    }
    found
}

/// The number of states that the runs visit, all of which are reachable, and the claims that they
/// violate.
fn simulate(
    scenario: &Scenario,
    replay: &Replay,
    reachable: &BTreeSet<State>,
) -> (u64, BTreeSet<&'static str>) {
    let simulation = of_everything(scenario, replay);
    let (mut visited, mut found) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..SEEDS {
        let run = simulation.visit(seed, &mut |state| {
            let known = reachable.get(state).unwrap_or_else(|| {
                panic!("{} seed {seed} is where the explorer never was", scenario.name);
            });
            visited.insert(known);
        });
        found.extend(run.violations.iter().map(|violation| violation.claim.name));
    }
    (visited.len() as u64, found)
}

/// Every state that a run visits is one that the explorer found, and no run violates a claim that
/// the explorer finds to hold. The figures show that this is not vacuous: the share of states that
/// runs visit, and of violations that they find.
#[test]
fn in_small_worlds_both_explorers_agree() {
    let mut compared = CoverageFigures::default();
    let every = cases(4, 1);
    for (mut scenario, replay) in worlds::of_few_states(SMALL).into_iter().step_by(every) {
        let calm = &mut scenario.simulate.settings.calm_steps;
        *calm = STEPS.min(*calm);
        compared.add(&scenario, &replay);
    }
    assert!(compared.worlds * every > 150, "{compared:?}");
    assert!(compared.exhausted * every > 80, "of many worlds every state is visited: {compared:?}");
    assert!(compared.visited * 8 > compared.states, "{compared:?}");
    assert!(compared.found * 3 > compared.violated * 2, "{compared:?}");
}
