//! Published schemas: the output of commands conforms to the schema that `schema` prints.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

use crate::{
    fixture::{CYCLE, Folder, LARGE, bug_as_it_is, bug_not_known, json, unit},
    sweep_pages::failing_seed,
};

/// The keys with which each document begins.
const HEAD: [&str; 3] = ["deathwatch", "command", "version"];

/// A folder with scenarios of each answer.
fn folder() -> Folder {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("new.toml", bug_not_known());
    folder.with("unit.toml", unit()).with("round.toml", CYCLE).with("large.toml", LARGE)
}

/// The errors of a document by the schema of this form, which must require the common head.
fn errors(folder: &Folder, form: &str, document: &Value) -> Vec<String> {
    let schema = json(&folder.run(&format!("schema {form}")));
    let keys = document.as_object().expect("an object").keys().take(HEAD.len());
    assert_eq!(keys.collect::<Vec<_>>(), HEAD, "{form}");
    let required = schema["required"].as_array().expect("a list");
    assert!(HEAD.iter().all(|key| required.contains(&(*key).into())), "{form}: {required:?}");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    validator.iter_errors(document).map(|error| error.to_string()).collect()
}

#[test]
fn what_check_writes_has_the_published_form() {
    let folder = folder();
    for line in [
        "check bug.toml new.toml unit.toml round.toml --format json",
        "check bug.toml new.toml unit.toml round.toml --format json --verbose",
        "check unit.toml --format json --timings",
        "check large.toml --format json --max-states 100",
        "check bug.toml --engine stateright --format json",
        "ask unit.toml --always true --format json",
    ] {
        let document = json(&folder.run(line));
        assert_eq!(errors(&folder, "check", &document), [""; 0], "{line}");
        let mut wrong = document.clone();
        wrong["runs"][0]["claims"][0]["answer"] = 1.into();
        assert!(!errors(&folder, "check", &wrong).is_empty(), "an answer is a word");
        let mut more = document;
        more["runs"][0]["mood"] = "good".into();
        assert!(!errors(&folder, "check", &more).is_empty(), "nothing else is in it");
    }
}

#[test]
fn what_replay_writes_has_the_published_form() {
    let document = json(&folder().run("replay unit.toml --format json"));
    assert_eq!(errors(&folder(), "run", &document), [""; 0]);
}

#[test]
fn what_assume_writes_has_the_published_form() {
    let folder = folder();
    for asked in ["", "--stuck", "--all-claims"] {
        let line = format!("assume bug.toml {asked} --format json");
        let document = json(&folder.run(&line));
        assert_eq!(errors(&folder, "assume", &document), [""; 0], "{line}");
        let mut more = document;
        more["runs"][0]["mood"] = "good".into();
        assert!(!errors(&folder, "assume", &more).is_empty(), "nothing else is in it");
    }
}

#[test]
fn what_diagnose_writes_has_the_published_form() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/tests/diagnosing/samples");
    let mut names: BTreeSet<String> = BTreeSet::new();
    for file in fs::read_dir(&samples).expect("a folder") {
        let name = file.expect("a file").file_name().into_string().expect("text");
        names.extend(name.split_once('.').map(|(name, _)| name.to_owned()));
    }
    assert!(names.len() > 5, "{names:?}");
    let mut verdicts = BTreeSet::new();
    for name in names {
        let mut folder = Folder::new();
        let mut words = vec!["diagnose --format json"];
        for kind in ["status", "show-unit"] {
            if let Ok(text) = fs::read_to_string(samples.join(format!("{name}.{kind}.json"))) {
                folder = folder.with(kind, text);
                words.push(kind);
            }
        }
        let document = json(&folder.run(&words.join(" ")));
        assert_eq!(errors(&folder, "diagnosis", &document), [""; 0], "{name}");
        verdicts.insert(document["diagnosis"]["verdict"].to_string());
        let mut wrong = document.clone();
        wrong["diagnosis"]["verdict"] = "perhaps".into();
        assert!(!errors(&folder, "diagnosis", &wrong).is_empty(), "there are six verdicts");
        let mut more = document;
        more["diagnosis"]["groups"][0]["cases"][0]["mood"] = "good".into();
        assert!(!errors(&folder, "diagnosis", &more).is_empty(), "nothing else is in it");
    }
    assert!(verdicts.len() > 2, "{verdicts:?}");
}

#[test]
fn what_a_comparison_writes_has_the_published_form() {
    let folder = folder();
    let line = "check --diff bug.toml --set relation-tracking=remote-scope --format json";
    let document = json(&folder.run(line));
    assert_eq!(errors(&folder, "diff", &document), [""; 0], "{line}");
    let mut more = document;
    more["scenarios"][0]["mood"] = "good".into();
    assert!(!errors(&folder, "diff", &more).is_empty(), "nothing else is in it");
}

