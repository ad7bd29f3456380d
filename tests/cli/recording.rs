//! Runs in formats for other tools.

use insta::assert_snapshot;
use predicates::prelude::*;
use serde_json::Value;

use crate::{
    fixture::{
        AS_EXPECTED, CYCLE, Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is,
        bug_not_known, json, unit,
    },
    hostile::is_harmless,
};

/// The claim that the bug violates.
const CLAIM: &str = "a Dying relation is removed";

#[test]
fn a_counterexample_is_shown_by_one_command() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("new.toml", bug_not_known());
    assert_snapshot!(folder.seen("replay bug.toml --counterexample"));
    assert_snapshot!(folder.seen("replay bug.toml --counterexample --format mermaid"));
    assert_snapshot!(folder.seen("replay bug.toml --counterexample --format dot"));
    folder.run("replay new.toml --counterexample").code(UNEXPECTED);
}

#[test]
fn a_run_that_goes_round_is_a_loop_in_each_format() {
    let folder = Folder::new().with("round.toml", CYCLE);
    assert_snapshot!(folder.seen("replay round.toml --counterexample --format mermaid"));
    let line = "replay round.toml --counterexample --format";
    let run = &json(&folder.run(&format!("{line} json")))["runs"][0].clone();
    let trace = json(&folder.run(&format!("{line} itf")));
    assert_eq!(run["end"]["is"], "cycle");
    assert_eq!(trace["loop"], run["end"]["from"]);
    assert_eq!(run["header"]["script"], 1);
    assert_eq!(run["steps"][0]["line_of_file"], 3);
}

