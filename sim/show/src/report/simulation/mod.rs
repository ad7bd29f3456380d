//! The page of the simulator: the findings of seeds, and the sizes of worlds.
//!
//! The first table compares seeds with the explorer: each violation that a shipped scenario shows
//! is looked for by seeds alone, and its run is shrunk. The second has the figures of the workloads
//! in worlds of each size, in steps and in virtual time, which are the same on every machine.

mod committed;
mod scale;
mod search;

pub use self::{
    committed::{Committed, KnownViolation, committed},
    scale::{Scale, is_workload, measure},
    search::{MOST_SEEDS, MOST_UNSETTLED, SeedSearch, SeedTarget, search, targets},
};

use minijinja::{Value, context};

use super::template::{render, safe};

/// The page, which keeps its rows.
pub const SIMULATION: &str = "reports/simulation.md";
/// The folder of the scenarios that take too long to be simulated for every report.
pub const LARGE: &str = "scenarios/by-name/large";

/// The rows of the page.
#[derive(Clone, Debug, Default)]
pub struct SimulationRows {
    pub searches: Vec<String>,
    pub scales: Vec<String>,
}

pub(super) fn page(rows: &SimulationRows) -> String {
    let safe =
        |rows: &[String]| -> Vec<Value> { rows.iter().map(|row| safe(row.trim_end())).collect() };
    let data = context! {
        most_seeds => MOST_SEEDS,
        most_unsettled => MOST_UNSETTLED,
        large => LARGE,
        searches => safe(&rows.searches),
        scales => safe(&rows.scales),
    };
    render(include_str!("../pages/simulation.md"), data)
}
