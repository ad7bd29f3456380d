//! Compares symmetry reduction with a search of every state, in every shipped world of up to N
//! states: `cargo run --release -p deathwatch-sim --example symmetry -- 2000000`. Further arguments
//! are parts of the names of scenarios; without any, all scenarios are compared.

#[path = "../tests/symmetry/compare.rs"]
mod compare;
#[path = "common/shipped.rs"]
mod shipped;

use std::process::ExitCode;

use compare::{SymmetryTally, compare};

fn main() -> ExitCode {
    shipped::each(|scenario, most, tally: &mut SymmetryTally| {
        let before = tally.reduced;
        let compared = compare(&scenario, most, tally);
        if tally.reduced > before {
            println!("{}", scenario.name);
        }
        compared
    })
}