#[test]
fn a_script_as_json_is_one_object_with_all_runs() {
    let folder = Folder::new().with("unit.toml", unit()).with("bug.toml", bug_as_it_is());
    let document = json(&folder.run("replay unit.toml bug.toml --format json").code(AS_EXPECTED));
    assert_eq!((&document["command"], &document["version"]), (&"replay".into(), &4.into()));
    let runs = document["runs"].as_array().expect("a list");
    let steps = |run: &Value| run["steps"].as_array().expect("a list").len();
    assert_eq!(runs.iter().map(steps).collect::<Vec<_>>(), [2, 0]);
    let step = &runs[0]["steps"][0];
    assert_eq!(step["outcome"], "committed");
    let change = &step["changes"][0];
    assert_eq!((&change["before"], &change["after"]), (&"alive".into(), &"dying".into()));
    let state = &runs[0]["states"][2]["rows"]["unit"]["wordpress/0"];
    assert_eq!(state["life"], "dead");
    let text = runs[0]["clauses"]["destroy-unit.1"]["says"].as_str().expect("a clause");
    assert!(text.len() > 10, "{text}");
    let failed = unit().replace("dead =", "alive =");
    let folder = folder.with("wrong.toml", failed);
    let document = json(&folder.run("replay wrong.toml --format json").code(UNEXPECTED));
    assert_eq!(document["runs"][0]["failures"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_command_in_a_run_makes_it_again() {
    let folder = Folder::new().with("my bug.toml", bug_as_it_is());
    let args = ["replay", "my bug.toml", "--counterexample", "--format", "json"];
    let told = folder.command(&args).output().expect("it runs").stdout;
    let document: Value = serde_json::from_slice(&told).expect("it is JSON");
    let made_by = document["runs"][0]["header"]["made_by"].as_str().expect("a command");
    assert_eq!(made_by, format!("deathwatch replay 'my bug.toml' --counterexample '{CLAIM}'"));
    let args = ["replay", "my bug.toml", "--counterexample", CLAIM, "--format", "json"];
    assert_eq!(folder.command(&args).output().expect("it runs").stdout, told);
}

#[test]
fn the_run_of_a_seed_has_formats_too() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let document = json(&folder.run("replay bug.toml --seed 17 --format json"));
    let run = &document["runs"][0];
    assert_eq!(run["header"]["origin"]["seed"], 17);
    let steps = run["steps"].as_array().expect("a list");
    assert!(steps.iter().all(|step| step["milliseconds"].is_u64()), "{steps:?}");
    let text = folder.stdout("replay bug.toml --seed 17", AS_EXPECTED);
    let lines = text.lines().filter(|line| line.contains(": ") && line.ends_with(']'));
    assert!(lines.count() <= steps.len());
    let drawn = folder.stdout("replay bug.toml --seed 17 --format mermaid", AS_EXPECTED);
    assert!(drawn.contains(&format!(": {}. ", steps.len())), "{drawn}");
}

#[test]
fn an_output_is_written_whole_or_not_at_all() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("out.json", "old");
    let line = "replay bug.toml --counterexample --format json";
    let told = folder.stdout(line, AS_EXPECTED);
    folder.run(&format!("{line} --output out.json")).code(AS_EXPECTED).stdout("");
    assert_eq!(folder.read("out.json"), told);
    folder.run(&format!("{line} --output bug.toml")).code(NOT_ASKED);
    assert_eq!(folder.read("bug.toml"), bug_as_it_is());
    let folder = folder.with("unit.toml", unit()).with("out.json", "old");
    folder.run("replay unit.toml --counterexample --output out.json").code(NOT_ASKED);
    assert_eq!(folder.read("out.json"), "old");
    assert_eq!(folder.names(), ["bug.toml", "out.json", "unit.toml"]);
}

#[test]
fn what_cannot_be_shown_is_told() {
    let folder = Folder::new().with("unit.toml", unit()).with("large.toml", LARGE);
    assert_snapshot!(folder.seen("replay unit.toml --counterexample"));
    let limited = "replay large.toml --counterexample --max-states 10";
    folder.run(limited).code(UNDECIDED).stderr(predicate::str::contains("undecided"));
    let two = "these are 2 scenarios";
    for format in ["mermaid", "dot", "itf"] {
        let line = format!("replay . --format {format}");
        folder.run(&line).code(NOT_ASKED).stderr(predicate::str::contains(two));
    }
    folder.run("replay . --counterexample").code(NOT_ASKED).stderr(predicate::str::contains(two));
    let args = ["replay", "unit.toml", "--counterexample", "it works"];
    folder.command(&args).assert().code(NOT_ASKED);
    let kept = ["replay", "unit.toml", "--counterexample", "an application counts its units"];
    let told = "\"an application counts its units\" is not violated";
    folder.command(&kept).assert().code(NOT_ASKED).stderr(predicate::str::contains(told));
    folder.run("replay unit.toml --counterexample --seed 1").code(NOT_ASKED);
}

#[test]
fn a_run_that_is_too_long_for_all_its_states_has_its_first_one() {
    let long = LARGE.replace("\"2\"]", "\"2\"]\nwordpress.most-units = 4000");
    let folder = Folder::new().with("long.toml", long);
    let line = "replay long.toml --seed 1 --format json";
    let told = predicate::str::contains("--states first");
    folder.run(line).code(NOT_ASKED).stdout("").stderr(told);
    let document = json(&folder.run(&format!("{line} --states first")));
    assert_eq!(document["runs"][0]["kept"], "first");
    assert_eq!(document["runs"][0]["states"].as_array().map(Vec::len), Some(1));
}

#[test]
fn text_from_files_stays_text_in_each_format() {
    let nasty = "\\u001b[2J\\u202e\\\"] <script>alert(1)</script> %%{init}%% #35;";
    let bug = bug_as_it_is().replace("shows = \"", &format!("shows = \"{nasty} "));
    let own =
        "[own.\"<script>%%{x}\\\"]; #1;\"]\nalways = 'relations.all(r, r.life != \"dying\")'\n";
    let violated = "\"<script>%%{x}\\\"]; #1;\" = \"violated\"\n";
    let bug = bug.replace("\"a Dying relation is removed\" = \"violated\"\n", violated);
    let folder = Folder::new().with("bug.toml", format!("{bug}{own}"));
    for format in ["text", "json", "mermaid", "dot", "itf"] {
        let line = format!("replay bug.toml --counterexample --format {format}");
        let told = folder.stdout(&line, AS_EXPECTED);
        assert!(is_harmless(&told), "{format}: {told:?}");
        if format == "mermaid" {
            assert!(!told.contains("<script") && !told.contains("%%"), "{told}");
        }
        if format == "json" || format == "itf" {
            serde_json::from_str::<Value>(&told).expect("it is JSON");
        }
    }
}

#[test]
fn check_has_the_run_of_each_violated_claim_if_asked_for() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let short = json(&folder.run("check bug.toml --format json"))["runs"][0].clone();
    assert!(short["claims"][0].get("run").is_none());
    let long = json(&folder.run("check bug.toml --format json --verbose"))["runs"][0].clone();
    let (violated, witness) = (&long["claims"][0], &long["claims"][1]);
    assert_eq!((&violated["answer"], &witness["kind"]), (&"violated".into(), &"witness".into()));
    assert!(witness["run"].is_null());
    let mut claim = violated.clone();
    claim.as_object_mut().expect("an object").remove("run");
    assert_eq!(claim, short["claims"][0], "nothing else differs");
    let same = "replay bug.toml --counterexample --format json --states first";
    assert_eq!(violated["run"], json(&folder.run(same))["runs"][0]);
}

#[test]
fn the_schemas_are_printed() {
    let folder = Folder::new();
    let of = |what: &str| json(&folder.run(&format!("schema {what}")))["title"].clone();
    assert_eq!(of("run"), "Runs of deathwatch");
    assert_eq!(of("scenario"), of(""));
}
