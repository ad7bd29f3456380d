//! The page of the simulator: what seeds find, and how large the worlds can be.
//!
//! The first table compares seeds with the explorer: each violation that a shipped scenario shows
//! is looked for by seeds alone, and its run is shrunk. The second has the figures of the workloads
//! in worlds of each size, in steps and in virtual time, which are the same on every machine.

mod committed;
mod scale;
mod search;

pub use self::{
    committed::{Committed, Known, committed},
    scale::{is_workload, measure},
    search::{MOST_SEEDS, SeedSearch, Target, search, targets},
};
use super::markdown::{MADE_BY, head, number, say};

/// The page, which keeps its rows.
pub const SIMULATION: &str = "reports/simulation.md";
/// The folder of the scenarios that take too long to be simulated for every report.
pub const LARGE: &str = "scenarios/by-name/large";

/// The rows of the page.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The rows of the violations.
    pub searches: Vec<String>,
    /// The rows of the workloads.
    pub scales: Vec<String>,
}

/// The page.
pub(super) fn page(rows: &Rows) -> String {
    let mut page = format!("{MADE_BY}\n\n# Simulation\n\n## Violations found by seeds\n");
    say(
        &mut page,
        &format!(
            "Every violation that a shipped scenario shows is looked for by seeds alone: 0, 1, 2 \
             and so on, up to {} of them, from where its script ends. `seeds` is how many it took; \
             the last of them, whose number is one less, is shrunk as `deathwatch shrink FILE \
             --seed SEED` does. `steps` and `shrunk to` count the script, too; `explorer` is the \
             length of the shortest run that the explorer knows, with its cycle if it goes round, \
             and without the script unless it begins before it. Where there is none, the world \
             was not exhausted.",
            number(MOST_SEEDS)
        ),
    );
    say(
        &mut page,
        "Seeds cannot find everything. A run that goes round for ever needs somebody who keeps it \
         going: a user who never stops, or agents who always take turns in the one way that gets \
         nowhere. In a run by seed the user stops, the calm comes, and whoever owes something has \
         their turn. These violations are the explorer's alone.",
    );
    head(
        &mut page,
        &["scenario", "claim", "#seeds", "#steps", "#shrunk to", "#explorer", "why not"],
    );
    page.extend(rows.searches.iter().map(String::as_str));
    page.push_str("\n## Scale\n");
    say(
        &mut page,
        &format!(
            "One run, of seed 0, of each workload in the fixed protocol; all claims hold. Times \
             are virtual and in milliseconds, from Dying to removed: half of the removals take no \
             longer than the first, 99 in 100 no longer than the second. The rows of `{LARGE}/` \
             are made by `deathwatch report --large`, and otherwise kept as they are."
        ),
    );
    let columns = [
        "workload",
        "#steps",
        "#commands",
        "#transactions",
        "#aborted",
        "#machines removed",
        "#applications removed",
        "#units removed",
        "#relations removed",
        "#most documents",
        "#unit: half",
        "#unit: 99 in 100",
    ];
    head(&mut page, &columns);
    page.extend(rows.scales.iter().map(String::as_str));
    page
}
