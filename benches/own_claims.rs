//! What one claim of a scenario's own costs the explorer and the simulator: a run without any
//! claim, one with a claim that is built in, and one with the same claim said in CEL.
//!
//! Each figure is measured in a process of its own. Machines differ and are noisy: the ratios are
//! what counts, so every round measures all three one after the other, and the median round is
//! shown.
//!
//! `cargo bench --bench own_claims` runs all of it.

#[path = "../sim/tests/said_in_cel/claims.rs"]
mod claims;
mod measured;

use std::{env, fmt::Write as _, fs, path::Path, process::ExitCode, time::Instant};

use claims::{CelClaim, CelFormula, SAID};
use deathwatch_claims::{
    Claim,
    check::{self, CheckQuestion, SearchSettings},
};
use deathwatch_scenario::{
    Expected, replay,
    scenario::{self, Scenario},
};
use deathwatch_study::simulate::Simulation;
use measured::{child, median, peak_bytes};

/// The world of the explorer.
const SEARCHED: &str =
    "scenarios/relation-scope-bug/7-two-units-a-side-as-written.toml#leave-when-detected";
/// The world of the simulator: 1,000 units.
const SIMULATED: &str = "scenarios/simulate/1000-units/relation-churn.toml";
/// The claims that are compared: of rows one by one, with a list, of the whole state, of
/// transitions, and one about what must follow.
const COMPARED: [&str; 6] = [
    "an application has its settings document",
    "a Dead unit is in no scope",
    "a relation counts the units in its scope",
    "no document refers to a missing one",
    "units join only Alive applications",
    "a Dying relation is removed",
];
/// How many steps are simulated at least.
const STEPS: u64 = 1_000_000;
/// Odd, so that there is a median.
const ROUNDS: usize = 3;

/// What is asked.
#[derive(Clone, Copy)]
enum ClaimLoad {
    Nothing,
    BuiltIn,
    Own,
}

impl ClaimLoad {
    const ALL: [Self; 3] = [Self::Nothing, Self::BuiltIn, Self::Own];

    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::BuiltIn => "built-in",
            Self::Own => "own",
        }
    }

    /// The claim of this name, or none.
    fn claim(self, name: &str, scenario: &Scenario) -> Option<&'static Claim> {
        match self {
            Self::Nothing => None,
            Self::BuiltIn => deathwatch_claims::named(name),
            Self::Own => {
                let mut own = scenario.claims.iter().map(|(claim, _)| *claim);
                own.find(|claim| claim.name == own_name(name))
            }
        }
    }
}

fn own_name(name: &str) -> String {
    format!("said: {name}")
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [engine @ ("search" | "simulate"), asked, name] => {
            let asked = ClaimLoad::ALL.into_iter().find(|it| it.name() == *asked);
            let asked = asked.expect("the parent knows what can be asked");
            let seconds = if *engine == "search" { search(asked, name) } else { run(asked, name) };
            println!("{seconds} {}", peak_bytes());
        }
        [] => {
            compare("search", SEARCHED);
            compare("simulate", SIMULATED);
        }
        _ => {
            eprintln!("usage: cargo bench --bench own_claims");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// The scenario with the claim said in CEL.
fn with_claim(file: &str, name: &str) -> Scenario {
    let mut source = fs::read_to_string(file).expect("a scenario");
    let said = SAID.iter().find(|CelClaim(it, ..)| *it == name);
    let CelClaim(_, each, says) = said.expect("it is said in CEL");
    let mut write = |line: String| writeln!(source, "{line}").expect("a string takes any text");
    write(format!("\n[own.\"{}\"]", own_name(name)));
    if !each.is_empty() {
        write(format!("each = \"{each}\""));
    }
    match says {
        CelFormula::Always(it) => write(format!("always = '''{}'''", it.replace('\'', "\""))),
        CelFormula::Step(it) => write(format!("step = '''{}'''", it.replace('\'', "\""))),
        CelFormula::Leads(from, to) => {
            let [from, to] = [from, to].map(|it| it.replace('\'', "\""));
            write(format!("leads = {{ from = '''{from}''', to = '''{to}''' }}"));
        }
        CelFormula::Ends(it) => {
            let it = it.replace('\'', "\"");
            write(format!("leads = {{ from = '''{it}''', to = '''!({it})''' }}"));
        }
    }
    scenario::parse(Path::new(file), source).expect("a scenario with a claim more")
}

/// Searches the world; seconds.
fn search(asked: ClaimLoad, name: &str) -> f64 {
    let scenario = with_claim(SEARCHED, name);
    let question = CheckQuestion {
        world: &scenario.world,
        start: &scenario.start,
        claims: asked.claim(name, &scenario).into_iter().collect(),
        witnesses: Vec::new(),
        refines: None,
    };
    let settings = SearchSettings::without_limits(1);
    let begun = Instant::now();
    let report = check::check(&question, &settings).expect("the world is small enough");
    assert!(report.stopped.is_none(), "it is searched to its end");
    begun.elapsed().as_secs_f64()
}

/// Runs seeds; seconds for a million steps.
fn run(asked: ClaimLoad, name: &str) -> f64 {
    let scenario = with_claim(SIMULATED, name);
    let replay = replay::replay(&scenario).expect("there is no script");
    let claims = asked.claim(name, &scenario).map(|claim| (claim, Expected::Holds));
    let simulation = Simulation::asking(&scenario, &replay, claims.into_iter().collect());
    let simulation = simulation.expect("it can be simulated");
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
    let columns = ["none, s", "built-in/none", "own/none", "own/built-in", "peak memory"];
    let [none, built_in, own, both, memory] = columns;
    println!("{:<42} {none:>8} {built_in:>14} {own:>9} {both:>13} {memory:>12}", "");
    for name in COMPARED {
        let round = || ClaimLoad::ALL.map(|asked| child(&[engine, asked.name(), name]));
        let rounds: Vec<[Vec<f64>; 3]> = (0..ROUNDS).map(|_| round()).collect();
        let of = |pick: fn([f64; 3], [f64; 3]) -> f64| {
            let picked = rounds.iter().map(|round| {
                let figure = |at: usize| round.each_ref().map(|figures| figures[at]);
                pick(figure(0), figure(1))
            });
            median(picked.collect())
        };
        println!(
            "{name:<42} {:>8.2} {:>14.2} {:>9.2} {:>13.2} {:>12.2}",
            of(|[none, ..], _| none),
            of(|[none, built_in, _], _| built_in / none),
            of(|[none, _, own], _| own / none),
            of(|[_, built_in, own], _| own / built_in),
            of(|_, [_, built_in, own]| own / built_in),
        );
    }
}
