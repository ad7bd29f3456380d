//! The cost of a step of the simulator in worlds of 100 to 100,000 units, with every claim watched;
//! the memory of a unit; the cost of a step with hooks between units that come, change and go; the
//! speed-up by a second job; and the time to remove an application whose 100,000 units are in scope
//! of a relation.
//!
//! Each figure is measured in a process of its own, as the peak memory of a process can only be
//! read once. Machines differ and are noisy, so only ratios count: every round measures all sizes
//! one after the other, and the median round is shown.
//!
//! `cargo bench --bench simulator` runs all of it.

mod measured;

use std::{
    env,
    path::Path,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

use deathwatch_scenario::{
    replay,
    scenario::{self, Scenario},
};
use deathwatch_study::simulate::{Simulation, SimulationEnd};
use measured::{child, median, peak_bytes};

/// The sizes of worlds, in units.
const SIZES: [u64; 4] = [100, 1_000, 10_000, 100_000];
/// The index of the size that the others are compared with.
const BASE: usize = 1;
/// The least number of measured steps.
const STEPS: u64 = 2_000_000;
/// The number of seeds that jobs share.
const SEEDS: u64 = 24;
/// The number of rounds: odd, so that there is a median.
const ROUNDS: usize = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["steps", units] => steps(units.parse().expect("the parent counts units")),
        ["related", units] => related(units.parse().expect("the parent counts units")),
        ["jobs", jobs] => share(jobs.parse().expect("the parent counts jobs")),
        ["removal", units] => remove(units.parse().expect("the parent counts units")),
        [] => compare(),
        _ => {
            eprintln!("usage: cargo bench --bench simulator");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// A world of `units` units on as many machines; `rest` is appended to its file.
fn world(units: u64, rest: &str) -> Scenario {
    // One of the machines is the manager's, and hosts no unit.
    let (half, last) = (units / 2, units - 1);
    let source = format!(
        r#"
shows = "A world of {units} units."
[variants]
relation-tracking = "remote-scope"
undeployed-unit-not-alive = "deployed-while-held"
settings-cleanup = "cleaner"
unit-assignment = "with-unit"
[world]
transactions = "split"
[world.machines]
0 = {{ jobs = ["manage-model"] }}
"1..={last}" = {{}}
[world.applications]
wordpress = {{ units = ["1..={half}"] }}
mysql = {{ units = ["{}..={last}"] }}
[world.relations]
"wordpress:db mysql:server" = {{}}
{rest}"#,
        half + 1
    );
    scenario::parse(Path::new("world.toml"), source).expect("a scenario")
}

/// Everything comes and goes: units, the relation, crashes, failures, aborts.
const CHURN: &str = r#"
[user]
"add-unit *" = "unlimited"
"destroy-unit *" = "unlimited"
"destroy-relation *" = "unlimited"
"integrate *" = "unlimited"
[faults]
crash = true
hardware-failure = ["1..=90"]
abort = true
lost-connection = true
[simulate]
swarm = false
storm = "2m"
workload = "relation-churn"
pause = "1ms..500ms"
[simulate.faults]
crash = "200ms"
hardware-failure = "20s"
"#;

/// Units come and go, and all in the relation run hooks about it, some of which fail.
const RELATED: &str = r#"
[detail]
hooks = true
relations = true
[user]
"add-unit *" = "unlimited"
"destroy-unit *" = "unlimited"
[faults]
crash = true
hook-failure = true
[simulate]
swarm = false
storm = "10s"
calm-steps = 20000000
"#;

/// Steps in a world of `units` units: seconds, steps, bytes.
fn steps(units: u64) {
    run_seeds(&world(units, CHURN), STEPS);
}

/// A quarter of the steps, in a world of `units` units that see each other: seconds, steps, bytes.
fn related(units: u64) {
    run_seeds(&world(units, RELATED), STEPS / 4);
}

/// Runs seeds until they have taken this number of steps: seconds, steps, bytes.
fn run_seeds(scenario: &Scenario, least: u64) {
    let replay = replay::replay(scenario).expect("there is no script");
    let simulation = Simulation::new(scenario, &replay).expect("it can be simulated");
    let (begun, mut steps, mut seed) = (Instant::now(), 0, 0);
    while steps < least {
        let run = simulation.run(seed, &|| false).expect("nobody stops it");
        steps += run.stats.steps;
        seed += 1;
    }
    println!("{} {steps} {}", begun.elapsed().as_secs_f64(), peak_bytes());
}

/// Seeds of a world of 100 units on `jobs` threads: seconds.
fn share(jobs: usize) {
    let scenario = world(100, CHURN);
    let replay = replay::replay(&scenario).expect("there is no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let (begun, next) = (Instant::now(), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let seed @ 0..SEEDS = next.fetch_add(1, Ordering::Relaxed) {
                    simulation.run(seed, &|| false).expect("nobody stops it");
                }
            });
        }
    });
    println!("{}", begun.elapsed().as_secs_f64());
}

