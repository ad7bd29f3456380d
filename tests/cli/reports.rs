//! Reports that are selected by name, as Markdown and as pages.

use std::collections::BTreeMap;

use crate::{
    fixture::{
        AS_EXPECTED, Folder, NOT_ASKED, UNEXPECTED, bug_as_it_is, bug_not_known, stderr_of,
        stdout_of, unit,
    },
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
    let line = "report answers findings claims --html";
    folder.run(&format!("{line} out")).code(AS_EXPECTED).stdout("").stderr("");
    let pages = files(&folder, "out");
    let names: Vec<&str> = pages.keys().map(String::as_str).collect();
    let claim = "claim-a-dying-relation-is-removed.html";
    for name in ["claims.html", "findings.html", "index.html", "scenarios-findings.html", claim] {
        assert!(names.contains(&name), "{name} is one of {names:?}");
    }
    assert!(!names.contains(&"answers.html"), "{names:?}");
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
        assert!(led.contains_key(&(name.as_str(), "index.html")), "{name} leads to the index");
    }
    for name in names {
        assert!(led.contains_key(&("index.html", name)), "the index leads to {name}");
    }
    let folder_page = "scenarios-findings.html";
    for (from, to) in [("claims.html", claim), (claim, folder_page), ("claims.html", folder_page)] {
        assert!(led.contains_key(&(from, to)), "{from} leads to {to}: {led:?}");
    }
    assert_eq!(pages[folder_page].matches("<div class=\"rows\">").count(), 1);
    folder.run(&format!("{line} out")).code(AS_EXPECTED);
    assert_eq!(files(&folder, "out"), pages, "they are replaced by the same");
    folder.run(&format!("{line} again --threads 1")).code(AS_EXPECTED);
    assert_eq!(files(&folder, "again"), pages);
}

/// A page of answers links a scenario to its run in the reports in the same folder, or to its row
/// if it has no run; a scenario that they do not have is linked to its file.
#[test]
fn rows_of_answers_lead_into_the_reports_beside_them() {
    let folder = folder();
    folder.run("report answers --html out").code(AS_EXPECTED);
    let reports = files(&folder, "out");
    let run = "<a href=\"#findingsbug\">violated \"a Dying relation is removed\"";
    assert!(reports["scenarios-findings.html"].contains(run), "rows there lead to runs, too");
    let folder = folder.with("scenarios/new.toml", unit()).with("out/more/deep/x", "");
    let (bug, unit) = ("scenarios-findings.html#findingsbug", "scenarios.html#unit");
    for (file, up, from) in [
        ("out/answers.html", "", "check scenarios"),
        ("out/more/deep/answers.html", "../../", "check scenarios"),
        ("elsewhere.html", "", "check scenarios"),
        ("out/merged.html", "", "merge whole.jsonl"),
    ] {
        folder.run("check scenarios --journal whole.jsonl").code(AS_EXPECTED);
        folder.run(&format!("{from} --format html --output {file}")).code(AS_EXPECTED);
        let page = folder.read(file);
        let outside = quoted(&page, " href=\"").into_iter().filter(|it| !it.starts_with('#'));
        let outside: Vec<&str> = outside.collect();
        for link in &outside {
            let (to, place) = link.strip_prefix(up).and_then(|it| it.split_once('#')).expect(link);
            let ids = quoted(&reports[to], " id=\"");
            assert!(ids.contains(place), "{file}: {link} leads nowhere: {ids:?}");
        }
        let is_in_reports = file.starts_with("out");
        let wanted = [bug, unit].map(|it| format!("{up}{it}"));
        assert_eq!(outside, if is_in_reports { wanted.to_vec() } else { Vec::new() }, "{file}");
        for (name, is_there) in [("new", false), ("unit", is_in_reports)] {
            let end = if is_there { " <a href=" } else { ".toml</th>" };
            let row = format!("<th scope=\"row\">scenarios/{name}{end}");
            assert!(page.contains(&row), "{file}: {row}: {page}");
        }
        let commands = "$ deathwatch check FILE --format html --output answers.html\n\
                        $ deathwatch explore FILE<";
        assert!(page.contains(commands), "{file}: {page}");
    }
    let alone = "check scenarios/unit.toml --format html --output out/unit.html";
    folder.run(alone).code(AS_EXPECTED);
    assert!(quoted(&folder.read("out/unit.html"), " href=\"").contains(unit));
}

/// A page that does not mention a scenario, or is not ours, is not linked to.
#[test]
fn rows_of_answers_lead_to_no_page_of_others() {
    let mine = "<h1 id=\"unit\">mine</h1>";
    let folder = folder().with("out/scenarios.html", mine);
    let page = "check scenarios --format html --output out/answers.html";
    folder.run(page).code(AS_EXPECTED);
    let answers = folder.read("out/answers.html");
    assert!(quoted(&answers, " href=\"").iter().all(|it| it.starts_with('#')), "{answers}");
}

/// A link to a page that is not made is plain text.
#[test]
fn a_report_leads_to_no_page_that_is_not_made() {
    let folder = folder();
    folder.run("report CLAIMS --html out").code(AS_EXPECTED);
    let pages = files(&folder, "out");
    assert!(pages.keys().all(|it| it.starts_with("claim") || it == "index.html"));
    for page in pages.values() {
        let led = quoted(page, " href=\"");
        let leads = |it: &&str| it.starts_with('#') || pages.contains_key(*it);
        assert!(led.iter().all(leads), "{led:?}");
    }
    let page = &pages["claim-a-dying-relation-is-removed.html"];
    assert!(page.contains("findings/bug"), "it is named");
}

