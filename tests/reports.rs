//! The committed reports are up to date.
//!
//! The figures of large worlds in which everything holds are taken from the reports themselves, as
//! `deathwatch report --check --quick` does; `.ci/run` compares everything.

mod program;

use std::{fs, path::Path};

use assert_cmd::Command;
use deathwatch_claims::{Claim, ClaimKind, passages::SourceDocument};
use deathwatch_documents::marked;
use deathwatch_model::{
    variants::Variants,
    world::{Assumption, Details, World},
};
use deathwatch_scenario::scenario::{self, Expected, Scenario, Severity};
use deathwatch_show::{
    page::report::of_reports,
    report::{
        self, Page, Report,
        simulation::SimulationRows,
        weaken::{self, UNEXPLAINED},
    },
};
use program::program;

#[test]
#[ignore = "takes long, and `.ci/run` compares more"]
fn what_is_committed_is_what_would_be_made() {
    let mut command = Command::new(program());
    let report = command.current_dir(root()).args(["report", "--check", "--quick"]);
    report.assert().success().stdout("");
}

/// The pages are short enough to be read in one go.
#[test]
fn the_pages_are_short() {
    let mut all = 0;
    for (name, most) in [
        ("README.md", 40),
        ("agents.md", 300),
        ("assumptions.md", 300),
        ("claims.md", 200),
        ("clauses.md", 300),
        // A row for each passage.
        ("documents.md", 360),
        ("findings.md", 350),
        ("hooks.md", 300),
        ("known-bugs.md", 300),
        ("relation-scope-bug.md", 300),
        ("simulation.md", 300),
    ] {
        let lines = committed(&format!("reports/{name}")).lines().count();
        assert!(lines <= most, "{name} has {lines} lines");
        all += lines;
    }
    let answers = committed(report::ANSWERS).lines().count();
    assert!(all + answers <= 3_200, "{all} lines, and {answers} of answers");
}

/// The bound of a page, in bytes.
const LARGEST_PAGE: usize = 1_000_000;

/// Browsers show each page at once. The largest pages are measured: those of the committed reports,
/// that of the folder with the longest scenarios, that of the answers of all scenarios, and that of
/// a seed's run.
#[test]
fn no_page_for_a_browser_is_larger_than_its_bound() {
    let page = |it: &Report| Page { path: it.path.to_owned(), text: committed(it.path) };
    let pages: Vec<Page> = report::ALL.iter().map(page).collect();
    let files = of_reports(&pages, &[], &SimulationRows::default());
    let mut sizes: Vec<(String, usize)> =
        files.into_iter().map(|it| (it.name, it.text.len())).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(program());
    let report = command.current_dir(root()).args(["report", "answers", "--html"]);
    report.arg(folder.path()).args(["--scenarios", "scenarios/findings"]).assert().success();
    let mut command = Command::new(program());
    let run = "scenarios/simulate/relation-scope-bug-by-swarm.toml";
    let run = command.current_dir(root()).args(["replay", run, "--seed", "90", "--format", "html"]);
    run.arg("--output").arg(folder.path().join("run.html")).assert().success();
    // A page with every row, and with all runs that are found soon. Undecided answers are
    // unexpected, so they are shown in full.
    let mut command = Command::new(program());
    let check = command.current_dir(root()).args(["check", "scenarios", "--max-states", "300"]);
    let check = check.args(["--format", "html", "--output"]).arg(folder.path().join("rows.html"));
    check.assert().code(3);
    for entry in fs::read_dir(folder.path()).expect("it is there") {
        let entry = entry.expect("a file");
        let size = entry.metadata().expect("it is there").len();
        sizes.push((
            entry.file_name().to_string_lossy().into_owned(),
            size.try_into().expect("fits"),
        ));
    }
    let is_large = |name: &str| sizes.iter().any(|(it, size)| it == name && *size > 200_000);
    assert!(is_large("protocol.html") && is_large("scenarios.html"), "{sizes:?}");
    assert!(is_large("run.html") && is_large("rows.html"), "{sizes:?}");
    for (name, size) in &sizes {
        let most = if name == "rows.html" { LARGEST_PAGE * 3 / 4 } else { LARGEST_PAGE };
        assert!(*size <= most, "{name} has {size} bytes");
    }
}

