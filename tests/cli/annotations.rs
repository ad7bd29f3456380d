//! Unexpected answers for hosts of code: `--format github` and `--format sarif`.

use std::fs;

use insta::assert_snapshot;
use predicates::prelude::*;
use serde_json::Value;

use crate::fixture::{
    AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, WHILE, bug_as_it_is,
    bug_not_known, json, stdout_of, unit,
};

/// A file with two scenarios, both of which fail, at lines of their own.
fn folder() -> Folder {
    let also = "[also.\"more, 100%\"]\nshows = \"More.\"\n\
                claims.\"a Dying unit is removed\" = \"violated\"\n\
                claims.\"a Dying relation is removed\" = \"violated\"\n";
    let script = format!("{WHILE}[expect]\ndying = [\"wordpress/0\"]\n");
    Folder::new()
        .with("some folder/bug.toml", format!("{}{also}", bug_not_known()))
        .with("script.toml", script)
        .with("unit.toml", unit())
}

#[test]
fn a_log_has_a_command_for_each_failure() {
    let folder = folder().with("large.toml", LARGE);
    let mut check = folder.command(&["check", ".", "--format", "github", "--max-states", "1000"]);
    check.env("GITHUB_STEP_SUMMARY", "summary.md");
    let checked = check.assert().code(UNEXPECTED);
    let log = stdout_of(&checked);
    assert_snapshot!(log);
    let commands = log.lines().filter(|line| line.starts_with("::"));
    assert_eq!(commands.count(), log.lines().count() - 1, "and the number of scenarios");
    let line = |file: &str, number: &str| {
        let text = folder.read(file);
        text.lines().nth(number.parse::<usize>().expect("a number") - 1).map(str::to_owned)
    };
    let error = log.lines().find(|line| line.contains("bug#")).expect("it fails");
    let number = error.split("line=").nth(1).and_then(|it| it.split(',').next()).expect("a line");
    let shown = line("some folder/bug.toml", number).expect("it is there");
    assert_eq!(shown, "claims.\"a Dying unit is removed\" = \"violated\"");
    assert_snapshot!(folder.read("summary.md"));
    // The summary of a step is appended to.
    let mut again = folder.command(&["check", "unit.toml", "--format", "github"]);
    again.env("GITHUB_STEP_SUMMARY", "summary.md").assert().code(AS_EXPECTED);
    assert!(
        folder.read("summary.md").ends_with("\n### deathwatch check: 1 scenario as expected\n")
    );
    let mut lost = folder.command(&["check", "unit.toml", "--format", "github"]);
    let lost = lost.env("GITHUB_STEP_SUMMARY", "none/summary.md").assert().code(NOT_ASKED);
    lost.stderr(predicate::str::contains("failed to write the summary of the step"));
}

#[test]
fn other_formats_leave_the_summary_alone() {
    let folder = folder();
    let mut check = folder.command(&["check", "unit.toml"]);
    check.env("GITHUB_STEP_SUMMARY", "summary.md").assert().code(AS_EXPECTED);
    assert!(fs::metadata(folder.path("summary.md")).is_err());
}

#[test]
fn a_merged_report_is_that_of_the_whole() {
    let folder = folder();
    for format in ["github", "sarif"] {
        let whole = folder.run(&format!("check . --format {format}")).code(UNEXPECTED);
        for shard in ["1/2", "2/2"] {
            let journal = format!("{format}-{}.jsonl", &shard[..1]);
            folder.run(&format!("check . --shard {shard} --journal {journal}"));
        }
        let line = format!("merge {format}-1.jsonl {format}-2.jsonl --format {format}");
        let merged = folder.run(&line).code(UNEXPECTED);
        assert_eq!(whole.get_output().stdout, merged.get_output().stdout, "{format}");
    }
}

/// The requirements of SARIF 2.1.0 on a log, and the fields that hosts read. The file that
/// `SARIF_SCHEMA` names has the schema.
#[test]
fn sarif_has_its_form() {
    let folder = folder().with("large.toml", LARGE);
    for line in ["check . --max-states 1000", "simulate \"some folder/bug.toml\" --seeds 0..20"] {
        let words = line.split('"').enumerate().flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().collect::<Vec<_>>(),
            _ => vec![part],
        });
        let args: Vec<&str> = words.chain(["--format", "sarif"]).collect();
        let log = json(&folder.command(&args).assert().code(UNEXPECTED));
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(log["$schema"], "https://json.schemastore.org/sarif-2.1.0.json");
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "deathwatch");
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        let results = run["results"].as_array().expect("results");
        assert!(!results.is_empty());
        for result in results {
            let rule =
                &rules[usize::try_from(result["ruleIndex"].as_u64().expect("one")).expect("")];
            assert_eq!(rule["id"], result["ruleId"]);
            let (kind, level) = (result["kind"].as_str(), result["level"].as_str());
            let pairs = [(Some("fail"), Some("error")), (Some("open"), Some("none"))];
            assert!(pairs.contains(&(kind, level)), "{result}");
            assert!(result["message"]["text"].as_str().is_some_and(|it| !it.is_empty()));
            let place = &result["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().expect("a reference");
            assert!(uri.is_ascii() && !uri.contains([' ', '#', '\\']), "{uri}");
            assert!(place["region"]["startLine"].as_u64() >= Some(1));
            assert!(result["partialFingerprints"]["scenarioAndClaim/v1"].is_string());
        }
    }
    let log = json(&folder.run("check . --max-states 1000 --format sarif"));
    if let Some(path) = std::env::var_os("SARIF_SCHEMA") {
        let schema = fs::read_to_string(path).expect("it is there");
        // The schema's pattern for languages has a superfluous bracket.
        let schema = schema.replace("{2}]?$", "{2}$");
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let errors = validator.iter_errors(&log).map(|error| error.to_string());
        assert_eq!(errors.collect::<Vec<_>>(), [""; 0]);
    }
    let results = log["runs"][0]["results"].as_array().expect("results");
    let of =
        |text: &str| -> Vec<&Value> { results.iter().filter(|it| it["ruleId"] == text).collect() };
    let violated = of("a-dying-relation-is-removed");
    assert_eq!(violated.len(), 1);
    let steps = &violated[0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps.as_array().map(Vec::len), Some(5), "the run, step by step");
    assert_eq!(of("the-scenario-is-answered").len(), 1, "the large one is open");
}

#[test]
fn nothing_to_tell_is_a_whole_log() {
    let slow = "shows = \"It takes long to be read.\"\n[world.machines]\n\"1..=50000\" = {}\n\
                [world.applications]\nwordpress.units = [\"1..=50000\"]\n";
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("slow.toml", slow);
    let log = json(&folder.run("check bug.toml --format sarif").code(AS_EXPECTED));
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
    folder
        .run("check bug.toml --format github")
        .code(AS_EXPECTED)
        .stdout("1 scenario as expected\n");
    let cut = json(&folder.run("check slow.toml --time 1ms --format sarif").code(UNDECIDED));
    assert_eq!(cut["runs"][0]["invocations"][0]["executionSuccessful"], false);
    let cut = folder.run("check slow.toml --time 1ms --format github").code(UNDECIDED);
    cut.stdout(predicate::str::starts_with("::warning title=deathwatch check::undecided: "));
}
