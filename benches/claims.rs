//! The cost of one claim for the explorer and the simulator: a run without any claim, and one with
//! it.
//!
//! Each figure is measured in a process of its own. Machines differ and are noisy, so only ratios
//! count: every round measures both one after the other, and the median round is shown.
//!
//! `cargo bench --bench claims` runs all of it.

mod measured;

use std::{env, path::Path, process::ExitCode, time::Instant};

use deathwatch_claims::{
    Claim,
    check::{self, CheckQuestion, SearchSettings},
};
use deathwatch_model::world::World;
use deathwatch_scenario::{Expected, load, replay};
use deathwatch_study::simulate::Simulation;
use measured::{child, median, peak_bytes};

const SEARCHED: &str = "scenarios/relation-scope-bug/7-two-units-a-side-as-written.toml";
/// The world of the simulator: 1,000 units.
const SIMULATED: &str = "scenarios/simulate/1000-units/relation-churn.toml";
/// The measured claims: on single rows, with a list, on two kinds of rows, on transitions, one of
/// the kind leads, and all that the world can have.
const MEASURED: [&str; 7] = [
    "an application has its settings document",
    "a Dead unit is in no scope",
    "a relation counts the units in its scope",
    "no document refers to a missing one",
    "units join only Alive applications",
    "a Dying relation is removed",
    ALL,
];
/// The least number of simulated steps.
const STEPS: u64 = 1_000_000;
/// The number of rounds: odd, so that there is a median.
const ROUNDS: usize = 3;

/// The argument for no claim, and the one for all claims that read no history.
const NOTHING: &str = "nothing";
const ALL: &str = "all claims";

/// The claims that an argument stands for.
fn claims(asked: &str, world: &World) -> Vec<&'static Claim> {
    match asked {
        ALL => {
            let all = Claim::without_history();
            all.filter(|claim| claim.lacks(world.detail).is_none()).collect()
        }
        name => deathwatch_claims::named(name).into_iter().collect(),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [engine @ ("search" | "simulate"), asked] => {
            let seconds = if *engine == "search" { search(asked) } else { run(asked) };
            println!("{seconds} {}", peak_bytes());
        }
        [] => {
            compare("search", SEARCHED);
            compare("simulate", SIMULATED);
        }
        _ => {
            eprintln!("usage: cargo bench --bench claims");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// The seconds that a search of the world takes.
fn search(asked: &str) -> f64 {
    let scenario = load(Path::new(SEARCHED)).expect("a scenario");
    let question = CheckQuestion {
        world: &scenario.world,
        start: &scenario.start,
        claims: claims(asked, &scenario.world),
        witnesses: Vec::new(),
        refines: None,
    };
    let settings = SearchSettings::without_limits(1);
    let begun = Instant::now();
    let report = check::check(&question, &settings).expect("the world is small enough");
    assert!(report.stopped.is_none(), "it is searched to its end");
    begun.elapsed().as_secs_f64()
}

/// The seconds that a million simulated steps take.
fn run(asked: &str) -> f64 {
    let scenario = load(Path::new(SIMULATED)).expect("a scenario");
    let replay = replay(&scenario).expect("there is no script");
    let claims = claims(asked, &scenario.world).into_iter();
    let claims = claims.map(|claim| (claim, Expected::Holds)).collect();
    let simulation = Simulation::asking(&scenario, &replay, claims).expect("it can be simulated");
    let (begun, mut steps, mut seed) = (Instant::now(), 0, 0);
    while steps < STEPS {
        steps += simulation.run(seed, &|| false).expect("nobody stops it").stats.steps;
        seed += 1;
    }
    let millions = f64::from(u32::try_from(steps).expect("not many")) / 1e6;
    begun.elapsed().as_secs_f64() / millions
}

fn compare(engine: &str, world: &str) {
    println!("{engine} {world}, median of {ROUNDS} rounds");
    let [none, with, memory] = ["none, s", "with/none", "peak memory"];
    println!("{:<42} {none:>8} {with:>10} {memory:>12}", "");
    for name in MEASURED {
        let round = || [NOTHING, name].map(|asked| child(&[engine, asked]));
        let rounds: Vec<[Vec<f64>; 2]> = (0..ROUNDS).map(|_| round()).collect();
        let of = |pick: &dyn Fn(&[Vec<f64>; 2]) -> f64| median(rounds.iter().map(pick).collect());
        println!(
            "{name:<42} {:>8.2} {:>10.2} {:>12.2}",
            of(&|[none, _]| none[0]),
            of(&|[none, with]| with[0] / none[0]),
            of(&|[none, with]| with[1] / none[1]),
        );
    }
}
