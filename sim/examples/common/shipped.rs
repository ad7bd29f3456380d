//! The command line that the examples share: the greatest number of states, then parts of names
//! that select among the shipped worlds.

use std::{fmt, path::Path, process::ExitCode};

use deathwatch_scenario::{Scenario, find, load};

/// Calls `compare` with each selected world and N, and prints each difference, then the tally.
pub(crate) fn each<T: fmt::Debug + Default>(
    mut compare: impl FnMut(Scenario, u64, &mut T) -> Result<(), String>,
) -> ExitCode {
    let mut words = std::env::args().skip(1);
    let Some(most) = words.next().and_then(|most| most.parse().ok()) else {
        eprintln!("expected the greatest number of states of a world, and perhaps parts of names");
        return ExitCode::from(2);
    };
    let parts: Vec<String> = words.collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = find(&[folder]).expect("a folder of scenarios");
    let (mut tally, mut differences) = (T::default(), 0);
    for file in &files {
        let scenario = load(file).expect("a shipped scenario loads");
        let is_named = parts.is_empty() || parts.iter().any(|part| scenario.name.contains(part));
        let is_small = scenario.states.is_none_or(|states| states <= most);
        if !is_named || !is_small || scenario.world.units.len() > 100 {
            continue;
        }
        if let Err(difference) = compare(scenario, most, &mut tally) {
            println!("{difference}");
            differences += 1;
        }
    }
    println!("{tally:?}");
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
