//! Compares each short cut with the long way in N worlds of up to 20,000 states with randomly drawn
//! rules: `cargo run --release -p deathwatch-sim --example own_rules -- 500`.

#[path = "../tests/own_rules/compare.rs"]
mod compare;

use std::{env, process::ExitCode};

use compare::{RuleTally, compare};

fn main() -> ExitCode {
    let worlds = env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(500);
    let mut tally = RuleTally::default();
    for seed in 0..worlds {
        if let Err(problem) = compare(seed, 20_000, &mut tally) {
            println!("{problem}");
            return ExitCode::FAILURE;
        }
    }
    println!("{tally:?}");
    ExitCode::SUCCESS
}
