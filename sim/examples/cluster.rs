//! Compares the answers of clusters of 2 and 4 processes with those of one process, in every
//! shipped world of up to N states, without and with symmetry reduction: `cargo run --release -p
//! deathwatch-sim --example cluster -- 5000`. Further arguments are parts of the names of
//! scenarios; without any, all scenarios are compared.

#[path = "../tests/clusters/compare.rs"]
mod compare;
#[path = "common/shipped.rs"]
mod shipped;

use std::process::ExitCode;

use compare::{compare, compare_reduced, connected};

fn main() -> ExitCode {
    let clusters = [connected(2), connected(4)];
    shipped::each(|scenario, most, tally| {
        compare(scenario.clone(), most, &clusters, tally)?;
        compare_reduced(scenario, most, &clusters, tally)
    })
}
