//! Reports: the results of the scenarios as pages of Markdown.
//!
//! A page is made of the scenario files and of the results of searches, so it can be made again to
//! the byte. Prose lives here, in short templates; figures come from runs only. This module reads
//! and writes no files; the command line does.

mod agents;
mod answered;
pub mod assumptions;
mod bug;
mod claims;
mod clauses;
mod diff;
mod figures;
mod findings;
mod fix;
pub mod guide;
mod hooks;
pub mod known_bugs;
mod markdown;
mod protocol;
mod scenarios;
mod settings;
pub mod simulation;
pub mod weaken;

pub use self::{
    answered::{Answered, Run, name_below},
    diff::diff,
    figures::{Figures, committed, is_kept},
};
use self::{assumptions::Assumptions, simulation::Rows, weaken::Noticed};
pub(crate) use self::{
    claims::{Group, USUAL, groups},
    markdown::{anchor, number},
};
use crate::escape::escape_lines;

/// The file that leads from the documents to the code, part of which is written by hand.
pub const PROTOCOL: &str = "PROTOCOL.md";
/// The page for authors of charms.
pub const HOOKS: &str = "reports/hooks.md";
/// The page of the two unit agents.
pub const AGENTS: &str = "reports/agents.md";
/// The page of the known bugs of Juju.
pub const KNOWN_BUGS: &str = "reports/known-bugs.md";
/// The page of what claims need.
pub const ASSUMPTIONS: &str = "reports/assumptions.md";
/// The page of all scenarios, which keeps the figures.
pub const SCENARIOS: &str = "reports/scenarios.md";

/// The page of all claims.
pub const CLAIMS: &str = "reports/claims.md";

/// The paths of all pages.
pub const PATHS: [&str; 11] = [
    "reports/relation-scope-bug.md",
    "reports/findings.md",
    KNOWN_BUGS,
    CLAIMS,
    HOOKS,
    AGENTS,
    "reports/clauses.md",
    ASSUMPTIONS,
    SCENARIOS,
    simulation::SIMULATION,
    PROTOCOL,
];

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The path of its file, below the folder of the project.
    pub path: &'static str,
    /// Its text.
    pub text: String,
}

/// All pages. `protocol` is the present text of `PROTOCOL.md`, whose hand-written part stays.
pub fn pages(
    answered: &[Answered],
    noticed: &[Noticed],
    assumed: &Assumptions,
    simulated: &Rows,
    protocol: &str,
) -> Vec<Page> {
    let texts = [
        bug::page(answered),
        findings::page(answered),
        known_bugs::page(answered),
        claims::page(answered),
        hooks::page(answered),
        agents::page(answered),
        clauses::page(noticed),
        assumptions::page(assumed),
        scenarios::page(answered),
        simulation::page(simulated),
        protocol::page(protocol, answered, noticed),
    ];
    let page = |(path, text): (&'static str, String)| {
        let text = escape_lines(&text).into_owned();
        Page { path, text }
    };
    PATHS.into_iter().zip(texts).map(page).collect()
}

/// A link to a scenario from a page in `reports/`, by its whole name.
pub fn linked(scenario: &Answered) -> String {
    markdown::link(markdown::From::Reports, scenario, &scenario.name)
}
