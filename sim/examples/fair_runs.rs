//! The second opinion on what must follow, in every shipped world of up to N states:
//! `cargo run --release -p deathwatch-sim --example fair_runs -- 20000`. Other words are parts of
//! names: of scenarios, all without them.

#[path = "../tests/fair_runs/automaton.rs"]
mod automaton;
#[path = "../tests/fair_runs/compare.rs"]
mod compare;
#[path = "../tests/fair_runs/hoa.rs"]
mod hoa;
#[path = "../tests/fair_runs/world.rs"]
mod world;

use std::{path::Path, process::ExitCode};

use compare::{AnswerTally, compare};
use deathwatch_scenario::{find, load};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let Some(most) = words.next().and_then(|most| most.parse().ok()) else {
        eprintln!("expected the greatest number of states of a world, and perhaps parts of names");
        return ExitCode::from(2);
    };
    let parts: Vec<String> = words.collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = find(&[folder]).expect("a folder of scenarios");
    let (mut tally, mut differences) = (AnswerTally::default(), 0);
    for file in &files {
        let scenario = load(file).expect("a shipped scenario loads");
        let is_named = parts.is_empty() || parts.iter().any(|part| scenario.name.contains(part));
        let is_small = scenario.states.is_none_or(|states| states <= most);
        if !is_named || !is_small || scenario.world.units.len() > 100 {
            continue;
        }
        let most = usize::try_from(most).expect("a number of states");
        if let Err(difference) = compare(scenario, most, &mut tally) {
            println!("{difference}");
            differences += 1;
        }
    }
    println!("{tally:?}");
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