/// Each finding of a scenario is listed once, with its passage; the worst come first.
#[test]
fn the_page_of_findings_has_them_all_the_worst_first() {
    let page = committed("reports/findings.md");
    let mut told: Vec<(Severity, usize)> = Vec::new();
    for it in scenarios() {
        let Some(finding) = &it.finding else { continue };
        let sentence = format!(". {}**", finding.sentence);
        let (before, after) = page.split_once(&sentence).unwrap_or_else(|| panic!("{sentence}"));
        assert!(!after.contains(&sentence), "twice: {sentence}");
        let passage = ["(D1:", "(D2:", "(D3:", "(D4:", "(D5:"];
        assert!(passage.iter().any(|it| finding.sentence.contains(it)), "{sentence}");
        let address = it.address.with_also(&format!("{}.toml", file_name(&it)));
        let command = format!("scenarios/{address}");
        let line = after.lines().next().unwrap_or_default();
        assert!(line.contains(&command), "{sentence}{line}");
        told.push((finding.severity, before.len()));
    }
    assert!((60..=80).contains(&told.len()), "{} findings", told.len());
    told.sort_by_key(|(_, place)| *place);
    assert!(told.is_sorted_by_key(|(severity, _)| *severity), "{told:?}");
}

/// The table that shows drift has each scenario once, with its pinned figures.
#[test]
fn the_answers_of_all_scenarios_are_kept() {
    let table = committed(report::ANSWERS);
    let figures = report::committed(&table);
    let mut names: Vec<String> = scenarios().iter().map(name).collect();
    names.sort_unstable();
    let rows = table.lines().skip(1).map(|row| row.split('\t').next().unwrap_or_default());
    assert_eq!(rows.collect::<Vec<_>>(), names);
    for it in scenarios() {
        let figures = figures.get(&name(&it));
        assert_eq!(figures.is_some(), it.is_searched(), "{}", it.name);
        if let (Some(figures), Some(states)) = (figures, it.states) {
            assert_eq!(figures.states, states, "{}", it.name);
        }
    }
}

/// Each passage with a statement has a row, under its document or under the one that states the
/// same. A passage that nothing exercises is also listed at the top.
#[test]
fn the_page_of_the_documents_has_every_passage() {
    let page = committed(report::DOCUMENTS);
    let (top, tables) = page.split_once("\n## D1, ").expect("the numbers come first");
    let mut nothing = 0;
    for document in SourceDocument::ALL {
        let asked = document.passages().iter().filter(|it| it.says_something());
        let all = asked.clone().count();
        assert!(top.contains(&format!(" of {all} passages are exercised")), "{document}: {all}");
        for passage in asked {
            let citation = format!("{document}:{}", passage.lines());
            let is_its = |row: &&str| {
                let lines = row.trim_start_matches("| ").split(" | ").next().unwrap_or_default();
                lines.split(", ").any(|it| it == citation)
            };
            let rows: Vec<&str> = tables.lines().filter(is_its).collect();
            let [row] = rows.as_slice() else { panic!("{citation} has {} rows", rows.len()) };
            assert!(row.contains(passage.about()), "{row}");
            let is_first = row.starts_with(&format!("| {citation}"));
            nothing += usize::from(is_first && row.contains(" | **nothing** | "));
        }
    }
    let told = top.split_once("\n## What nothing exercises").map_or("", |(_, told)| told);
    assert_eq!(told.lines().filter(|it| it.starts_with("- ")).count(), nothing);
}

/// The table of fixes and faults has each world of the folder.
#[test]
fn the_page_of_the_bug_has_every_world_of_its_folder() {
    let page = committed("reports/relation-scope-bug.md");
    let (first, story) = page.split_once("\n## ").expect("the table comes first");
    assert!(first.lines().count() <= 40, "the table is on the first screen");
    let mine = scenarios();
    let mine = mine.iter().filter(|it| name(it).starts_with("relation-scope-bug/"));
    for it in mine {
        assert!(story.contains(&it.shows), "{} is told", it.name);
        let violated = it.claims.iter().any(|(claim, is)| {
            *is == Expected::Violated && Claim::removals().any(|it| it.name == claim.name)
        });
        let file = format!("(../scenarios/{}.toml)", name(it));
        let states = it.states.map(thousands).unwrap_or_default();
        let mark = if violated { '✓' } else { '✗' };
        let wrong = format!("[{mark} {states}]{file}");
        assert!(!first.contains(&wrong), "{wrong}");
    }
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    groups.join(",")
}

#[test]
fn each_clause_that_no_claim_misses_has_an_explanation_and_no_other_has() {
    let clauses = committed("reports/clauses.md");
    assert!(!clauses.contains(UNEXPLAINED), "some clause lacks an explanation");
    assert!(!clauses.contains("too large to be decided"), "some world grows too large");
    for clause in weaken::explained() {
        let row = format!("| `{clause}` | none: ");
        assert!(clauses.contains(&row), "some claim breaks without {clause}: explain it no more");
    }
}

