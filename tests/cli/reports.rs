//! Reports that are chosen by name, as Markdown and as pages.

use std::collections::BTreeMap;

use crate::{
    fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNEXPECTED, bug_as_it_is, bug_not_known, unit},
    pages::quoted,
};

/// A scenario with a finding, and one without.
fn folder() -> Folder {
    let folder = Folder::new().with("scenarios/findings/bug.toml", bug_as_it_is());
    folder.with("scenarios/unit.toml", unit())
}

/// The files of a folder, with their texts.
fn files(folder: &Folder, name: &str) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder.path(name)).expect("it is there");
    let names = entries.map(|it| it.expect("read").file_name().into_string().expect("text"));
    names.map(|it| (it.clone(), folder.read(&format!("{name}/{it}")))).collect()
}

#[test]
fn chosen_reports_are_pages_that_lead_to_each_other() {
    let folder = folder();
    let line = "report scenarios findings claims --html";
    folder.run(&format!("{line} out")).code(AS_EXPECTED).stdout("").stderr("");
    let pages = files(&folder, "out");
    let names: Vec<&str> = pages.keys().map(String::as_str).collect();
    assert_eq!(names, ["claims.html", "findings.html", "index.html", "scenarios.html"]);
    let ids: BTreeMap<&str, _> =
        pages.iter().map(|(name, page)| (name.as_str(), quoted(page, " id=\""))).collect();
    let mut led = BTreeMap::new();
    for (name, page) in &pages {
        for outside in ["http:", "https:", "src=", "url(", "@import", "<link", "<form", "style="] {
            assert!(!page.contains(outside), "{name}: {outside}");
        }
        assert!(page.contains("default-src 'none'"), "{name}");
        for link in quoted(page, " href=\"") {
            let (to, place) = link.split_once('#').unwrap_or((link, ""));
            let to = if to.is_empty() { name } else { to };
            let is_there = ids.get(to).is_some_and(|ids| place.is_empty() || ids.contains(place));
            assert!(is_there, "{name}: {link}");
            *led.entry((name.as_str(), to)).or_insert(0) += 1;
        }
        // Each page leads to the index, and the index to each page.
        assert!(led.contains_key(&(name.as_str(), "index.html")), "{name}");
        assert!(
            led.contains_key(&("index.html", name.as_str())) || name < &"index.html".to_owned()
        );
    }
    assert!(led.contains_key(&("claims.html", "scenarios.html")), "{led:?}");
    assert_eq!(pages["findings.html"].matches("<svg class=\"lanes\"").count(), 1);
    folder.run(&format!("{line} out")).code(AS_EXPECTED);
    assert_eq!(files(&folder, "out"), pages, "they are replaced by the same");
    folder.run(&format!("{line} again --threads 1")).code(AS_EXPECTED);
    assert_eq!(files(&folder, "again"), pages);
}

/// What a page that is not made would be led to is text.
#[test]
fn one_report_is_a_page_that_leads_to_no_other() {
    let folder = folder();
    folder.run("report CLAIMS --html out").code(AS_EXPECTED);
    let pages = files(&folder, "out");
    assert_eq!(pages.keys().collect::<Vec<_>>(), ["claims.html", "index.html"]);
    let led = quoted(&pages["claims.html"], " href=\"");
    assert!(led.iter().all(|it| it.starts_with('#') || pages.contains_key(*it)), "{led:?}");
    assert!(pages["claims.html"].contains("findings/bug"), "it is named");
}

/// A claim that is violated in one world and vacuous in another has both marks, and a row for each.
#[test]
fn the_matrix_says_where_a_claim_is_vacuous() {
    let vacuous = "[claims]\n\"a Dying relation is removed\" = \"vacuous\"\n";
    let text = unit();
    let (world, _) = text.split_once("[claims]").expect("it has claims");
    let folder = folder().with("scenarios/vacuous.toml", format!("{world}{vacuous}"));
    folder.run("report claims --html out").code(AS_EXPECTED);
    let page = folder.read("out/claims.html");
    let (_, line) = page.split_once("href=\"#a-dying-relation-is-removed\"").expect("a line");
    let line = line.split("</tr>").next().expect("it ends");
    for (answer, mark) in [("violated", "✗"), ("vacuous", "○")] {
        assert!(line.contains(&format!("1 <span role=\"img\" aria-label=\"{answer}\">{mark}<")));
        assert_eq!(page.matches(&format!("<tr class=\"{answer} written usual\"")).count(), 1);
        assert!(page.contains(&format!("id=\"answer-{answer}\"")), "it can be picked");
    }
    assert!(!line.contains('✓'), "{line}");
}

#[test]
fn chosen_reports_are_written_and_compared() {
    let folder = folder();
    folder.run("report findings claims").code(AS_EXPECTED).stdout("");
    assert_eq!(files(&folder, "reports").keys().collect::<Vec<_>>(), ["claims.md", "findings.md"]);
    folder.run("report claims findings --check").code(AS_EXPECTED).stdout("");
    let folder = folder.with("reports/findings.md", "mine\n");
    folder.run("report claims --check").code(AS_EXPECTED).stdout("");
    let told = folder.run("report claims findings --check").code(UNEXPECTED);
    let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    assert!(told.starts_with("./reports/findings.md differs, "), "{told}");
    assert!(!told.contains("claims.md"), "{told}");
}

/// A scenario that is not answered as it expects is in the way of those reports only that tell of it.
#[test]
fn a_report_needs_only_what_it_is_made_of() {
    let folder = folder().with("scenarios/own/new.toml", bug_not_known());
    folder.run("report known-bugs relation-scope-bug --html out").code(AS_EXPECTED);
    folder.run("report known-bugs scenarios --html other").code(UNEXPECTED);
    assert!(files(&folder, "other").is_empty(), "nothing is made");
}

#[test]
fn a_name_of_no_report_is_refused() {
    let folder = folder();
    let told = folder.run("report claims finding --html out").code(NOT_ASKED).stdout("");
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    assert!(told.contains("'finding'") && told.contains("'findings'"), "{told}");
    assert_eq!(folder.names(), ["scenarios"], "nothing is made");
    // What is not asked for may be anybody's.
    let folder = folder.with("out/claims.html", "<p>mine</p>");
    folder.run("report scenarios --html out").code(AS_EXPECTED);
    folder.run("report scenarios claims --html out").code(NOT_ASKED);
    assert_eq!(folder.read("out/claims.html"), "<p>mine</p>");
}

#[test]
fn the_pages_of_reports_replace_nothing_of_anybody_else() {
    let folder = Folder::new().with("scenarios/unit.toml", unit()).with("file", "mine");
    let folder = folder.with("out/claims.html", "<p>mine</p>").with("out/other.html", "mine");
    for (line, why) in [
        ("report --html file", "file"),
        ("report --html file/out", "file"),
        ("report --html out", "failed to write out/claims.html: somebody else has made it"),
    ] {
        let told = folder.run(line).code(NOT_ASKED).stdout("");
        let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
        assert!(told.contains(why), "{line}: {told}");
    }
    assert_eq!(folder.read("out/claims.html"), "<p>mine</p>");
    assert_eq!(folder.names(), ["file", "out", "scenarios"], "nothing is made");
    folder.run("report --check --html out").code(NOT_ASKED);
}
