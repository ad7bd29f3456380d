//! The reports as pages: from the data of the Markdown, with the pictures drawn.

use std::{collections::BTreeSet, path::Path};

use deathwatch_claims::passages::SourceDocument;
use deathwatch_scenario::replay::replay;
use deathwatch_show::{
    page::report::{PageFile, is_ours, names, of_reports},
    report::{
        self, AnsweredScenario, Report, ReportInputs, assumptions::AssumptionAnswers,
        simulation::SimulationRows,
    },
};

use super::{ROUND, STUCK, judged};
use crate::common::parse;

/// The page files for these scenarios, given by name and source.
fn files(scenarios: &[(&str, &str)]) -> Vec<PageFile> {
    let answered = |(name, source): &(&str, &str)| {
        let scenario = parse(source).expect("a scenario");
        let replay = replay(&scenario).expect("it is possible");
        let verdict = judged(&scenario, &replay);
        AnsweredScenario::searched((*name).to_owned(), scenario, &replay, verdict)
    };
    let answered: Vec<AnsweredScenario> = scenarios.iter().map(answered).collect();
    let row = |units: u64| {
        let name = format!("simulate/{units}-units/mass-removal");
        format!(
            "| [{name}](../scenarios/{name}.toml) | {0} | 1 | 2 | 3 | 0 | 0 | 8 | 0 | {0} | 27,000 | 66,285 |\n",
            units * 7
        )
    };
    let rows = SimulationRows { searches: Vec::new(), scales: vec![row(10), row(1000)] };
    let (noticed, assumed, protocol) = (&[], &AssumptionAnswers::default(), "# Protocol\n");
    let found = ReportInputs { answered: &answered, noticed, assumed, simulated: &rows, protocol };
    let all: Vec<&Report> = report::ALL.iter().collect();
    let pages = report::browsed(&all, found);
    of_reports(&pages, &answered, &rows)
}

/// The pages for a stuck world and one whose counterexample is a cycle.
fn both() -> Vec<PageFile> {
    files(&[("findings/stuck", STUCK), ("findings/round", ROUND)])
}

fn text<'a>(files: &'a [PageFile], name: &str) -> &'a str {
    &files.iter().find(|file| file.name == name).expect("it is made").text
}

#[test]
fn every_page_is_a_file_and_each_link_leads_somewhere() {
    let files = both();
    let made: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let reports: Vec<&Report> = report::ALL.iter().collect();
    for name in names(&reports) {
        assert!(made.contains(&name.as_str()), "{name} is one of {made:?}");
    }
    assert!(made.contains(&"scenarios-findings.html"), "{made:?}");
    let ids = |text: &str| -> BTreeSet<String> {
        text.split(" id=\"")
            .skip(1)
            .filter_map(|it| it.split('"').next())
            .map(str::to_owned)
            .collect()
    };
    for file in &files {
        assert!(is_ours(&file.text[..1024]), "{}", file.name);
        assert_eq!(file.text.matches("<h1").count(), 1, "{}", file.name);
        for outside in ["http:", "https:", "src=", "url(", "<link", "<form", "style="] {
            assert!(!file.text.contains(outside), "{}: {outside}", file.name);
        }
        let links = file.text.split(" href=\"").skip(1).filter_map(|it| it.split('"').next());
        for link in links.filter(|link| !link.starts_with("#mark-")) {
            let (name, place) = link.split_once('#').unwrap_or((link, ""));
            let is_there =
                files.iter().find(|it| it.name == name || name.is_empty() && it == &file);
            let target = is_there.unwrap_or_else(|| panic!("{}: {link}", file.name));
            // A page may name shipped scenarios that are none of these.
            let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
            let is_shipped = shipped.join(format!("{place}.toml")).exists();
            let is_known = place.is_empty() || ids(&target.text).contains(place) || is_shipped;
            assert!(is_known, "{}: {link}", file.name);
        }
    }
    assert_eq!(both(), files, "the same reports are the same pages");
    assert!(!is_ours("<!DOCTYPE html><html><head><title>deathwatch</title>"));
}

#[test]
fn folders_are_stories_with_pictures_and_claims_are_a_matrix() {
    let files = both();
    let folder = text(&files, "scenarios-findings.html");
    assert_eq!(folder.matches("<div class=\"rows\">").count(), 2);
    assert!(!folder.contains("sequenceDiagram"), "no picture is left as text");
    assert!(folder.contains("held by") && folder.contains("and again: state"));
    let claims = text(&files, "claims.html");
    assert!(claims.contains("href=\"claim-a-dying-relation-is-removed.html\""));
    // The other one begins with a script, so its world is not joined.
    assert!(claims.contains("1 world is joined here"), "{claims}");
    let simulation = text(&files, "simulation.html");
    assert!(
        simulation.contains("mass-removal: 70 documents: 70 steps; 7000 documents: 7000 steps")
    );
}

/// Passages that nothing exercises are shown as plainly as those that claims are about.
#[test]
fn the_map_of_the_documents_has_a_square_for_each_passage() {
    let files = both();
    let page = text(&files, "documents.html");
    let passages = SourceDocument::ALL.into_iter().flat_map(SourceDocument::passages);
    let asked = passages.filter(|it| it.says_something()).count();
    let squares = |class: &str| page.matches(&format!("<a class=\"passage {class}")).count();
    assert_eq!(squares(""), asked);
    // The two scenarios are about relations, and have no clause switched off.
    let (checked, nothing) = (squares("checked\""), squares("nothing\""));
    assert!(checked > 0 && nothing > checked, "{checked} checked, {nothing} not exercised");
    for row in
        ["<tr id=\"D1:147-151\" class=\"checked\">", "<tr id=\"D4:12-15\" class=\"nothing\">"]
    {
        assert_eq!(page.matches(row).count(), 1, "{row}");
    }
}

#[test]
fn what_scenarios_say_stays_text_in_reports() {
    let shows = "<script>alert(1)</script><img src=x> [here](javascript:alert(2)) ![x](http://x/y)";
    let hostile = STUCK.replace("A lost disk keeps a relation.", shows);
    for file in files(&[("findings/stuck", &hostile)]) {
        assert_eq!(file.text.matches("<script").count(), 1, "{}", file.name);
        let elements = file.text.contains("<img") || file.text.contains("href=\"javascript");
        assert!(!elements && !file.text.contains("href=\"http"), "{}", file.name);
    }
}
