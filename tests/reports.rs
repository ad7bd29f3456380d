//! The reports that are committed are those that would be made.
//!
//! The figures of large worlds in which everything holds are taken from the reports themselves, as
//! `deathwatch report --check --quick` does; `.ci/run` compares everything.

use std::{fs, path::Path};

use assert_cmd::Command;
use deathwatch_model::{
    claims::Claim,
    variants::Variants,
    world::{Assumption, Details, World},
};
use deathwatch_scenario::scenario::{self, Expected, Scenario};
use deathwatch_show::report::{
    self,
    weaken::{self, UNEXPLAINED},
};

#[test]
#[ignore = "takes long, and `.ci/run` compares more"]
fn what_is_committed_is_what_would_be_made() {
    let mut command = Command::cargo_bin("deathwatch").expect("cargo has built it");
    let report = command.current_dir(root()).args(["report", "--check", "--quick"]);
    report.assert().success().stdout("");
}

#[test]
fn each_clause_that_no_claim_misses_has_an_explanation_and_no_other_has() {
    let clauses = fs::read_to_string(root().join("reports/clauses.md")).expect("it is committed");
    assert!(!clauses.contains(UNEXPLAINED), "some clause lacks an explanation");
    assert!(!clauses.contains("too large to be decided"), "some world grows too large");
    for clause in weaken::explained() {
        let row = format!("| `{clause}` | all of it | none: ");
        assert!(clauses.contains(&row), "some claim breaks without {clause}: explain it no more");
    }
}

#[test]
fn a_fix_is_a_value_of_a_variant_or_an_assumption() {
    let findings = fs::read_to_string(root().join("reports/findings.md")).expect("it is committed");
    let fixes: Vec<&str> = findings.lines().filter_map(|it| it.strip_prefix("Fixed by ")).collect();
    assert!(!fixes.is_empty(), "some findings have a fix");
    for fix in fixes {
        let (parts, _) = fix.split_once(": [").expect("a fix names the scenario that shows it");
        for part in parts.split("; ").filter(|it| !it.starts_with("the assumption that ")) {
            let value = part.trim_start_matches('`').split('`').next().unwrap_or_default();
            let (name, value) = value.split_once(" = ").unwrap_or((value, ""));
            let set = Variants::default().set(name, value);
            assert!(set.is_ok(), "\"{part}\" fixes something, but is no value of a variant");
        }
    }
}

/// Each guarantee has a row with the number of worlds in which it holds, and names each in which it
/// does not.
#[test]
fn the_page_of_hooks_counts_what_the_scenarios_expect() {
    let page = fs::read_to_string(root().join(report::HOOKS)).expect("it is committed");
    let worlds = worlds_with_hooks();
    let is_of_hooks = |it: &&Claim| {
        deathwatch_claims::lacks(it, Details::default()).is_some_and(|detail| detail != "workflow")
    };
    let guarantees: Vec<_> = deathwatch_claims::all().filter(is_of_hooks).collect();
    assert!(guarantees.len() >= 38, "{} guarantees", guarantees.len());
    let mut violations = 0;
    for claim in guarantees {
        let with = |answer| -> Vec<&Scenario> {
            let asked = |it: &&Scenario| {
                it.claims.iter().any(|(asked, is)| asked.name == claim.name && *is == answer)
            };
            worlds.iter().filter(asked).collect()
        };
        let (held, violated) = (with(Expected::Holds).len(), with(Expected::Violated));
        let all = held + violated.len();
        assert!(all > 0, "some world asks whether {}", claim.name);
        let row = format!("| [{}](#", claim.name);
        let row = page.lines().find(|it| it.starts_with(&row)).expect("each has a row");
        let counts = format!("| {} | {held} of {all} |", claim.source);
        assert!(row.contains(&counts), "{row}\nhas not {counts}");
        let (_, section) = page.split_once(&format!("\n### {}\n", claim.name)).expect("a section");
        let section = section.split("\n### ").next().unwrap_or_default();
        for it in violated {
            assert!(section.contains(&it.shows), "{} is violated: \"{}\"", claim.name, it.shows);
            violations += 1;
        }
    }
    assert!(violations >= 15, "{violations} violations");
}