#[test]
fn a_fix_is_a_value_of_a_variant_or_an_assumption() {
    let findings = committed("reports/findings.md");
    let fixes: Vec<&str> =
        findings.lines().filter_map(|it| Some(it.split_once("Fixed by [")?.1)).collect();
    assert!(fixes.len() >= 20, "{} findings have a fix", fixes.len());
    for fix in fixes {
        let (parts, _) = fix.split_once("](").expect("a fix leads to the scenario that shows it");
        for part in parts.split(", ").filter(|it| !it.starts_with("the assumption that ")) {
            let value = part.trim_start_matches('`').split('`').next().unwrap_or_default();
            let (name, value) = value.split_once(" = ").unwrap_or((value, ""));
            let set = Variants::default().set(name, value);
            assert!(set.is_ok(), "\"{part}\" fixes something, but is no value of a variant");
        }
    }
}

/// Each guarantee has a row with the number of worlds in which it holds, and names the others,
/// unless a claim over history replaces it.
#[test]
fn the_page_of_hooks_counts_what_the_scenarios_expect() {
    let page = committed(report::HOOKS);
    let worlds = worlds_with_hooks();
    let is_of_hooks =
        |it: &&Claim| it.lacks(Details::default()).is_some_and(|detail| detail != "workflow");
    let guarantees: Vec<_> = deathwatch_claims::all().filter(is_of_hooks).collect();
    assert!(guarantees.len() >= 38, "{} guarantees", guarantees.len());
    let mut violations = 0;
    for claim in guarantees {
        let [held, violated] =
            [Expected::Holds, Expected::Violated].map(|answer| with(claim, answer, &worlds));
        let (held, all) = (held.len(), held.len() + violated.len());
        assert!(all > 0, "some world asks whether {}", claim.name);
        let (named, instead) = (marked(claim), claim.by_history());
        let row = match instead {
            Some(instead) => format!("| {named} | {held} of {all} | {} |", instead.name),
            None => format!("| {named} | {} | {held} of {all} |", claim.source),
        };
        let row = page.lines().find(|it| it.starts_with(&row)).unwrap_or_else(|| panic!("{row}"));
        if instead.is_some() {
            continue;
        }
        let named = violated.iter().filter(|it| {
            row.contains(&format!("scenarios/{}.toml", file_name(it)))
                && it.address.also.as_ref().is_none_or(|_| row.contains(&name(it)))
        });
        assert!(named.count() >= violated.len().min(2), "{row}");
        violations += violated.len();
    }
    assert!(violations >= 15, "{violations} violations");
}

/// Each scenario in which hook errors are not resolved is listed, with the error that holds the
/// waiting entities.
#[test]
fn the_page_of_hooks_says_who_waits() {
    let page = committed(report::HOOKS);
    let (_, waiting) = page.split_once("\n## Who waits for an error").expect("it has the section");
    let waiting = waiting.split("\n## ").next().unwrap_or_default();
    let (mut waited, mut unexplained) = (0, Vec::new());
    for it in worlds_with_hooks().iter().filter(|it| !it.world.assumptions.hook_errors_are_resolved)
    {
        let link = format!("| [{}](", name(it));
        let rows: Vec<&str> = waiting.lines().filter(|row| row.starts_with(&link)).collect();
        assert!(!rows.is_empty(), "nothing is said of {}", it.name);
        let waits = |(claim, is): &&(&'static Claim, Expected)| {
            claim.kind() == ClaimKind::Leads && *is == Expected::Violated
        };
        for (claim, _) in it.claims.iter().filter(waits) {
            let cell = format!(" | {} | ", marked(claim));
            let row = rows.iter().find(|row| row.contains(&cell));
            let row = row.unwrap_or_else(|| panic!("{} has no row for {}", it.name, claim.name));
            waited += 1;
            if !row.contains(" failed and nobody has resolved it") {
                unexplained.push(format!("{}: {}", name(it), claim.name));
            }
        }
    }
    assert!(waited >= 15, "{waited} claims wait");
    assert_eq!(unexplained, Vec::<String>::new(), "each names the error");
}

