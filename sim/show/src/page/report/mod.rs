//! The reports as pages: an index, and the others from the same Markdown that `reports/` has, with
//! their pictures and curves drawn; then a page for each claim and for each folder of scenarios.

mod markdown;
mod passages;

use std::collections::BTreeMap;

use deathwatch_scenario::{escape::escape_lines, scenario::Expected};
use maud::{Markup, html};

use self::markdown::Pictures;
use super::{frame, plot};
use crate::{
    report::{
        self, AnsweredScenario, Page, Report,
        simulation::{Scale, SimulationRows},
    },
    text::thousands,
};

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    pub name: String,
    pub text: String,
}

/// The place of a scenario in the reports: on the page of its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioPlace {
    /// The name of the page's file.
    pub page: String,
    /// The anchors of its run and of its row.
    anchors: [String; 2],
}

impl ScenarioPlace {
    /// The place of the scenario with this name, if it is one below the folder of all scenarios,
    /// and the name of its page is an address as it stands.
    pub fn of(scenario: &str) -> Option<Self> {
        let name = scenario.strip_prefix("scenarios/")?;
        let page = self::name(&report::folder_page(report::folder_of(name)));
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
        let anchors = [report::anchor(name), name.to_owned()];
        page.chars().all(is_plain).then_some(Self { page, anchors })
    }

    /// Its anchor on the page with this text: that of its run, or of its row. None if the page is
    /// not of ours, or does not show it.
    pub fn anchor(&self, page: &str) -> Option<&str> {
        let is_there = |anchor: &&String| {
            let id = html! { (anchor) }.into_string();
            page.contains(&*escape_lines(&format!(" id=\"{id}\"")))
        };
        self.anchors.iter().filter(|_| is_ours(page)).find(is_there).map(String::as_str)
    }
}

/// The name of the first page.
const INDEX: &str = "index.html";

/// The names of the files of these reports, and of the index.
pub fn names(reports: &[&Report]) -> Vec<String> {
    let pages = reports.iter().filter(|it| it.is_browsed()).map(|report| name(report.path));
    std::iter::once(INDEX.to_owned()).chain(pages).collect()
}

/// Whether a file begins like a page of ours, which may be replaced.
pub fn is_ours(beginning: &str) -> bool {
    beginning.contains(frame::GENERATOR)
}

pub fn of_reports(
    pages: &[Page],
    answered: &[AnsweredScenario],
    simulated: &SimulationRows,
) -> Vec<PageFile> {
    let pictures = pictures(answered);
    let files = pages.iter().map(|page| {
        let (head, rest) = split(page);
        let body = html! {
            (markdown::html(&page.path, head, pages, &pictures))
            @if page.path == report::DOCUMENTS { (passages::map(rest)) }
            (markdown::html(&page.path, rest, pages, &pictures))
            @if page.path == report::simulation::SIMULATION { (curves(simulated)) }
        };
        PageFile { name: name(&page.path), text: framed(&title(page), pages, &body) }
    });
    let index = PageFile { name: INDEX.to_owned(), text: index(pages, answered, &pictures) };
    std::iter::once(index).chain(files).collect()
}

/// The runs that have been written down, by their diagrams and by their lines in findings.
fn pictures(answered: &[AnsweredScenario]) -> Pictures<'_> {
    let mut pictures = Pictures::new();
    for run in answered.iter().flat_map(|it| &it.runs) {
        if let Some(recording) = &run.recording {
            pictures.extend(run.picture.iter().map(|picture| (picture.clone(), recording)));
            pictures.insert(report::excerpt(run), recording);
        }
    }
    pictures
}

/// The name of the file of a page.
fn name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("{}.html", name.trim_end_matches(".md").to_lowercase())
}

/// The text of a page from its heading on; the command that makes its file stands above that.
fn text(page: &Page) -> &str {
    page.text.find("# ").map_or(page.text.as_str(), |at| &page.text[at..])
}

/// The text of a page in two parts: a map of the documents stands before their tables.
fn split(page: &Page) -> (&str, &str) {
    let text = text(page);
    let is_mapped = page.path == report::DOCUMENTS;
    let at = if is_mapped { text.find("\n## ") } else { None };
    text.split_at(at.unwrap_or(text.len()))
}

fn title(page: &Page) -> String {
    let heading = page.text.lines().find_map(|line| line.strip_prefix("# "));
    heading.unwrap_or(&page.path).to_owned()
}