/// Each scenario in which nobody resolves hook errors is told, with the error that holds up what waits.
#[test]
fn the_page_of_hooks_says_who_waits() {
    let page = fs::read_to_string(root().join(report::HOOKS)).expect("it is committed");
    let (_, waiting) = page.split_once("\n## Who waits for an error").expect("it has the section");
    let waiting = waiting.split("\n## ").next().unwrap_or_default();
    let (mut waited, mut unexplained) = (0, Vec::new());
    for it in worlds_with_hooks().iter().filter(|it| !it.world.assumptions.hook_errors_are_resolved)
    {
        let section = waiting.split("\n### ").find(|section| section.contains(&it.shows));
        let section = section.unwrap_or_else(|| panic!("nothing is said of {}", it.name));
        for (claim, _) in it.claims.iter().filter(|(_, is)| *is == Expected::Violated) {
            let row = format!("| {} | ", claim.name);
            let row = section.lines().find(|it| it.starts_with(&row)).expect("a row for each");
            waited += 1;
            if !row.contains(" failed and nobody has resolved it") {
                let name = report::name_below(&root().join("scenarios"), it);
                unexplained.push(format!("{name}: {}", claim.name));
            }
        }
    }
    assert!(waited >= 15, "{waited} claims wait");
    assert_eq!(unexplained, Vec::<String>::new(), "each names the error");
}

/// The three caveats of the documents (D1:18-37) are among what is needed, and so is what they forgot;
/// each removal claim has a section, and each cure that never comes somebody who waits for it.
#[test]
fn the_page_of_assumptions_has_the_caveats_of_the_documents() {
    let page = fs::read_to_string(root().join(report::ASSUMPTIONS)).expect("it is committed");
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
    for claim in Claim::removals() {
        let (_, section) = page.split_once(&format!("\n## {}\n", claim.name)).expect("a section");
        let section = section.split("\n## ").next().unwrap_or_default();
        assert!(section.contains("agents "), "{} needs agents", claim.name);
    }
    for cure in Assumption::ALL.iter().filter(|it| it.is_cure()) {
        let heading = format!("\n### Unless {}\n", cure.row().says);
        let (_, section) = page.split_once(&heading).expect("a section");
        let section = section.split("\n### ").next().unwrap_or_default();
        assert!(section.contains(" is removed | "), "somebody waits unless {}", cure.row().says);
    }
}

/// Each promise of either agent is told once, in as many worlds as ask it and with one that decides it.
#[test]
fn the_page_of_agents_sets_side_by_side_what_the_scenarios_expect() {
    let page = fs::read_to_string(root().join(report::AGENTS)).expect("it is committed");
    let (table, sections) = page.split_once("\n## The promises of D5's agent").expect("both");
    for (is_of, worlds) in [
        (&["workflow"][..], worlds_that(|world| world.detail.workflow)),
        (&["hooks", "charm", "relations", "settings"][..], worlds_with_hooks()),
    ] {
        let detail = |claim: &Claim| deathwatch_claims::lacks(claim, Details::default());
        let claims =
            deathwatch_claims::all().filter(|it| detail(it).is_some_and(|it| is_of.contains(&it)));
        for claim in claims {
            let with = |answer| {
                let asked = |it: &&Scenario| {
                    it.claims.iter().any(|(asked, is)| asked.name == claim.name && *is == answer)
                };
                worlds.iter().filter(asked).count()
            };
            let (held, violated) = (with(Expected::Holds), with(Expected::Violated));
            let verdict = format!("{}; holds in {held} of {}", claim.source, held + violated);
            let rows = table.lines().filter(|row| row.contains(claim.name));
            let rows: Vec<&str> = rows.filter(|row| row.contains(&verdict)).collect();
            assert_eq!(rows.len(), 1, "{}: {verdict}", claim.name);
            assert!(violated == 0 || rows[0].contains("; violated in "), "{}", rows[0]);
            if is_of == ["workflow"] {
                assert!(sections.contains(&format!("\n### {}\n", claim.name)), "{}", claim.name);
            }
        }
    }
}

/// The scenarios that are searched, have hooks by name, and switch off no clause.
fn worlds_with_hooks() -> Vec<Scenario> {
    worlds_that(|world| world.detail.hooks)
}

/// The scenarios that are searched, whose worlds are such, and that switch off no clause.
fn worlds_that(is_so: impl Fn(&World) -> bool) -> Vec<Scenario> {
    let files = scenario::find(&[root().join("scenarios")]).expect("scenarios are shipped");
    let all = files.iter().map(|file| scenario::load(file).expect("a shipped scenario loads"));
    let is_whole = |it: &Scenario| {
        let world = &it.world;
        world.without.is_empty() && world.unasserted.is_empty() && world.neglected.is_empty()
    };
    all.filter(|it| it.is_searched() && is_so(&it.world) && is_whole(it)).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
