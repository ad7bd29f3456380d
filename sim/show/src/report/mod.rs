//! Reports: the results of the scenarios as pages of Markdown.
//!
//! A page is made of the scenario files and of the results of searches, so it can be made again to
//! the byte. Prose lives here, in short templates; figures come from runs only. This module reads
//! and writes no files; the command line does.

mod agents;
mod answered;
mod answers;
pub mod assumptions;
mod bug;
mod claims;
mod clauses;
mod diff;
pub(crate) mod documents;
mod findings;
mod fix;
mod folders;
pub mod guide;
mod hooks;
pub mod known_bugs;
mod markdown;
mod protocol;
mod settings;
pub mod simulation;
mod story;
mod template;
mod trouble;
pub mod weaken;

pub use self::{
    answered::{AnsweredScenario, Counterexample, name_below},
    answers::{Figures, committed, is_kept},
    diff::diff,
    trouble::Trouble,
};

use deathwatch_scenario::escape::escape_lines;
use minijinja::context;

use self::{
    assumptions::AssumptionAnswers, simulation::SimulationRows, template::render, weaken::Noticed,
};

pub(crate) use self::{
    answered::folder_of, findings::excerpt, folders::path as folder_page, markdown::anchor,
};

/// The file that leads from the documents to the code, part of which is written by hand.
pub const PROTOCOL: &str = "PROTOCOL.md";
/// The page for authors of charms.
pub const HOOKS: &str = "reports/hooks.md";
/// The page of the two unit agents.
pub const AGENTS: &str = "reports/agents.md";
/// The page of the known bugs of Juju.
pub const KNOWN_BUGS: &str = "reports/known-bugs.md";
/// The page of the serious bug.
pub const BUG: &str = "reports/relation-scope-bug.md";
/// The page of the needs of claims.
pub const ASSUMPTIONS: &str = "reports/assumptions.md";
pub const DOCUMENTS: &str = "reports/documents.md";
/// The table of all scenarios, which keeps the figures.
pub const ANSWERS: &str = "reports/answers.tsv";

const INDEX: &str = "reports/README.md";
pub const CLAIMS: &str = "reports/claims.md";

/// All reports, in the order in which they are made.
pub static ALL: [Report; 13] = [
    made(BUG, &[ReportPart::Folder(bug::FOLDER)], |it| bug::page(it.answered)),
    made("reports/findings.md", &[ReportPart::Scenarios], |it| findings::page(it.answered)),
    made(KNOWN_BUGS, &[ReportPart::Folder(known_bugs::FOLDER)], |it| known_bugs::page(it.answered)),
    made(CLAIMS, &[ReportPart::Scenarios], |it| claims::page(it.answered, false)),
    made(HOOKS, &[ReportPart::Scenarios], |it| hooks::page(it.answered)),
    made(AGENTS, &[ReportPart::Scenarios], |it| agents::page(it.answered)),
    made("reports/clauses.md", &[ReportPart::Weakened], |it| clauses::page(it.noticed)),
    made(DOCUMENTS, &[ReportPart::Scenarios, ReportPart::Weakened], |it| {
        documents::page(it.answered, it.noticed, false)
    }),
    made(ASSUMPTIONS, &[ReportPart::Scenarios, ReportPart::Assumed], |it| {
        assumptions::page(it.assumed)
    }),
    made(ANSWERS, &[ReportPart::Scenarios], |it| answers::table(it.answered)),
    made(simulation::SIMULATION, &[ReportPart::Scenarios, ReportPart::Simulated], |it| {
        simulation::page(it.simulated)
    }),
    made(INDEX, &[ReportPart::Scenarios], index),
    made(PROTOCOL, &[ReportPart::Scenarios, ReportPart::Weakened], |it| {
        protocol::page(it.protocol, it.answered, it.noticed)
    }),
];

