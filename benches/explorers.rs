//! Speed and memory of the explorers: ours against stateright's on the same world, with the same
//! claims and the same number of threads, in one run.
//!
//! Each figure is measured in a process of its own, as the peak memory of a process can only be
//! read once. Machines differ and are noisy, so only ratios count: every round measures both
//! explorers one after the other, and the median round is shown.
//!
//! `cargo bench --bench explorers` runs all of it; `cargo bench --bench explorers -- SCENARIO`
//! measures another world.

mod measured;

use std::{
    env,
    path::Path,
    process::ExitCode,
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};

use deathwatch_claims::{
    ClaimKind,
    check::{self, CheckQuestion, SearchSettings, Symmetry, all_busy, measure_threads},
};
use deathwatch_scenario::{load, scenario::Address};
use measured::{median, peak_bytes};

/// A world of over a million states: two units a side, crashes and hardware failures at any time.
const WORLD: &str =
    "scenarios/relation-scope-bug/7-two-units-a-side-as-written.toml#leave-when-detected";
/// The number of rounds: odd, so that there is a median.
const ROUNDS: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExplorerWorkload {
    /// stateright: `Always` claims.
    Stateright,
    /// Ours: `Always` claims, no edges stored.
    Own,
    /// Ours: all claims, edges stored, fair runs decided.
    OwnWithLeads,
    /// As [`Self::Own`], with symmetry reduction.
    Symmetric,
    /// As [`Self::OwnWithLeads`], with symmetry reduction.
    SymmetricWithLeads,
}

impl ExplorerWorkload {
    fn name(self) -> &'static str {
        match self {
            ExplorerWorkload::Stateright => "stateright",
            ExplorerWorkload::Own => "own",
            ExplorerWorkload::OwnWithLeads => "own-with-leads",
            ExplorerWorkload::Symmetric => "symmetric",
            ExplorerWorkload::SymmetricWithLeads => "symmetric-leads",
        }
    }

    fn named(name: &str) -> Option<Self> {
        SUBJECTS.into_iter().find(|subject| subject.name() == name)
    }
}

/// All workloads, in the order in which each round measures them.
const SUBJECTS: [ExplorerWorkload; 5] = [
    ExplorerWorkload::Stateright,
    ExplorerWorkload::Own,
    ExplorerWorkload::OwnWithLeads,
    ExplorerWorkload::Symmetric,
    ExplorerWorkload::SymmetricWithLeads,
];

#[derive(Clone, Copy)]
struct ExplorerMeasurement {
    seconds: f64,
    states: f64,
    transitions: f64,
    peak_bytes: f64,
    bytes_per_packed_state: f64,
    /// The seconds in which all threads were at work.
    all_busy: f64,
}

impl ExplorerMeasurement {
    /// The share of the time in which not all of two threads were at work.
    fn serial_share(&self) -> f64 {
        1.0 - self.all_busy / self.seconds
    }
}

/// The speed-up by `threads` threads if this share of the work is serial (Amdahl's law).
fn reach(serial: f64, threads: f64) -> f64 {
    1.0 / (serial + (1.0 - serial) / threads)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    match arguments.as_slice() {
        [child, subject, threads, world] if child == "measure" => {
            let subject = ExplorerWorkload::named(subject).expect("the parent knows the names");
            measure(subject, threads.parse().expect("the parent counts threads"), world);
            ExitCode::SUCCESS
        }
        [] => compare(WORLD),
        [world] => compare(world),
        _ => {
            eprintln!("usage: cargo bench --bench explorers [-- SCENARIO]");
            ExitCode::from(2)
        }
    }
}

