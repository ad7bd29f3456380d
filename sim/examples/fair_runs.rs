//! The second opinion on claims of the kind leads, in every shipped world of up to N states: `cargo
//! run --release -p deathwatch-sim --example fair_runs -- 20000`. Further arguments are parts of
//! the names of scenarios; without any, all scenarios are compared.

#[path = "../tests/fair_runs/automaton.rs"]
mod automaton;
#[path = "../tests/fair_runs/compare.rs"]
mod compare;
#[path = "../tests/fair_runs/hoa.rs"]
mod hoa;
#[path = "common/shipped.rs"]
mod shipped;
#[path = "../tests/fair_runs/world.rs"]
mod world;

use std::process::ExitCode;

use compare::compare;

fn main() -> ExitCode {
    shipped::each(|scenario, most, tally| {
        let most = usize::try_from(most).expect("a number of states");
        compare(scenario, most, tally)
    })
}
