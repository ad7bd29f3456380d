//! Random input for a given time: `cargo run --release --example fuzz -- 600` goes on for ten
//! minutes. A second number is the round to begin with; a failure names its round.

#[path = "../tests/fuzz/properties/mod.rs"]
mod properties;

use std::{process::ExitCode, time::Duration};

use properties::{ALL, with_seed};

/// The number of inputs of each property in a round.
const CASES: u32 = 500;

#[expect(clippy::disallowed_types, reason = "how long it goes on is all that depends on it")]
fn main() -> ExitCode {
    let numbers: Vec<Option<u64>> = std::env::args().skip(1).map(|arg| arg.parse().ok()).collect();
    let (seconds, first) = match numbers.as_slice() {
        [Some(seconds)] => (*seconds, 1),
        [Some(seconds), Some(first)] => (*seconds, *first),
        _ => {
            eprintln!("expected a number of seconds, and perhaps the round to begin with");
            return ExitCode::from(2);
        }
    };
    let end = std::time::Instant::now() + Duration::from_secs(seconds);
    for round in first.. {
        for (name, property) in ALL {
            if let Err(failure) = property(&mut with_seed(round, CASES)) {
                println!("round {round}, {name}: {failure}");
                return ExitCode::FAILURE;
            }
            if std::time::Instant::now() >= end {
                println!("rounds {first} to {round}: no failure");
                return ExitCode::SUCCESS;
            }
        }
    }
    ExitCode::SUCCESS
}