/// The time since the first call.
fn clock() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// Measures in this process, and prints the figures for the parent.
fn measure(subject: ExplorerWorkload, threads: usize, world: &str) {
    let scenario = load(Address::given(Path::new(world))).expect("a scenario that loads");
    let of_world = deathwatch_claims::all_in(&scenario.world)
        .filter(|claim| claim.lacks(scenario.world.detail).is_none());
    let claims = of_world.filter(|claim| match subject {
        ExplorerWorkload::Stateright | ExplorerWorkload::Own | ExplorerWorkload::Symmetric => {
            claim.kind() == ClaimKind::Always
        }
        ExplorerWorkload::OwnWithLeads | ExplorerWorkload::SymmetricWithLeads => true,
    });
    let question = CheckQuestion {
        world: &scenario.world,
        start: &scenario.start,
        claims: claims.collect(),
        witnesses: Vec::new(),
        refines: None,
    };
    let symmetry = match subject {
        ExplorerWorkload::Symmetric | ExplorerWorkload::SymmetricWithLeads => Symmetry::On,
        _ => Symmetry::Off,
    };
    let settings = SearchSettings { symmetry, ..SearchSettings::without_limits(threads) };
    measure_threads(clock);
    let begun = Instant::now();
    let report = match subject {
        ExplorerWorkload::Stateright => deathwatch_stateright::check(&question, &settings),
        _ => check::check(&question, &settings),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let report = report.expect("the world is small enough");
    println!(
        "{seconds} {} {} {} {} {}",
        report.states,
        report.transitions,
        peak_bytes(),
        report.bytes_per_state,
        all_busy().as_secs_f64(),
    );
}

fn in_a_process(subject: ExplorerWorkload, threads: usize, world: &str) -> ExplorerMeasurement {
    let figures = measured::child(&["measure", subject.name(), &threads.to_string(), world]);
    let [seconds, states, transitions, peak_bytes, bytes_per_packed_state, all_busy] = figures[..]
    else {
        panic!("{} printed {figures:?}", subject.name());
    };
    ExplorerMeasurement {
        seconds,
        states,
        transitions,
        peak_bytes,
        bytes_per_packed_state,
        all_busy,
    }
}

/// The seconds until two processes have both done the same at the same time, with a thread each.
fn side_by_side(world: &str) -> f64 {
    let alone = || in_a_process(ExplorerWorkload::Own, 1, world).seconds;
    thread::scope(|scope| {
        let other = scope.spawn(alone);
        alone().max(other.join().expect("the other process ends"))
    })
}

fn compare(world: &str) -> ExitCode {
    println!("{world}, median of {ROUNDS} rounds");
    let subjects: Vec<(ExplorerWorkload, usize)> =
        [1, 2].into_iter().flat_map(|threads| SUBJECTS.map(|it| (it, threads))).collect();
    let mut rounds: Vec<Vec<ExplorerMeasurement>> = Vec::new();
    let mut shares = Vec::new();
    for _ in 0..ROUNDS {
        let round =
            subjects.iter().map(|(subject, threads)| in_a_process(*subject, *threads, world));
        rounds.push(round.collect());
        let two_threads = rounds[rounds.len() - 1][1 + SUBJECTS.len()].seconds;
        // Together they do the work of one process twice.
        shares.push(side_by_side(world) / 2.0 / two_threads);
    }
    let of = |pick: &dyn Fn(&[ExplorerMeasurement]) -> f64| {
        median(rounds.iter().map(|r| pick(r)).collect())
    };
    let states = rounds[0][0].states;
    if rounds.iter().flatten().any(|figure| figure.states.to_bits() != states.to_bits()) {
        eprintln!("the explorers do not count the same states");
        return ExitCode::FAILURE;
    }
    println!("{states:.0} unique states, {:.0} transitions", rounds[0][1].transitions);
    println!("{:.0} bytes a packed state", rounds[0][1].bytes_per_packed_state);
    println!(
        "{:<16} {:>7} {:>12} {:>10} {:>12}",
        "", "threads", "states/s", "peak MiB", "bytes/state"
    );
    for (index, (subject, threads)) in subjects.iter().enumerate() {
        let rate = of(&|round| round[index].states / round[index].seconds);
        let peak = of(&|round| round[index].peak_bytes);
        println!(
            "{:<16} {threads:>7} {rate:>12.0} {:>10.1} {:>12.1}",
            subject.name(),
            peak / f64::from(1 << 20),
            peak / states,
        );
    }
    let time = |a: usize, b: usize| {
        of(&move |round: &[ExplorerMeasurement]| round[a].seconds / round[b].seconds)
    };
    let memory = |a: usize, b: usize| {
        of(&move |round: &[ExplorerMeasurement]| round[a].peak_bytes / round[b].peak_bytes)
    };
    for (threads, first) in [("1 thread", 0), ("2 threads", SUBJECTS.len())] {
        println!("stateright's time / ours, {threads}: {:.2}", time(first, first + 1));
        println!("stateright's time / ours with symmetry: {:.2}", time(first, first + 3));
        println!("our peak memory / stateright's: {:.2}", memory(first + 1, first));
        println!("time with fair runs / without: {:.2}", time(first + 2, first + 1));
        println!("time without symmetry / with it: {:.2}", time(first + 1, first + 3));
        println!("the same with fair runs: {:.2}", time(first + 2, first + 4));
    }
    for (index, (subject, threads)) in subjects.iter().enumerate() {
        if *threads == 2 && *subject != ExplorerWorkload::Stateright {
            let idle = of(&|round| round[index].serial_share());
            // The share of serial work, in the time that one thread would take for all.
            let serial = idle / (idle + 2.0 * (1.0 - idle));
            println!(
                "{:<16} not all of 2 threads busy {:.1} % of the time, so 16 reach {:.1}, and 64 {:.1}",
                subject.name(),
                100.0 * idle,
                reach(serial, 16.0),
                reach(serial, 64.0),
            );
        }
    }
    println!("our time with 1 thread / with 2: {:.2}", time(1, 1 + SUBJECTS.len()));
    println!("our rate with 2 threads / of two processes together: {:.2}", median(shares));
    ExitCode::SUCCESS
}