/// The three caveats of the documents (D1:18-37) are among the needed assumptions, and so are those
/// that they forgot. Each removal claim is asked, and each missing cure has an entity that waits
/// for it.
#[test]
fn the_page_of_assumptions_has_the_caveats_of_the_documents() {
    let page = committed(report::ASSUMPTIONS);
    for row in [
        "| no hardware failures | D1:18-26 |",
        "| `relation-tracking = leave-when-detected` | D1:18-26 |",
        "| `relation-tracking = remote-scope` | D1:18-26 |",
        "| failed hardware is terminated | D1:27-30 |",
        "| neglectful agents are upgraded | D1:33-35 |",
        "| neglectful agents are redeployed | D1:35-37 |",
        "| hook errors are resolved | none |",
        "| failed starts are resolved | none |",
        "| crashed agents restart | none |",
        "| finitely many hardware failures | none |",
        "| `undeployed-unit-not-alive = deployed-while-held` | none |",
    ] {
        assert!(page.lines().any(|line| line.starts_with(row)), "\"{row}\" is not there");
    }
    let (_, rest) = page.split_once("\n## World by world\n").expect("a section");
    let (needs, waits) = rest.split_once("\n## What waits for ever\n").expect("a section");
    for claim in Claim::removals() {
        let mut rows = needs.lines().filter(|row| row.contains(claim.name));
        assert!(rows.any(|row| row.contains("agents ")), "{} needs agents", claim.name);
    }
    for cure in Assumption::ALL.iter().filter(|it| it.is_cure()) {
        let row = format!("| {} | ", cure.row().says);
        let mut rows = waits.lines().filter(|line| line.starts_with(&row));
        let waits = rows.any(|row| row.contains(" is removed | "));
        assert!(waits, "somebody waits unless {}", cure.row().says);
    }
}

/// Each promise of either agent, except where a claim over history replaces it, is listed once,
/// with the number of worlds that ask for it and one that decides it.
#[test]
fn the_page_of_agents_sets_side_by_side_what_the_scenarios_expect() {
    let page = committed(report::AGENTS);
    for (is_of, worlds) in [
        (&["workflow"][..], worlds_that(|world| world.detail.workflow)),
        (&["hooks", "charm", "relations", "settings"][..], worlds_with_hooks()),
    ] {
        let detail = |claim: &Claim| claim.lacks(Details::default());
        let claims =
            deathwatch_claims::all().filter(|it| detail(it).is_some_and(|it| is_of.contains(&it)));
        for claim in claims.filter(|it| it.by_history().is_none()) {
            let [held, violated] = [Expected::Holds, Expected::Violated]
                .map(|answer| with(claim, answer, &worlds).len());
            let verdict = format!("{}; holds in {held} of {}", claim.source, held + violated);
            let rows = page.lines().filter(|row| row.contains(claim.name));
            let rows: Vec<&str> = rows.filter(|row| row.contains(&verdict)).collect();
            assert_eq!(rows.len(), 1, "{}: {verdict}", claim.name);
            assert!(violated == 0 || rows[0].contains("; violated in "), "{}", rows[0]);
        }
    }
}

fn with<'a>(claim: &Claim, answer: Expected, worlds: &'a [Scenario]) -> Vec<&'a Scenario> {
    let asked = |it: &&Scenario| {
        it.claims.iter().any(|(asked, is)| asked.name == claim.name && *is == answer)
    };
    worlds.iter().filter(asked).collect()
}

/// The path of a scenario's file below the folder of all, without ".toml".
fn file_name(scenario: &Scenario) -> String {
    let name = name(scenario);
    name.split_once('#').map_or(name.as_str(), |(file, _)| file).to_owned()
}

/// The name of a scenario below the folder of all.
fn name(scenario: &Scenario) -> String {
    report::name_below(&root().join("scenarios"), scenario)
}

fn committed(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("it is committed")
}

/// All scenarios that reports are made of.
fn scenarios() -> Vec<Scenario> {
    let files = scenario::find(&[root().join("scenarios")]).expect("scenarios are shipped");
    files.iter().map(|file| scenario::load(file).expect("a shipped scenario loads")).collect()
}

/// The scenarios that are searched, have named hooks, and switch off no clause.
fn worlds_with_hooks() -> Vec<Scenario> {
    worlds_that(|world| world.detail.hooks)
}

/// The scenarios that are searched, satisfy `is_so`, and switch off no clause.
fn worlds_that(is_so: impl Fn(&World) -> bool) -> Vec<Scenario> {
    let is_whole = |it: &Scenario| {
        let world = &it.world;
        world.without.is_empty() && world.unasserted.is_empty() && world.neglected.is_empty()
    };
    let all = scenarios().into_iter();
    all.filter(|it| it.is_searched() && is_so(&it.world) && is_whole(it)).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