#[test]
fn what_merge_writes_of_answers_has_the_same_form() {
    let folder = folder();
    folder.run("check bug.toml unit.toml --shard 1/2 --journal 1.jsonl");
    let document = json(&folder.run("merge 1.jsonl --format json"));
    let missing = document["runs"].as_array().expect("a list").iter();
    assert_eq!(
        missing.filter(|run| run["answer"] == "undecided" && run["unanswered"] == true).count(),
        1
    );
    assert_eq!(errors(&folder, "check", &document), [""; 0]);
}

#[test]
fn what_simulate_writes_has_the_published_form() {
    let folder = folder();
    for line in [
        "simulate bug.toml new.toml unit.toml --seeds 0..30 --keep-going --format json",
        "simulate bug.toml new.toml --seeds 0..30 --keep-going --format json --verbose",
        "simulate new.toml --seeds 0..200 --format json",
        "simulate large.toml --seeds 0..3 --format json --timings",
        "simulate large.toml --seeds 0..100 --shard 2/9 --format json --verbose",
        "simulate new.toml --seeds 0..30 --keep-going --format json --shrink-kinds",
        "ask bug.toml --seeds 0..20 --always units.size()<0 --format json",
    ] {
        let document = json(&folder.run(line));
        assert_eq!(errors(&folder, "sweep", &document), [""; 0], "{line}");
        for at in ["runs", "stats"] {
            let mut more = document.clone();
            match at {
                "runs" => more["runs"][0]["mood"] = "good".into(),
                inside => more["runs"][0][inside]["mood"] = "good".into(),
            }
            assert!(!errors(&folder, "sweep", &more).is_empty(), "nothing else is in {at}");
        }
        let mut wrong = document;
        wrong["runs"][0]["seeds"] = "some".into();
        assert!(!errors(&folder, "sweep", &wrong).is_empty(), "seeds are counted");
    }
}

#[test]
fn what_merge_writes_of_sweeps_has_the_same_form() {
    let folder = folder();
    folder.run("simulate new.toml --seeds 0..20 --shard 1/2 --journal 1.jsonl");
    let document = json(&folder.run("merge 1.jsonl --format json --verbose"));
    assert_eq!(document["runs"][0]["answer"], "undecided");
    assert_eq!(errors(&folder, "sweep", &document), [""; 0]);
}

/// The part of each seed in the sums is in its row, and the columns have all seeds.
#[test]
fn rows_and_columns_add_up_to_the_sums() {
    let folder = Folder::new().with("large.toml", LARGE).with("bug.toml", bug_not_known());
    let line = "simulate bug.toml large.toml --seeds 0..250 --keep-going --format json --verbose";
    let document = json(&folder.run(line));
    for run in document["runs"].as_array().expect("a list") {
        let list = |key: &str| run[key].as_array().expect("a list").iter();
        let number = |value: &Value| value.as_u64().expect("a number");
        let rows = |key: &str| list("rows").map(|row| number(&row[key])).sum::<u64>();
        assert_eq!(rows("steps"), number(&run["steps"]));
        assert_eq!(rows("commands"), number(&run["stats"]["commands"]));
        let columns = |key: &str| list("columns").map(|it| number(&it[key])).sum::<u64>();
        assert_eq!(columns("seeds"), 250);
        assert_eq!(columns("steps"), number(&run["steps"]));
        assert!(list("columns").len() <= 200);
        for (at, group) in list("groups").enumerate() {
            let has = |groups: &Value| groups.as_array().expect("a list").contains(&at.into());
            let its = list("rows").filter(|row| has(&row["groups"])).count() as u64;
            assert_eq!(its, number(&group["seeds"]), "{}", group["kind"]);
        }
        for (kind, removal) in run["stats"]["removal_ms"].as_object().expect("a table") {
            let bins = removal["bins"].as_array().map_or(&[][..], Vec::as_slice).iter();
            let all: u64 = bins.map(|bin| number(&bin["count"])).sum();
            assert_eq!(all, number(&removal["count"]), "{kind}");
            let never = list("rows").map(|row| number(&row["unfinished"][kind])).sum::<u64>();
            assert_eq!(never, number(&run["stats"]["unfinished"][kind]["count"]), "{kind}");
        }
    }
    let is_stuck = |run: &Value| run["stats"]["unfinished"]["relations"]["count"] != 0;
    assert!(document["runs"].as_array().expect("a list").iter().any(is_stuck));
}

#[test]
fn what_shrink_writes_has_the_published_form() {
    let folder = folder();
    let seed = failing_seed(&folder, "bug.toml");
    for flags in ["", "--tries 3"] {
        let line = format!("shrink bug.toml --seed {seed} --format json {flags}");
        let document = json(&folder.run(&line));
        assert_eq!(errors(&folder, "shrink", &document), [""; 0], "{line}");
        let mut wrong = document.clone();
        wrong["run"]["after"]["steps"] = "few".into();
        assert!(!errors(&folder, "shrink", &wrong).is_empty(), "steps are counted");
        let mut more = document;
        more["run"]["mood"] = "good".into();
        assert!(!errors(&folder, "shrink", &more).is_empty(), "nothing else is in it");
    }
}
