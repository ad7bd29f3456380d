//! What 2 and 4 processes answer, compared with what one answers, in every shipped world of up to N
//! states, and again where one state stands for several:
//! `cargo run --release -p deathwatch-sim --example cluster -- 5000`. Other words are parts of
//! names: of scenarios, all without them.

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