/// A claim that is violated in one world and vacuous in another has a row for each on its page, and
/// is violated in the matrix.
#[test]
fn a_violation_wins_over_a_vacuous_answer() {
    let vacuous = "[claims]\n\"a Dying relation is removed\" = \"vacuous\"\n";
    let text = unit();
    let (world, _) = text.split_once("[claims]").expect("it has claims");
    let folder = folder().with("scenarios/vacuous.toml", format!("{world}{vacuous}"));
    folder.run("report claims").code(AS_EXPECTED);
    let page = folder.read("reports/claims.md");
    let row = page.lines().find(|line| line.starts_with("| a Dying relation is removed | "));
    let row = row.expect("a row");
    assert!(row.contains("[✗ 1](../scenarios/findings/bug.toml)"), "{row}");
    folder.run("report claims --html out").code(AS_EXPECTED);
    let page = folder.read("out/claim-a-dying-relation-is-removed.html");
    for answer in ["violated", "vacuous"] {
        assert_eq!(page.matches(&format!("<td>{answer}</td>")).count(), 1, "{answer}");
    }
    assert!(!page.contains("<td>holds</td>"));
}

/// A finding is on its page with its severity, its sentence and its run, and in the list of
/// scenarios.
#[test]
fn a_finding_is_told_with_its_severity() {
    let bug = bug_as_it_is();
    let (head, tables) = bug.split_once("\n[").expect("it has tables");
    let finding = |severity: &str| {
        let sentence = "A disk is lost (D1:18-26).";
        let table = format!("[finding]\nseverity = \"{severity}\"\nsentence = \"{sentence}\"\n");
        format!("{head}\n{table}\n[{tables}")
    };
    let folder = Folder::new().with("scenarios/bug.toml", finding("never-removed"));
    let folder = folder.with("scenarios/unit.toml", unit());
    folder.run("report findings").code(AS_EXPECTED);
    let page = folder.read("reports/findings.md");
    let section = "## Something that is destroyed is never removed";
    let (_, finding_there) = page.split_once(section).expect("it has the section");
    assert!(finding_there.contains("**1. A disk is lost (D1:18-26).**"), "{page}");
    assert!(finding_there.contains("\n    1  "), "its run is told: {page}");
    assert_eq!(page.matches("## Something").count(), 1, "no other severity has any");
    let list = stdout_of(&folder.run("list scenarios"));
    assert_eq!(list.matches("(finding: never-removed)").count(), 1, "{list}");
    let without_violation = finding("lost").replace("\"violated\"", "\"holds\"");
    let many = finding("lost").replace("A disk", "A disk\\nor two");
    for (text, why, line) in [
        (finding("bad"), "unknown value `bad`", "severity"),
        (without_violation, "a finding is shown by a claim that is violated", "severity"),
        (many, "a finding says in a sentence what is wrong", "sentence"),
    ] {
        let at = text.lines().position(|it| it.starts_with(line)).expect("it has the line") + 1;
        let folder = Folder::new().with("wrong.toml", text);
        let told = stderr_of(&folder.run("check wrong.toml").code(NOT_ASKED));
        assert!(told.contains(why) && told.contains(&format!("wrong.toml:{at}:")), "{told}");
    }
}

#[test]
fn chosen_reports_are_written_and_compared() {
    let folder = folder();
    folder.run("report findings claims").code(AS_EXPECTED).stdout("");
    assert_eq!(files(&folder, "reports").keys().collect::<Vec<_>>(), ["claims.md", "findings.md"]);
    folder.run("report claims findings --check").code(AS_EXPECTED).stdout("");
    let folder = folder.with("reports/findings.md", "mine\n");
    folder.run("report claims --check").code(AS_EXPECTED).stdout("");
    let told = folder.stdout("report claims findings --check", UNEXPECTED);
    assert!(told.starts_with("./reports/findings.md differs, "), "{told}");
    assert!(!told.contains("claims.md"), "{told}");
}

/// A scenario with an unexpected answer prevents only the reports that contain it.
#[test]
fn a_report_needs_only_what_it_is_made_of() {
    let folder = folder().with("scenarios/own/new.toml", bug_not_known());
    folder.run("report known-bugs relation-scope-bug --html out").code(AS_EXPECTED);
    folder.run("report known-bugs answers --html other").code(UNEXPECTED);
    assert!(files(&folder, "other").is_empty(), "nothing is made");
}

#[test]
fn a_name_of_no_report_is_refused() {
    let folder = folder();
    let told =
        stderr_of(&folder.run("report claims finding --html out").code(NOT_ASKED).stdout(""));
    assert!(told.contains("'finding'") && told.contains("'findings'"), "{told}");
    assert_eq!(folder.names(), ["scenarios"], "nothing is made");
    // A page that is not made may be of any origin.
    let folder = folder.with("out/claims.html", "<p>mine</p>");
    folder.run("report findings --html out").code(AS_EXPECTED);
    folder.run("report findings claims --html out").code(NOT_ASKED);
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
        let told = stderr_of(&folder.run(line).code(NOT_ASKED).stdout(""));
        assert!(told.contains(why), "{line}: {told}");
    }
    assert_eq!(folder.read("out/claims.html"), "<p>mine</p>");
    assert_eq!(folder.names(), ["file", "out", "scenarios"], "nothing is made");
    folder.run("report --check --html out").code(NOT_ASKED);
}