/// Removes two applications with `units` units in scope of a relation: seconds, steps, bytes.
fn remove(units: u64) {
    let rest =
        "[user]\n\"destroy-application *\" = 1\n[simulate]\nswarm = false\nstorm = \"10s\"\n";
    let scenario = world(units, rest);
    let replay = replay::replay(&scenario).expect("there is no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let begun = Instant::now();
    let run = simulation.run(0, &|| false).expect("nobody stops it");
    let removed = run.stats.removal[2].len();
    assert!(run.end == SimulationEnd::Settled && run.violations.is_empty(), "it settles");
    assert!(removed >= units - 1, "all units are removed: {removed}");
    println!("{} {} {}", begun.elapsed().as_secs_f64(), run.stats.steps, peak_bytes());
}

fn compare() {
    let mut rounds: Vec<Vec<Vec<f64>>> = Vec::new();
    for _ in 0..ROUNDS {
        let sizes = SIZES.iter().map(|units| child(&["steps", &units.to_string()]));
        rounds.push(sizes.collect());
    }
    let of = |pick: &dyn Fn(&[Vec<f64>]) -> f64| median(rounds.iter().map(|r| pick(r)).collect());
    println!(
        "{:>10} {:>12} {:>10} {:>12} {:>12}",
        "units", "steps/s", "peak MiB", "bytes/unit", "rate/1,000's"
    );
    for (index, units) in SIZES.iter().enumerate() {
        let rate = |round: &[Vec<f64>], index: usize| round[index][1] / round[index][0];
        let peak = of(&|round| round[index][2]);
        println!(
            "{units:>10} {:>12.0} {:>10.1} {:>12.0} {:>12.2}",
            of(&|round| rate(round, index)),
            peak / f64::from(1 << 20),
            (peak - of(&|round| round[0][2])) / f64::from(u32::try_from(*units).expect("small")),
            of(&|round| rate(round, index) / rate(round, BASE)),
        );
    }
    compare_related();
    let jobs: Vec<f64> =
        (0..ROUNDS).map(|_| child(&["jobs", "1"])[0] / child(&["jobs", "2"])[0]).collect();
    println!("seeds/s with 2 jobs / with 1:  {:.2}", median(jobs));
    let removal = child(&["removal", "100000"]);
    println!(
        "removing applications with 100,000 units in scope: {:.1} s, {:.0} steps, peak {:.0} MiB",
        removal[0],
        removal[1],
        removal[2] / f64::from(1 << 20)
    );
}

/// The steps per second among 1,000 units that run hooks about each other, and their ratio to those
/// among 100.
fn compare_related() {
    let rate = |units: &str| {
        let measured = child(&["related", units]);
        measured[1] / measured[0]
    };
    let rounds: Vec<[f64; 2]> = (0..ROUNDS).map(|_| [rate("100"), rate("1000")]).collect();
    println!(
        "with hooks and relations, 1,000 units: {:.0} steps/s, rate/100's: {:.2}",
        median(rounds.iter().map(|it| it[1]).collect()),
        median(rounds.iter().map(|it| it[1] / it[0]).collect()),
    );
}