/// A page with the links to all reports.
fn framed(title: &str, pages: &[Page], body: &Markup) -> String {
    let body = html! {
        nav.pages aria-label="Reports" {
            a href=(INDEX) { "Reports" }
            @for page in reports(pages) { " " a href=(name(&page.path)) { (self::title(page)) } }
        }
        main.report { (body) }
    };
    frame::frame(title, &body)
}

/// The first page: the number of questions, and the subjects of the other pages.
fn index(pages: &[Page], answered: &[AnsweredScenario], pictures: &Pictures<'_>) -> String {
    let states: u64 = answered.iter().filter_map(|it| it.figures).map(|it| it.states).sum();
    let with = |answer| answered.iter().filter(|it| !it.claims(answer).is_empty()).count();
    let body = html! {
        h1 { "Reports" }
        @if !answered.is_empty() { dl.tiles {
            div { dt { "scenarios as expected" } dd { (answered.len()) } }
            div { dt { "states" } dd { (thousands(states)) } }
            div { dt { "scenarios in which a claim is violated" } dd { (with(Expected::Violated)) } }
            div { dt { "scenarios in which one holds" } dd { (with(Expected::Holds)) } }
        } }
        @for page in reports(pages) {
            section.panel {
                h2 { a href=(name(&page.path)) { (title(page)) } }
                (markdown::html(&page.path, lead(page), pages, pictures))
                @if page.path == report::BUG {
                    div.columns.hero {
                        div { (markdown::html(&page.path, matrix(page), pages, pictures)) }
                        div { (markdown::html(&page.path, first_run(page), pages, pictures)) }
                    }
                }
            }
        }
        @for (kind, says) in [("scenarios", "Scenarios, by folder"), ("claim-", "Claims")] {
            @let mine = pages.iter().filter(|page| name(&page.path).starts_with(kind));
            @let mine: Vec<&Page> = mine.collect();
            @if !mine.is_empty() {
                section.panel {
                    h2 { (says) }
                    ul { @for page in mine { li { a href=(name(&page.path)) { (title(page)) } } } }
                }
            }
        }
    };
    framed("reports", pages, &body)
}

fn reports(pages: &[Page]) -> impl Iterator<Item = &Page> {
    pages.iter().filter(|page| report::ALL.iter().any(|report| report.path == page.path))
}

/// The first table of a page.
fn matrix(page: &Page) -> &str {
    let start = page.text.find("\n| ").map_or(page.text.len(), |at| at + 1);
    let table = &page.text[start..];
    &table[..table.find("\n\n").unwrap_or(table.len())]
}

/// The first diagram of a page.
fn first_run(page: &Page) -> &str {
    const BEGIN: &str = "```mermaid\n";
    const END: &str = "\n```";
    let run = page.text.find(BEGIN).map_or("", |at| &page.text[at..]);
    run.find(END).map_or(run, |end| &run[..end + END.len()])
}

/// The first paragraph under the heading of a page.
fn lead(page: &Page) -> &str {
    let mut lines = page.text.lines().skip_while(|line| !line.starts_with("# ")).skip(1);
    let is_text = |line: &&str| !line.is_empty() && !line.starts_with(['#', '|', '`', '-', '<']);
    lines.find(is_text).unwrap_or_default()
}

/// The curves of each workload that was measured in worlds of more than one size.
fn curves(rows: &SimulationRows) -> Markup {
    let mut workloads: BTreeMap<String, Vec<Scale>> = BTreeMap::new();
    for scale in rows.scales.iter().filter_map(|row| Scale::read(row)) {
        workloads.entry(scale.workload.clone()).or_default().push(scale);
    }
    for scales in workloads.values_mut() {
        scales.sort_by_key(|it| it.documents);
    }
    html! {
        section.panel {
            h2 { "Scale" small { "steps of a run of seed 0, by the greatest number of documents at a time" } }
            div.curves {
                @for (workload, scales) in workloads.iter().filter(|(_, scales)| scales.len() > 1) {
                    figure {
                        figcaption { (workload) }
                        (curve(workload, scales))
                    }
                }
            }
        }
    }
}

fn curve(workload: &str, scales: &[Scale]) -> Markup {
    let says = scales.iter().map(|it| format!("{} documents: {} steps", it.documents, it.steps));
    let says = format!("{workload}: {}", says.collect::<Vec<_>>().join("; "));
    let points: Vec<(u64, u64)> = scales.iter().map(|it| (it.documents, it.steps)).collect();
    plot::curve(&points, &says)
}