const fn made(
    path: &'static str,
    made_of: &'static [ReportPart],
    text: fn(&ReportInputs<'_>) -> String,
) -> Report {
    Report { path, made_of, text }
}

/// A report: the file of its page, the parts that it needs, and its text.
pub struct Report {
    /// The path of its file, below the folder of the project.
    pub path: &'static str,
    made_of: &'static [ReportPart],
    text: fn(&ReportInputs<'_>) -> String,
}

/// A part of reports that takes time to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportPart {
    Scenarios,
    /// The answers of the scenarios in this folder.
    Folder(&'static str),
    /// The claims violated without each clause.
    Weakened,
    /// The premises of claims; asked of answered scenarios.
    Assumed,
    /// The results of seeds; asked of answered scenarios.
    Simulated,
}

/// The parts that were found for reports; empty where no report needs them.
#[derive(Clone, Copy)]
pub struct ReportInputs<'a> {
    pub answered: &'a [AnsweredScenario],
    /// The claims violated without each clause.
    pub noticed: &'a [Noticed],
    pub assumed: &'a AssumptionAnswers,
    pub simulated: &'a SimulationRows,
    /// The present text of `PROTOCOL.md`, whose hand-written part stays.
    pub protocol: &'a str,
}

impl Report {
    /// Its name: that of its file, as in "findings".
    pub fn name(&self) -> &'static str {
        let name = self.path.rsplit('/').next().unwrap_or(self.path);
        name.split('.').next().unwrap_or(name)
    }

    /// Whether it is a page for a browser, too: no table for programs, and no index of the folder.
    pub(crate) fn is_browsed(&self) -> bool {
        self.path != ANSWERS && self.path != INDEX
    }

    /// Whether the report needs this part.
    pub fn needs(&self, part: ReportPart) -> bool {
        self.made_of.contains(&part)
    }

    /// Whether the report has the answers of the scenario with this name below the folder of
    /// scenarios.
    pub fn is_about(&self, scenario: &str) -> bool {
        let folder = folder_of(scenario);
        self.made_of.iter().any(|part| match part {
            ReportPart::Scenarios => true,
            ReportPart::Folder(mine) => *mine == folder,
            ReportPart::Weakened | ReportPart::Assumed | ReportPart::Simulated => false,
        })
    }
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The path of its file, below the folder of the project.
    pub path: String,
    pub text: String,
}

/// Whether a file begins like a report of ours, which may be replaced.
pub fn is_ours(beginning: &str) -> bool {
    beginning.starts_with(markdown::MADE_BY) || beginning.starts_with(answers::HEAD)
}

pub fn pages(reports: &[&Report], found: ReportInputs<'_>) -> Vec<Page> {
    let page = |report: &&Report| {
        let text = escape_lines(&(report.text)(&found)).into_owned();
        Page { path: report.path.to_owned(), text }
    };
    reports.iter().map(page).collect()
}

/// The pages for a browser: those of the reports, then a page for each claim and each folder of
/// scenarios, which are too large to be committed.
pub fn browsed(reports: &[&Report], found: ReportInputs<'_>) -> Vec<Page> {
    let short: Vec<&Report> = reports.iter().copied().filter(|it| it.is_browsed()).collect();
    let is_made = |path: &str| reports.iter().any(|it| it.path == path);
    let claims = if is_made(CLAIMS) { claims::pages(found.answered) } else { Vec::new() };
    let folders = if is_made(ANSWERS) { folders::pages(found.answered) } else { Vec::new() };
    let more = claims.into_iter().chain(folders).map(|page| {
        let text = escape_lines(&page.text).into_owned();
        Page { path: page.path, text }
    });
    let mut all = pages(&short, found);
    // Their claims lead to pages of their own.
    for page in all.iter_mut().filter(|_| is_made(CLAIMS)) {
        let text = match page.path.as_str() {
            CLAIMS => claims::page(found.answered, true),
            DOCUMENTS => documents::page(found.answered, found.noticed, true),
            _ => continue,
        };
        page.text = escape_lines(&text).into_owned();
    }
    all.into_iter().chain(more).collect()
}

fn index(found: &ReportInputs<'_>) -> String {
    let answered = found.answered;
    let data = context! {
        scenarios => answered.len(),
        searched => answered.iter().filter(|it| it.figures.is_some()).count(),
        states => answered.iter().filter_map(|it| it.figures).map(|it| it.states).sum::<u64>(),
        findings => answered.iter().filter(|it| it.scenario.finding.is_some()).count(),
    };
    render(include_str!("pages/README.md"), data)
}

/// A link to a scenario from a page in `reports/`, by its whole name. No line is in it: a row of a
/// page is found again by its link.
pub fn linked(scenario: &AnsweredScenario) -> String {
    markdown::link_by_name(&scenario.name)
}
