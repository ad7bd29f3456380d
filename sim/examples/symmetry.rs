//! One state for several, compared with every state, in every shipped world of up to N states:
//! `cargo run --release -p deathwatch-sim --example symmetry -- 2000000`. Other words are parts of
//! names: of scenarios, all without them.

#[path = "../tests/symmetry/compare.rs"]
mod compare;

use std::{path::Path, process::ExitCode};

use compare::{SymmetryTally, compare};
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
    let (mut tally, mut differences) = (SymmetryTally::default(), 0);
    for file in &files {
        let scenario = load(file).expect("a shipped scenario loads");
        let is_named = parts.is_empty() || parts.iter().any(|part| scenario.name.contains(part));
        let is_small = scenario.states.is_none_or(|states| states <= most);
        if !is_named || !is_small || scenario.world.units.len() > 100 {
            continue;
        }
        let before = tally.reduced;
        if let Err(difference) = compare(&scenario, most, &mut tally) {
            println!("{difference}");
            differences += 1;
        }
        if tally.reduced > before {
            println!("{}", scenario.name);
        }
    }
    println!("{tally:?}");
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
