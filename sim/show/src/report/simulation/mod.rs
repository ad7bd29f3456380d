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
    scale::{Scale, is_workload, measure},
    search::{MOST_SEEDS, MOST_UNSETTLED, SeedSearch, Target, search, targets},
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
            "Every violation that a shipped scenario shows is also looked for by seeds: 0, 1, 2 \
             and so on, up to {} of them, from the end of its script. `seeds` is the number of \
             seeds that it took. The last of them, whose number is one less, is shrunk as \
             `deathwatch shrink FILE --seed SEED` does. `steps` and `shrunk to` include the \
             script. `explorer` is the length of the explorer's shortest run, its cycle included; \
             it includes the script only if the run begins before it. It is empty if the world is \
             too large for the explorer.",
            number(MOST_SEEDS)
        ),
    );
    say(
        &mut page,
        &format!(
            "Seeds cannot find every violation. A run that ends in a cycle needs somebody who keeps \
             it going: a user who never stops, or agents that always act in the one order that makes \
             no progress. In a run by seed the user stops, the calm comes, and every actor that is \
             assumed to act gets its turn. Only the explorer finds these violations. No more seeds \
             are run for one of them once {} did not settle.",
            number(MOST_UNSETTLED)
        ),
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
             longer than the first, 99 in 100 no longer than the second. Only `deathwatch report \
             --large` makes the rows of `{LARGE}/` again; otherwise they are kept as they are."
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
